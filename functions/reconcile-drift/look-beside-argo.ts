import type { ObjectKind } from '../../shared/contracts/kubernetes/kinds.ts';
import type { OperationType } from '../../shared/domain/gitops/names.ts';
import type { Engine } from '../../shared/domain/gitops/placement.ts';
import { deletingSeconds, type Finding } from '../../shared/domain/upkeep/drift.ts';
import { pairUp } from '../../shared/domain/upkeep/pair-up.ts';
import type { ArgoRow, RowRange } from '../../shared/ports/drift-rows.ts';
import { atEveryEngine, type Place } from './at-every-engine.ts';
import { inGroups } from './in-groups.ts';
import { isThere } from './is-there.ts';
import { operationFinding } from './operation-finding.ts';
import type { Came, Turn } from './turn.ts';

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string | undefined;
  };
}

/** One kind of object beside an Argo CD, and the rows that say how it should be. */
export interface ArgoKind<Found extends Stored, Row extends ArgoRow> {
  /** What it is called in the report. */
  readonly title: string;
  readonly objects: ObjectKind;
  readonly labelSelector?: string | undefined;
  /** The operation that makes it as the rows say. */
  readonly operation: OperationType;
  nameOf(id: string): string;
  /** The key of its row; undefined where the name is none of ours. */
  idOf(name: string): string | undefined;
  rows(instanceId: string, range: RowRange): Promise<readonly Row[]>;
  /** Should there be one, as far as the row says? */
  isWanted(row: Row): boolean;
  /** Is it missed already, where it is wanted and not there? */
  isMissed(row: Row, now: number): boolean;
  isSame(found: Found, row: Row, engine: Engine): boolean;
  /** The resources of the API whose UIDs are the keys of the rows, and who looks after them. */
  readonly resources?: { readonly objects: ObjectKind; readonly knock: string } | undefined;
  /** Without its tenant nobody can say what to do with it: whoever clears up takes it away. */
  readonly needsOwner?: boolean | undefined;
  /** The tenant that an object without a row belonged to, as far as it tells. */
  ownerOf(found: Found): string | undefined;
}

/**
 * Objects beside every Argo CD, and their rows. What an operation is open about is left to whoever works on it: an old one
 * is found by the part that looks at operations.
 */
export function lookBesideArgo<Found extends Stored, Row extends ArgoRow>(
  kind: ArgoKind<Found, Row>,
  turn: Turn,
): Promise<Came> {
  return atEveryEngine<Found, Row>(
    {
      objects: kind.objects,
      labelSelector: kind.labelSelector,
      idOf: ({ metadata }) => kind.idOf(metadata.name),
      rows: ({ instanceId }, range) => kind.rows(instanceId, range),
      async compare(place, objects, rows) {
        const { both, onlyOne, onlyOther } = pairUp(
          objects,
          rows,
          ({ metadata }) => kind.idOf(metadata.name) ?? '',
          ({ id }) => id,
        );
        await turn.tell(both.flatMap(([found, row]) => judge(kind, place, found, row)));
        await turn.tell(await missing(kind, place, onlyOther, turn));
        await turn.tell(await strays(kind, place, onlyOne, turn));
      },
    },
    turn,
  );
}

function judge<Found extends Stored, Row extends ArgoRow>(
  kind: ArgoKind<Found, Row>,
  place: Place,
  found: Found,
  row: Row,
): Finding[] {
  if (row.underWay || found.metadata.deletionTimestamp !== undefined) return [];
  if (!kind.isWanted(row)) return [tell(kind, place, 'ArgoObjectWithoutRow', row, 'should not be there any more')];
  return kind.isSame(found, row, place.engine)
    ? []
    : [tell(kind, place, 'ArgoObjectDiffers', row, 'is not as its row says')];
}

/** Rows that no object was listed for. The list may be older than the row, and labels get lost: each is looked for. */
async function missing<Found extends Stored, Row extends ArgoRow>(
  kind: ArgoKind<Found, Row>,
  place: Place,
  rows: readonly Row[],
  turn: Turn,
): Promise<Finding[]> {
  const missed = rows.filter((row) => !row.underWay && kind.isWanted(row) && kind.isMissed(row, turn.now));
  const found = await inGroups(missed, async (row): Promise<Finding[]> => {
    const key = { namespace: place.engine.namespace, name: kind.nameOf(row.id) };
    const object = (await place.cluster.read(kind.objects, key, { signal: turn.signal })) as Found | undefined;
    return object === undefined
      ? [tell(kind, place, 'ArgoObjectMissing', row, 'is not there')]
      : judge(kind, place, object, row);
  });
  return found.flat();
}

/**
 * Objects of ours that no row stands behind. Where the resource of that UID lives, it is the row that got lost: its function
 * is told, and nothing is taken away, for that would take away what the user has deployed.
 */
async function strays<Found extends Stored, Row extends ArgoRow>(
  kind: ArgoKind<Found, Row>,
  place: Place,
  objects: readonly Found[],
  turn: Turn,
): Promise<Finding[]> {
  const { driftRows } = turn.machine.world;
  const lost = objects.flatMap((object) => {
    const id = kind.idOf(object.metadata.name);
    return id === undefined || isLeaving(object, turn.now) ? [] : [{ id, object, owner: kind.ownerOf(object) ?? '' }];
  });
  if (lost.length === 0) return [];
  const ids = lost.map(({ id }) => id);
  const underWay = await driftRows.underWay(kind.operation, ids);
  const namespaces = await driftRows.namespacesOf(lost.map(({ owner }) => owner).filter((owner) => owner !== ''));
  const alive = await livingResources(kind.resources, new Set(ids), turn);
  const open = lost.filter(({ id }) => !underWay.has(id));
  const found = await inGroups(open, async ({ id, object, owner }): Promise<Finding[]> => {
    // It may have gone together with its row, since it was listed.
    const key = { namespace: place.engine.namespace, name: object.metadata.name };
    if ((await isThere(place.cluster, kind.objects, key, turn.signal)) !== object.metadata.uid) return [];
    const row = { id, namespace: namespaces.get(owner) ?? '' };
    const { knock, operation, ...wrong } = tell(kind, place, 'ArgoObjectWithoutRow', row, 'has no row');
    const living = alive.get(id);
    if (living !== undefined) return [{ ...wrong, knock: living }];
    return [kind.needsOwner && row.namespace === '' ? wrong : { ...wrong, knock, operation }];
  });
  return found.flat();
}

/** Those of these UIDs that a resource has, with the knock about each. */
async function livingResources(
  resources: { readonly objects: ObjectKind; readonly knock: string } | undefined,
  uids: ReadonlySet<string>,
  { machine, signal }: Turn,
): Promise<ReadonlyMap<string, NonNullable<Finding['knock']>>> {
  const living = new Map<string, NonNullable<Finding['knock']>>();
  if (resources === undefined) return living;
  for await (const page of machine.world.clusters.local.list(resources.objects, { signal }))
    for (const { metadata } of page as readonly { metadata: { uid: string; namespace: string; name: string } }[])
      if (uids.has(metadata.uid))
        living.set(metadata.uid, {
          type: resources.knock,
          subject: { namespace: metadata.namespace, name: metadata.name },
        });
  return living;
}

function isLeaving({ metadata }: Stored, now: number): boolean {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp !== undefined && now - Date.parse(deletionTimestamp) < deletingSeconds * 1_000;
}

function tell<Found extends Stored, Row extends ArgoRow>(
  { title, operation, nameOf }: ArgoKind<Found, Row>,
  { engine }: Place,
  kind: Finding['kind'],
  { id, namespace }: Pick<ArgoRow, 'id' | 'namespace'>,
  why: string,
): Finding {
  return operationFinding(engine, {
    kind,
    what: `The ${title} ${why}`,
    type: operation,
    id,
    name: nameOf(id),
    namespace,
  });
}
