import { expect } from 'vitest';
import { anInput, rendered, type Tree } from '../../domain/overlay/a-repository.ts';
import { awkwardTexts } from '../../domain/overlay/awkward-texts.ts';
import { seedInputs, seedVariables } from '../../domain/overlay/seed-inputs.ts';
import { aCase, type Built, full, image, type OverlayCase, own, port, workloads } from './overlay-case.ts';
import { ofServices, withAdditions } from './resource-cases.ts';
import { aUsersBase } from './users-bases.ts';

/** Every case by the sentence that it proves. */
export function overlayCases(): Record<string, OverlayCase> {
  return { ...onOurBase(), ...ofImages(), ...onUsersBases(), ...ofServices(), ...withAdditions(), ...ofTheSeed() };
}

function onOurBase(): Record<string, OverlayCase> {
  // Of these kustomize makes nothing, or something that only YAML 1.1 reads as it was.
  const carried = Object.values(awkwardTexts).filter((text) => !/[\u007f-\u009f\u2028\u2029\ufffe\uffff]/.test(text));
  const awkward = carried.map((value, at) => ({ name: `V${at}`, value }));
  const resources = { requests: { cpu: '10m', memory: '50Mi' }, limits: { cpu: '1', memory: '512Mi' } };
  const bare = [
    { name: 'container-image', image: 'quay.io/team/web@sha256:0a1b', imagePullPolicy: 'Always', resources },
  ];
  return {
    'R01 R02 O01 our own base gets every value, and keeps its one container': aCase(({ workload }) => {
      expect(workload.metadata).toMatchObject({ name: 'web', labels: { 'app.kubernetes.io/part-of': 'shop' } });
      expect(workload.spec).toMatchObject({ replicas: 3, revisionHistoryLimit: 0 });
      expect(workload.spec.selector.matchLabels).toEqual({ 'app.kubernetes.io/instance': 'web' });
      expect(workload.spec.template.spec).toEqual({
        containers: [
          {
            name: 'container-image',
            image,
            imagePullPolicy: 'Always',
            env: full.env,
            resources: full.resources,
            ports: [{ containerPort: port }],
            readinessProbe: { tcpSocket: { port }, initialDelaySeconds: 10, periodSeconds: 10 },
            livenessProbe: { httpGet: { path: '/', port }, initialDelaySeconds: 10, periodSeconds: 10 },
          },
        ],
        imagePullSecrets: [{ name: 'opener' }],
      });
    }, full),
    'O27 no replicas are no replicas': aCase(
      ({ workload }) => expect(workload.spec.replicas).toBe(0),
      anInput({ replicas: 0 }),
    ),
    'O30 a variable that nobody sets any more is gone': aCase(
      ({ containers }) => expect(containers).toEqual(bare),
      anInput(),
      rendered(anInput({ env: [{ name: 'OLD', value: '1' }] })),
    ),
    'O35 awkward values arrive as they are': aCase(
      ({ containers }) => expect(containers[0].env).toEqual(awkward),
      anInput({ env: awkward }),
    ),
    'G23 a context is built like the root': aCase(
      ({ containers }) => expect(containers).toEqual(bare),
      anInput(),
      {},
      'gitops/shop',
    ),
  };
}

function ofImages(): Record<string, OverlayCase> {
  const images = [
    'web',
    'nginx:1.25',
    'quay.io/team/web',
    'quay.io/team/web:v1',
    'registry:5000/team/web',
    'registry:5000/team/web:0123',
    'quay.io/team/web@sha256:0a1b',
    'quay.io/team/web:v1@sha256:0a1b',
    'registry:5000/team/web:v1@sha256:0a1b',
  ];
  return Object.fromEntries(
    images.flatMap((exact) => {
      const sees: OverlayCase['sees'] = ({ containers }) => expect(containers[0].image).toBe(exact);
      const [ours, theirs] = [anInput({ image: exact }), anInput({ image: exact, kustomizeBase: 'apps/base' })];
      return [
        [`O32 the image is exactly that of the Snapshot: ${exact}`, aCase(sees, ours)],
        [`O32 the image is so on a user's base, too: ${exact}`, aCase(sees, theirs, aUsersBase('StatefulSet'))],
      ];
    }),
  );
}

function onUsersBases(): Record<string, OverlayCase> {
  const variants = {
    'as it is': '',
    'with a prefix and a suffix': 'namePrefix: my-\nnameSuffix: -x\n',
    'with a namespace': 'namespace: other\n',
    'with more labels': 'commonLabels: { tier: front }\n',
  };
  const cases = workloads.flatMap((kind): (readonly [string, OverlayCase])[] => [
    ...Object.entries(variants).map(
      ([how, kustomization]) =>
        [
          `O02 O03 O04 a user's ${kind} gets the values and keeps the rest, ${how}`,
          aCase((built) => seesUsersWorkload(kind, built), own, aUsersBase(kind, { kustomization })),
        ] as const,
    ),
    [
      `O30 a user's ${kind} loses its variables, also where nothing comes in their place, and keeps its resources`,
      aCase(
        ({ containers: [first] }) => {
          expect(first.env ?? []).toEqual([]);
          expect(first.resources).toEqual({ requests: { memory: '1Gi' }, limits: { cpu: '1', memory: '2Gi' } });
        },
        { ...own, env: [], resources: {} },
        aUsersBase(kind),
      ),
    ],
    [
      `a user's ${kind} gets variables and resources where it had none`,
      aCase(
        ({ containers: [first] }) => {
          const { env, resources } = own;
          expect(first).toEqual({ name: 'main', image, env, resources, ports: [{ containerPort: port }] });
        },
        own,
        aUsersBase(kind, { main: '{ name: main }' }),
      ),
    ],
    [
      `a user's ${kind} is found in the namespace that its file gives`,
      aCase(
        ({ containers }) => expect(containers[0].image).toBe(image),
        own,
        aUsersBase(kind, { metadata: '{ name: front, namespace: team }' }),
      ),
    ],
  ]);
  return Object.fromEntries(cases);
}

function seesUsersWorkload(kind: string, { workload, containers: [first, ...others] }: Built): void {
  expect(workload.kind).toBe(kind);
  expect(workload.spec.replicas).toBe(kind === 'DaemonSet' ? undefined : 3);
  expect(first).toEqual({
    name: 'main',
    image,
    command: ['serve'],
    env: own.env,
    resources: own.resources,
    ports: [
      { containerPort: port, name: 'http', protocol: 'TCP' },
      { containerPort: 9090, name: 'metrics' },
    ],
    readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
  });
  expect(others).toEqual([{ name: 'sidecar', image: 'sidecar:1', env: [{ name: 'OLD', value: 'stays' }] }]);
  expect(workload.spec.template.spec.imagePullSecrets).toEqual([{ name: 'opener' }, { name: 'theirs' }]);
}

function ofTheSeed(): Record<string, OverlayCase> {
  const tree = seedInputs().reduce<Tree>((before, input) => rendered(input, before), {});
  const cases = Object.entries(seedVariables).map(([place, expected]): readonly [string, OverlayCase] => {
    const [component, environment] = place.split(' on ');
    const sees: OverlayCase['sees'] = ({ containers: [{ env }] }) =>
      expect(Object.fromEntries(env.map(({ name, value }: Record<string, string>) => [name, value]))).toEqual(expected);
    return [
      `O38 the seed's example: ${place}`,
      { tree, path: `components/${component}/overlays/${environment}`, sees },
    ];
  });
  return Object.fromEntries(cases);
}
