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

/** How an environment does with what it should run. A step under way goes before what Argo CD says of the old one. */
export function toneOfCell(cell: ToldCell, step: ToldStep | undefined): Tone {
  if (cell.trouble !== undefined) return 'bad';
  if (step !== undefined || !cell.isRendered) return 'moving';
  const tone = healthTones[cell.health] ?? 'unknown';
  return tone === 'good' && cell.sync !== 'Synced' ? 'waiting' : tone;
}

export function toneOfPromotion({ state, result }: Pick<ToldPromotion, 'state' | 'result'>): Tone {
  if (state === 'Waiting') return 'waiting';
  if (state === 'Active') return 'moving';
  return result === 'Success' ? 'good' : result === 'Failure' ? 'bad' : 'unknown';
}
