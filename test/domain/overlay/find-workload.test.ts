import { describe, expect, it } from 'vitest';
import { at, rendered, type Tree, yamlAt } from './a-repository.ts';
import { aBase, own, patchOn, told, workload } from './a-users-base.ts';

describe('the workload of a base', () => {
  it('is the one with the name of the component', () => {
    const base = aBase({ 'a.yaml': workload('Deployment', 'cache'), 'b.yaml': workload('StatefulSet', 'web') });

    expect(patchOn(base, own, at.statefulSetPatch).metadata.name).toBe('web');
  });

  it('is the first Deployment, then the first StatefulSet, where none has that name', () => {
    const all = {
      'a.yaml': workload('DaemonSet', 'a'),
      'b.yaml': `${workload('StatefulSet', 'b')}---\n${workload('StatefulSet', 'c')}`,
      'd.yaml': `---\n# nothing\n---\n${workload('Deployment', 'd')}---\n${workload('Deployment', 'e')}`,
    };
    const { 'd.yaml': _, ...fewer } = all;

    expect(patchOn(aBase(all)).metadata.name).toBe('d');
    expect(patchOn(aBase(fewer), own, at.statefulSetPatch).metadata.name).toBe('b');
  });

  it('is found in other folders, deep first, by any name of a kustomization', () => {
    const base = {
      ...aBase({ 'last.yaml': workload('Deployment', 'last') }, 'resources: [../one, last.yaml]\nbases: [../none]\n'),
      'apps/web/one/kustomization.yml': 'bases:\n- ../../two/\n',
      'apps/two/Kustomization': 'resources: [web.yaml, https://example.com/x?ref=main, ../../../outside, ../two]\n',
      'apps/two/web.yaml': workload('Deployment', 'first'),
    };

    expect(patchOn(base).metadata.name).toBe('first');
  });

  it('is found in a list', () => {
    const items = workload('Deployment')
      .split('\n')
      .map((line) => `  ${line}`)
      .join('\n')
      .replace(/^ {2}/, '- ');

    expect(patchOn(aBase({ 'all.yaml': `apiVersion: v1\nkind: List\nitems:\n${items}` })).metadata.name).toBe('web');
  });

  it('is found although folders name each other', () => {
    const base = {
      ...aBase({ 'web.yaml': workload('Deployment') }, 'resources: [../b, web.yaml]'),
      'apps/web/b/kustomization.yaml': 'resources: [../base, ../b]',
    };

    expect(patchOn(base).metadata.name).toBe('web');
  });

  it.each<[string, Tree]>([
    ['nothing is there', {}],
    ['nothing is listed', aBase({ 'web.yaml': workload('Deployment') }, 'namePrefix: a-\n')],
    ['only other kinds are', aBase({ 'web.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n' })],
    [
      'its kind is that of another API',
      aBase({ 'web.yaml': workload('Deployment').replace('apps/v1', 'example.com/v1') }),
    ],
    ['it has no container', aBase({ 'web.yaml': workload('Deployment', 'web', '') })],
    ['it has no name', aBase({ 'web.yaml': workload('Deployment', '"a\\nb"') })],
    ['its file is no YAML', aBase({ 'web.yaml': '{' })],
    ['its kustomization is no YAML', aBase({ 'web.yaml': workload('Deployment') }, '{')],
    ['its kustomization is a list', aBase({ 'web.yaml': workload('Deployment') }, '- web.yaml')],
    ['it is outside', aBase({}, 'resources: [../../../../web.yaml]')],
  ])('is missed aloud where %s', (_what, base) => {
    expect(told(base)).toBe(
      'BaseWithoutWorkload: The base of web in apps/web/base has no Deployment, StatefulSet or DaemonSet with a container: list one under resources of apps/web/base/kustomization.yaml',
    );
  });

  it('is not looked for in more files than a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_none, n) => [`${n + 100}.yaml`, 'a: b']));

    expect(told(aBase({ ...many, 'z.yaml': workload('Deployment') }))).toMatch(/^BaseWithoutWorkload/);
  });
});

describe("what a user's base brings along", () => {
  const exposed = { ...own, port: 8080, expose: { with: 'Ingress', host: 'a.example.com' } } as const;
  const main = '{ name: main, ports: [{ name: http, containerPort: 8080 }] }';

  function withService(ports: string, kustomization?: string): Tree {
    const service = `apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [${ports}] }\n`;
    return aBase({ 'web.yaml': workload('Deployment', 'web', main), 'service.yaml': service }, kustomization);
  }

  it.each([
    ['the same', '{ port: 8080 }', 8080],
    ['another', '{ port: 1, targetPort: 2 }, { port: 80, targetPort: 8080 }', 80],
    ['one by name', '{ port: 80, targetPort: http }', 80],
  ])('a Service is not written twice, and its number for the port is used: %s', (_what, ports, number) => {
    const tree = rendered(exposed, withService(ports));

    expect(Object.keys(tree)).not.toContain(at.service);
    expect(yamlAt(tree, at.ingress).spec.rules[0].http.paths[0].backend.service.port).toEqual({ number });
  });

  it('a Service that does not lead to the port is a problem only for who comes from outside', () => {
    const base = withService('{ port: 80, targetPort: 9090 }');

    expect(told(base, exposed)).toBe(
      'ServiceWithoutPort: Service web of the base in apps/web/base does not lead to port 8080: add the port there, or take the Service away and Stagecoach adds one',
    );
    expect(Object.keys(rendered({ ...exposed, expose: undefined }, base))).not.toContain(at.service);
  });

  it('a Service is called as it will be after the build', () => {
    const tree = rendered(
      { ...exposed, expose: { with: 'Route', name: 'web-0a1b', host: '' } },
      withService('{ port: 8080 }', 'resources: [web.yaml, service.yaml]\nnamePrefix: my-\nnameSuffix: -x\n'),
    );

    expect(yamlAt(tree, at.route).spec.to.name).toBe('my-web-x');
  });

  it('an Ingress is not written twice', () => {
    const ingress = 'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: web }\n';
    const tree = rendered(exposed, aBase({ 'web.yaml': workload('Deployment'), 'in.yaml': ingress }));

    expect(yamlAt(tree, at.kustomization).resources).toEqual(['../../../../apps/web/base', 'service.yaml']);
  });

  it.each([
    ['of its own', 'resources: [web.yaml]', { app: 'web' }],
    [
      'of its kustomization',
      'resources: [web.yaml]\ncommonLabels: { app: x, tier: front }',
      { app: 'x', tier: 'front' },
    ],
    [
      'that are put into selectors',
      'resources: [web.yaml]\nlabels: [{ pairs: { a: b }, includeSelectors: true }, { pairs: { c: d } }]',
      { app: 'web', a: 'b' },
    ],
  ])('pods are found by labels %s', (_what, kustomization, selector) => {
    const tree = rendered({ ...own, port: 80 }, aBase({ 'web.yaml': workload('Deployment') }, kustomization));

    expect(yamlAt(tree, at.service).spec.selector).toEqual(selector);
  });

  it('pods without any are looked for by the instance', () => {
    const text = workload('Deployment').replace(/ {2}selector.*\n/, '');

    expect(yamlAt(rendered({ ...own, port: 80 }, aBase({ 'web.yaml': text })), at.service).spec.selector).toEqual({
      'app.kubernetes.io/instance': 'web',
    });
  });
});
