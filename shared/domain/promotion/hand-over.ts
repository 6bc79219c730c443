import { isOurs } from './is-ours.ts';
import type { SeenPromotion, StoredRun } from './promotion.ts';

/** Who was given an application for so long keeps it. */
const handedOverMs = 7 * 86_400_000;

/** Why a run waits whose Application somebody else promotes, and all its environments. */
export const handedOverReason = 'ExternalController';

/** How every sentence about that begins. */
export function promotedBySomebody(application: string): string {
  return `Application ${application} is promoted by`;
}

/** A run whose Application somebody else promotes. */
export interface HandOver {
  readonly reason: string;
  readonly message: string;
  readonly since: number;
  readonly until: number;
}

/** Another controller promotes it in our place. Of one that is not there nobody knows. */
export function isHandedOver(application: SeenPromotion['application']): boolean {
  return application !== undefined && !isOurs(application.controller);
}

/** What a run waits for whose application another controller promotes. Undefined: we do. */
export function handOver(
  { application, run }: Pick<SeenPromotion, 'application' | 'run'>,
  stored: StoredRun | undefined,
  now: number,
): HandOver | undefined {
  if (application === undefined || !isHandedOver(application)) return undefined;
  const reason = handedOverReason;
  const since = stored?.waiting?.reason === reason ? stored.waiting.since : now;
  const who = `${promotedBySomebody(run?.application ?? '')} ${application.controller}`;
  return { reason, message: `${who}: its spec.deploymentController says so`, since, until: since + handedOverMs };
}
