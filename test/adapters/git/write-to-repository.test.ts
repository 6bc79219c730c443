import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refused } from '../../../shared/ports/trouble.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { failure, type GitStage, openGitStage, packet, readToken, write, writer, writeToken } from './git-stage.ts';

describeWithGit('a write to a repository', () => {
  let stage: GitStage;
  beforeAll(async () => {
    stage = await openGitStage();
  });
  afterAll(() => stage.end());
  beforeEach(() => {
    stage.play = undefined;
    stage.intercept = undefined;
    stage.asked.length = 0;
    stage.authorizations.length = 0;
  });

  const push = ['GET info/refs?service=git-receive-pack', 'POST git-receive-pack'];

  it('brings the files to the branch in one commit, with the message, the time and the name it was given (G01)', async () => {
    const repository = await stage.repository({ 'theirs.txt': 'theirs' });
    const first = await repository.git('rev-parse', 'main');
    const repositories = stage.open({ author: { name: 'A <Bot>\n', email: 'bot@example.com' } });

    const written = await write(
      repositories,
      repository.place,
      {
        'components/web/base/deployment.yaml': 'kind: Deployment\n',
        'components/web/base/kustomization.yaml': 'a: ü\n',
      },
      { message: 'Generate the base of web\n\nSnapshot: one' },
    );

    const [commit, parent, ...more] = await repository.commits();
    expect(written).toEqual({ kind: 'pushed', commit, parent: first });
    expect([parent, more]).toEqual([first, []]);
    expect(await repository.show('components/web/base/kustomization.yaml')).toBe('a: ü');
    expect(await repository.show('theirs.txt')).toBe('theirs');
    expect(await repository.git('log', '-1', '--format=%an <%ae> %at, %cn <%ce> %ct%n%B', 'main')).toBe(
      'A Bot <bot@example.com> 1700000000, A Bot <bot@example.com> 1700000000\nGenerate the base of web\n\nSnapshot: one',
    );
  });

  it('asks for one push and nothing else where the branch is where it was left', async () => {
    const repository = await stage.repository({ 'theirs.txt': 'theirs' });
    const repositories = stage.open();
    await write(repositories, repository.place, { 'a.yaml': '1' });
    stage.asked.length = 0;

    const { kind } = await write(repositories, repository.place, { 'a.yaml': '2', 'b.yaml': '2' });

    expect([kind, stage.asked]).toEqual(['pushed', push]);
    expect(await repository.show('a.yaml')).toBe('2');
  });

  it('is as cheap for a process that finds the clones of another one', async () => {
    const repository = await stage.repository({ 'theirs.txt': 'theirs' });
    const folder = stage.folder();
    const before = stage.open({ folder });
    await write(before, repository.place, { 'a.yaml': '1' });
    before.close();
    stage.asked.length = 0;

    await write(stage.open({ folder }), repository.place, { 'a.yaml': '2' });

    expect(stage.asked).toEqual(push);
  });

  it('makes no commit where nothing changes, and looks at the branch before it says so (G12)', async () => {
    const repository = await stage.repository({ 'a.yaml': 'a\n', 'theirs.txt': 'theirs' });
    const repositories = stage.open();
    const head = await repository.git('rev-parse', 'main');
    const wanted = { 'a.yaml': 'a\n', 'gone.yaml': undefined };

    const cold = await write(repositories, repository.place, wanted);
    stage.asked.length = 0;
    const warm = await write(repositories, repository.place, wanted);
    const unplanned = await write(repositories, repository.place, async () => undefined);

    expect([cold, warm, unplanned]).toMatchObject(Array(3).fill({ kind: 'unchanged', tree: { head } }));
    expect(stage.asked.filter((what) => what.includes('upload-pack'))).toHaveLength(4);
    expect(stage.asked.filter((what) => what.includes('receive-pack'))).toEqual([]);
    expect(await repository.commits()).toEqual([head]);
  });

  it('does not take the word of an old commit that there is nothing to do', async () => {
    const repository = await stage.repository({ 'a.yaml': 'ours' });
    const repositories = stage.open();
    await write(repositories, repository.place, { 'b.yaml': 'ours' });
    await repository.commit({ 'a.yaml': 'theirs' });

    const written = await write(repositories, repository.place, { 'a.yaml': 'ours' });

    expect(written.kind).toBe('pushed');
    expect(await repository.show('a.yaml')).toBe('ours');
    expect(await repository.commits()).toHaveLength(4);
  });

  it('does not take the word of an old commit that it cannot be done', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const folder = stage.folder();
    const repositories = stage.open({ folder });
    await repository.commit({ web: { mode: '120000', text: 'elsewhere' } });
    const wanted = { 'web/a.yaml': 'ours' };

    expect(await failure(write(repositories, repository.place, wanted))).toMatchObject({ reason: 'PathBlocked' });
    stage.asked.length = 0;
    expect(await failure(write(repositories, repository.place, wanted))).toMatchObject({ reason: 'PathBlocked' });
    expect(stage.asked.filter((what) => what.startsWith('GET'))).toHaveLength(1);
    await repository.commit({ web: null });

    expect(await write(repositories, repository.place, wanted)).toMatchObject({ kind: 'pushed' });
    expect(await repository.show('web/a.yaml')).toBe('ours');
  });

  it('is refused by a plan for what it saw, and for nothing older', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open();
    await write(repositories, repository.place, { 'theirs.yaml': 'ours' });
    await repository.commit({ 'theirs.yaml': 'theirs' });
    const seen: string[] = [];

    const refused = await failure(
      write(repositories, repository.place, async (tree) => {
        const content = (await tree.read(['theirs.yaml'])).get('theirs.yaml');
        seen.push(typeof content === 'object' ? content.text : '');
        throw new Refused('NotOurs', `It says ${seen.at(-1)}`);
      }),
    );

    expect(seen).toEqual(['ours', 'theirs']);
    expect(refused).toMatchObject({ kind: 'refused', forUser: 'It says theirs' });
  });

  it.each([
    ['an empty repository', undefined],
    ['a branch that is not there yet (G13)', { 'theirs.txt': 'theirs' }],
  ])('begins %s (G19), where the plan sees nothing', async (_what, files) => {
    const repository = await stage.repository(files);
    const place = { ...repository.place, branch: 'release/1.x' };
    const repositories = stage.open();
    const seen: unknown[] = [];
    const plan = (text: string) => async (tree: { head: unknown; entries: unknown }) => {
      seen.push([tree.head, tree.entries]);
      return { files: new Map([['a.yaml', text]]), message: 'Begin' };
    };

    const first = await write(repositories, place, plan('1'));
    await write(repositories, place, plan('2'));

    expect(seen[0]).toEqual([undefined, []]);
    expect((await repository.git('log', '--format=%H %P', 'release/1.x')).split('\n')[1]).toBe(
      `${first.kind === 'pushed' && first.commit} `,
    );
    expect(await repository.git('show', 'release/1.x:a.yaml')).toBe('2');
    expect(await repository.git('ls-tree', '--name-only', 'release/1.x')).toBe('a.yaml');
  });

  it('has nothing to do in an empty repository where nothing is wanted', async () => {
    const repository = await stage.repository();

    expect(await write(stage.open(), repository.place, { 'a.yaml': undefined })).toMatchObject({
      kind: 'unchanged',
      tree: { head: undefined, entries: [] },
    });
  });

  it('takes away what the plan takes away, and touches nothing beside it (G23)', async () => {
    const repository = await stage.repository({
      'gitops/web/old.yaml': 'old',
      'gitops/web/kept.yaml': 'kept',
      'gitops/web.yaml': 'beside',
      'other/web/old.yaml': 'theirs',
    });

    await write(stage.open(), repository.place, {
      'gitops/web/old.yaml': undefined,
      'gitops/web/new.yaml': 'new',
      'gitops/api/x.yaml': undefined,
    });

    expect((await repository.git('ls-tree', '-r', '--name-only', 'main')).split('\n')).toEqual([
      'gitops/web.yaml',
      'gitops/web/kept.yaml',
      'gitops/web/new.yaml',
      'other/web/old.yaml',
    ]);
  });

  it('lets a program stay a program', async () => {
    const repository = await stage.repository({ 'run.sh': { mode: '100755', text: 'old' } });

    await write(stage.open(), repository.place, { 'run.sh': 'new' });

    expect(await repository.git('ls-tree', '--format=%(objectmode)', 'main', 'run.sh')).toBe('100755');
    expect(await repository.show('run.sh')).toBe('new');
  });

  it('is planned again on what somebody else pushed in between, and both changes land (G21)', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open();
    await write(repositories, repository.place, { 'a.yaml': '1' });
    const heads: unknown[] = [];
    let theirs = '';

    const written = await write(repositories, repository.place, async ({ head }) => {
      heads.push(head);
      if (heads.length === 1) theirs = await repository.commit({ 'b.yaml': 'theirs' });
      return { files: new Map([['a.yaml', `${heads.length}`]]), message: 'Ours' };
    });

    expect(heads[1]).toBe(theirs);
    expect((await repository.commits()).slice(0, 2)).toEqual([written.kind === 'pushed' && written.commit, theirs]);
    expect([await repository.show('a.yaml'), await repository.show('b.yaml')]).toEqual(['2', 'theirs']);
  });

  it('to a file that somebody else has just written converges to what is wanted last (G22)', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const one = stage.open();
    const other = stage.open();
    await write(one, repository.place, { 'a.yaml': '1' });
    await write(other, repository.place, { 'a.yaml': '2' });

    await write(one, repository.place, { 'a.yaml': '3' });
    await write(other, repository.place, { 'a.yaml': '4' });

    expect(await repository.show('a.yaml')).toBe('4');
    expect(await repository.commits()).toHaveLength(5);
  });

  it('gives way when others are faster again and again', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    let plans = 0;

    const conflict = await failure(
      write(stage.open({ patienceMs: 1_000 }), repository.place, async () => {
        plans += 1;
        await repository.commit({ 'theirs.txt': `${plans}` });
        return { files: new Map([['a.yaml', '1']]), message: 'Ours' };
      }),
    );

    expect(conflict).toMatchObject({ kind: 'conflict' });
    expect(plans).toBeGreaterThan(1);
    expect(await repository.show('a.yaml')).toBe('0');
    expect(await repository.commits()).toHaveLength(1 + plans);
  });

  it('is tried again as long as there is time, on what others have pushed', async () => {
    const repository = await stage.repository({ 'a.yaml': '0', 'b.yaml': 'b' });
    const trees: (readonly string[])[] = [];

    const written = await write(stage.open(), repository.place, async (tree) => {
      await tree.read(['a.yaml', 'b.yaml']);
      trees.push(tree.entries.map(({ path }) => path));
      if (trees.length <= 10) await repository.commit({ [`theirs-${trees.length}.txt`]: 'theirs' });
      return { files: new Map([['a.yaml', '1']]), message: 'Ours' };
    });

    const [head, ...theirs] = await repository.commits();
    expect(written).toEqual({ kind: 'pushed', commit: head, parent: theirs[0] });
    expect(theirs).toHaveLength(11);
    expect(trees.map(({ length }) => length)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await repository.show('a.yaml')).toBe('1');
  });

  it('does not bring back what somebody took out of the branch, or the branch itself', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open();
    const secret = await write(repositories, repository.place, { 'secret.yaml': 'oops' });
    await repository.git('update-ref', 'refs/heads/main', 'main~1');

    await write(repositories, repository.place, { 'b.yaml': 'b' });
    const rewound = await repository.commits();
    await repository.git('update-ref', '-d', 'refs/heads/main');
    await write(repositories, repository.place, { 'c.yaml': 'c' });

    expect(rewound).toHaveLength(2);
    expect(rewound).not.toContain(secret.kind === 'pushed' && secret.commit);
    expect(await repository.git('ls-tree', '--name-only', 'main')).toBe('c.yaml');
  });

  it('of several at once to one place, each is made on top of the one before', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open();

    await Promise.all(
      ['1', '2', '3', '4', '5'].map((name) => write(repositories, repository.place, { [`${name}.yaml`]: name })),
    );

    expect(await repository.commits()).toHaveLength(6);
    expect(stage.asked.filter((what) => what === 'POST git-receive-pack')).toHaveLength(5);
    expect((await repository.git('ls-tree', '--name-only', 'main')).split('\n')).toHaveLength(6);
  });

  it('shows one tenant nothing that the credential of another has opened', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open();
    await write(repositories, repository.place, { 'a.yaml': '1' });
    const stranger = { ...repository.place, tenant: 'strangers' };
    const plan = async () => {
      throw new Error('the plan saw the repository');
    };

    const refused = await failure(
      write(repositories, stranger, plan, { credential: { ...writer, password: 'of no use' } }),
    );

    expect(refused).toMatchObject({ kind: 'refused', reason: 'RepositoryDenied' });
  });

  it.each([
    ['a token alone: hosts want some user name with it', writer, `git:${writeToken}`],
    ['a user and a token', { ...writer, username: 'x-access-token' }, `x-access-token:${writeToken}`],
    ['a file with an end of line', { ...writer, password: `${writeToken}\n` }, `git:${writeToken}`],
  ])('sends %s', async (_what, credential, sent) => {
    const repository = await stage.repository({ 'a.yaml': '0' });

    await write(stage.open(), repository.place, { 'a.yaml': '1' }, { credential });

    const header = `Basic ${Buffer.from(sent).toString('base64')}`;
    expect(new Set(stage.authorizations)).toEqual(new Set([header]));
  });

  it('keeps nothing of a place that is forgotten', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open();
    await write(repositories, repository.place, { 'a.yaml': '1' });

    await repositories.forget(repository.place);
    stage.asked.length = 0;
    await write(repositories, repository.place, { 'a.yaml': '2' });

    expect(stage.asked[0]).toBe('GET info/refs?service=git-upload-pack');
  });

  describe('that is refused', () => {
    it.each([
      ['a credential that opens nothing', { ...writer, password: 'ghp-wrong_token' }, 'RepositoryDenied'],
      ['no credential', undefined, 'RepositoryDenied'],
      ['a credential that may only read', { ...writer, password: readToken }, 'PushDenied'],
    ])('for %s says so', async (_what, credential, reason) => {
      const repository = await stage.repository({ 'a.yaml': '0' });
      const change = async () => ({ files: new Map([['a.yaml', '1']]), message: 'Ours' });

      const refused = await failure(
        stage.open().write(repository.place, credential, change, AbortSignal.timeout(20_000)),
      );

      expect(refused).toMatchObject({ kind: 'refused', reason });
      expect(refused.message).toContain(repository.url);
    });

    it('by a hook of the host names the branch', async () => {
      const repository = await stage.repository({ 'a.yaml': '0' });
      const { program, place } = stage.overSsh(repository, 'exec sh -c "$last"');
      mkdirSync(join(repository.folder, 'hooks'));
      const hook =
        '#!/bin/sh\necho "GitLab: You are not allowed to push code to protected branches on this project." >&2\nexit 1\n';
      writeFileSync(join(repository.folder, 'hooks/pre-receive'), hook, { mode: 0o755 });
      const credential = { ...writer, password: '', sshPrivateKey: 'KEY' };

      expect(
        await failure(write(stage.open({ sshProgram: program }), place, { 'a.yaml': '1' }, { credential })),
      ).toMatchObject({
        kind: 'refused',
        reason: 'BranchProtected',
        forUser: `The branch main of ssh://example.com${repository.folder} does not take pushes from this credential: allow it to push, or name another branch`,
      });
    });

    it.each([
      ['Protected branch update failed for refs/heads/main.', 'protected branch hook declined', 'BranchProtected'],
      ['- GITHUB PUSH PROTECTION', 'push declined due to repository rule violations', 'PushProtected'],
    ])('by the rules of GitHub (%s) says what to do (G17)', async (words, why, reason) => {
      const { place } = await stage.repository({ 'a.yaml': '0' });
      stage.play = (asked, response) => {
        if (asked !== 'POST git-receive-pack') return false;
        const report = `${packet('unpack ok\n')}${packet(`ng refs/heads/main ${why}\n`)}0000`;
        response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-result' });
        response.end(`${packet(`\x02error: ${words}\n`)}${packet(`\x01${report}`)}0000`);
        return true;
      };

      expect(await failure(write(stage.open(), place, { 'a.yaml': '1' }))).toMatchObject({ kind: 'refused', reason });
    });

    it('as the repository is not there says so', async () => {
      const { place } = await stage.repository();
      const nowhere = { ...place, url: place.url.replace('.git', 'x.git') };

      expect(await failure(write(stage.open(), nowhere, { 'a.yaml': '1' }))).toMatchObject({
        kind: 'refused',
        reason: 'RepositoryNotFound',
      });
    });

    it('for the moment, as nobody is there, is tried again later', async () => {
      const { place } = await stage.repository();

      expect(
        await failure(write(stage.open(), { ...place, url: 'http://127.0.0.1:1/r.git' }, { a: '1' })),
      ).toMatchObject({
        kind: 'transient',
        dependency: 'git',
        message: 'http://127.0.0.1:1/r.git cannot be reached: the host refuses the connection',
      });
    });

    it('as git is not installed tells the operator', async () => {
      const { place } = await stage.repository();

      expect(await failure(write(stage.open({ searchPath: '/nowhere' }), place, { a: '1' }))).toMatchObject({
        kind: 'transient',
        message: 'git is not installed where the service runs: an operator has to install it',
      });
    });
  });
});
