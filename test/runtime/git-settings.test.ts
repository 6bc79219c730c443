import type { Sql } from 'postgres';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../shared/runtime/config.ts';
import { openConfiguredWorld } from '../../shared/runtime/open-world.ts';

const credential = { username: 'me', password: 'hidden', sshPrivateKey: '' };
// Nobody listens there, and the way does not leave the machine.
const url = 'http://127.0.0.2:9/team/shop.git';
const notOurs = 'repository must begin with ssh:// or https://';

function worldWith(settings: Readonly<Record<string, string>>) {
  const config = readConfig(['cluster', 'engines', 'git'], settings);
  return openConfiguredWorld(config, undefined as unknown as Sql, () => 0).world;
}

async function answersOf({ repositories, gitOpsRepositories }: ReturnType<typeof worldWith>) {
  const signal = AbortSignal.timeout(20_000);
  const asked = await repositories.ask(url, credential, signal);
  const written = await gitOpsRepositories
    .write({ tenant: 'team', url, branch: 'main' }, credential, async () => undefined, signal)
    .catch((trouble: Error) => trouble.message);
  return { asked: asked.kind, isRefused: String(written).includes(notOurs) };
}

describe('hosts of git', () => {
  it('are reached over plain HTTP on this machine alone, where nobody says more', async () => {
    expect(readConfig(['git'], {}).git.GIT_PLAIN_HTTP_HOSTS).toEqual(['127.0.0.1', 'localhost']);
    expect(await answersOf(worldWith({}))).toEqual({ asked: 'refused', isRefused: true });
  });

  it('are reached over plain HTTP where an operator lists them', async () => {
    const GIT_PLAIN_HTTP_HOSTS = 'Git.Lan, 127.0.0.2,';

    expect(readConfig(['git'], { GIT_PLAIN_HTTP_HOSTS }).git.GIT_PLAIN_HTTP_HOSTS).toEqual(['git.lan', '127.0.0.2']);
    expect(await answersOf(worldWith({ GIT_PLAIN_HTTP_HOSTS }))).toEqual({ asked: 'unknown', isRefused: false });
  });

  it('are named without a scheme, a port or a path', () => {
    expect(() => readConfig(['git'], { GIT_PLAIN_HTTP_HOSTS: 'http://git.lan' })).toThrow('GIT_PLAIN_HTTP_HOSTS (git)');
  });
});
