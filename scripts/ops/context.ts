import type { ServiceMap } from '../../infra/map.ts';
import type { Rotation } from '../../shared/adapters/postgres/rotate-secrets.ts';
import type { Interest } from '../../shared/domain/core/interest.ts';
import type { DeadLetters } from '../../shared/ports/dead-letters.ts';
import type { EngineRegister } from '../../shared/ports/engine-register.ts';
import type { OperatorLedger } from '../../shared/ports/operator-ledger.ts';
import type { PromotionReader } from '../../shared/ports/promotion-reader.ts';
import type { Queue } from '../../shared/ports/queue.ts';
import type { ReleaseReader } from '../../shared/ports/release-reader.ts';
import type { StepReader } from '../../shared/ports/step-reader.ts';
import type { StagecoachFunction } from '../../shared/runtime/define-function.ts';
import type { Route } from '../../shared/runtime/machine.ts';
import type { World } from '../../shared/runtime/world.ts';
import { Exit, type ExitCode, exits } from './exit.ts';

/** Everything a verb may ask or do. */
export interface Context {
  readonly reader: StepReader;
  readonly ledger: OperatorLedger;
  /** Which commit was made of which snapshots, and the repositories that are written to. */
  readonly releases: ReleaseReader;
  /** What became of promotions, and what runs where. */
  readonly promotions: PromotionReader;
  readonly deadLetters: DeadLetters;
  readonly queue: Queue;
  readonly map: ServiceMap;
  readonly routes: readonly Route[];
  readonly interests: readonly Interest[];
  /** What functions look at; opened when it is first needed. */
  readonly world: () => World;
  /** Loads a function of the map, so that it can be asked what it would do. */
  readonly functionOf: (name: string) => Promise<StagecoachFunction>;
  /** The Argo CDs, and who is placed on them. */
  readonly engines: EngineRegister;
  /** Seals every credential anew that is not sealed with the newest key. */
  readonly rotateCredentials: () => Promise<Rotation>;
  readonly now: () => number;
  readonly newId: () => string;
  /** Who acts, for the ledger. */
  readonly who: string;
  /** Says what will be done, and returns when the operator wants it so. Throws Exit otherwise. */
  readonly approve: (plan: string) => Promise<void>;
}

/** What a verb found or did: the value is what `--json` prints, and what its renderer makes readable. */
export interface Result<Value> {
  readonly code: ExitCode;
  readonly value: Value;
}

/** The route of a function that a queue feeds; ends the verb where the map has none of that name. */
export function routeOf({ routes, map }: Pick<Context, 'routes' | 'map'>, functionName: string): Route {
  const route = routes.find((known) => known.function === functionName);
  if (route !== undefined) return route;
  const known = routes.length === 0 ? 'none' : routes.map((one) => one.function).join(', ');
  const what = map.functions.some(({ name }) => name === functionName)
    ? `${functionName} has no queue: nothing can be sent to it`
    : `The map has no function ${functionName}`;
  throw new Exit(exits.wrongUsage, `${what}. Functions with a queue: ${known}.`);
}

export function impactOf({ map }: Pick<Context, 'map'>, functionName: string): string {
  return map.functions.find(({ name }) => name === functionName)?.impact ?? '';
}
