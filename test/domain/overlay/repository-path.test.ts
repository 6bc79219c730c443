import { describe, expect, it } from 'vitest';
import { isWithin, readPath, relativePath, resolvePath } from '../../../shared/domain/overlay/repository-path.ts';

describe('a path that a person gives', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['./', ''],
    ['.', ''],
    ['//', ''],
    ['gitops', 'gitops'],
    ['/gitops/', 'gitops'],
    ['./gitops/./apps', 'gitops/apps'],
    ['my folder/é', 'my folder/é'],
    ['.github', '.github'],
  ])('%j is %j from the root of the repository', (written, path) => {
    expect(readPath(written)).toBe(path);
  });

  it.each([
    '..',
    'a/../b',
    '../a',
    'a/..',
    'a//b',
    '.git',
    'a/.git/hooks',
    '.GIT',
    'a\\b',
    'a\nb',
    'a\u0000',
    'a\u2028b',
    'a\u007f',
    'a\u200bb',
    'a\ufeff',
    'a\ud800',
  ])('%j is refused', (written) => {
    expect(readPath(written)).toBeUndefined();
  });
});

describe('a path in a kustomization', () => {
  it.each([
    ['components/web/overlays/dev', '../../base', 'components/web/base'],
    ['components/web/overlays/dev', './../../base/', 'components/web/base'],
    ['components/web/overlays/dev', 'service.yaml', 'components/web/overlays/dev/service.yaml'],
    ['a', '..', ''],
    ['a', '../..', undefined],
    ['a/b', '../../../a', undefined],
    ['a', '/etc/passwd', undefined],
    ['', 'a', 'a'],
  ])('in %j, %j means %j', (folder, relative, path) => {
    expect(resolvePath(folder, relative)).toBe(path);
  });

  it.each([
    ['components/web/overlays/dev', 'components/web/base', '../../base'],
    ['components/web/overlays/dev', 'apps/web/base', '../../../../apps/web/base'],
    ['x/components/web/overlays/dev', 'components/web/base', '../../../../../components/web/base'],
    ['a/b', 'a/b/c', 'c'],
    ['a/b', 'a', '..'],
    ['', 'a', 'a'],
  ])('from %j to %j it is %j', (from, to, way) => {
    expect(relativePath(from, to)).toBe(way);
    expect(resolvePath(from, way)).toBe(to);
  });

  it('a folder holds itself and what is below, and not what is only called alike', () => {
    expect(isWithin('a/b', 'a/b')).toBe(true);
    expect(isWithin('a/b', 'a/b/c')).toBe(true);
    expect(isWithin('', 'a')).toBe(true);
    expect(isWithin('a/b', 'a/bc')).toBe(false);
  });
});
