import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepositoryProbe } from '../../../shared/adapters/git/open-repository-probe.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { openConfiguredWorld } from '../../../shared/runtime/open-world.ts';
import { describeWithSsh } from '../../support/needs-ssh.ts';
import { type SshServer, startSshServer } from '../../support/ssh-server.ts';
import { failure, type GitStage, openGitStage, type StageRepository, write } from './git-stage.ts';

describeWithSsh('a repository behind a real ssh server', () => {
  let stage: GitStage;
  let server: SshServer;
  beforeAll(async () => {
    [stage, server] = await Promise.all([openGitStage(), startSshServer()]);
  });
  afterAll(async () => {
    await server?.stop();
    await stage?.end();
  });

  const withKey = (sshPrivateKey: string) => ({ username: '', password: '', sshPrivateKey });
  const placeOf = ({ place, folder }: StageRepository) => ({ ...place, url: server.urlOf(folder) });
  const probe = () => openRepositoryProbe({ timeoutMs: 10_000 });
  const ask = (url: string, key: string) => probe().ask(url, withKey(key), AbortSignal.timeout(20_000));
  const lentKeys = () => readdirSync(tmpdir()).filter((name) => /^stagecoach-ssh-\w{6}$/.test(name));

  it('is listed for whoever has the key', async () => {
    const { folder } = await stage.repository({ 'a.yaml': '1' });

    expect(await ask(server.urlOf(folder), server.key)).toEqual({ kind: 'listed' });
  });

  it('is refused to another key, and one that is not there is said to be missing', async () => {
    const { folder } = await stage.repository({ 'a.yaml': '1' });

    expect((await ask(server.urlOf(folder), server.strangersKey)).kind).toBe('denied');
    expect((await ask(server.urlOf(`${folder}-not`), server.key)).kind).toBe('missing');
  });

  it('is written to and read again, and no key is left behind', async () => {
    const before = lentKeys();
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const repositories = stage.open();
    const credential = withKey(server.key);

    await write(repositories, placeOf(repository), { 'a.yaml': '1' }, { credential });
    await repository.commit({ 'theirs.yaml': 'changed' });
    const { kind } = await write(repositories, placeOf(repository), { 'a.yaml': '2' }, { credential });

    expect(kind).toBe('pushed');
    expect(await repository.show('a.yaml')).toBe('2');
    expect(await repository.show('theirs.yaml')).toBe('changed');
    expect(lentKeys()).toEqual(before);
  });

  it('that was empty takes its first commit', async () => {
    const repository = await stage.repository();

    await write(stage.open(), placeOf(repository), { 'a.yaml': '1' }, { credential: withKey(server.key) });

    expect(await repository.commits()).toHaveLength(1);
  });

  it('is not written to with the key of somebody else, and the words have no key in them', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });

    const trouble = await failure(
      write(stage.open(), placeOf(repository), { 'a.yaml': '1' }, { credential: withKey(server.strangersKey) }),
    );

    expect(trouble).toMatchObject({ kind: 'refused' });
    expect(String(trouble)).not.toContain('KEY');
    expect(await repository.show('a.yaml')).toBe('0');
  });

  it('is only believed with the key that it is known by', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const credential = withKey(server.key);
    const place = placeOf(repository);

    const trouble = await failure(
      write(stage.open({ knownHostsFile: server.wrongHosts }), place, { 'a.yaml': '1' }, { credential }),
    );
    expect(trouble).toMatchObject({ kind: 'transient' });
    expect(await repository.show('a.yaml')).toBe('0');

    await write(stage.open({ knownHostsFile: server.knownHosts }), place, { 'a.yaml': '1' }, { credential });
    expect(await repository.show('a.yaml')).toBe('1');
  });

  it('is only asked and written to by a service whose file of known hosts has its key', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const credential = withKey(server.key);
    const place = placeOf(repository);
    const worldWith = (GIT_KNOWN_HOSTS_FILE: string) => {
      const config = readConfig(['cluster', 'engines', 'git'], { GIT_KNOWN_HOSTS_FILE });
      return openConfiguredWorld(config, undefined as unknown as Sql, () => 0).world;
    };
    const askOf = ({ repositories }: ReturnType<typeof worldWith>) =>
      repositories.ask(place.url, credential, AbortSignal.timeout(20_000));
    const [wrong, right] = [worldWith(server.wrongHosts), worldWith(server.knownHosts)];

    expect((await askOf(wrong)).kind).toBe('unknown');
    expect(await failure(write(wrong.gitOpsRepositories, place, { 'a.yaml': '1' }, { credential }))).toMatchObject({
      kind: 'transient',
    });
    expect(await repository.show('a.yaml')).toBe('0');
    expect((await askOf(right)).kind).toBe('listed');
    await write(right.gitOpsRepositories, place, { 'a.yaml': '1' }, { credential });
    expect(await repository.show('a.yaml')).toBe('1');
  });
});
