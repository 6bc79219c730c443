import type { OverlayResult, StoredOverlay } from '../../../domain/binding/stored-overlay.ts';
import type { OverlayInput } from '../../../domain/overlay/overlay.ts';
import type { PendingOverlay } from '../../../ports/overlay-rows.ts';

/** A row of `binding_overlay`, as Postgres gives it. */
export interface Row {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly application: string;
  readonly environment: string;
  readonly repositoryId: string;
  readonly context: string;
  readonly isGone: boolean;
  readonly snapshot: string;
  /** A bigint comes as text. */
  readonly generation: string;
  readonly promotion: string;
  readonly promotionUid: string;
  readonly wanted: Uint8Array | null;
  readonly wantedDigest: string;
  readonly rendered: Uint8Array | null;
  readonly renderedContext: string | null;
  readonly renderedDigest: string | null;
  readonly results: readonly OverlayResult[];
  readonly commit: string | null;
  readonly troubleReason: string | null;
  readonly troubleMessage: string | null;
  readonly troubleSince: number | null;
  readonly troubleAt: number | null;
  readonly cause: string;
  readonly requestedAt: number;
}

/** Since the epoch. */
export const milliseconds = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

export const columns = `id as uid, namespace, name, application, environment, repository_id as "repositoryId", context, gone as "isGone",
  snapshot, generation, promotion, promotion_id as "promotionUid", wanted, wanted_digest as "wantedDigest", rendered, rendered_context as "renderedContext",
  rendered_digest as "renderedDigest", results, commit_id as commit, cause, trouble_reason as "troubleReason",
  trouble_message as "troubleMessage", ${milliseconds('trouble_since')} as "troubleSince", ${milliseconds('trouble_at')} as "troubleAt",
  ${milliseconds('requested_at')} as "requestedAt"`;

/** Opens what is sealed in a row. */
export type Opener = (id: string, column: 'wanted' | 'rendered', sealed: Uint8Array | null) => readonly OverlayInput[];

export function storedOf(row: Row, open: Opener): StoredOverlay {
  const { uid, repositoryId, context, environment, isGone, snapshot, wantedDigest, results } = row;
  return {
    uid,
    repositoryId,
    context,
    environment,
    isGone,
    snapshot,
    generation: Number(row.generation),
    promotion: row.promotion,
    promotionUid: row.promotionUid,
    wantedDigest,
    wanted: open(uid, 'wanted', row.wanted),
    renderedDigest: row.renderedDigest ?? undefined,
    rendered: open(uid, 'rendered', row.rendered),
    results,
    commit: row.commit ?? undefined,
    trouble:
      row.troubleReason === null
        ? undefined
        : {
            reason: row.troubleReason,
            message: row.troubleMessage ?? '',
            since: row.troubleSince ?? 0,
            at: row.troubleAt ?? 0,
          },
  };
}

export function pendingOf(row: Row, open: Opener): PendingOverlay {
  const { uid, namespace, name, application, environment, repositoryId, context, snapshot, promotion, isGone } = row;
  return {
    uid,
    namespace,
    name,
    application,
    environment,
    repositoryId,
    context,
    snapshot,
    promotion,
    promotionUid: row.promotionUid,
    isGone,
    cause: row.cause,
    generation: Number(row.generation),
    inputs: isGone ? [] : open(uid, 'wanted', row.wanted),
    digest: row.wantedDigest,
    // What was asked for last may have been written by somebody who died before telling.
    rendered: [...open(uid, 'rendered', row.rendered), ...(isGone ? open(uid, 'wanted', row.wanted) : [])],
    renderedContext: row.renderedContext ?? context,
    renderedDigest: row.renderedDigest ?? undefined,
    commit: row.commit ?? undefined,
    requestedAt: row.requestedAt,
  };
}
