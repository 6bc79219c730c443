import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readConfig } from '../../shared/runtime/config.ts';
import { openConfiguredWorld } from '../../shared/runtime/open-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'stagecoach-spaces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The settings with which namespaces are provisioned on the cluster of this kubeconfig. */
function spacesWith(cluster: object, settings: Readonly<Record<string, string>> = {}) {
  const KUBECONFIG = join(folder, 'kubeconfig');
  const entry = { server: 'https://127.0.0.1:9', ...cluster };
  writeFileSync(
    KUBECONFIG,
    stringify({
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'here', user: '' } }],
      clusters: [{ name: 'here', cluster: entry }],
    }),
  );
  const config = readConfig(['cluster', 'engines', 'spaces'], { KUBECONFIG, ...settings });
  return openConfiguredWorld(config, undefined as unknown as Sql, () => 0).world.spaces;
}

describe('how namespaces are provisioned', () => {
  it('is by us, at the address that we use ourselves and with its authority', async () => {
    const data = Buffer.from('an authority').toString('base64');

    const spaces = spacesWith({ 'certificate-authority-data': data });

    expect(spaces).toMatchObject({ fulfils: true, tiers: ['appstudio-env'], server: 'https://127.0.0.1:9' });
    expect(await spaces.certificateAuthority()).toBe('an authority');
  });

  it('knows an authority that was renewed in its file', async () => {
    const file = join(folder, 'ca.crt');
    writeFileSync(file, 'the first');
    const spaces = spacesWith({ 'certificate-authority': file });
    expect(await spaces.certificateAuthority()).toBe('the first');

    writeFileSync(file, 'the second');

    expect(await spaces.certificateAuthority()).toBe('the second');
  });

  it('needs no authority where every machine trusts the server', async () => {
    expect(await spacesWith({}).certificateAuthority()).toBeUndefined();
  });

  it('may be at another address with another authority, in other tiers, or by the toolchain operator', async () => {
    const file = join(folder, 'other.crt');
    writeFileSync(file, 'another');

    const spaces = spacesWith(
      { 'certificate-authority-data': 'YQ==' },
      {
        SPACE_API_URL: 'https://api.example.com:6443',
        SPACE_API_CA_FILE: file,
        SPACE_TIERS: 'small, large',
        SPACE_REQUESTS: 'toolchain',
      },
    );

    expect(spaces).toMatchObject({
      fulfils: false,
      tiers: ['small', 'large'],
      server: 'https://api.example.com:6443',
    });
    expect(await spaces.certificateAuthority()).toBe('another');
  });

  it('waits where the file of the authority cannot be read', async () => {
    const spaces = spacesWith({}, { SPACE_API_CA_FILE: join(folder, 'nowhere.crt') });

    await expect(spaces.certificateAuthority()).rejects.toMatchObject({ kind: 'transient' });
  });
});
