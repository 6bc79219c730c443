import { Environment } from '../../shared/contracts/kubernetes/environment.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import type {
  PromotionReader,
  ToldCell,
  ToldEvidence,
  ToldPromotion,
  ToldStep,
} from '../../shared/ports/promotion-reader.ts';
import type { World } from '../../shared/runtime/world.ts';

const minutes = 60_000;

/** A moment some minutes before a fixed one. */
export function ago(count: number, from = Date.now()): string {
  return new Date(from - count * minutes).toISOString();
}

/** Rows and a cluster that only say what a test puts there, and count how often they are asked. */
export function openToldPromotions() {
  const told = {
    cells: [] as ToldCell[],
    promotions: [] as ToldPromotion[],
    environments: [] as Environment[],
    version: 1,
    /** The error that the next questions meet. */
    away: undefined as Error | undefined,
    asked: { version: 0, board: 0, environments: 0 },
  };

  async function answer<Value>(give: () => Value): Promise<Value> {
    if (told.away !== undefined) throw told.away;
    return give();
  }

  const reader: PromotionReader = {
    open: (namespace) =>
      answer(() =>
        told.promotions.filter((one) => one.state !== 'Completed' && (namespace ?? one.namespace) === one.namespace),
      ),
    failed: (namespace) =>
      answer(() =>
        told.promotions.filter((one) => one.result === 'Failure' && (namespace ?? one.namespace) === one.namespace),
      ),
    of: ({ namespace, name }, limit) =>
      answer(() =>
        told.promotions
          .filter((one) => one.namespace === namespace && one.application === name)
          .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
          .slice(0, limit),
      ),
    one: ({ namespace, name }) =>
      answer(() => told.promotions.find((one) => one.namespace === namespace && one.name === name)),
    board: (namespace) =>
      answer(() => {
        told.asked.board += 1;
        return told.cells.filter((one) => (namespace ?? one.namespace) === one.namespace);
      }),
    history: () => answer(() => []),
    version: () =>
      answer(() => {
        told.asked.version += 1;
        return String(told.version);
      }),
  };
  const local = {
    async *list() {
      told.asked.environments += 1;
      yield await answer(() => told.environments);
    },
  } as unknown as Cluster;
  const world = { promotionReader: reader, clusters: { local, at: () => local } } as unknown as World;
  return Object.assign(told, { reader, world });
}

export function anEnvironment(namespace: string, described: string, spec: object = {}): Environment {
  const [place = '', ...words] = described.split(' ');
  const [name = '', parent = ''] = place.split('<');
  return Environment.parse({
    apiVersion: 'appstudio.redhat.com/v1alpha1',
    kind: 'Environment',
    metadata: { namespace, name, uid: `uid-of-${name}`, resourceVersion: '1', creationTimestamp: ago(1_000) },
    spec: {
      displayName: name,
      deploymentStrategy: words.includes('manual') ? 'Manual' : 'AppStudioAutomated',
      parentEnvironment: parent,
      ...spec,
    },
  });
}

export function aCell(environment: string, but: Partial<ToldCell> = {}): ToldCell {
  return {
    namespace: 'team-a',
    application: 'shop',
    environment,
    binding: `shop-${environment}-binding`,
    snapshot: 'shop-7fk2q',
    commit: '9c1f3a27d04be85c1d7ce1f4a0a2f0d3b5a6e7f8',
    isRendered: true,
    sync: 'Synced',
    health: 'Healthy',
    since: ago(90),
    ...but,
  };
}

export function someEvidence(component: string, but: Partial<ToldEvidence> = {}): ToldEvidence {
  return {
    component,
    deployment: `shop-dev-binding-shop-dev-${component}`,
    revision: '9c1f3a27d04be85c1d7ce1f4a0a2f0d3b5a6e7f8',
    sync: 'Synced',
    health: 'Healthy',
    operation: 'Succeeded',
    observedAt: ago(6),
    ...but,
  };
}

export function aStep(environment: string, step: number, but: Partial<ToldStep> = {}): ToldStep {
  return {
    environment,
    step,
    binding: `shop-${environment}-binding`,
    status: 'success',
    reason: 'Promoted',
    message: '',
    beganAt: ago(9),
    readyAt: ago(9),
    endedAt: ago(6),
    commit: '9c1f3a27d04be85c1d7ce1f4a0a2f0d3b5a6e7f8',
    evidence: [someEvidence('cart'), someEvidence('catalogue'), someEvidence('web')],
    ...but,
  };
}

export function aPromotion(name: string, but: Partial<ToldPromotion> = {}): ToldPromotion {
  return {
    id: `uid-of-${name}`,
    namespace: 'team-a',
    name,
    application: 'shop',
    snapshot: 'shop-9xw4d',
    isAutomated: true,
    beginsIn: ['dev'],
    cause: 'Snapshot shop-9xw4d',
    state: 'Active',
    result: '',
    reason: '',
    message: '',
    createdAt: ago(10),
    startedAt: ago(9),
    steps: [],
    ...but,
  };
}
