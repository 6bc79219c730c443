import { describe, expect, it } from 'vitest';
import { chooseRepository } from '../../../shared/domain/application/choose-repository.ts';
import { anApplication, given, made, root } from './an-application.ts';

type Written = { readonly url?: string; readonly branch?: string; readonly context?: string };

function choose(written: Written, at: { readonly root?: string | undefined; readonly name?: string } = { root }) {
  const repository = { url: given.url, branch: '', context: '', ...written };
  return chooseRepository(anApplication({ repository }), { namespace: 'team', name: 'shop', root: undefined, ...at });
}

function messageOf(written: Written): string | undefined {
  const choice = choose(written);
  return choice.kind === 'problem' ? choice.message : undefined;
}

describe('the repository of an Application', () => {
  it('is the one that its user wrote, on main and at its root unless they say otherwise', () => {
    expect(choose({})).toEqual({ kind: 'place', place: given });
    expect(choose({ branch: 'release/1.x', context: '/gitops/shop/' })).toEqual({
      kind: 'place',
      place: { ...given, branch: 'release/1.x', context: 'gitops/shop' },
    });
  });

  it('L01 is one of its own where its user wrote none, with the UID of the Application in its name', () => {
    expect(choose({ url: '' })).toEqual({ kind: 'place', place: made });
    expect(choose({ url: '' }, { root: `${root}/` })).toEqual({ kind: 'place', place: made });
    expect(choose({ url: '', branch: 'live', context: './x' })).toEqual({
      kind: 'place',
      place: { ...made, branch: 'live', context: 'x' },
    });
  });

  it('has a name that hosts take, however long that of the Application is', () => {
    const choice = choose({ url: '' }, { root, name: `${'long-'.repeat(40)}name` });

    const { pathname } = new URL(choice.kind === 'place' ? choice.place.url : '');
    expect(pathname).toMatch(/^\/team\/(?:long-)+l-0f9c8b7a\.git$/);
    expect(pathname.length).toBe('/team/.git'.length + 100);
  });

  it('L01 is asked for where there is no place to make one', () => {
    expect(choose({ url: '' }, { root: undefined })).toEqual({
      kind: 'problem',
      message:
        'spec.gitOpsRepository.url is empty and this service has no place of its own for repositories: set it to a repository that you can push to',
    });
  });

  it.each(['https://user:password@git.example', 'https://git.example/*'])(
    'is for an operator to give a place to where %s is said to be one',
    (wrong) => {
      expect(choose({ url: '' }, { root: wrong })).toEqual({
        kind: 'problem',
        message: 'There can be no repositories below GIT_ROOT_URL: an operator must correct it',
      });
    },
  );

  it('is nowhere while somebody else renders', () => {
    const application = anApplication({
      isRenderedByOthers: true,
      repository: { url: 'x', branch: '-', context: '..' },
    });

    expect(chooseRepository(application, { namespace: 'team', name: 'shop', root })).toEqual({ kind: 'elsewhere' });
  });

  it.each([
    'https://git.example/team/shop.git',
    'ssh://git@git.example/team/shop.git',
    'git@git.example:team/shop.git',
    'http://127.0.0.1:3000/team/shop.git',
    'http://localhost/team/shop.git',
  ])('may be %s', (url) => {
    expect(choose({ url })).toEqual({ kind: 'place', place: { ...given, url } });
  });

  it.each([
    ['http://git.example/team/shop', 'must begin with ssh:// or https://'],
    ['http://127.0.0.1.evil.example/team/shop', 'must begin with ssh:// or https://'],
    ['file:///etc/passwd', 'must begin with ssh:// or https://'],
    ['ext::sh -c id', 'must not contain white space'],
    ['https://git.example/team/*', 'must not contain any of the characters * ? [ ] { } ! \\ #'],
    ['https://git.example', 'must name a host and a path, as in https://example.com/team/repository'],
    [`https://git.example/${'x'.repeat(512)}`, 'must not be longer than 512 bytes'],
  ])('may not be %s', (url, message) => {
    expect(messageOf({ url })).toBe(`spec.gitOpsRepository.url ${message}`);
  });

  it('is not repeated where a password may be in it', () => {
    const message = messageOf({ url: 'https://me:secret@git.example/team/shop' });

    expect(message).toContain('spec.gitOpsRepository.url must not contain a user name or a password');
    expect(message).not.toContain('secret');
  });
});

describe('the branch of an Application', () => {
  it.each(['main', 'release/1.x', 'a', 'v1.0', 'ümlaut', 'with@sign', 'x'.repeat(200)])('may be %s', (branch) => {
    expect(choose({ branch })).toMatchObject({ kind: 'place', place: { branch } });
  });

  it.each([
    '-rf',
    'a..b',
    'a b',
    'a\tb',
    'a\u0000b',
    'a\u007fb',
    'a~b',
    'a^b',
    'a:b',
    'a?b',
    'a*b',
    'a[b',
    'a\\b',
    'a@{b',
    'a.lock',
    'a.lock/b',
    'a/',
    '/a',
    'a//b',
    'a.',
    '.a',
    'a/.b',
    '@',
    'HEAD',
    'x'.repeat(201),
    'ü'.repeat(128),
  ])('may not be %j', (branch) => {
    expect(messageOf({ branch })).toMatch(/^spec\.gitOpsRepository\.branch must not /);
  });
});

describe('the directory of an Application', () => {
  it.each([
    ['', ''],
    ['./', ''],
    ['/', ''],
    ['.', ''],
    ['gitops', 'gitops'],
    ['./gitops/shop/', 'gitops/shop'],
    ['/a b/..c/.github', 'a b/..c/.github'],
  ])('%j is %j', (context, place) => {
    expect(choose({ context })).toMatchObject({ kind: 'place', place: { context: place } });
  });

  it.each(['..', 'a/../b', '../a', '.git', 'a/.git/b', 'a/.GIT', 'a\\b', 'a\nb', 'a\u0000'])(
    'may not be %j',
    (context) => {
      expect(messageOf({ context })).toBe(
        'spec.gitOpsRepository.context must be a path from the root of the repository, without ".." and ".git"',
      );
    },
  );
});
