import type { Condition, Said } from '../core/condition.ts';
import { withSuffix } from '../core/object-name.ts';
import { type Effect, type Moment, recheck, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import { automatedRoots, type Left } from './choose-environments.ts';
import { isOurs } from './is-ours.ts';
import type { GraphEnvironment } from './promotion.ts';

/** A Snapshot, as far as its first promotion goes. */
export interface NewSnapshot {
  readonly uid: string;
  readonly name: string;
  readonly version: string;
  readonly created: number;
  /** Its number among the states of its Application; 0 where nobody has counted it. */
  readonly sequence: number;
  readonly isDeleting: boolean;
  readonly application: string;
  readonly said: readonly Said[];
}

/** Which of two is newer. An API server tells the time of a creation in whole seconds, and several may be built in one. */
type Age = Pick<NewSnapshot, 'created' | 'sequence'>;

/** A Snapshot, and its number when it was considered. */
export type Considered = Pick<NewSnapshot, 'uid' | 'sequence'>;

export interface SeenStart {
  readonly namespace: string;
  readonly snapshot: NewSnapshot | undefined;
  /** The Snapshots of this name that were considered, and as which state of their Application. */
  readonly named: readonly Considered[];
  /** The newest state of the application, where builds have made it one. Undefined: nobody has counted any. */
  readonly state: { readonly snapshot: string; readonly sequence: number } | undefined;
  /** The newest Snapshot of the application that was considered. Undefined: none ever was. */
  readonly newestConsidered: Age | undefined;
  /** Its newest Snapshot. Only asked where none was ever considered. */
  readonly newest: Age | undefined;
  readonly application: { readonly uid: string; readonly controller: string } | undefined;
  readonly environments: readonly GraphEnvironment[];
  /** The run that would be made is there already. */
  readonly isStarted: boolean;
  readonly isNamespaceGoing: boolean;
}

export type StartEffect = Effect &
  (
    | { readonly do: 'start-promotion'; readonly name: string; readonly environments: readonly string[] }
    | { readonly do: 'consider-snapshot'; readonly run: string; readonly created: number; readonly sequence: number }
    | { readonly do: 'forget-snapshot'; readonly uid: string }
    | { readonly do: 'tell-user'; readonly at: number }
  );

/** What is applied together may come one after the other. */
const graceSeconds = 60;
const recheckSeconds = 5;
const type = 'AutomatedPromotion';

/**
 * Decides whether a new Snapshot starts a promotion by itself. Each is considered once: what is deployed by itself is what
 * is new, not what lies there when an environment changes. One whose images are built again after others is new again. A
 * Snapshot that is looked at after a newer one stays where it is, because its promotion would bring the older state over the
 * newer.
 */
export function decideStart(seen: SeenStart, moment: Moment): Step<StartEffect> {
  const { snapshot, named } = seen;
  const gone = named.filter(({ uid }) => uid !== snapshot?.uid);
  const step = snapshot === undefined || isConsidered(seen, snapshot) ? nothing : start(seen, snapshot, moment);
  return {
    ...step,
    effects: [...gone.map(({ uid }): StartEffect => ({ do: 'forget-snapshot', uid })), ...step.effects],
  };
}

/** It is the newest state of its application, and was considered as an older one. */
function isBack({ named, state }: Pick<SeenStart, 'named' | 'state'>, { uid, name }: NewSnapshot): boolean {
  const before = named.find((one) => one.uid === uid);
  return before !== undefined && state?.snapshot === name && state.sequence > before.sequence;
}

/** Nothing is left to decide of it. */
export function isConsidered(seen: Pick<SeenStart, 'named' | 'state'>, snapshot: NewSnapshot): boolean {
  return seen.named.some(({ uid }) => uid === snapshot.uid) && !isBack(seen, snapshot);
}

/** The Snapshot as the state that it is now: a number of its own for each time that it comes. */
export function asState(
  snapshot: NewSnapshot,
  { state }: Pick<SeenStart, 'state'>,
): Pick<NewSnapshot, 'name' | 'uid' | 'application' | 'sequence'> {
  const sequence = state?.snapshot === snapshot.name ? Math.max(state.sequence, snapshot.sequence) : snapshot.sequence;
  return { ...snapshot, sequence };
}

function start(seen: SeenStart, snapshot: NewSnapshot, moment: Moment): Step<StartEffect> {
  const { isNamespaceGoing, application, environments } = seen;
  if (snapshot.isDeleting || isNamespaceGoing) return nothing;
  if (snapshot.application === '')
    return consider(seen, snapshot, moment, '', [
      'False',
      'NoApplication',
      'It belongs to no Application: create a PromotionRun to promote it',
    ]);
  // OBSERVED: its run was made, and whoever made it died before the rows said so.
  const isLate = !isBack(seen, snapshot) && isOlder(snapshot, seen.newestConsidered ?? seen.newest ?? snapshot);
  if (isLate && !seen.isStarted)
    return consider(seen, snapshot, moment, '', [
      'False',
      'Superseded',
      'A newer Snapshot of the application was there before this one was looked at',
    ]);
  if (application !== undefined && !isOurs(application.controller))
    return consider(seen, snapshot, moment, '', [
      'False',
      'ExternalController',
      `Application ${snapshot.application} is promoted by ${application.controller}: its spec.deploymentController says so`,
    ]);
  const { next: roots, left } = automatedRoots(environments);
  const others = othersIn(left);
  if (application === undefined || roots.length === 0) {
    const reason = application === undefined ? 'ApplicationNotFound' : 'NoAutomatedEnvironment';
    const message =
      application === undefined
        ? `Application ${snapshot.application} does not exist`
        : `No Environment without a parent has the deploymentStrategy AppStudioAutomated: create a PromotionRun to promote this Snapshot${others}`;
    const since = moment.waiting?.reason === reason ? moment.waiting.since : moment.now;
    if (moment.now - since >= graceSeconds * 1_000)
      return consider(seen, snapshot, moment, '', ['False', reason, message]);
    return { ...nothing, next: recheck(recheckSeconds, { reason, message, deadlineSeconds: graceSeconds }) };
  }
  const name = startedName(asState(snapshot, seen));
  const step = consider(seen, snapshot, moment, name, ['True', 'Started', `PromotionRun ${name} promotes it${others}`]);
  return seen.isStarted
    ? step
    : {
        ...step,
        effects: [{ do: 'start-promotion', name, environments: roots }, ...step.effects],
        knocks: [
          {
            type: 'promotion.changed.v1',
            subject: { namespace: seen.namespace, name, application: snapshot.application },
          },
        ],
      };
}

/** What a Snapshot says whose run the API server did not take. */
export function startRefused(refusal: string): Condition {
  return { type, status: 'False', reason: 'Refused', message: `The PromotionRun for it was refused: ${refusal}` };
}

/** What is not ours to promote is left alone, and said. */
function othersIn(left: readonly Left[]): string {
  const told = left.filter(({ why }) => why === 'external').map(({ name, controller }) => `${name} by ${controller}`);
  return told.length === 0 ? '' : `. Environments that others promote to were left out: ${told.join(', ')}`;
}

const nothing: Step<StartEffect> = { effects: [], conditions: [], knocks: [], next: settled };

/** What was counted later is not older than one that came again before it; an Application that is made again counts anew. */
function isOlder(one: Age, other: Age): boolean {
  if (one.created < other.created) return other.sequence === 0 || one.sequence < other.sequence;
  return one.created === other.created && one.sequence > 0 && one.sequence < other.sequence;
}

/** The number of a Snapshot as it is written on it. What cannot be one, or be put in order by its digits, is none. */
export function sequenceOf(text: string): number {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
}

/**
 * The run of a Snapshot: the same for the same one, and another for one that is made again under its name. Runs that are made
 * in one second go by their names, and those of states that follow one another in it have to go in their order.
 */
export function startedName({
  name,
  uid,
  application,
  sequence,
}: Pick<NewSnapshot, 'name' | 'uid' | 'application' | 'sequence'>): string {
  const what = sequence > 0 ? `${application}-${String(sequence).padStart(6, '0')}` : name;
  return withSuffix(what, `-${uid.slice(0, 8)}`, 253);
}

function consider(
  seen: SeenStart,
  snapshot: NewSnapshot,
  { now }: Moment,
  run: string,
  [status, reason, message]: readonly [Condition['status'], string, string],
): Step<StartEffect> {
  const condition: Condition = { type, status, reason, message };
  const isNews = withConditions(snapshot.said, [condition], now) !== undefined;
  // One that is back is as new as this moment.
  const created = isBack(seen, snapshot) ? now : snapshot.created;
  const { sequence } = asState(snapshot, seen);
  return {
    effects: [
      { do: 'consider-snapshot', run, created, sequence },
      ...(isNews ? [{ do: 'tell-user', at: now } as const] : []),
    ],
    conditions: [condition],
    knocks: [],
    next: settled,
  };
}
