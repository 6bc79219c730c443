import { describe, expect, it } from 'vitest';
import { pruneComponent, pruneOverlay } from '../../../shared/domain/overlay/prune.ts';
import { anInput, applied, at, filesOf, rendered, type Tree, yamlAt } from './a-repository.ts';

const exposed = anInput({ port: 8080, expose: { with: 'Ingress', host: 'a.example.com' } });

function pruned(tree: Tree, environment = 'dev', context = ''): Tree {
  const answer = pruneOverlay('web', environment, context, filesOf(tree));
  if (answer.kind !== 'pruned') throw new Error(answer.kind);
  return applied(tree, answer.changes);
}

function withoutBase(tree: Tree): Tree {
  const answer = pruneComponent('web', '', filesOf(tree));
  if (answer.kind !== 'pruned') throw new Error(answer.kind);
  return applied(tree, answer.changes);
}

describe('an overlay that nobody needs any more', () => {
  it('B26 goes with all of its files, and the rest stays', () => {
    const rest = rendered(anInput({ environment: 'prod' }));

    expect(pruned(rendered(exposed, rest))).toEqual(rest);
  });

  it('goes within its context', () => {
    const rest = rendered(exposed);

    expect(pruned(rendered(exposed, rest, 'gitops'), 'dev', 'gitops')).toMatchObject(rest);
    expect(pruned(rendered(exposed, {}, 'gitops'), 'dev', 'gitops')).not.toHaveProperty([
      'gitops/components/web/overlays/dev/kustomization.yaml',
    ]);
  });

  it("goes though its base is a user's and its workload has another name", () => {
    const base = {
      'apps/web/kustomization.yaml': 'resources: [web.yaml]',
      'apps/web/web.yaml':
        'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: front }\nspec: { template: { spec: { containers: [{ name: main }] } } }\n',
    };

    expect(pruned(rendered({ ...exposed, kustomizeBase: 'apps/web' }, base))).toEqual(base);
  });

  it('leaves what a user added, and takes our entries out of the kustomization', () => {
    const mine = {
      'components/web/overlays/dev/mine.yaml': 'a: b\n',
      [at.kustomization]: 'resources: [mine.yaml]\nnamespace: mine\nreplicas: [{ name: other, count: 1 }]\n',
    };
    const after = pruned(rendered(exposed, mine));

    expect(
      Object.keys(after)
        .filter((path) => path.includes('/overlays/'))
        .toSorted(),
    ).toEqual(Object.keys(mine).toSorted());
    expect(yamlAt(after, at.kustomization)).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['mine.yaml'],
      replicas: [{ name: 'other', count: 1 }],
      namespace: 'mine',
    });
    expect(pruned(after)).toEqual(after);
  });

  it.each([
    ["a user's file with one of our names", { [at.service]: '# Mine.\n' }],
    ['a kustomization that nobody can read', { [at.kustomization]: '{' }],
    [
      'a kustomization without an entry of ours',
      { [at.kustomization]: 'namespace: mine\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n' },
    ],
    ['nothing', {}],
  ])('leaves %s', (_what, tree) => {
    expect(pruned(tree)).toEqual(tree);
  });

  it('takes our files from beside a kustomization that nobody can read', () => {
    expect(pruned({ ...rendered(exposed), [at.kustomization]: '{' })[at.patch]).toBeUndefined();
  });

  it('is gone for good: a second time there is nothing to do', () => {
    const gone = pruned(rendered(exposed));

    expect(pruned(gone)).toEqual(gone);
  });

  it.each(['..', '../..', '', 'a/b'])('is not looked for where no overlay can be: %j', (name) => {
    expect(pruneOverlay(name, 'dev', '', filesOf({ 'a.yaml': '' }))).toEqual({ kind: 'pruned', changes: new Map() });
    expect(pruneOverlay('web', name, '', filesOf({ 'a.yaml': '' }))).toEqual({ kind: 'pruned', changes: new Map() });
    expect(pruneComponent(name, '', filesOf({ 'a.yaml': '' }))).toEqual({ kind: 'pruned', changes: new Map() });
  });
});

describe('a component that is gone', () => {
  it('takes our base with it, once its overlays are gone', () => {
    expect(withoutBase(pruned(rendered(exposed)))).toEqual({});
  });

  it("leaves a user's base", () => {
    const theirs = { ...rendered(exposed), 'components/web/base/README.md': 'Mine.' };

    expect(withoutBase(theirs)).toEqual(theirs);
  });
});
