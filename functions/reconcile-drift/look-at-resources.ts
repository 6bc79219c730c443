import { whoCares } from '../../shared/domain/core/interest.ts';
import { applicationName } from '../../shared/domain/gitops/names.ts';
import { type Spoken, wordsOf } from '../../shared/domain/status/gist-of.ts';
import {
  explains,
  type Finding,
  isForgotten,
  isMistold,
  isUnseen,
  lacksRows,
} from '../../shared/domain/upkeep/drift.ts';
import { pairUp } from '../../shared/domain/upkeep/pair-up.ts';
import type { Attention, MappedRow } from '../../shared/ports/drift-rows.ts';
import { routesTo } from '../../shared/runtime/machine.ts';
import { inGroups } from './in-groups.ts';
import { isThere } from './is-there.ts';
import { resourceKinds as kinds, type LookedAt } from './resource-kinds.ts';
import { type Came, pageSize, type Turn } from './turn.ts';

interface Resource {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string | undefined;
    readonly finalizers: readonly string[];
  };
  readonly status?:
    | (Spoken & {
        readonly phase?: string | undefined;
        readonly state?: string | undefined;
        readonly conditions?: readonly { readonly type: string; readonly status: string }[];
        readonly bindingConditions?: readonly unknown[];
      })
    | undefined;
}

/**
 * Resources of one kind beside the rows that stand for them. Both are read in the order of their names, so that a page of
 * the API server's list and the rows of the same range are compared at once, and a turn can stop after any page. The list
 * itself is always read from its beginning: what was compared before is skipped, which costs next to nothing.
 */
export async function lookAtResources(kind: LookedAt, turn: Turn): Promise<Came> {
  const { world } = turn.machine;
  let { after } = turn;
  let looked = 0;
  for await (const page of world.clusters.local.list(kinds[kind].objects, { signal: turn.signal })) {
    const resources = (page as readonly Resource[]).filter((one) => keyOf(one) > after);
    const last = resources.at(-1);
    if (last === undefined) continue;
    await compare(kind, resources, { after, through: keyOf(last) }, turn);
    after = keyOf(last);
    looked += resources.length;
    if (turn.isUp(looked)) return { done: false, after, looked };
  }
  await compare(kind, [], { after, through: undefined }, turn);
  return { done: true, after: '', looked };
}

function keyOf({ metadata }: Resource): string {
  return `${metadata.namespace}/${metadata.name} ${metadata.uid}`;
}

async function compare(
  kind: LookedAt,
  resources: readonly Resource[],
  range: { readonly after: string; readonly through: string | undefined },
  turn: Turn,
): Promise<void> {
  const { driftRows } = turn.machine.world;
  const { mapped } = kinds[kind];
  let { after } = range;
  let alone = mapped === undefined ? [] : resources;
  for (let full = mapped !== undefined; full && mapped !== undefined; ) {
    const rows = await driftRows.mapped(mapped, { after, through: range.through, most: pageSize });
    const { both, onlyOne, onlyOther } = pairUp(
      alone,
      rows,
      ({ metadata }) => metadata.uid,
      ({ uid }) => uid,
    );
    alone = onlyOne;
    await turn.tell(both.flatMap(mistold));
    await turn.tell(await withoutResource(kind, onlyOther, turn));
    full = rows.length === pageSize;
    after = rows.at(-1)?.key ?? after;
  }
  await turn.tell(await neglected(kind, resources, new Set(alone), turn));
}

/** A deployment that does not say what Argo CD says. Whoever tells it is asked without a version, and so compares all of it. */
function mistold([{ metadata, status = {} }, { heard }]: readonly [Resource, MappedRow]): Finding[] {
  if (heard === undefined || heard === null || metadata.deletionTimestamp !== undefined) return [];
  if (!isMistold(wordsOf(status), heard)) return [];
  const { namespace, name, uid } = metadata;
  return [
    {
      kind: 'StatusDiffers',
      subject: { namespace, name },
      what: 'The status of the GitOpsDeployment is not what Argo CD says',
      knock: {
        type: 'argo-application.changed.v1',
        subject: { namespace: heard.engineNamespace, name: applicationName(uid) },
      },
    },
  ];
}

/** Rows whose resource is gone, or has another identity now. The list may be older than the row, so each is looked for. */
async function withoutResource(kind: LookedAt, rows: readonly MappedRow[], turn: Turn): Promise<Finding[]> {
  const { world } = turn.machine;
  const { objects, knock } = kinds[kind];
  const found = await inGroups(rows, async ({ namespace, name, uid }): Promise<Finding[]> => {
    const there = await isThere(world.clusters.local, objects, { namespace, name }, turn.signal);
    if (there === uid || there === 'unreadable') return [];
    const why = there === undefined ? 'is gone' : 'is another one by now';
    const subject = { namespace, name };
    // Whoever made it cares as well, and makes it again.
    const others = whoCares([{ group: objects.group, kind, ...subject }]).filter(({ type }) => type !== knock);
    return [
      { kind: 'ResourceGone', subject, what: `The ${kind} ${why}`, knock: { type: knock, subject } },
      ...others.map((other): Finding => {
        const what = `The ${kind} ${name} of it ${why}`;
        return { kind: 'ResourceGone', subject: other.subject, what, knock: other };
      }),
    ];
  });
  return notAwaited(found.flat(), kind, turn);
}

/** Who is waited for is being worked on. */
async function notAwaited(found: readonly Finding[], kind: LookedAt, turn: Turn): Promise<Finding[]> {
  const attention = await attend(
    kind,
    found.map(({ subject }) => subject),
    turn,
  );
  return found.filter((_finding, index) => attention[index]?.awaited !== true);
}

function attend(
  kind: LookedAt,
  subjects: readonly { readonly namespace: string; readonly name: string }[],
  { machine }: Turn,
): Promise<readonly Attention[]> {
  const functions = routesTo(machine, kinds[kind].knock).map((route) => route.function);
  return machine.world.driftRows.attention(
    functions,
    subjects.map(({ namespace, name }) => `${namespace}/${name}`),
  );
}

/** Resources that nobody has made rows for or said why not, and those that changed since anybody looked. */
async function neglected(
  kind: LookedAt,
  resources: readonly Resource[],
  alone: ReadonlySet<Resource>,
  turn: Turn,
): Promise<Finding[]> {
  const attention = await attend(
    kind,
    resources.map(({ metadata }) => metadata),
    turn,
  );
  const { knock: type, finalizer, mapped, isOver } = kinds[kind];
  return resources.flatMap((resource, index): Finding[] => {
    const { metadata, status } = resource;
    const { namespace, name, resourceVersion: version } = metadata;
    // Another API server than those we know may count in another way; then only rows tell.
    if (!/^\d{1,18}$/.test(version)) return [];
    const seen = {
      now: turn.now,
      created: Date.parse(metadata.creationTimestamp),
      version,
      deleting: metadata.deletionTimestamp !== undefined,
      held: finalizer !== undefined && metadata.finalizers.includes(finalizer),
      explained: explains(status?.conditions ?? []) || (status?.bindingConditions ?? []).length > 0,
      served: attention[index]?.served,
      awaited: attention[index]?.awaited ?? false,
    };
    const subject = { namespace, name };
    const phase = status?.phase ?? '';
    const untouched = phase === '' && (status?.conditions ?? []).length === 0;
    if (mapped === undefined && isForgotten({ ...seen, untouched, waits: phase === 'Pending' }))
      return [{ kind: 'ChangeUnseen', subject, what: `Nobody looks at the ${kind}`, knock: { type, subject } }];
    if (alone.has(resource))
      return isOver?.(status) !== true && lacksRows(seen)
        ? [{ kind: 'ResourceWithoutRows', subject, what: `Nothing is known of the ${kind}`, knock: { type, subject } }]
        : [];
    // With its version: whoever has looked meanwhile need not look again.
    return isUnseen(seen)
      ? [
          {
            kind: 'ChangeUnseen',
            subject,
            what: `The ${kind} has changed since it was looked at`,
            knock: { type, subject: { ...subject, version } },
          },
        ]
      : [];
  });
}
