import { expect } from 'vitest';
import type { Exposure } from '../../../shared/domain/overlay/overlay.ts';
import { aCase, type Built, folder, full, image, type OverlayCase, own, port } from './overlay-case.ts';
import { aHasRepository, aUsersBase } from './users-bases.ts';

export function ofServices(): Record<string, OverlayCase> {
  const exposures: Record<string, Exposure> = {
    Route: { with: 'Route', name: 'web-0a1b', host: 'a.example.com' },
    Ingress: { with: 'Ingress', host: 'a.example.com' },
    HTTPRoute: { with: 'HTTPRoute', host: 'a.example.com', gateway: { namespace: 'infra', name: 'public' } },
  };
  const cases = Object.entries(exposures).flatMap(([kind, expose]): (readonly [string, OverlayCase])[] => {
    const leadsTo = (service: string) => (built: Built) => expect(serviceOf(built, kind)).toBe(service);
    const prefixed = aUsersBase('Deployment', { service: 'web', kustomization: 'namePrefix: my-\nnameSuffix: -x\n' });
    return [
      [`O36 ${kind} leads to our Service`, aCase(leadsTo('web'), { ...full, expose })],
      [
        `${kind} leads to the Service of a user's base`,
        aCase(leadsTo('web'), { ...own, expose }, aUsersBase('Deployment', { service: 'web' })),
      ],
      [`${kind} leads to a Service that gets a prefix`, aCase(leadsTo('my-web-x'), { ...own, expose }, prefixed)],
    ];
  });
  return {
    ...Object.fromEntries(cases),
    "our Service finds the pods of a user's base": aCase(
      ({ objects, workload }) => {
        const { selector } = objects.find(({ kind }) => kind === 'Service').spec;
        expect(selector).toEqual({ app: 'other', tier: 'front' });
        expect(workload.spec.template.metadata.labels).toEqual(selector);
      },
      own,
      aUsersBase('Deployment', { kustomization: 'commonLabels: { app: other, tier: front }\n' }),
    ),
  };
}

/** The Service that the way in names, which has to be the only one there is. */
function serviceOf({ objects }: Built, kind: string): unknown {
  const services = objects.filter((one) => one.kind === 'Service').map(({ metadata }) => metadata.name);
  const { spec } = objects.find((one) => one.kind === kind);
  const named = {
    Route: spec.to?.name,
    Ingress: spec.rules?.[0].http?.paths[0].backend.service.name,
    HTTPRoute: spec.rules?.[0].backendRefs?.[0].name,
  };
  expect(services).toEqual([named[kind as keyof typeof named]]);
  return services[0];
}

export function withAdditions(): Record<string, OverlayCase> {
  const mine = {
    [`${folder}/kustomization.yaml`]: `patches: [{ path: mine.yaml }]
resources: [more.yaml]
images: [{ name: redis, newTag: "007" }]
commonAnnotations: { team: mine }
`,
    [`${folder}/mine.yaml`]: `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  template:
    spec:
      containers:
      - { name: container-image, env: [{ name: A, value: mine }] }
      - { name: cache, image: redis }
`,
    [`${folder}/more.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: mine }\n',
  };
  return {
    "O21 O25 a user's own patches, resources and images are built after ours": aCase(
      ({ objects, workload, containers: [first, ...others] }) => {
        expect(first).toMatchObject({ name: 'container-image', image });
        expect(first.env).toContainEqual({ name: 'A', value: 'mine' });
        expect(first.env).toContainEqual({ name: 'Z', value: '1' });
        expect(others).toEqual([{ name: 'cache', image: 'redis:007' }]);
        expect(workload.metadata.annotations).toEqual({ team: 'mine' });
        expect(objects.map(({ kind }) => kind)).toContain('ConfigMap');
      },
      full,
      mine,
    ),
    'a repository of HAS is taken over': aCase(
      ({ objects, containers }) => {
        const { env, resources } = full;
        expect(containers).toMatchObject([{ name: 'container-image', image, env, ports: [{ containerPort: port }] }]);
        expect(containers[0].resources).toEqual(resources);
        expect(objects.map(({ kind }) => kind).toSorted()).toEqual(['Deployment', 'Ingress', 'Service']);
      },
      { ...full, expose: { with: 'Ingress', host: 'a.example.com' } },
      aHasRepository,
    ),
  };
}
