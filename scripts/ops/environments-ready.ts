import type { Environment } from '../../shared/contracts/kubernetes/environment.ts';

/** Whether an Environment has a place to deploy to, as it says itself; all empty where nobody has looked at it yet. */
export function readyOf({ status }: Environment): {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
} {
  const found = status?.conditions.find(({ type }) => type === 'TargetReady');
  return { status: found?.status ?? '', reason: found?.reason ?? '', message: found?.message ?? '' };
}
