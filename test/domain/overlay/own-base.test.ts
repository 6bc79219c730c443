import { describe, expect, it } from 'vitest';
import { anInput, at, rendered, yamlAt } from './a-repository.ts';

const full = anInput({
  componentName: 'web-app',
  image: 'quay.io/team/web:v7',
  replicas: 5,
  env: [{ name: 'SECRET_WORD', value: 'xyzzy' }],
  resources: { requests: { cpu: '123m' }, limits: { memory: '777Mi' } },
  port: 8443,
  pullSecret: 'opener',
  expose: { with: 'Route', name: 'web-0a1b', host: 'shop.example.com' },
});

describe('our own base', () => {
  it('R01 is a Deployment with one container, instance selector and five labels', () => {
    expect(yamlAt(rendered(full), at.baseDeployment)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        labels: {
          'app.kubernetes.io/name': 'web-app',
          'app.kubernetes.io/instance': 'web',
          'app.kubernetes.io/part-of': 'shop',
          'app.kubernetes.io/managed-by': 'kustomize',
          'app.kubernetes.io/created-by': 'stagecoach',
        },
      },
      spec: {
        revisionHistoryLimit: 0,
        selector: { matchLabels: { 'app.kubernetes.io/instance': 'web' } },
        template: {
          metadata: { labels: { 'app.kubernetes.io/instance': 'web' } },
          spec: { containers: [{ name: 'container-image', image: 'web', imagePullPolicy: 'Always' }] },
        },
      },
    });
  });

  it('R20 lists its files once, in order', () => {
    expect(yamlAt(rendered(full), at.baseKustomization)).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['deployment.yaml'],
    });
  });

  it('R22 R23 is the same for every value and every type of cluster: what is in it would skip promotion', () => {
    const base = (input: typeof full) =>
      Object.entries(rendered(input)).filter(([path]) => path.startsWith('components/web/base/'));
    const bare = anInput({ componentName: 'web-app', environment: 'prod' });

    expect(base(full)).toEqual(base(bare));
    expect(base(full)).toHaveLength(2);
  });

  it('O37 is there whenever an overlay is', () => {
    expect(Object.keys(rendered(anInput())).toSorted()).toEqual([
      at.baseDeployment,
      at.baseKustomization,
      at.patch,
      at.kustomization,
    ]);
  });

  it('is repaired where somebody changed it and left our first line in it', () => {
    const before = rendered(full);
    const changed = { ...before, [at.baseDeployment]: `${before[at.baseDeployment]}  paused: true\n` };

    expect(rendered(full, changed)).toEqual(before);
  });

  it('has a first line that says whose it is', () => {
    for (const text of Object.values(rendered(full))) expect(text).toMatch(/^# (?:Written by )?Stagecoach/);
  });
});
