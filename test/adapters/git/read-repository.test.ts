import { execFileSync, spawnSync } from 'node:child_process';
import { sample, string } from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTree } from '../../../shared/adapters/git/read-tree.ts';
import { branchProblem } from '../../../shared/domain/application/repository-place.ts';
import type {
  FileContent,
  GitOpsRepositories,
  RepositoryPlace,
  Tree,
} from '../../../shared/ports/gitops-repositories.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { clonesIn, failure, type GitStage, openGitStage, type StageRepository, write } from './git-stage.ts';

describeWithGit('what is in a repository', () => {
  let stage: GitStage;
  beforeAll(async () => {
    stage = await openGitStage();
  });
  afterAll(() => stage.end());

  async function treeOf(place: RepositoryPlace, repositories = stage.open()): Promise<Tree> {
    const written = await write(repositories, place, async () => undefined);
    if (written.kind === 'pushed') throw new Error('Something was pushed');
    return written.tree;
  }

  it('is listed whole, with what is no file told apart', async () => {
    const repository = await stage.repository({
      'b/file.yaml': 'b',
      'b.yaml': 'b',
      link: { mode: '120000', text: '/etc/passwd' },
      'run.sh': { mode: '100755', text: 'run' },
    });
    await addSubmodule(repository, 'vendor/module');

    expect((await treeOf(repository.place)).entries.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'file b.yaml',
      'file b/file.yaml',
      'link link',
      'file run.sh',
      'submodule vendor/module',
    ]);
  });

  it('is read as it stands, whatever it says', async () => {
    const texts = {
      'empty.yaml': '',
      'binary.txt': 'binary',
      'too-large.txt': 'too-large',
      'windows.yaml': '\uFEFFa: 1\r\n',
      'unicode.yaml': 'ü 😀\n\n',
      'twin.yaml': 'same',
      'other-twin.yaml': 'same',
      'large.yaml': 'x'.repeat(262_144),
    };
    const repository = await stage.repository(texts);

    const read = await (await treeOf(repository.place)).read([...Object.keys(texts), 'missing.yaml']);

    expect([...read.keys()]).toEqual(Object.keys(texts));
    // Not compared whole: a difference in the large one would be shown.
    for (const [path, text] of Object.entries(texts))
      expect([path, isText(read.get(path), text)]).toEqual([path, true]);
  });

  it('and is no text, or too large, or no file, is not read', async () => {
    const repository = await stage.repository({
      'nul.bin': 'a\0b',
      'link.yaml': { mode: '120000', text: 'nul.bin' },
      'huge.yaml': 'x'.repeat(262_145),
      'small.yaml': 'small',
    });
    const latin = await importBytes(repository, 'latin.txt', Buffer.from([0x66, 0xfc, 0x72]));

    const tree = await treeOf(repository.place);

    expect(tree.head).toBe(latin);
    expect(await tree.read(['nul.bin', 'latin.txt', 'link.yaml', 'huge.yaml', 'small.yaml', 'nothing'])).toEqual(
      new Map<string, unknown>([
        ['nul.bin', 'binary'],
        ['latin.txt', 'binary'],
        ['huge.yaml', 'too-large'],
        ['small.yaml', { text: 'small' }],
      ]),
    );
  });

  it('and is too large is neither fetched, nor read where it is there all the same', async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'x'.repeat(300_000) });
    const folder = stage.folder();
    const repositories = stage.open({ folder });
    await write(repositories, repository.place, { 'ours.yaml': 'y'.repeat(300_000), 'small.yaml': 'small' });
    stage.asked.length = 0;

    const tree = await treeOf(repository.place, repositories);

    expect(await tree.read(['theirs.yaml', 'ours.yaml', 'small.yaml'])).toEqual(
      new Map<string, unknown>([
        ['theirs.yaml', 'too-large'],
        ['ours.yaml', 'too-large'],
        ['small.yaml', { text: 'small' }],
      ]),
    );
    expect(stage.asked.filter((what) => what.startsWith('GET'))).toHaveLength(1);
    const id = await repository.git('rev-parse', 'main:theirs.yaml');
    expect(clonesIn(folder).filter((clone) => hasObject(clone, id))).toEqual([]);
    expect(hasObject(repository.folder, id)).toBe(true);
  });

  it('was last touched by the commit that is named for it, and not by the newest of all (B32)', async () => {
    const repository = await stage.repository({ 'web/a.yaml': '1', 'api/a.yaml': '1', '*/a.yaml': '1' });
    const web = await repository.commit({ 'web/a.yaml': '2' });
    const api = await repository.commit({ 'api/a.yaml': '2' });
    await repository.commit({ 'other/a.yaml': '2' });
    const tree = await treeOf(repository.place);

    expect(await tree.lastCommitOf(['web/a.yaml'])).toBe(web);
    expect(await tree.lastCommitOf(['web'])).toBe(web);
    expect(await tree.lastCommitOf(['web/a.yaml', 'api/a.yaml'])).toBe(api);
    expect(await tree.lastCommitOf(['*/a.yaml'])).toBe((await repository.commits()).at(-1));
    expect(await tree.lastCommitOf(['nothing', ':(top)web'])).toBeUndefined();
    expect(await tree.lastCommitOf([])).toBeUndefined();
    expect(await Promise.all(Array.from({ length: 20 }, () => tree.lastCommitOf(['web'])))).toEqual(
      Array(20).fill(web),
    );
  });

  it('is too much to list where it is not made of manifests', async () => {
    const lines = `100644 blob ${'1'.repeat(40)}\ta.yaml\0`.repeat(200_001);
    const clone = { run: async () => Buffer.from(lines), contents: new Map(), log: async () => '' };

    expect(await failure(readTree('1'.repeat(40), clone))).toMatchObject({
      kind: 'refused',
      reason: 'RepositoryTooLarge',
    });
  });

  it('keeps awkward names, ours and theirs', async () => {
    const names = [
      'with space.yaml',
      'quote"and\'.yaml',
      'ünïcödé/ßtraße.yaml',
      '日本語/😀.yaml',
      '-rf',
      ':(glob)*',
      '#comment',
      'a/"b"/c',
      'tilde~/$HOME/`id`',
      'e\u0301.yaml',
      '.gitignore',
      '.github/x.yaml',
      'git/x',
      '…',
    ];
    const strange = sample(string({ unit: 'binary', minLength: 1, maxLength: 40 }), { numRuns: 150, seed: 7 })
      .map((name) => `sample/${name.replaceAll(/[\p{Cc}\p{Cs}\\/]/gu, '')}x`)
      .filter((name) => !/\/(?:\.git|git~)/i.test(name));
    const all = [...new Set([...names, ...strange])];
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open();

    await write(repositories, repository.place, Object.fromEntries(all.map((name) => [name, `text of ${name}`])));
    const listed = (await repository.git('ls-tree', '-r', '-z', '--name-only', 'main')).split('\0');
    const tree = await treeOf(repository.place, stage.open());
    const read = await tree.read(all);
    await write(repositories, repository.place, Object.fromEntries(all.map((name) => [name, undefined])));

    expect(listed.filter((name) => name !== '').toSorted()).toEqual([...all, 'a.yaml'].toSorted());
    expect([...read]).toEqual(all.map((name) => [name, { text: `text of ${name}` }]));
    expect(await repository.git('ls-tree', '-r', '--name-only', 'main')).toBe('a.yaml');
  });
});

describeWithGit('what stands in the way of a write', () => {
  let stage: GitStage;
  let repositories: GitOpsRepositories;
  beforeAll(async () => {
    stage = await openGitStage();
    repositories = stage.open();
  });
  afterAll(() => stage.end());

  it.each([
    ['a link', { 'web/overlays': { mode: '120000', text: '../elsewhere' } } as const, 'web/overlays/dev/a.yaml'],
    ['a link at its very place', { 'web/a.yaml': { mode: '120000', text: 'b.yaml' } } as const, 'web/a.yaml'],
    ['a file where a folder should be', { web: 'a file' }, 'web/a.yaml'],
    ['a folder where a file should be', { 'web/a.yaml/theirs.txt': 'theirs' }, 'web/a.yaml'],
  ])('%s is left as it is, and the user is told', async (_what, files, path) => {
    const repository = await stage.repository(files);
    const before = await repository.commits();

    const refused = await failure(write(repositories, repository.place, { [path]: 'ours', 'other.yaml': 'ours' }));

    expect(refused).toMatchObject({ kind: 'refused', reason: 'PathBlocked' });
    expect(refused.message).toContain(path);
    expect(await repository.commits()).toEqual(before);
  });

  it('a submodule is not written into', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    await addSubmodule(repository, 'vendor/module');

    expect(await failure(write(repositories, repository.place, { 'vendor/module/a.yaml': '1' }))).toMatchObject({
      reason: 'PathBlocked',
      forUser:
        'vendor/module/a.yaml cannot be written, as vendor/module is a submodule in the repository: remove it there',
    });
  });

  it('a link that itself is to go, goes, and not what it points to', async () => {
    const repository = await stage.repository({
      'web/link.yaml': { mode: '120000', text: '../a.yaml' },
      'a.yaml': 'theirs',
    });

    await write(repositories, repository.place, { 'web/link.yaml': undefined });

    expect(await repository.git('ls-tree', '-r', '--name-only', 'main')).toBe('a.yaml');
  });

  it('what the plan takes away makes room', async () => {
    const repository = await stage.repository({ web: 'a file', 'api/a.yaml/b': 'a folder' });

    await write(repositories, repository.place, {
      'web/a.yaml': 'ours',
      web: undefined,
      'api/a.yaml': 'ours',
      'api/a.yaml/b': undefined,
    });

    expect(await repository.git('ls-tree', '-r', '--name-only', 'main')).toBe('api/a.yaml\nweb/a.yaml');
  });

  it.each([
    '',
    '/etc/passwd',
    'a//b',
    'a/',
    '../a',
    'a/../../b',
    './a',
    '.git/config',
    'a/.GIT/hooks/pre-push',
    'a/.git. /x',
    'git~1/config',
    'a\\b',
    'a\nM 100644 inline b',
    'a\0b',
    'a\u0085b',
    '\ud800.yaml',
  ])('a plan for %j is a defect, and nothing is written', async (path) => {
    const repository = await stage.repository({ 'a.yaml': '0' });

    const defect = await failure(write(repositories, repository.place, { [path]: '1', 'b.yaml': '1' }));

    expect(defect).not.toHaveProperty('kind');
    expect(defect.message).toContain('The plan names a path that nothing is ever written to');
    expect(await repository.commits()).toHaveLength(1);
  });

  it.each([
    ['one path as a file and a folder', { a: '1', 'a/b': '1' }, 'A change'],
    ['a text that is none', { a: '\udfff' }, 'A change'],
    ['a message with an end in it', { a: '1' }, 'A\0change'],
  ])('a plan for %s is a defect, too', async (_what, files, message) => {
    const repository = await stage.repository({ 'a.yaml': '0' });

    expect(await failure(write(repositories, repository.place, files, { message }))).not.toHaveProperty('kind');
    expect(await repository.commits()).toHaveLength(1);
  });

  it('a message can say anything else', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const message = 'Ü\n\ndata 5\nM 100644 inline x\nfrom refs/heads/main\ndone\n"';

    await write(repositories, repository.place, { 'a.yaml': '1' }, { message });

    expect(await repository.git('log', '-1', '--format=%B', 'main')).toBe(message);
  });
});

describeWithGit('the name of a branch', () => {
  const names = [
    ...['main', 'release/1.x', 'a-b_c', 'ünïcödé', '日本', 'a@b', 'a.b', 'a#b', "a'b", 'x'.repeat(200), 'refs/heads/x'],
    ...['', '-f', '--upload-pack=id', 'a b', 'a..b', '.a', 'a/.b', 'a/', '/a', 'a//b', 'a.lock', 'a.lock/b', 'a.'],
    ...['a~1', 'a^', 'a:b', 'a?', 'a*', 'a[b', 'a\\b', 'a@{b', 'a\nb', 'a\u007fb', 'main:refs/heads/x', '+main'],
  ];

  it.each(names)('%j is taken where git takes it, unless it looks like an option', (name) => {
    expect(branchProblem(name) === undefined).toBe(isTaken(name));
  });

  it('is not too long for a file, and is text', () => {
    expect([branchProblem('ü'.repeat(101)), branchProblem('\ud800')]).not.toContain(undefined);
  });

  function isTaken(name: string): boolean {
    if (name.startsWith('-')) return false;
    try {
      execFileSync('git', ['check-ref-format', `refs/heads/${name}`], { stdio: 'ignore', cwd: '/' });
      return true;
    } catch {
      return false;
    }
  }
});

function hasObject(folder: string, id: string): boolean {
  const { stdout } = spawnSync('git', ['--git-dir', folder, 'cat-file', '--batch-check'], { input: `${id}\n` });
  return !stdout.toString().includes('missing');
}

function isText(content: FileContent | undefined, text: string): boolean {
  return typeof content === 'object' && content.text === text;
}

async function addSubmodule({ folder }: StageRepository, path: string): Promise<void> {
  const stream = [
    'commit refs/heads/main\ncommitter a <a@example.com> now\ndata 1\na\nfrom refs/heads/main^0',
    `M 160000 ${'1'.repeat(40)} ${path}\n`,
  ].join('\n');
  execFileSync('git', ['--git-dir', folder, 'fast-import', '--quiet', '--date-format=now'], { input: stream });
}

async function importBytes({ folder, git }: StageRepository, path: string, bytes: Buffer): Promise<string> {
  const head = 'commit refs/heads/main\ncommitter a <a@example.com> now\ndata 1\na\nfrom refs/heads/main^0\n';
  const input = Buffer.concat([
    Buffer.from(`${head}M 100644 inline ${path}\ndata ${bytes.length}\n`),
    bytes,
    Buffer.from('\n'),
  ]);
  execFileSync('git', ['--git-dir', folder, 'fast-import', '--quiet', '--date-format=now'], { input });
  return git('rev-parse', 'main');
}
