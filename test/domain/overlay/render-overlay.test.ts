import { describe, expect, it } from 'vitest';
import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { renderOverlay } from '../../../shared/domain/overlay/render-overlay.ts';
import { anInput, at, filesOf, problemOf, rendered, rendering, yamlAt } from './a-repository.ts';

const usual = { requests: { cpu: '10m', memory: '50Mi' }, limits: { cpu: '1', memory: '512Mi' } };

function podOf(but: Partial<OverlayInput>) {
  return yamlAt(rendered(anInput(but)), at.patch).spec.template.spec;
}

function containerOf(but: Partial<OverlayInput>) {
  return podOf(but).containers[0];
}

describe('an overlay on our own base', () => {
  it('O01 has a kustomization with the base, one patch, the image and the number of replicas', () => {
    expect(yamlAt(rendered(anInput({ replicas: 3 })), at.kustomization)).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['../../base'],
      patches: [{ path: 'deployment-patch.yaml' }],
      images: [{ name: 'web', newName: 'quay.io/team/web', digest: 'sha256:0a1b' }],
      replicas: [{ name: 'web', count: 3 }],
    });
  });

  it('is said to be at its folder, and the patch to be its generated resource', () => {
    const { path, generatedResources } = rendering(anInput({ port: 80 }), {}, '/gitops/');

    expect(path).toBe('gitops/components/web/overlays/dev');
    expect(generatedResources).toEqual(['deployment-patch.yaml']);
  });

  it('O04 M07 patches the container of the base and nothing else of it, with the usual resources', () => {
    expect(yamlAt(rendered(anInput()), at.patch)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { template: { spec: { containers: [{ name: 'container-image', resources: usual }] } } },
    });
  });

  it('R02 O08 has variables, resources, port and both probes', () => {
    const env = [
      { name: 'Z', value: 'yes' },
      { name: 'A', value: '$(Z)' },
    ];
    const resources = { requests: { cpu: '10m' }, limits: { memory: '1Gi' } };

    expect(containerOf({ env, resources, port: 8080 })).toEqual({
      name: 'container-image',
      env,
      resources,
      ports: [{ containerPort: 8080 }],
      readinessProbe: { tcpSocket: { port: 8080 }, initialDelaySeconds: 10, periodSeconds: 10 },
      livenessProbe: { httpGet: { path: '/', port: 8080 }, initialDelaySeconds: 10, periodSeconds: 10 },
    });
  });

  it('R03 has no pull secret where none is given', () => {
    expect(podOf({})).not.toHaveProperty('imagePullSecrets');
  });

  it('R04 has exactly the pull secret that is given', () => {
    expect(podOf({ pullSecret: 'opener' }).imagePullSecrets).toEqual([{ name: 'opener' }]);
  });

  it('never has a null, which would delete something', () => {
    for (const text of Object.values(rendered(anInput({ port: 80 })))) expect(text).not.toContain('null');
  });

  it('O27 may have no replicas at all', () => {
    expect(yamlAt(rendered(anInput({ replicas: 0 })), at.kustomization).replicas).toEqual([{ name: 'web', count: 0 }]);
  });

  it('O07 O32 has the image of the Snapshot', () => {
    const tree = rendered(anInput({ image: 'registry:5000/team/web:v1@sha256:0a1b' }));

    expect(yamlAt(tree, at.kustomization).images).toEqual([
      { name: 'web', newName: 'registry:5000/team/web:v1', digest: 'sha256:0a1b' },
    ]);
  });

  it('has no image that none is', () => {
    expect(problemOf(renderOverlay(anInput({ image: 'two words' }), '', filesOf({})))).toBe(
      'ImageNotUsable: The Snapshot gives web what is no image: "two words"',
    );
  });

  it('O30 loses a variable that nobody sets any more', () => {
    const before = rendered(anInput({ env: [{ name: 'OLD', value: '1' }] }));

    expect(rendered(anInput(), before)[at.patch]).not.toContain('OLD');
  });
});

describe('names that become part of a path', () => {
  it.each([
    '',
    '.',
    '..',
    '../..',
    '../../etc',
    'a/b',
    'a\\b',
    'Web',
    'web_',
    '-web',
    'web.',
    'w\u0000b',
    'w'.repeat(64),
    '.git',
  ])('are refused where they are no plain names: %j', (name) => {
    for (const input of [anInput({ component: name }), anInput({ environment: name })])
      expect(problemOf(renderOverlay(input, '', filesOf({})))).toMatch(
        /^NameNotUsable: The (?:component|environment) name/,
      );
  });

  it.each(['..', 'a/../b', '.git', 'a//b', 'a\nb'])(
    'a context is refused that leaves the repository: %j',
    (context) => {
      expect(problemOf(renderOverlay(anInput(), context, filesOf({})))).toMatch(/^ContextNotUsable/);
    },
  );

  it('names that become labels have to fit', () => {
    expect(problemOf(renderOverlay(anInput({ application: 'a'.repeat(64) }), '', filesOf({})))).toMatch(
      /^NameNotUsable/,
    );
    expect(problemOf(renderOverlay(anInput({ componentName: 'a b' }), '', filesOf({})))).toMatch(/^NameNotUsable/);
  });
});
