import type { ToldCell, ToldPromotion, ToldStep } from '../../../shared/ports/promotion-reader.ts';

/** How something is doing, in the one word that a colour and a sign stand for. */
export type Tone = 'good' | 'moving' | 'waiting' | 'bad' | 'unknown';

const healthTones: Readonly<Record<string, Tone>> = {
  Healthy: 'good',
  Progressing: 'moving',
  Suspended: 'waiting',
  Missing: 'bad',
  Degraded: 'bad',
};

/**
 * What is only a matter of time, from the commit to its health. Everything else that a step waits for, a place above all, is
 * up to somebody, so whoever looks for what waits has to find it.
 */
const progress: ReadonlySet<string> = new Set([
  '',
  'Begun',
  'Rendering',
  'NotReported',
  'OlderRevision',
  'OlderPlace',
  'NotSynced',
  'NotHealthy',
  'SyncRunning',
]);

/** How an environment does with what it should run. A step under way goes before what Argo CD says of the old one. */
export function toneOfCell(cell: ToldCell, step: ToldStep | undefined): Tone {
  if (cell.trouble !== undefined) return 'bad';
  if (step !== undefined) return toneOfStep(step);
  if (!cell.isRendered) return 'moving';
  const tone = healthTones[cell.health] ?? 'unknown';
  return tone === 'good' && cell.sync !== 'Synced' ? 'waiting' : tone;
}

export function toneOfStep({ status, reason }: Pick<ToldStep, 'status' | 'reason'>): Tone {
  if (status === 'in-progress') return toneOfWait(reason);
  return status === 'success' ? 'good' : 'bad';
}

export function toneOfPromotion({ state, result, waiting }: Pick<ToldPromotion, 'state' | 'result' | 'waiting'>): Tone {
  if (state === 'Waiting') return 'waiting';
  if (state === 'Active') return toneOfWait(waiting?.reason ?? '');
  return result === 'Success' ? 'good' : result === 'Failure' ? 'bad' : 'unknown';
}

function toneOfWait(reason: string): Tone {
  return progress.has(reason) ? 'moving' : 'waiting';
}
