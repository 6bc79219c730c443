import type { Condition } from '../core/condition.ts';
import { withConditions } from '../core/with-conditions.ts';
import type { SpaceEffect, SpaceRequest } from './space-request.ts';

interface Access {
  readonly namespace: string;
  readonly secret: string;
  readonly server: string;
}

/** Tells the user where something is new, and is silent otherwise. It comes last: what was not done is not told. */
export function tellOf(
  { said, server, access: told }: SpaceRequest,
  condition: Condition,
  now: number,
  access?: Access,
): SpaceEffect[] {
  const isTold =
    access === undefined ||
    (server === access.server &&
      told.length === 1 &&
      told[0]?.name === access.namespace &&
      told[0]?.secret === access.secret);
  if (isTold && withConditions(said, [condition], now) === undefined) return [];
  return [{ do: 'tell-user', at: now, ...(access !== undefined && { access }) }];
}
