import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { readKubeconfig } from '../../../shared/adapters/kubernetes/read-kubeconfig.ts';

describe('a kubeconfig', () => {
  let path: string;

  beforeEach(async () => {
    path = join(await mkdtemp(join(tmpdir(), 'stagecoach-kubeconfig-')), 'config');
  });
  afterEach(() => rm(join(path, '..'), { recursive: true }));

  const wrongs: Record<string, { text: string; context?: string; says: string | RegExp }> = {
    'names the context that is missing': {
      text: '{"contexts":[]}',
      context: 'nobody',
      says: 'has no context "nobody"',
    },
    'says that no context is chosen': { text: '{"contexts":[]}', says: 'has no current-context' },
    'names the cluster that is missing': {
      text: 'current-context: x\ncontexts: [{ name: x, context: { cluster: c } }]',
      says: 'has no cluster "c", which its context "x" names',
    },
    'names the user that is missing': {
      text: 'current-context: x\ncontexts: [{ name: x, context: { cluster: c, user: u } }]\nclusters: [{ name: c, cluster: { server: "https://a" } }]',
      says: 'has no user "u", which its context "x" names',
    },
    'quotes nothing of a file it cannot parse': {
      text: 'users: [{ token: hush, ]]',
      says: /config cannot be read \([A-Z_]+\)$/,
    },
    'is told from any other file': { text: 'just a line', says: 'is not a kubeconfig' },
  };

  it.each(Object.entries(wrongs))('%s', async (_title, { text, context, says }) => {
    await writeFile(path, text);

    expect(() => readKubeconfig(path, context)).toThrow(says);
  });

  it('may have its certificates inside, which win over files, and a token file, which wins over a token', async () => {
    const data = (text: string) => Buffer.from(text).toString('base64');
    await writeFile(
      path,
      JSON.stringify({
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        clusters: [
          {
            name: 'c',
            cluster: {
              server: 'https://a/',
              'certificate-authority-data': data('ca'),
              'certificate-authority': 'ca.crt',
              'tls-server-name': 'b',
            },
          },
        ],
        users: [
          {
            name: 'u',
            user: { 'client-certificate-data': data('cert'), 'client-key': 'me.key', token: 'old', tokenFile: 'token' },
          },
        ],
      }),
    );

    const { cluster, user } = readKubeconfig(path);

    expect(cluster).toMatchObject({
      server: 'https://a',
      authority: { value: 'ca' },
      serverName: 'b',
      insecure: false,
    });
    expect(user).toMatchObject({
      certificate: { value: 'cert' },
      key: { file: join(path, '..', 'me.key') },
      token: { file: join(path, '..', 'token') },
    });
  });

  it('is asked for where no cluster is configured', () => {
    expect(() => connectCluster({ now: Date.now })).toThrow('No cluster is configured');
  });
});
