import type { Wish } from '../../../shared/domain/binding/consider-rendering.ts';
import type { PlannedComponent, PlannedOverlay } from '../../../shared/domain/binding/plan-repository.ts';
import type { OverlayResult, RepositoryTrouble, StoredOverlay } from '../../../shared/domain/binding/stored-overlay.ts';

/** What a row has: what is wanted, what stands, and what is wrong. */
export interface Row extends StoredOverlay {
  readonly name: string;
  readonly application: string;
  readonly renderedContext: string | undefined;
}

export interface Pending extends PlannedOverlay {
  readonly row: Row;
}

export type Wanted = Pick<
  Row,
  'uid' | 'name' | 'application' | 'environment' | 'repositoryId' | 'context' | 'snapshot' | 'generation'
> &
  Pick<Wish, 'inputs' | 'digest' | 'standing' | 'certain'>;

/** The rows of shared/adapters/postgres/repositories/overlay-rows.ts in memory, as far as rules can tell. */
export function rowsInMemory() {
  const rows = new Map<string, Row>();
  /** Components that are gone and whose bases are to go, by name. */
  const gone = new Set<string>();
  const isPending = (row: Row): boolean => row.renderedDigest !== row.wantedDigest;

  return {
    rows,
    gone,
    of: (name: string): Row[] => [...rows.values()].filter((row) => row.name === name),

    want({ inputs, digest, standing, certain, ...wanted }: Wanted): void {
      const before = rows.get(wanted.uid);
      const here = before?.repositoryId === wanted.repositoryId ? before : undefined;
      const living = here?.isGone ? undefined : here;
      rows.set(wanted.uid, {
        promotion: '',
        promotionUid: '',
        ...wanted,
        isGone: false,
        wantedDigest: digest,
        wanted: inputs,
        renderedDigest: living && !isPending(living) ? living.renderedDigest : undefined,
        rendered: standing,
        renderedContext: here?.renderedContext,
        results: living?.results.filter(({ component }) => certain.includes(component)) ?? [],
        commit: here?.commit,
        trouble: undefined,
      });
    },

    leave(uid: string): void {
      const row = rows.get(uid);
      if (row) rows.set(uid, { ...row, isGone: true, wantedDigest: '', trouble: undefined });
    },

    all: (): Pending[] => [...rows.values()].map(pendingOf),

    forget: (uid: string): boolean => rows.delete(uid),

    work(repositoryId: string): { overlays: Pending[]; leaving: PlannedComponent[] } {
      const here = [...rows.values()].filter((row) => row.repositoryId === repositoryId);
      const isBehind = (row: Row): boolean =>
        here.some(
          (one) =>
            one.environment === row.environment &&
            (one.isGone || (one.application !== row.application && isPending(one))),
        );
      const holdersOf = (name: string): Row[] =>
        here.filter(({ results }) => results.some(({ component }) => component === name));
      const work = here.filter((row) => isPending(row) || isBehind(row));
      return {
        overlays: work.map(pendingOf),
        leaving: [...gone]
          .filter((name) => !holdersOf(name).some((row) => !row.isGone && !isPending(row)))
          .map((name) => ({ name, context: '', holders: holdersOf(name).map(({ uid }) => uid) })),
      };
    },

    rendered({ row, inputs }: Pending, results: readonly OverlayResult[], commit: string | undefined): void {
      const now = rows.get(row.uid);
      if (now === undefined) return;
      if (row.isGone) rows.delete(row.uid);
      else
        rows.set(row.uid, {
          ...now,
          renderedDigest: row.wantedDigest,
          rendered: inputs,
          renderedContext: row.context,
          results,
          commit,
          trouble: undefined,
        });
    },

    refused({ row }: Pending, { reason, message, at }: Omit<RepositoryTrouble, 'since'>): void {
      const now = rows.get(row.uid);
      if (now === undefined || now.wantedDigest !== row.wantedDigest) return;
      const since = now.trouble?.reason === reason ? now.trouble.since : at;
      rows.set(row.uid, { ...now, trouble: { reason, message, since, at } });
    },
  };
}

function pendingOf(row: Row): Pending {
  const { uid, environment, context, isGone, wanted, renderedContext } = row;
  const rendered = isGone ? [...row.rendered, ...wanted] : row.rendered;
  return {
    row,
    uid,
    environment,
    context,
    isGone,
    inputs: wanted,
    rendered,
    renderedContext: renderedContext ?? context,
  };
}
