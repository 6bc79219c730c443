import { describe, expect, it } from 'vitest';
import { renderOverlay } from '../../../shared/domain/overlay/render-overlay.ts';
import { anInput, at, filesOf, problemOf, rendered, rendering, type Tree, yamlAt } from './a-repository.ts';

const exposed = anInput({ port: 8080, expose: { with: 'Route', name: 'web-0a1b', host: '' } });

function withKustomization(text: string, more: Tree = {}): Tree {
  return { ...more, [at.kustomization]: text };
}

function kustomizationAfter(text: string, input = anInput(), more: Tree = {}) {
  return yamlAt(rendered(input, withKustomization(text, more)), at.kustomization);
}

describe('what a user added to the kustomization of an overlay', () => {
  it('O21 patches stay in their order, behind ours', () => {
    expect(kustomizationAfter('patches: [{ path: b.yaml }, { path: a.yaml }]').patches).toEqual([
      { path: 'deployment-patch.yaml' },
      { path: 'b.yaml' },
      { path: 'a.yaml' },
    ]);
  });

  it('O22 nothing is listed twice, wherever it stood and however it was written', () => {
    const text = `resources: [a.yaml, ./service.yaml, ../../base/]
bases: [../../../web/base, ../other]
patches: [{ path: a-patch.yaml }, { path: ./deployment-patch.yaml }]
images: [{ name: redis, newTag: "7" }, { name: web, newTag: old }]
replicas: [{ name: worker, count: 2 }, { name: web, count: 7 }]
`;

    expect(kustomizationAfter(text, anInput({ port: 80 }))).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['../../base', 'service.yaml', 'a.yaml'],
      patches: [{ path: 'deployment-patch.yaml' }, { path: 'a-patch.yaml' }],
      images: [
        { name: 'web', newName: 'quay.io/team/web', digest: 'sha256:0a1b' },
        { name: 'redis', newTag: '7' },
      ],
      replicas: [
        { name: 'web', count: 1 },
        { name: 'worker', count: 2 },
      ],
      bases: ['../other'],
    });
  });

  it('O25 everything stays: inline patches, resources, images, labels, generators and what we do not know', () => {
    const users = {
      patches: [{ patch: '- op: add\n  path: /a\n  value: yes\n', target: { kind: 'Deployment' } }],
      resources: ['extra.yaml', 'https://example.com/remote?ref=main'],
      images: [{ name: 'redis', newTag: '7' }],
      components: ['../../../../shared/metrics'],
      namespace: 'elsewhere',
      labels: [{ pairs: { team: 'a' }, includeSelectors: true }],
      configMapGenerator: [{ name: 'config', literals: ['A=0123', 'B=null'] }],
      generatorOptions: { disableNameSuffixHash: true },
      unheardOf: { deep: [null, 1.5, { empty: {} }] },
    };
    const { patches, resources, images, ...others } = users;
    const after = kustomizationAfter(JSON.stringify(users));

    expect(after).toMatchObject(others);
    expect(after.patches.slice(1)).toEqual(patches);
    expect(after.resources.slice(1)).toEqual(resources);
    expect(after.images.slice(1)).toEqual(images);
  });

  it('O21 patches that are bare names, as before kustomize 5, become entries', () => {
    expect(kustomizationAfter('patches:\n- deployment-patch.yaml\n- mine.yaml\n').patches).toEqual([
      { path: 'deployment-patch.yaml' },
      { path: 'mine.yaml' },
    ]);
  });

  it('a file that says what it should is not touched, comments and all', () => {
    const before = rendered(anInput());
    const text = `# Mine.\n${JSON.stringify(yamlAt(before, at.kustomization))} # On one line.\n`;

    expect(rendering(anInput(), { ...before, [at.kustomization]: text }).changes).toEqual(new Map());
  });

  it('a kustomization by another name is used as it is called', () => {
    const other = 'components/web/overlays/dev/kustomization.yml';
    const tree = rendered(anInput(), { [other]: 'namespace: mine\n' });

    expect(Object.keys(tree)).not.toContain(at.kustomization);
    expect(yamlAt(tree, other)).toMatchObject({ namespace: 'mine', resources: ['../../base'] });
  });

  it.each([
    ['empty', ''],
    ['of nothing but a comment', '# soon\n'],
    ['of empty lists', 'resources:\npatches: []\nimages:\n'],
  ])('a kustomization %s is filled', (_what, text) => {
    expect(kustomizationAfter(text)).toEqual(yamlAt(rendered(anInput()), at.kustomization));
  });

  it.each([
    ['no YAML', 'resources: [a'],
    ['no map', '- a.yaml'],
    ['a text', 'resources'],
    ['of several documents', 'resources: []\n---\nresources: []\n'],
    ['of another kind', 'kind: Component'],
    ['with resources that are no list', 'resources: a.yaml'],
    ['with resources that are no texts', 'resources: [{ path: a.yaml }]'],
    ['with patches that are no list', 'patches: { path: a.yaml }'],
    ['with patches that are none', 'patches: [1]'],
    ['with images that are none', 'images: [web]'],
    ['with replicas that are none', 'replicas: [3]'],
    ['with bases that are none', 'bases: [1]'],
  ])('O23 a kustomization %s is a problem, and nothing is written', (_what, text) => {
    expect(problemOf(renderOverlay(anInput(), '', filesOf(withKustomization(text))))).toBe(
      `KustomizationUnreadable: ${at.kustomization} cannot be read as the only kustomization of its folder: mend it or remove it, Stagecoach adds its entries and keeps yours`,
    );
  });

  it('O23 two kustomizations in one folder are a problem', () => {
    const tree = { [at.kustomization]: '', 'components/web/overlays/dev/Kustomization': '' };

    expect(problemOf(renderOverlay(anInput(), '', filesOf(tree)))).toMatch(/^KustomizationUnreadable/);
  });
});

describe('a file with one of our names', () => {
  const theirs = 'apiVersion: v1\nkind: Service\nmetadata: { name: mine }\n';

  it.each([
    ['service.yaml', at.service, theirs],
    ['route.yaml', at.route, theirs],
    ['deployment-patch.yaml', at.patch, '# Mine.\n'],
  ])("%s is a problem where it is the user's, and stays as it is", (_name, path, text) => {
    expect(problemOf(renderOverlay(exposed, '', filesOf({ [path]: text })))).toBe(
      `FileNotOurs: ${path} stands where Stagecoach writes a file of its own: give yours another name, or delete it`,
    );
  });

  it('stays, and so does its entry, where we need none of that name', () => {
    const tree = withKustomization('resources: [ingress.yaml]\npatches: [{ path: statefulset-patch.yaml }]', {
      [at.ingress]: theirs,
      [at.statefulSetPatch]: theirs,
    });
    const after = rendered(exposed, tree);

    expect(after).toMatchObject({ [at.ingress]: theirs, [at.statefulSetPatch]: theirs });
    expect(yamlAt(after, at.kustomization).resources).toContain('ingress.yaml');
    expect(yamlAt(after, at.kustomization).patches).toContainEqual({ path: 'statefulset-patch.yaml' });
  });

  it("becomes the user's when our first line is taken away", () => {
    const before = rendered(exposed);
    const taken = (before[at.service] ?? '').split('\n').slice(2).join('\n');

    expect(problemOf(renderOverlay(exposed, '', filesOf({ ...before, [at.service]: taken })))).toMatch(/^FileNotOurs/);
  });

  it('is repaired where somebody changed it and left our first line in it', () => {
    const before = rendered(exposed);

    expect(rendered(exposed, { ...before, [at.service]: `${before[at.service]}# More.\n` })).toEqual(before);
  });
});

describe('an overlay that HAS wrote', () => {
  it("never had a Service: one that looks alike is a user's", () => {
    const text = 'apiVersion: v1\nkind: Service\nmetadata:\n  creationTimestamp: null\n';

    expect(problemOf(renderOverlay(exposed, '', filesOf({ [at.service]: text })))).toMatch(/^FileNotOurs/);
  });

  const has = {
    [at.kustomization]: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
- path: deployment-patch.yaml
- path: mine.yaml
resources:
- ../../base
- ingress.yaml
`,
    [at.patch]: 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  creationTimestamp: null\n  name: web\nspec: {}\n',
    [at.ingress]: 'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  creationTimestamp: null\n',
    'components/web/overlays/dev/mine.yaml': 'kind: Deployment\n',
  };

  it('is taken over: its files become ours, what it no longer needs goes, users keep theirs', () => {
    const after = rendered(exposed, has);
    const fresh = rendered(exposed);

    expect(after[at.patch]).toBe(fresh[at.patch]);
    expect(Object.keys(after)).not.toContain(at.ingress);
    expect(yamlAt(after, at.kustomization)).toEqual({
      ...yamlAt(fresh, at.kustomization),
      patches: [{ path: 'deployment-patch.yaml' }, { path: 'mine.yaml' }],
    });
  });
});
