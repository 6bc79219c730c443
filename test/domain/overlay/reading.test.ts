import { describe, expect, it } from 'vitest';
import type { FileKind, Files } from '../../../shared/domain/overlay/files.ts';
import { pruneComponent, pruneOverlay } from '../../../shared/domain/overlay/prune.ts';
import { renderOverlay } from '../../../shared/domain/overlay/render-overlay.ts';
import { anInput, applied, at, filesOf, problemOf, rendered, rendering, type Tree } from './a-repository.ts';

const exposed = anInput({ port: 8080, expose: { with: 'Ingress', host: 'a.example.com' } });

describe('what has not been read yet', () => {
  it('is asked for all at once, and only what is there', () => {
    const tree = { ...rendered(exposed), 'README.md': '', 'components/web/overlays/dev/mine.yaml': '' };
    const answer = renderOverlay(exposed, '', filesOf(tree, { unread: new Set(Object.keys(tree)) }));

    expect(answer).toEqual({
      kind: 'needs',
      paths: [at.baseDeployment, at.baseKustomization, at.patch, at.ingress, at.kustomization, at.service],
    });
  });

  it('nothing has to be read of an empty repository', () => {
    expect(renderOverlay(exposed, '', filesOf({})).kind).toBe('rendered');
  });

  it("is asked for step by step in a user's base, and then the answer is the same", () => {
    const tree: Tree = {
      'apps/kustomization.yaml': 'resources: [one, two.yaml]',
      'apps/one/kustomization.yaml': 'resources: [web.yaml]',
      'apps/one/web.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { containers: [{ name: main }] } } }\n',
      'apps/two.yaml': '',
      'apps/unlisted.yaml': '',
      [at.kustomization]: 'resources: [a.yaml]',
    };
    const input = { ...exposed, kustomizeBase: 'apps' };
    const unread = new Set(Object.keys(tree));
    const asked: (readonly string[])[] = [];
    for (;;) {
      const answer = renderOverlay(input, '', filesOf(tree, { unread }));
      if (answer.kind !== 'needs') {
        expect(answer).toEqual(rendering(input, tree));
        break;
      }
      asked.push(answer.paths);
      for (const path of answer.paths) unread.delete(path);
    }

    expect(asked).toEqual([
      ['apps/kustomization.yaml', at.kustomization],
      ['apps/one/kustomization.yaml', 'apps/two.yaml'],
      ['apps/one/web.yaml'],
    ]);
  });

  it('is asked for before anything is taken away', () => {
    const tree = rendered(exposed);
    const files = filesOf(tree, { unread: new Set(Object.keys(tree)) });

    expect(pruneOverlay('web', 'dev', '', files)).toEqual({
      kind: 'needs',
      paths: [at.patch, at.ingress, at.kustomization, at.service],
    });
    expect(pruneComponent('web', '', files)).toEqual({
      kind: 'needs',
      paths: [at.baseDeployment, at.baseKustomization],
    });
  });
});

describe('a path that is not plain', () => {
  const places: [string, FileKind, string][] = [
    ['components', 'link', 'directory'],
    ['components/web', 'submodule', 'directory'],
    ['components/web', 'file', 'directory'],
    ['components/web/base', 'link', 'directory'],
    ['components/web/overlays', 'link', 'directory'],
    ['components/web/overlays/dev', 'submodule', 'directory'],
    [at.kustomization, 'link', 'file'],
    [at.patch, 'link', 'file'],
    [at.service, 'directory', 'file'],
  ];

  it.each(places)('%s, a %s, is a problem', (path, kind, wanted) => {
    expect(problemOf(renderOverlay(exposed, '', filesOf({}, { strange: { [path]: kind } })))).toBe(
      `PathNotPlain: ${path} is a ${kind} where a plain ${wanted} is needed: replace it, Stagecoach neither follows links nor enters submodules`,
    );
  });

  it('is a problem in the context and on the way to a base, too', () => {
    const files = filesOf({}, { strange: { apps: 'link', gitops: 'submodule' } });

    expect(problemOf(renderOverlay(exposed, 'gitops/here', files))).toMatch(/^PathNotPlain: gitops is a submodule/);
    expect(problemOf(renderOverlay({ ...exposed, kustomizeBase: 'apps/web' }, '', files))).toMatch(
      /^PathNotPlain: apps is a link/,
    );
  });

  it("makes a base the user's, and is not followed there", () => {
    const files = filesOf(
      { [at.baseKustomization]: 'resources: [deployment.yaml]' },
      { strange: { [at.baseDeployment]: 'link' } },
    );

    expect(problemOf(renderOverlay(exposed, '', files))).toMatch(/^BaseWithoutWorkload/);
  });

  it.each(places)('%s, a %s, is left alone when an overlay is taken away', (path, kind) => {
    const files = filesOf({}, { strange: { [path]: kind } });

    expect(pruneOverlay('web', 'dev', '', files)).toEqual({ kind: 'pruned', changes: new Map() });
    expect(pruneComponent('web', '', files)).toEqual({ kind: 'pruned', changes: new Map() });
  });
});

describe('a file that is no text', () => {
  function withContent(path: string, content: 'too-large' | 'binary'): Files {
    const files = filesOf({ [path]: '' });
    return { ...files, contentOf: (other) => (other === path ? content : files.contentOf(other)) };
  }

  it.each(['too-large', 'binary'] as const)('is never ours: %s', (content) => {
    expect(problemOf(renderOverlay(exposed, '', withContent(at.service, content)))).toMatch(/^FileNotOurs/);
    expect(problemOf(renderOverlay(exposed, '', withContent(at.kustomization, content)))).toMatch(
      /^KustomizationUnreadable/,
    );
    expect(problemOf(renderOverlay(exposed, '', withContent(at.baseDeployment, content)))).toMatch(
      /^BaseWithoutWorkload/,
    );
  });
});

it('a context holds everything, and nothing outside is touched', () => {
  const other = rendered(anInput({ application: 'other' }));
  const { changes } = rendering(exposed, other, './gitops/shop/');

  expect([...changes.keys()].every((path) => path.startsWith('gitops/shop/components/web/'))).toBe(true);
  expect(applied(other, changes)).toMatchObject(other);
});
