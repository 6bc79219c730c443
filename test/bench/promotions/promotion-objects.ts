/** The API group of one of the two ways that are compared. */
export const ourGroup = 'appstudio.redhat.com';
/** The same CRDs under another group: the same API server with the same work, and a host that does not notice. */
export const floorGroup = 'floor.appstudio.redhat.com';
export const promotedKinds = ['snapshots', 'promotionruns', 'snapshotenvironmentbindings'] as const;

/** Where the bare client works. */
export const floorNamespace = 'floor';
export const application = 'shop';
/** The first takes what is new, the second what was well in the first. */
export const [first, second] = ['development', 'staging'] as const;

/** As much of a Snapshot, a Binding or a PromotionRun as is looked at here. */
export interface PromotedObject {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly spec: { readonly application: string; readonly environment?: string; readonly snapshot?: string };
  readonly status?: { readonly state?: string; readonly completionResult?: string };
}

export function pathOf(group: string, plural: (typeof promotedKinds)[number], namespace?: string): string {
  return `/apis/${group}/v1alpha1/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}`;
}

export function snapshot(group: string, namespace: string, name: string, of: string): object {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'Snapshot',
    metadata: { name, namespace },
    spec: {
      application: of,
      components: [{ name: componentOf(of), containerImage: `registry.example.com/${of}/web:${name}` }],
    },
  };
}

/** The only one of an application: what a Component is called, no other Component of the namespace may be. */
export function componentOf(of: string): string {
  return `${of}-web`;
}

export function bindingName(of: string, environment: string): string {
  return `${of}-${environment}-binding`;
}

export function binding(group: string, namespace: string, environment: string): object {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'SnapshotEnvironmentBinding',
    metadata: {
      name: bindingName(application, environment),
      namespace,
      labels: { 'appstudio.application': application, 'appstudio.environment': environment },
    },
    spec: { application, environment, snapshot: 'none', components: [{ name: componentOf(application) }] },
  };
}

/** As large as the product's. */
export function promotionRun(group: string, { metadata, spec }: PromotedObject): object {
  const { namespace, name, uid } = metadata;
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'PromotionRun',
    metadata: {
      namespace,
      name: `${name}-${uid.slice(0, 8)}`,
      labels: {
        'appstudio.application': spec.application,
        'appstudio.environment': first,
        'stagecoach.dev/cause': name,
      },
      annotations: { 'stagecoach.dev/cause': `Snapshot ${name}` },
    },
    spec: { snapshot: name, application: spec.application, automatedPromotion: { initialEnvironment: first } },
  };
}

export function considered({ metadata }: PromotedObject): object {
  const { name, uid } = metadata;
  return {
    status: {
      conditions: [
        {
          type: 'AutomatedPromotion',
          status: 'True',
          reason: 'Started',
          message: `PromotionRun ${name}-${uid.slice(0, 8)} promotes it`,
          lastTransitionTime: new Date().toISOString(),
        },
      ],
    },
  };
}

export function promoted(run: string, name: string): object {
  return { metadata: { annotations: { 'stagecoach.dev/promotion': run } }, spec: { snapshot: name } };
}
