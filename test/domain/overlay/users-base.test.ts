import { describe, expect, it } from 'vitest';
import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { anInput, at, rendered, type Tree, yamlAt } from './a-repository.ts';
import { aBase, own, patchOn, told, workload } from './a-users-base.ts';

describe("an overlay on a user's own base", () => {
  it('O01 lists the way to the base, and no base of ours is written', () => {
    const tree = rendered(own, aBase({ 'web.yaml': workload('Deployment') }));

    expect(yamlAt(tree, at.kustomization).resources).toEqual(['../../../../apps/web/base']);
    expect(Object.keys(tree)).not.toContain(at.baseDeployment);
  });

  it.each([
    ['O01', 'Deployment', at.patch],
    ['O02', 'StatefulSet', at.statefulSetPatch],
    ['O03', 'DaemonSet', at.daemonSetPatch],
  ])('%s O04 patches the first container of a %s by its name', (_id, kind, path) => {
    const tree = rendered(own, aBase({ 'web.yaml': workload(kind, 'front', '{ name: one }, { name: two }') }));
    const written = Object.keys(tree).filter((name) => name.endsWith('-patch.yaml'));

    expect(written).toEqual([path]);
    expect(yamlAt(tree, path)).toMatchObject({ kind, metadata: { name: 'front' } });
    expect(yamlAt(tree, path).spec.template.spec.containers).toMatchObject([{ name: 'one' }]);
  });

  it('O03 counts no replicas of a DaemonSet', () => {
    const kustomization = yamlAt(rendered(own, aBase({ 'web.yaml': workload('DaemonSet') })), at.kustomization);

    expect(kustomization).not.toHaveProperty('replicas');
  });

  it('O07 gives the container the name that is replaced by the image', () => {
    const tree = rendered(own, aBase({ 'web.yaml': workload('Deployment', 'front') }));

    expect(yamlAt(tree, at.patch).spec.template.spec.containers[0].image).toBe('web');
    expect(yamlAt(tree, at.kustomization)).toMatchObject({
      images: [{ name: 'web', newName: 'quay.io/team/web' }],
      replicas: [{ name: 'front', count: 1 }],
    });
  });

  it('O30 replaces variables of the base, also by none', () => {
    const base = aBase({ 'web.yaml': workload('Deployment', 'web', '{ name: main, env: [{ name: OLD, value: x }] }') });
    const [container] = patchOn(base).spec.template.spec.containers;

    expect(container.env).toEqual([{ $patch: 'replace' }]);
  });

  it('replaces resources of the base where any are given, and leaves them to it where none are', () => {
    const base = aBase({ 'web.yaml': workload('Deployment') });
    const limits = { cpu: '2' };
    const resourcesOf = (input: OverlayInput) => patchOn(base, input).spec.template.spec.containers[0].resources;

    expect(resourcesOf({ ...own, resources: { limits } })).toEqual({ $patch: 'replace', limits });
    expect(resourcesOf(own)).toBeUndefined();
  });

  it('O30 adds variables where the base has none: kustomize would lose them otherwise', () => {
    const env = [{ name: 'A', value: '1' }];
    const base = aBase({ 'web.yaml': workload('Deployment') });

    expect(patchOn(base, { ...own, env }).spec.template.spec.containers[0].env).toEqual(env);
  });

  it('leaves probes to the base, because two kinds of one probe make none', () => {
    const base = aBase({ 'web.yaml': workload('Deployment') });
    const [container] = patchOn(base, { ...own, port: 80 }).spec.template.spec.containers;

    expect(Object.keys(container)).toEqual(['name', 'image', 'ports']);
  });

  it('says the namespace of the workload where its file does', () => {
    const text = workload('Deployment').replace('name: web }', 'name: web, namespace: team }');

    expect(patchOn(aBase({ 'web.yaml': text })).metadata).toEqual({ name: 'web', namespace: 'team' });
  });

  it('is moved to another base, or back to ours, without a trace', () => {
    const bases = {
      ...aBase({ 'web.yaml': workload('Deployment', 'front') }),
      'other/kustomization.yaml': 'resources: [web.yaml]',
      'other/web.yaml': workload('StatefulSet', 'back'),
    };
    const there = rendered(own, bases);
    const moved = rendered({ ...own, kustomizeBase: 'other' }, there);

    expect(moved).toEqual(rendered({ ...own, kustomizeBase: 'other' }, bases));
    expect(rendered(anInput(), moved)).toEqual(rendered(anInput(), bases));
  });

  it('follows a workload that got another name', () => {
    const before = rendered(own, aBase({ 'web.yaml': workload('Deployment', 'front') }));
    const after = { ...before, ...aBase({ 'web.yaml': workload('Deployment', 'back') }) };

    expect(yamlAt(rendered(own, after), at.kustomization).replicas).toEqual([{ name: 'back', count: 1 }]);
  });

  it.each([
    '..',
    'apps/../web',
    '.git',
    'a\\b',
    '/',
    '.',
    'components',
    'components/web/overlays',
    'components/web/overlays/dev',
  ])('is refused where the base cannot be one: %j', (kustomizeBase) => {
    expect(told({}, { ...own, kustomizeBase })).toMatch(/^BaseNotUsable: The kustomizeBase/);
  });
});

describe('the base beside the overlays', () => {
  const theirs = {
    'components/web/base/kustomization.yaml': 'resources:\n- deployment.yaml\n',
    'components/web/base/deployment.yaml': workload('Deployment', 'web', '{ name: container-image, image: old }'),
  };

  it("is never written where it is a user's, as that of HAS is", () => {
    const tree = rendered(anInput(), theirs);

    expect(tree).toMatchObject(theirs);
    expect(yamlAt(tree, at.kustomization).resources).toEqual(['../../base']);
    expect(yamlAt(tree, at.patch).spec.template.spec.containers).toEqual([{ name: 'container-image', image: 'web' }]);
  });

  it.each([
    ['one file is', { [at.baseDeployment]: workload('Deployment') }],
    ['there is one more', { 'components/web/base/README.md': 'Mine.' }],
    ['there is a copy of ours', { 'components/web/base/copy.yaml': rendered(anInput())[at.baseDeployment] ?? '' }],
    ['there is a folder', { 'components/web/base/more/a.yaml': 'a: b' }],
  ])("is a user's as soon as %s", (_what, more) => {
    const before: Tree = { ...rendered(anInput()), ...more };
    const after = rendered({ ...anInput(), application: 'other' }, before);

    expect(after[at.baseDeployment]).toBe(before[at.baseDeployment]);
    expect(after[at.baseKustomization]).toBe(before[at.baseKustomization]);
    expect(after).toMatchObject(more);
    expect(yamlAt(after, at.patch).spec.template.spec.containers[0].image).toBe('web');
  });
});
