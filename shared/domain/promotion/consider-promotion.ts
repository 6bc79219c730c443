import { type Beginning, beginAll, type HoldUp } from './begin-steps.ts';
import { automatedChildren, chooseFirst, type Left } from './choose-environments.ts';
import { type HandOver, handOver } from './hand-over.ts';
import { judgeStep } from './judge-step.ts';
import type { JudgedStep, Run, SeenPromotion, StoredRun } from './promotion.ts';
import { isReplaced, whyReplaced } from './snapshot-replaced.ts';

export interface Ending {
  readonly result: 'Success' | 'Failure';
  readonly reason: string;
  readonly message: string;
  /** Environments that follow by themselves, in a run of their own. */
  readonly followers: readonly string[];
}

/** How an active run stands. */
export interface Considered {
  readonly steps: readonly JudgedStep[];
  readonly begin: readonly Beginning[];
  /** Undefined: it goes on. */
  readonly ending: Ending | undefined;
  /** What it waits for before a step can begin. */
  readonly holdUp: HoldUp | undefined;
  /** Environments that it passes by, and why. */
  readonly left: readonly Left[];
  /** Somebody else promotes the application: nothing begins, and what is under way waits. */
  readonly handedOver: HandOver | undefined;
}

/** What is named in a run may be applied a moment after it. */
const graceMs = 15_000;

/**
 * Considers how far an active run is. One depth of the graph at a time: the next begins when every environment of this one
 * has succeeded. After a failure nothing begins any more; what is under way comes to its own end and is written down.
 */
export function considerPromotion(seen: SeenPromotion, run: Run, stored: StoredRun, now: number): Considered {
  const { environments, bindings, choices, application, snapshot, digest } = seen;
  const handedOver = handOver(seen, stored, now);
  const steps = seen.steps.map((step) =>
    judgeStep(
      step,
      {
        run,
        environment: environments.find(({ name }) => name === step.environment),
        binding: bindings.find(({ name, environment }) => name === step.binding && environment === step.environment),
        choice: choices.get(step.environment),
        isRenderedByOthers: application?.isRenderedByOthers ?? false,
        snapshot,
        handedOver,
        skipped: seen.skipped,
        syncs: seen.syncs,
        sightings: seen.sightings,
        digest,
      },
      now,
    ),
  );
  const going: Considered = { steps, begin: [], ending: undefined, holdUp: undefined, left: [], handedOver };
  if (steps.length === 0)
    return handedOver === undefined ? beginFirst(going, seen, run, stored, now) : held(going, now);
  if (steps.some(({ status }) => status === 'in-progress')) return going;
  const failures = steps.filter(({ status }) => status === 'failed');
  if (failures.length > 0) return { ...going, ending: failure(failures) };

  const depth = Math.max(...steps.map(({ step }) => step));
  // Whoever was given a parent on the way that this run has passed follows as well.
  const passed = steps.map(({ environment }) => environment);
  const isBegun = (name: string): boolean => passed.includes(name);
  const children = automatedChildren(passed, environments);
  const fresh = children.next.filter((name) => !isBegun(name));
  const left = children.left.filter(({ name }) => !isBegun(name));
  if (run.goal.kind === 'manual') return { ...going, left, ending: success(handedOver === undefined ? fresh : []) };
  if (fresh.length === 0) return { ...going, left, ending: success([]) };
  if (handedOver !== undefined) return held({ ...going, left }, now);
  const missing = missingOf(seen, run);
  if (missing !== undefined) return { ...going, left, ending: failedFor(missing) };
  return { ...going, left, ...beginAll(fresh, depth + 1, seen, run, stored, now) };
}

/** What was done stays as it is. If this service is asked again it goes on from there; but nothing waits for ever. */
function held(going: Considered, now: number): Considered {
  const { handedOver: holdUp } = going;
  if (holdUp === undefined || now < holdUp.until) return { ...going, holdUp };
  return { ...going, ending: failedFor(holdUp) };
}

interface Missing {
  readonly reason: string;
  readonly message: string;
  /** Somebody may be applying a folder of files, this one first. */
  readonly mayCome: boolean;
}

function beginFirst(going: Considered, seen: SeenPromotion, run: Run, stored: StoredRun, now: number): Considered {
  const first = chooseFirst(run, seen.environments);
  const missing = missingOf(seen, run) ?? ('reason' in first ? obstructed(first) : undefined);
  if (missing === undefined && 'next' in first)
    return { ...going, left: first.left, ...beginAll(first.next, 1, seen, run, stored, now) };
  if (missing === undefined) return going;
  const since = stored.started ?? now;
  const until = since + graceMs;
  const { reason, message } = missing;
  if (missing.mayCome && now < until) return { ...going, holdUp: { reason, message, since, until, isShort: true } };
  return { ...going, ending: failedFor(missing) };
}

function obstructed({ reason, message }: Omit<Missing, 'mayCome'>): Missing {
  return { reason, message, mayCome: reason === 'EnvironmentNotFound' };
}

function failedFor({ reason, message }: Pick<Missing, 'reason' | 'message'>): Ending {
  return { result: 'Failure', reason, message, followers: [] };
}

function missingOf({ application, snapshot, steps }: SeenPromotion, run: Run): Missing | undefined {
  if (application === undefined)
    return {
      reason: 'ApplicationNotFound',
      message: `Application ${run.application} does not exist: create it, or correct spec.application`,
      mayCome: true,
    };
  if (snapshot === undefined)
    return {
      reason: 'SnapshotNotFound',
      message: `Snapshot ${run.snapshot} does not exist: create it, or promote another one`,
      mayCome: true,
    };
  if (snapshot.application !== '' && snapshot.application !== run.application)
    return {
      reason: 'SnapshotOfOtherApplication',
      message: `Snapshot ${run.snapshot} belongs to application ${snapshot.application}, not to ${run.application}`,
      mayCome: false,
    };
  if (isReplaced(snapshot, run, ...steps)) return { ...whyReplaced(run), mayCome: false };
  if (snapshot.components.length === 0)
    return {
      reason: 'SnapshotEmpty',
      message: `Snapshot ${run.snapshot} names no component: there is nothing to promote`,
      mayCome: false,
    };
  return undefined;
}

/** As many as people read. What there is to say of each stands beside it. */
const mostFailures = 5;

function failure(failures: readonly JudgedStep[]): Ending {
  const [first] = failures;
  const told = failures.slice(0, mostFailures).map(({ environment, message }) => `${environment}: ${message}`);
  const more = failures.length - told.length;
  return {
    result: 'Failure',
    reason: first?.reason ?? 'Failed',
    message: `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    followers: [],
  };
}

function success(followers: readonly string[]): Ending {
  return { result: 'Success', reason: 'Promoted', message: '', followers };
}
