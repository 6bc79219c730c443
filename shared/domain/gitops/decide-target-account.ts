import { type Moment, type Next, recheck, settled } from '../core/step.ts';
import { accountOf, currentOf, wantedOf } from './environment-probes.ts';
import type { EnvironmentEffect, SeenEnvironment, TargetAccount } from './managed-environment.ts';

interface AccountPart {
  readonly effects: readonly EnvironmentEffect[];
  readonly next: Next;
}

const day = 24 * 3_600;
/** A cluster that nobody has reached for so long is not coming back; what stood there went with it. */
const patienceSeconds = 14 * day;

const confirming = 'ConfirmingServiceAccountGone';

const nothing: AccountPart = { effects: [], next: settled };

/**
 * Decides what happens to the service accounts that were made on clusters for environments of this name and are not
 * wanted any more. One is taken away with its own token, so the user's Secret may be long gone, and its row stays until
 * that is done. One whose token is still what Argo CD works with is left alone.
 */
export function decideAccounts(seen: SeenEnvironment, own: readonly EnvironmentEffect[], moment: Moment): AccountPart {
  const parts = seen.accounts.map((account) => decideAccount(account, seen, own, moment));
  return {
    effects: parts.flatMap(({ effects }) => effects),
    next: parts.reduce((sooner, { next }) => soonerOf(sooner, next), settled as Next),
  };
}

function decideAccount(
  account: TargetAccount,
  seen: SeenEnvironment,
  own: readonly EnvironmentEffect[],
  moment: Moment,
): AccountPart {
  const { id, server, unwantedSince, needed, presence } = account;
  // What the environment decides about its own account in this step goes first.
  if (own.some((effect) => effect.do === 'record-service-account' && effect.id === id)) return nothing;
  const rewritten = own.some((effect) => effect.do === 'write-environment');
  if (isInUse(account, seen) && !rewritten) return nothing;
  if (isWanted(account, seen)) return nothing;
  if (isSameElsewhere(account, seen))
    return { effects: [{ do: 'forget-service-account', id, why: 'in-use' }], next: settled };
  if (unwantedSince === undefined) return { effects: [{ do: 'discard-service-account', id }], next: removing(1) };
  // It is in use until this step is done.
  if (isInUse(account, seen)) return { effects: [], next: removing(1) };

  // OBSERVED: its environment is gone, and Argo CD still removes with its token what was deployed there.
  if (needed) return { effects: [], next: removing(30) };

  if (presence === 'gone') return forgetWhenSure(id, moment);
  if (presence === 'present') return { effects: [{ do: 'remove-service-account', id, server }], next: removing(1) };
  const waited = (moment.now - unwantedSince) / 1_000;
  if (waited > patienceSeconds)
    return { effects: [{ do: 'forget-service-account', id, why: 'unreachable' }], next: settled };
  return { effects: [], next: removing(Math.min(Math.max(waited, 30), 3_600)) };
}

/** An API server that has just started refuses everybody for some seconds, so one look is not enough to forget an account. */
function forgetWhenSure(id: string, { waiting }: Moment): AccountPart {
  if (waiting?.reason === confirming)
    return { effects: [{ do: 'forget-service-account', id, why: 'gone' }], next: settled };
  const message = 'The service account on the cluster seems to be gone';
  return { effects: [], next: recheck(30, { reason: confirming, message, deadlineSeconds: patienceSeconds }) };
}

function isWanted(account: TargetAccount, seen: SeenEnvironment): boolean {
  if (!seen.environment?.spec.createNewServiceAccount) return false;
  // Where the environment moves to another cluster it stays what it is until the new place is written down.
  return account === accountOf(seen) && account.unwantedSince === undefined;
}

function isInUse(account: TargetAccount, seen: SeenEnvironment): boolean {
  const stored = currentOf(seen)?.credentials;
  if (stored?.server !== account.server || stored.token !== account.token) return false;
  // Until an account has a token of its own it is known by the user's, which goes on working without it.
  return account.token !== wantedOf(seen)?.token;
}

/** The environment has moved to another address of the same cluster: to take the old account away would take away the new one. */
function isSameElsewhere(account: TargetAccount, seen: SeenEnvironment): boolean {
  const stored = currentOf(seen)?.credentials;
  return account.id !== seen.environment?.uid && stored?.token === account.token && stored.server !== account.server;
}

function removing(afterSeconds: number): Next {
  return recheck(Math.round(afterSeconds), {
    reason: 'RemovingServiceAccount',
    message: 'The service account on the cluster is not wanted any more and is still there',
    deadlineSeconds: patienceSeconds,
  });
}

/** The wait that ends first; the first of two that end at once. */
export function soonerOf(one: Next, other: Next): Next {
  if (one.kind !== 'recheck') return other.kind === 'recheck' ? other : one;
  return other.kind === 'recheck' && other.afterSeconds < one.afterSeconds ? other : one;
}
