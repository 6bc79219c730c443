import { applications, environments, promotionRuns, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, readAnnotation } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { graphEnvironmentOf } from '../../shared/contracts/promotions.ts';
import { isObjectName } from '../../shared/domain/core/object-name.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import {
  asState,
  isConsidered,
  type NewSnapshot,
  type SeenStart,
  sequenceOf,
  startedName,
} from '../../shared/domain/promotion/decide-start.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { isHomeGoing } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';

export type Services = Pick<World, 'clusters' | 'promotions'>;
export type SeenByStep = SeenStart;

const nothingSeen = {
  snapshot: undefined,
  state: undefined,
  newestConsidered: undefined,
  newest: undefined,
  application: undefined,
  environments: [],
  isStarted: false,
  isNamespaceGoing: false,
} as const;

/** Most Snapshots have been considered: of those nothing else is looked at. */
export async function observeStart(
  { namespace, name, version }: Subject,
  { clusters, promotions }: Services,
  signal: AbortSignal,
): Promise<SeenByStep> {
  const { local } = clusters;
  const object = await local.read(snapshots, { namespace, name }, { signal, atLeast: version });
  if (object === undefined) {
    const { named } = await promotions.considered({ namespace, name, application: '' });
    return { ...nothingSeen, namespace, named };
  }
  const { metadata, spec, status } = object;
  const snapshot: NewSnapshot = {
    uid: metadata.uid,
    name,
    version: metadata.resourceVersion,
    created: Date.parse(metadata.creationTimestamp),
    sequence: sequenceIn(metadata.annotations),
    isDeleting: metadata.deletionTimestamp !== undefined,
    application: spec.application,
    said: status?.conditions ?? [],
  };
  const { application } = snapshot;
  const { named, newest, state } = await promotions.considered({ namespace, name, application });
  const seen: SeenStart = { ...nothingSeen, namespace, snapshot, named, state, newestConsidered: newest };
  if (isConsidered(seen, snapshot) || snapshot.isDeleting || !isObjectName(application)) return seen;

  const [found, all, run, isNamespaceGoing, newestThere] = await Promise.all([
    local.read(applications, { namespace, name: application }, { signal }),
    listAll(local, environments, { namespace, signal }),
    local.read(promotionRuns, { namespace, name: startedName(asState(snapshot, seen)) }, { signal }),
    isHomeGoing(local, namespace, signal),
    newest === undefined ? findNewest(namespace, application, { clusters }, signal) : undefined,
  ]);
  return {
    ...seen,
    newest: newestThere,
    application:
      found === undefined || found.metadata.deletionTimestamp !== undefined
        ? undefined
        : { uid: found.metadata.uid, controller: found.spec.deploymentController },
    environments: all.map(graphEnvironmentOf),
    isStarted: run !== undefined,
    isNamespaceGoing,
  };
}

function sequenceIn(all: Readonly<Record<string, string>>): number {
  return sequenceOf(readAnnotation(all, annotations.sequence) ?? '');
}

/** When the first of an application is considered, those of before are not new any more. */
async function findNewest(
  namespace: string,
  application: string,
  { clusters }: Pick<Services, 'clusters'>,
  signal: AbortSignal,
): Promise<SeenStart['newest']> {
  const all = await listAll(clusters.local, snapshots, { namespace, signal });
  const ages = all
    .filter(({ spec, metadata }) => spec.application === application && metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => ({
      created: Date.parse(metadata.creationTimestamp),
      sequence: sequenceIn(metadata.annotations),
    }));
  return ages.toSorted((one, other) => other.created - one.created || other.sequence - one.sequence)[0];
}
