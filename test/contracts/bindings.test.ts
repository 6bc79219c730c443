import { describe, expect, it } from 'vitest';
import {
  bindingOf,
  boundApplicationOf,
  boundComponentOf,
  boundEnvironmentOf,
  boundSnapshotOf,
  ownedDeploymentOf,
} from '../../shared/contracts/bindings.ts';
import {
  type AnySchema,
  applications,
  bindings,
  components,
  environments,
  gitOpsDeployments,
  type ObjectKind,
  type ObjectOf,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { promotedBindingOf } from '../../shared/contracts/promotions.ts';
import { isAsWanted, wantedDeployment } from '../../shared/domain/binding/wanted-deployments.ts';

interface Written {
  readonly metadata?: object;
  readonly spec: object;
  readonly status?: object;
}

/** An object as the API server would give it. */
function an<Schema extends AnySchema>(kind: ObjectKind<Schema>, { metadata, ...written }: Written): ObjectOf<Schema> {
  const { group, version, kind: name } = kind;
  const own = { namespace: 'team', name: 'it', uid: 'uid', resourceVersion: '7', generation: 2 };
  const times = { creationTimestamp: '2026-07-01T12:00:00Z' };
  return kind.Schema.parse({
    apiVersion: `${group}/${version}`,
    kind: name,
    metadata: { ...own, ...times, ...metadata },
    ...written,
  }) as ObjectOf<Schema>;
}

const pair = { application: 'shop', environment: 'dev', snapshot: 'v1' };

describe('a Binding in the words of its rule', () => {
  it('has nothing to say where it is new', () => {
    expect(bindingOf(an(bindings, { spec: { ...pair, components: [{ name: 'web' }] } }))).toEqual({
      uid: 'uid',
      version: '7',
      generation: 2,
      created: Date.parse('2026-07-01T12:00:00Z'),
      isDeleting: false,
      labels: {},
      ...pair,
      promotion: '',
      promotionUid: '',
      components: [{ name: 'web', configuration: undefined }],
      status: {
        components: [],
        gitopsRepoConditions: [],
        gitopsDeployments: [],
        bindingConditions: [],
        componentDeploymentConditions: [],
      },
    });
  });

  it('has the values of its components, and zero is a number like any other', () => {
    const configuration = { replicas: 0, env: [{ name: 'A', value: '1' }] };
    const {
      components: [web],
    } = bindingOf(an(bindings, { spec: { ...pair, components: [{ name: 'web', configuration }] } }));

    expect(web?.configuration).toMatchObject(configuration);
  });

  it.each([
    ['run-1', 'run-1'],
    ['run\nStagecoach-Snapshot: forged', ''],
    ['run\u0000', ''],
    ['x'.repeat(254), ''],
    ['', ''],
  ])('believes an annotation that names a promotion, and no other text: %j', (written, promotion) => {
    const metadata = { annotations: { 'stagecoach.dev/promotion': written } };

    expect(bindingOf(an(bindings, { metadata, spec: { ...pair, components: [] } })).promotion).toBe(promotion);
  });

  it.each([
    ['0b1c-uid', '0b1c-uid'],
    ['x'.repeat(49), ''],
    ["'; forged", ''],
  ])('believes an annotation that says which promotion of the name it was: %j', (written, promotionUid) => {
    const annotations = { 'stagecoach.dev/promotion': 'run-1', 'stagecoach.dev/promotion-uid': written };
    const binding = an(bindings, { metadata: { annotations }, spec: { ...pair, components: [] } });

    expect(bindingOf(binding)).toMatchObject({ promotion: 'run-1', promotionUid });
    expect(promotedBindingOf(binding)).toMatchObject({ promotionUid });
  });

  it.each([
    [`${pair.snapshot} 0b1c-uid c0ffee`, { snapshotUid: '0b1c-uid', before: 'c0ffee' }],
    [`${pair.snapshot} 0b1c-uid another c0ffee`, { snapshotUid: '0b1c-uid', before: 'another c0ffee' }],
    ['other 0b1c-uid c0ffee', undefined],
    [`${pair.snapshot} c0ffee`, undefined],
    [`${pair.snapshot} 0b1c-uid ${'x'.repeat(101)}`, undefined],
    ['c0ffee', undefined],
  ])('believes what a promotion noted together with its snapshot, and not of one before that: %j', (note, noted) => {
    const metadata = { annotations: { 'stagecoach.dev/stood-before': note } };

    expect(promotedBindingOf(an(bindings, { metadata, spec: { ...pair, components: [] } })).noted).toEqual(noted);
  });

  it('understands both spellings of where a component stands', () => {
    const gitopsRepository = { url: 'u', branch: 'main', path: 'p' };
    const status = { components: [{ name: 'web', gitopsRepository }] };

    expect(bindingOf(an(bindings, { spec: { ...pair, components: [] }, status })).status.components).toEqual([
      {
        name: 'web',
        generatedRouteName: '',
        conditions: [],
        gitOpsRepository: { ...gitopsRepository, generatedResources: [], commitID: '' },
      },
    ]);
  });

  it('is on its way out', () => {
    const metadata = { deletionTimestamp: '2026-07-01T12:00:00Z' };

    expect(bindingOf(an(bindings, { metadata, spec: { ...pair, components: [] } })).isDeleting).toBe(true);
  });
});

describe('what a Binding is about', () => {
  it('is an Application, and whoever renders it', () => {
    const of = (gitOpsRepository: object, conditions: object[] = []) =>
      boundApplicationOf(an(applications, { spec: { displayName: 'Shop', gitOpsRepository }, status: { conditions } }));
    const time = { lastTransitionTime: '2026-07-01T12:00:00Z', reason: 'Error', message: 'Set the url' };

    expect(of({})).toEqual({ uid: 'uid', isRenderedByOthers: false, configuration: undefined, problem: undefined });
    expect(of({ renderedBy: 'External' }).isRenderedByOthers).toBe(true);
    expect(of({}, [{ type: 'Created', status: 'False', ...time }]).problem).toBe('Set the url');
    expect(of({}, [{ type: 'Created', status: 'True', ...time }]).problem).toBeUndefined();
  });

  it.each<[string, string | undefined, object | undefined]>([
    ['both', 'mesh/public', { namespace: 'mesh', name: 'public' }],
    ['no name', 'public', undefined],
    ['nothing', undefined, undefined],
  ])('is an Environment, whose Gateway is given with %s', (_what, gateway, expected) => {
    const metadata = { annotations: gateway === undefined ? {} : { 'stagecoach.dev/gateway': gateway } };
    const spec = { displayName: 'Dev', deploymentStrategy: 'Manual' };

    expect(boundEnvironmentOf(an(environments, { metadata, spec }))).toEqual({
      isAutomated: false,
      env: [],
      clusterType: undefined,
      exposeWith: undefined,
      ingressDomain: '',
      gateway: expected,
      targetNamespace: '',
    });
  });

  it('is an automated Environment on a cluster of its own', () => {
    const kubernetesCredentials = {
      targetNamespace: 'there',
      apiURL: 'https://a.example',
      clusterCredentialsSecret: 's',
      allowInsecureSkipTLSVerify: false,
      ingressDomain: 'apps.example',
    };
    const unstableConfigurationFields = { clusterType: 'OpenShift', exposeWith: 'Ingress', kubernetesCredentials };
    const configuration = { env: [{ name: 'A', value: '1' }] };
    const spec = {
      displayName: 'D',
      deploymentStrategy: 'AppStudioAutomated',
      configuration,
      unstableConfigurationFields,
    };

    expect(boundEnvironmentOf(an(environments, { spec }))).toMatchObject({
      isAutomated: true,
      env: configuration.env,
      clusterType: 'OpenShift',
      exposeWith: 'Ingress',
      ingressDomain: 'apps.example',
      targetNamespace: 'there',
    });
  });

  it('is a Component, whose Secret fetches an image only where it is not built here', () => {
    const spec = { componentName: 'front', application: 'shop', secret: 's', targetPort: 80, route: 'r' };
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', valueFrom: { secretKeyRef: {} } },
    ];
    const built = { ...spec, source: { git: { url: 'https://git.example/web' } } };

    expect(
      boundComponentOf(an(components, { spec: { ...spec, env, containerImage: 'i', kustomizeBase: 'mine' } })),
    ).toEqual({
      name: 'it',
      componentName: 'front',
      application: 'shop',
      isSkipped: false,
      replicas: undefined,
      resources: undefined,
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '' },
      ],
      unsupportedEnv: ['B'],
      port: 80,
      route: 'r',
      pullSecret: 's',
      kustomizeBase: 'mine',
    });
    expect(boundComponentOf(an(components, { spec: built })).pullSecret).toBe('');
  });

  it('is a Snapshot, which may name no application', () => {
    const spec = { components: [{ name: 'web', containerImage: 'i' }] };

    expect(boundSnapshotOf(an(snapshots, { spec }))).toEqual({
      application: '',
      components: [{ name: 'web', image: 'i' }],
    });
  });
});

describe('a GitOpsDeployment in the words of a Binding', () => {
  const source = { repoURL: 'https://git.example/shop', path: 'p', targetRevision: 'main' };
  const owner = {
    apiVersion: 'a/v1',
    kind: 'SnapshotEnvironmentBinding',
    name: 'b',
    uid: 'binding-uid',
    controller: true,
  };

  it('is told with its owner, its commit and how it is', () => {
    const metadata = {
      labels: { 'appstudio.openshift.io/component': 'web' },
      annotations: { 'stagecoach.dev/commit': 'c0ffee' },
      ownerReferences: [{ ...owner, uid: 'other', controller: false }, owner],
    };
    const status = { sync: { status: 'Synced', revision: 'abc' }, health: { status: 'Healthy' } };

    expect(
      ownedDeploymentOf(an(gitOpsDeployments, { metadata, spec: { source, type: 'automated' }, status })),
    ).toMatchObject({
      component: 'web',
      owner: 'binding-uid',
      commit: 'c0ffee',
      syncStatus: 'Synced',
      health: 'Healthy',
      revision: 'abc',
      isDeleting: false,
    });
  });

  it('of which nothing is known is nobody s', () => {
    expect(ownedDeploymentOf(an(gitOpsDeployments, { spec: { source, type: 'automated' } }))).toMatchObject({
      component: '',
      owner: undefined,
      commit: '',
      syncStatus: '',
      spec: { source, destination: { environment: '', namespace: '' }, type: 'automated', syncOptions: [] },
    });
  });

  it('AS-03 is as it should be when it is read back, in either spelling', () => {
    const place = { url: source.repoURL, branch: 'main', path: 'p', generatedResources: [], commitID: 'c0ffee' };
    const binding = bindingOf(an(bindings, { spec: { ...pair, components: [] } }));
    const wanted = wantedDeployment({ component: 'web', name: 'it' }, place, binding, {
      environment: 'e',
      namespace: 'n',
    });
    const metadata = { labels: wanted.labels, annotations: { 'stagecoach.dev/commit': 'c0ffee' } };
    const read = (spec: object) =>
      ownedDeploymentOf(an(gitOpsDeployments, { metadata, spec: { type: 'automated', ...spec } }));
    const other = { repository: source.repoURL, path: 'p', revision: 'main' };

    expect(isAsWanted(read({ source, destination: { environment: 'e', namespace: 'n' } }), wanted)).toBe(true);
    expect(isAsWanted(read({ source: other, destination: { managedEnvironment: 'e', namespace: 'n' } }), wanted)).toBe(
      true,
    );
    expect(isAsWanted(read({ source }), wanted)).toBe(false);
  });
});
