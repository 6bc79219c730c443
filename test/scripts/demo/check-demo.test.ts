import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDemo, checkParts } from '../../../scripts/demo/check-demo.ts';

const folder = mkdtempSync(join(tmpdir(), 'stagecoach-demo-'));
writeFileSync(join(folder, 'git'), '');
chmodSync(join(folder, 'git'), 0o755);
const withGit = { PATH: folder };
const ours = { real: false };

describe('the demo', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('starts where nothing is configured and git is there, on stand-ins and on real parts', () => {
    expect(() => checkDemo(ours, withGit)).not.toThrow();
    expect(() => checkDemo({ real: true }, withGit)).not.toThrow();
  });

  it('refuses a cluster that the user named', () => {
    expect(() => checkDemo(ours, { ...withGit, KUBECONFIG: '/home/me/.kube/config' })).toThrow(
      'a kubeconfig names a cluster of yours',
    );
    expect(() => checkDemo(ours, { ...withGit, KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toThrow(
      'KUBERNETES_SERVICE_HOST names a cluster of yours',
    );
  });

  it('does not mind a kubeconfig in the environment where it starts a cluster of its own', () => {
    expect(() => checkDemo({ real: true }, { ...withGit, KUBECONFIG: '/home/me/.kube/config' })).not.toThrow();
  });

  it('refuses a Git host that the user named', () => {
    expect(() => checkDemo(ours, { ...withGit, GIT_ROOT_URL: 'https://git.example.com' })).toThrow(
      'GIT_ROOT_URL names a Git host of yours',
    );
  });

  it('says so where there is no git', () => {
    expect(() => checkDemo(ours, { PATH: '/nowhere' })).toThrow('git is not installed: install it');
  });

  it('says which stand-in is missing, and why', () => {
    const git = { name: 'Git', at: 'http://127.0.0.1:1' };

    expect(() => checkParts([git])).not.toThrow();
    expect(() => checkParts([git, { name: 'Argo CD', at: '–', missing: 'there is no kustomize' }])).toThrow(
      '--demo needs Argo CD, and that is not started: there is no kustomize',
    );
  });
});
