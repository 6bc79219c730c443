import { isOurs } from './is-ours.ts';
import type { SeenPromotion, StoredRun } from './promotion.ts';

/** Who was given an application for so long keeps it. */
const handedOverMs = 7 * 86_400_000;

/** A run whose Application somebody else promotes. */
export interface HandOver {
  readonly controller: string;
  readonly reason: string;
  readonly message: string;
  readonly since: number;
  readonly until: number;
}

/** Whether another controller promotes this application in our place. Undefined: we do. */
export function handOver(
  { application, run }: Pick<SeenPromotion, 'application' | 'run'>,
  stored: StoredRun | undefined,
  now: number,
): HandOver | undefined {
  if (application === undefined || isOurs(application.controller)) return undefined;
  const reason = 'ExternalController';
  const since = stored?.waiting?.reason === reason ? stored.waiting.since : now;
  const { controller } = application;
  const message = `Application ${run?.application} is promoted by ${controller}: its spec.deploymentController says so`;
  return { controller, reason, message, since, until: since + handedOverMs };
}
