import { isBefore } from '../binding/is-before.ts';
import { bindingName } from './binding-name.ts';
import type { PromotedBinding, Run, SeenPromotion, StoredRun } from './promotion.ts';
import { beforeOf } from './what-stands.ts';

/** An environment whose turn has come, and its Binding; undefined: it is to be made. */
export interface Beginning {
  readonly environment: string;
  readonly step: number;
  /** Of the Binding. */
  readonly name: string;
  /** How long the step may take until its place is ready, and then until it is done. */
  readonly until: number;
  /** It has a claim, and nobody has looked yet whether that is fulfilled. */
  readonly isClaiming: boolean;
  readonly binding: PromotedBinding | undefined;
  /** See StoredStep. */
  readonly before: string;
  /** Why it has failed before it could begin. The others of its depth begin all the same. */
  readonly failure?: { readonly reason: string; readonly message: string };
}

/** What a run waits for before a step can begin. */
export interface HoldUp {
  readonly reason: string;
  readonly message: string;
  readonly since: number;
  readonly until: number;
  /** Nobody tells when it comes, and it comes soon or never. */
  readonly isShort?: boolean;
}

/** Begins a step in each of these environments. A Binding that is on its way out has to be gone first. */
export function beginAll(
  names: readonly string[],
  step: number,
  seen: SeenPromotion,
  run: Run,
  { waiting }: StoredRun,
  now: number,
): { readonly begin: readonly Beginning[]; readonly holdUp: HoldUp | undefined } {
  const { bindings, environments, digest, takenNames = [] } = seen;
  const begin = names.map((environment): Beginning => {
    const binding = bindingFor(environment, bindings);
    const name = binding?.name ?? bindingName(run.application, environment, digest, takenNames);
    return {
      environment,
      step,
      name,
      until: now + limitOf(environment, environments) * 1_000,
      isClaiming: environments.some(({ name, isClaiming }) => name === environment && isClaiming),
      binding,
      before: beforeOf(binding, seen, run),
      ...(binding === undefined && takenNames.includes(name) && { failure: whyTaken(name) }),
    };
  });
  const leaving = begin.find(({ binding }) => binding?.isDeleting === true);
  if (leaving === undefined) return { begin, holdUp: undefined };
  const { reason, message } = whyLeaving(leaving.name);
  const since = waiting?.reason === reason ? waiting.since : now;
  const until = leaving.until - now + since;
  if (now < until) return { begin: [], holdUp: { reason, message, since, until } };
  const isLeaving = ({ binding }: Beginning): boolean => binding?.isDeleting === true;
  return {
    begin: begin.map((one) => (isLeaving(one) ? { ...one, failure: whyLeaving(one.name) } : one)),
    holdUp: undefined,
  };
}

/** Both names that it could have. Whoever makes one for the pair may call it as they like. */
function whyTaken(name: string): { readonly reason: string; readonly message: string } {
  return {
    reason: 'BindingNameTaken',
    message: `SnapshotEnvironmentBinding ${name} belongs to another application or environment: delete it, or create one for this pair under another name`,
  };
}

function whyLeaving(name: string): { readonly reason: string; readonly message: string } {
  return {
    reason: 'BindingLeaving',
    message: `SnapshotEnvironmentBinding ${name} is being deleted and has to be gone first`,
  };
}

function limitOf(name: string, environments: SeenPromotion['environments']): number {
  const found = environments.find((one) => one.name === name);
  if (found === undefined) return 0;
  return found.isClaiming ? found.targetDeadlineSeconds : found.stepDeadlineSeconds;
}

/** Of several for one pair the oldest works; one that is being deleted only where there is no other. */
function bindingFor(environment: string, bindings: readonly PromotedBinding[]): PromotedBinding | undefined {
  const all = bindings.filter((one) => one.environment === environment);
  const standing = all.filter(({ isDeleting }) => !isDeleting);
  return (standing.length > 0 ? standing : all).toSorted((one, other) => (isBefore(one, other) ? -1 : 1))[0];
}
