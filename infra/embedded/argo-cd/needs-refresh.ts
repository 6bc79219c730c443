import { type Application, refreshAnnotation } from './application.ts';
import { sameJson } from './kube-object.ts';

/** How much of a comparison is done anew. Ordered: of two wishes the higher one counts. */
export const levels = { none: 0, recent: 1, latest: 2, resolve: 3 } as const;
export type Level = (typeof levels)[keyof typeof levels];

export interface Refresh {
  readonly level: Level;
  /** Render again, too. */
  readonly hard: boolean;
}

/** Whether an application must be compared again, and how thoroughly. */
export function needsRefresh(app: Application, asked: Level, now: number, everyMs: number): Refresh | undefined {
  const wish = app.metadata.annotations?.[refreshAnnotation];
  if (wish !== undefined) return { level: levels.resolve, hard: wish === 'hard' };
  const { status, spec } = app;
  const compared = status?.sync?.comparedTo;
  if (!sameJson(compared?.source, spec.source)) return { level: levels.resolve, hard: false };
  const age = now - Date.parse(status?.reconciledAt ?? '1970-01-01T00:00:00Z');
  // After so long, what a branch is must be asked again.
  if (age >= everyMs) return { level: levels.resolve, hard: false };
  if (!sameJson(compared?.destination, spec.destination)) return { level: levels.latest, hard: false };
  if (!sameJson(compared?.ignoreDifferences, spec.ignoreDifferences)) return { level: levels.latest, hard: false };
  return asked === levels.none ? undefined : { level: asked, hard: false };
}
