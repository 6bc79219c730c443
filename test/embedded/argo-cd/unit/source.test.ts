import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkKustomization } from '../../../../infra/embedded/argo-cd/source/check-kustomization.ts';
import { findAppFolder, refuseLinksOut } from '../../../../infra/embedded/argo-cd/source/check-tree.ts';
import { parseManifests } from '../../../../infra/embedded/argo-cd/source/parse-manifests.ts';
import { chooseCredentials } from '../../../../infra/embedded/argo-cd/source/repository-credentials.ts';
import { readTransport } from '../../../../infra/embedded/argo-cd/source/repository-url.ts';
import { readRemoteRefs, resolveRevision } from '../../../../infra/embedded/argo-cd/source/resolve-revision.ts';

describe('the address of a repository', () => {
  it.each([
    ['http://127.0.0.1:3000/team/app.git', 'http'],
    ['https://git.example/team/app', 'https'],
    ['ssh://git@git.example/team/app', 'ssh'],
    ['git@git.example:team/app.git', 'ssh'],
    ['git://git.example/app', 'git'],
  ])('%s goes by %s', (url, transport) => {
    expect(readTransport(url)).toBe(transport);
  });

  it.each([
    'ext::sh -c id',
    'ext::id',
    'file:///etc',
    '/etc/repository',
    '../repository',
    'fd::3',
    '--upload-pack=id',
    'ssh://-oProxyCommand=id/x',
    'ssh://-l@host/x',
    '-host:path',
    'https://git.example/a b',
    'https://git.example/a\nb',
    'ftp://git.example/a',
    'https:///a',
    '',
  ])('%j is refused', (url) => {
    expect(readTransport(url)).toBeUndefined();
  });
});

describe('a revision', () => {
  const main = '1'.repeat(40);
  const tag = '2'.repeat(40);
  const peeled = '3'.repeat(40);
  const refs = readRemoteRefs(
    `ref: refs/heads/main\tHEAD\n${main}\tHEAD\n${main}\trefs/heads/main\n${tag}\trefs/tags/v1\n${peeled}\trefs/tags/v1^{}\n`,
  );

  it.each([
    ['', main],
    ['HEAD', main],
    ['main', main],
    ['refs/heads/main', main],
    ['v1', peeled],
    ['abcdef1', 'abcdef1'],
    ['missing', undefined],
  ])('%j stands for %s', (revision, commit) => {
    expect(resolveRevision(refs, revision)).toBe(commit);
  });
});

describe('the credentials of a repository', () => {
  const url = 'https://git.example/team/app.git';
  const secret = (type: string, data: Record<string, string>) => ({ name: 's', type, data });

  it('are those of its project before those of nobody', () => {
    const secrets = [
      secret('repository', { url, username: 'everybody', password: 'p' }),
      secret('repository', { url, username: 'other', password: 'p', project: 'other' }),
      secret('repository', { url, username: 'team', password: 'p', project: 'team' }),
    ];

    expect(chooseCredentials(secrets, 'https://GIT.example/team/app', 'team')?.username).toBe('team');
    expect(chooseCredentials(secrets, url, 'third')?.username).toBe('everybody');
  });

  it('are never those of another project', () => {
    const secrets = [secret('repository', { url, username: 'other', password: 'p', project: 'other' })];

    expect(chooseCredentials(secrets, url, 'team')).toBeUndefined();
  });

  it('come from the longest template where the repository has none of its own', () => {
    const secrets = [
      secret('repo-creds', { url: 'https://git.example', username: 'short' }),
      secret('repo-creds', { url: 'https://git.example/team', username: 'long' }),
      secret('repo-creds', { url: 'https://git.other', username: 'other' }),
      secret('repository', { url }),
    ];

    expect(chooseCredentials(secrets, url, 'team')?.username).toBe('long');
  });
});

describe('a manifest', () => {
  it('is read as Kubernetes reads it', () => {
    const [object] = parseManifests(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {mode: 0644, on: yes, at: 12:30:00, day: 2026-01-02}\n',
    );

    expect(object?.['spec']).toEqual({ mode: 420, true: true, at: '12:30:00', day: '2026-01-02' });
  });

  it('may be a list of others', () => {
    const text = 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n---\n';

    expect(parseManifests(text).map(({ kind }) => kind)).toEqual(['Secret']);
  });

  it.each([
    ['without a kind', 'apiVersion: v1\nmetadata: {name: a}\n', /Object 'Kind' is missing/],
    ['without a name', 'apiVersion: v1\nkind: Secret\nmetadata: {}\n', /no metadata.name/],
    ['that is no YAML', 'a: b: c\n', /./],
  ])('%s is refused', (_what, text, message) => {
    expect(() => parseManifests(text)).toThrow(message);
  });
});

describe('a checkout', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'checkout-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }

  it.each([
    ['/etc', /app path is absolute/],
    ['../..', /app path outside root/],
    ['missing', /missing: app path does not exist/],
    ['file', /app path is not a directory/],
  ])('has no application at %s', async (path, message) => {
    await put('file', '');

    await expect(findAppFolder(root, path)).rejects.toThrow(message);
  });

  it.each(['/etc/passwd', '../outside', '../../outside'])('may not hold a link to %s', async (target) => {
    await mkdir(join(root, 'app'));
    await symlink(target.startsWith('../outside') ? `../../outside` : target, join(root, 'app/link'));

    await expect(refuseLinksOut(root)).rejects.toThrow('repository contains out-of-bounds symlinks. file: app/link');
  });

  it('may hold a link that stays inside', async () => {
    await put('base/file', '');
    await symlink('../base', join(root, 'base/again'));

    await expect(refuseLinksOut(root)).resolves.toBeUndefined();
  });

  it.each([
    ['resources: [../../outside]', /outside of the repository/],
    ['resources: [/etc]', /outside of the repository/],
    ['components: [../../outside]', /outside of the repository/],
    ['resources: [github.com/someone/something]', /remote bases are not supported/],
    ['resources: ["https://git.example/x?ref=main"]', /remote bases are not supported/],
    ['resources: ["git@git.example:a/b"]', /remote bases are not supported/],
    ['patches: [{path: "http://127.0.0.1:1/patch.yaml"}]', /remote bases are not supported/],
    ['configMapGenerator: [{name: a, files: ["key=http://127.0.0.1:1/x"]}]', /remote bases are not supported/],
    ['openapi: {path: "https://git.example/schema.json"}', /remote bases are not supported/],
  ])('may not build on %s, however deep', async (text, message) => {
    await put('over/kustomization.yaml', 'resources: [../base]\n');
    await put('base/kustomization.yaml', `${text}\n`);

    await expect(checkKustomization(root, join(root, 'over'))).rejects.toThrow(message);
  });

  it('may build on its own folders', async () => {
    await put('over/kustomization.yaml', 'resources: [../base, one.yaml]\nimages: [{name: a, newName: quay.io/a}]\n');
    await put('over/one.yaml', 'apiVersion: v1\n');
    await put('base/kustomization.yaml', 'resources: []\n');

    await expect(checkKustomization(root, join(root, 'over'))).resolves.toBeUndefined();
  });
});
