import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findKustomize } from '../../../../infra/embedded/argo-cd/source/find-kustomize.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

describe('a kustomize is looked for', () => {
  it('first as itself, from version 5 on', async () => {
    install('kustomize', 'echo v5.8.1');

    expect(await findKustomize(folder)).toMatchObject({ program: join(folder, 'kustomize'), args: ['build'] });
  });

  it('then inside kubectl', async () => {
    install('kustomize', 'echo v4.5.4');
    install('kubectl', 'echo "Kustomize Version: v5.8.1"');

    expect(await findKustomize(folder)).toMatchObject({ program: join(folder, 'kubectl'), args: ['kustomize'] });
  });

  it('without giving it a home that it could fill', async () => {
    install('kubectl', 'mkdir -p "$HOME/.kube" && exit 1\necho "Kustomize Version: v5.8.1"');

    expect(await findKustomize(folder)).toMatchObject({ program: join(folder, 'kubectl') });
  });

  it('and said to be missing where there is none', async () => {
    await expect(findKustomize(folder, 'plan9-arm')).rejects.toThrow('needs kustomize');
  });
});
