import { considerPromotion } from './consider-promotion.ts';
import type {
  GraphEnvironment,
  JudgedStep,
  PromotedBinding,
  Run,
  SeenPromotion,
  Sighting,
  StoredEvidence,
  StoredRun,
} from './promotion.ts';
import { notDeployed } from './what-stands.ts';

/** What has to be looked at as it is now, before a run does something on account of it. */
export type Question =
  | { readonly ask: 'environments' | 'bindings' | 'components' }
  | { readonly ask: 'environment' | 'binding' | 'sync'; readonly name: string }
  | AwaitedQuestion;

/** What is said of the deployments that a step waits for from now on. */
export interface AwaitedQuestion {
  readonly ask: 'deployments';
  readonly environment: string;
  readonly awaited: readonly StoredEvidence[];
}

export type Answer =
  | { readonly ask: 'environments'; readonly found: readonly GraphEnvironment[] }
  | { readonly ask: 'bindings'; readonly found: readonly PromotedBinding[] }
  /** Of the application: all of them, and those of which nothing is written to Git. */
  | { readonly ask: 'components'; readonly found: readonly string[]; readonly skipped: readonly string[] }
  | { readonly ask: 'environment'; readonly name: string; readonly found: GraphEnvironment | undefined }
  /** The name may be taken by a Binding of another application. */
  | {
      readonly ask: 'binding';
      readonly name: string;
      readonly isTaken: boolean;
      readonly found: PromotedBinding | undefined;
    }
  | { readonly ask: 'sync'; readonly name: string; readonly problem: string | undefined }
  | { readonly ask: 'deployments'; readonly found: ReadonlyMap<string, Sighting> };

/** Before any deadline: who only wants to know what would be made asks for a little too much rather than too little. */
const anyTime = 0;
/** After any deadline: whoever does not wait any longer for what holds it up begins with what stands beside it. */
const inTheEnd = Number.MAX_SAFE_INTEGER;

/**
 * What an active run has to ask before it acts. The graph and the Bindings come from lists that may lag behind. To wait on
 * account of them is harmless. What a step begins with, what is about to be made, and a graph in which there is nothing
 * left to do are looked at again.
 */
export function openQuestions(seen: SeenPromotion, run: Run, stored: StoredRun): readonly Question[] {
  const { begin: ready, steps, ending, holdUp } = considerPromotion(seen, run, stored, anyTime);
  const begin = holdUp === undefined ? ready : considerPromotion(seen, run, stored, inTheEnd).begin;
  const isMaking = begin.some(({ binding }) => binding === undefined);
  const isMissing = seen.skipped === undefined && steps.some(({ reason }) => reason === notDeployed);
  return [
    ...(ending !== undefined || holdUp !== undefined || isStartMissing(seen, run)
      ? [{ ask: 'environments' } as const]
      : []),
    ...(isMaking || holdUp !== undefined ? [{ ask: 'bindings' } as const] : []),
    ...(isMaking || isMissing ? [{ ask: 'components' } as const] : []),
    ...begin.flatMap(({ environment, name }) => [
      { ask: 'environment', name: environment } as const,
      { ask: 'binding', name } as const,
    ]),
    ...steps.flatMap((step) => newlyAwaited(step, seen)),
    ...steps.flatMap(({ syncs = [] }) => syncs.map(({ name }) => ({ ask: 'sync', name }) as const)),
  ];
}

/** What was chosen by itself begins where it would begin now. One that it was to begin in may be gone, or not be listed yet. */
function isStartMissing({ steps, environments }: SeenPromotion, { goal }: Run): boolean {
  if (steps.length > 0 || goal.kind === 'manual') return false;
  return goal.initial.some((initial) => !environments.some(({ name }) => name === initial));
}

/** Argo CD may have spoken before anybody listened: it would be wrong to say that it has not. */
function newlyAwaited({ environment, evidence }: JudgedStep, { steps, sightings }: SeenPromotion): readonly Question[] {
  const known = steps.find((one) => one.environment === environment)?.evidence ?? [];
  const awaited = evidence.filter(
    ({ component, deployment }) => !sightings?.has(deployment) && !known.some((one) => one.component === component),
  );
  return awaited.length === 0 ? [] : [{ ask: 'deployments', environment, awaited }];
}

export function withAnswer(seen: SeenPromotion, answer: Answer): SeenPromotion {
  switch (answer.ask) {
    case 'environments':
      return { ...seen, environments: answer.found };
    case 'bindings':
      return { ...seen, bindings: answer.found };
    case 'components':
      return { ...seen, components: answer.found, skipped: answer.skipped };
    case 'environment':
      return { ...seen, environments: replaced(seen.environments, answer) };
    case 'binding': {
      const { takenNames = [] } = seen;
      return {
        ...seen,
        bindings: replaced(seen.bindings, answer),
        takenNames: answer.isTaken ? [...takenNames, answer.name] : takenNames,
      };
    }
    case 'deployments':
      return { ...seen, sightings: new Map([...(seen.sightings ?? []), ...answer.found]) };
    default: {
      const { syncs = [] } = seen;
      const { name, problem } = answer;
      return { ...seen, syncs: problem === undefined ? syncs : [...syncs, { name, problem }] };
    }
  }
}

function replaced<One extends { readonly name: string }>(
  all: readonly One[],
  { name, found }: { readonly name: string; readonly found: One | undefined },
): readonly One[] {
  return [...all.filter((one) => one.name !== name), ...(found === undefined ? [] : [found])];
}
