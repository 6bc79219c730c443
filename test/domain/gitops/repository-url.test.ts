import { describe, expect, it } from 'vitest';
import {
  isSshRepositoryUrl,
  normalizedRepositoryUrl,
  readRepositoryUrl,
  repositoryUrlProblem,
} from '../../../shared/domain/gitops/repository-url.ts';

describe('the address of a repository', () => {
  it.each([
    'https://github.com/team/repository',
    'https://github.com/team/repository.git',
    'https://git.example.com:8443/Team/Repository.git',
    'https://team@dev.azure.com/team/my%20project/_git/repository',
    'http://127.0.0.1:8080/team/repository.git',
    'ssh://git@github.com/team/repository.git',
    'ssh://git@github.com:2222/team/repository.git',
    'ssh://github.com/~team/repository',
    'git@github.com:team/repository.git',
    'git@github.com:/srv/repository.git',
  ])('is fine: %s', (url) => {
    expect(repositoryUrlProblem(url)).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['a path of the disk', '/srv/repository'],
    ['a path that begins here', '../repository'],
    ['a file', 'file:///srv/repository'],
    ['a program', 'ext::sh -c whoami'],
    ['a program without a blank', 'ext::sh'],
    ['an option', '--upload-pack=touch'],
    ['an option for a host', 'ssh://-oProxyCommand=touch/repository'],
    ['an option for a user of an scp-style address', '-oProxyCommand@host:repository'],
    ['an option for a path of an scp-style address', 'git@host:-oProxyCommand'],
    ['another transport', 'git://github.com/team/repository'],
    ['another transport inside', 'git@host::team/repository'],
    ['no host', 'https:///team/repository'],
    ['no path', 'https://github.com/'],
    ['no path at all', 'https://github.com'],
    ['a port that is none', 'https://@github.com:test:git'],
    ['a port beyond all ports', 'https://github.com:65536/team/repository'],
    ['white space', 'https://github.com/team/my repository'],
    ['white space around', ' https://github.com/team/repository'],
    ['a line end', 'https://github.com/team\n/repository'],
    ['a control character', 'https://github.com/team\u0000/repository'],
    ['a pattern for all', 'https://github.com/*'],
    ['a pattern for one', 'https://github.com/team/r?pository'],
    ['a pattern of a set', 'https://github.com/team/[a-z]epository'],
    ['a pattern of alternatives', 'https://github.com/{team,other}/repository'],
    ['a pattern that denies', '!https://github.com/team/repository'],
    ['a pattern with an escape', 'https://github.com/team\\/repository'],
    ['a fragment', 'https://github.com/team/repository#main'],
    ['a name and a password', 'https://me:hunter2@github.com/team/repository'],
    ['a password without a name', 'https://:hunter2@github.com/team/repository'],
    ['a password with an @ in it', 'https://me:hunt@er2@github.com/team/repository'],
    ['a token as the user name', 'https://ghp_hunter2@github.com/team/repository'],
    ['a password over ssh', 'ssh://git:hunter2@github.com/team/repository'],
    ['a password of an scp-style address', 'git:hunter2@github.com:team/repository'],
    ['more than a row holds', `https://github.com/${'r'.repeat(500)}`],
  ])('is refused with a sentence: %s', (_what, url) => {
    const problem = repositoryUrlProblem(url);

    expect(problem).toMatch(/^repository must /);
    expect(problem).not.toContain('hunter2');
  });

  it('SN-01 is one for ssh, or is not', () => {
    expect(['git@github.com:a/b', 'ssh://git@github.com/a/b'].map(isSshRepositoryUrl)).toEqual([true, true]);
    expect(['git://github.com/a/b', 'https://github.com/a/b', ''].map(isSshRepositoryUrl)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['https://github.com/o/r.git', 'https://github.com/o/r'],
    ['git@github.com:o/r.git', 'git@github.com/o/r'],
    ['ssh://git@github.com/o/r', 'git@github.com/o/r'],
    ['ssh://git@github.com:22/o/r.git', 'git@github.com/o/r'],
    ['HTTPS://GitHub.com:443/o/r/', 'https://github.com/o/r'],
    ['https://@github.com:test:git', ''],
    ['', ''],
  ])('SN-02 is brought to one spelling for comparing: %s', (url, spelling) => {
    expect(normalizedRepositoryUrl(url)).toBe(spelling);
  });

  it('defect 23: two repositories whose names differ by case alone are two', () => {
    const [one, other] = ['https://github.com/o/R', 'https://github.com/o/r'].map(normalizedRepositoryUrl);

    expect(one).not.toBe(other);
  });

  it('defect 39: an scp-style address keeps its host and its path', () => {
    expect(readRepositoryUrl('git@Example.com:a/B.git')).toEqual({
      transport: 'ssh',
      user: 'git',
      host: 'example.com',
      port: '',
      path: 'a/B.git',
    });
  });
});
