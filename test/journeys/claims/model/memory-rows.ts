import { compareTargets } from '../../../../shared/domain/claim/choose-target.ts';
import type { Claim } from '../../../../shared/domain/claim/claim.ts';
import { offers } from '../../../../shared/domain/core/quantity.ts';
import { isBindable } from '../../../../shared/domain/target/is-bindable.ts';
import type { Target } from '../../../../shared/domain/target/target.ts';
import type { ClaimRows } from '../../../../shared/ports/claim-rows.ts';
import type { RowWrite } from '../../../../shared/ports/journal.ts';

interface TargetRow {
  target: Target;
  claimName: string | undefined;
  free: boolean;
}

/** The rows around claims and targets, in memory, as shared/adapters/postgres/claims keeps them. A write is a deed for later. */
export function openMemoryRows(asked: () => Promise<void>) {
  const targets = new Map<string, TargetRow>();
  const waiting = new Map<string, Claim>();
  const later = (deed: () => void): RowWrite => deed as unknown as RowWrite;

  const fits = (target: Target, claim: Claim): boolean =>
    target.namespace === claim.namespace &&
    target.className === claim.className &&
    (claim.arch === '' || target.arch === claim.arch) &&
    offers(target.resources, claim.resources);
  const free = (): Target[] =>
    [...targets.values()].flatMap((row) => (row.free ? [row.target] : [])).toSorted(compareTargets);
  const reserved = (name: string): string[] =>
    [...targets.values()].flatMap((row) => (row.claimName === name ? [row.target.name] : [])).toSorted();
  const oldest = (claims: readonly Claim[]): string[] =>
    claims
      .toSorted((one, other) => one.created - other.created || (one.name < other.name ? -1 : 1))
      .slice(0, 5)
      .map(({ name }) => name);

  const rows: ClaimRows = {
    async observeClaim(claim) {
      await asked();
      const candidates = free().filter((target) => fits(target, claim));
      return {
        reserved: reserved(claim.name),
        environments: [],
        candidates: candidates.slice(0, 8).map(({ name, version }) => ({ name, version })),
      };
    },
    async observeGoneClaim({ name }) {
      await asked();
      return { reserved: reserved(name), environments: [] };
    },
    async observeTarget({ name }, target) {
      await asked();
      const [row] = [...targets.values()]
        .filter((one) => one.target.name === name)
        .toSorted((one, other) => Number(other.target.version) - Number(one.target.version));
      const known = row && { uid: row.target.uid, version: row.target.version, claimName: row.claimName };
      const line = [...waiting.values()];
      const unnamed = line.filter(({ targetName }) => targetName === '');
      const chances = [
        ...oldest(line.filter(({ targetName }) => targetName === name)),
        ...(target !== undefined && isBindable(target) ? oldest(unnamed.filter((claim) => fits(target, claim))) : []),
        ...(target?.claim === undefined
          ? []
          : oldest(
              unnamed.filter((claim) => claim.className === target.className && free().some((one) => fits(one, claim))),
            )),
      ];
      return { known, waiting: [...new Set(chances)], environments: [] };
    },
    rememberTarget: (target) =>
      later(() => {
        const row = targets.get(target.uid);
        if (row === undefined || Number(row.target.version) < Number(target.version))
          targets.set(target.uid, { target, claimName: target.claim?.name, free: isBindable(target) });
      }),
    claimTarget: (uid, claim) =>
      later(() => {
        const row = targets.get(uid);
        if (row !== undefined) targets.set(uid, { ...row, claimName: claim.name, free: false });
      }),
    forgetTarget: (uid) => later(() => targets.delete(uid)),
    rememberWaiting: (claim) => later(() => waiting.set(claim.uid, claim)),
    forgetWaiting: ({ name }) =>
      later(() => {
        for (const [uid, claim] of waiting) if (claim.name === name) waiting.delete(uid);
      }),
  };
  return {
    rows,
    write(deeds: readonly RowWrite[]): void {
      for (const deed of deeds) (deed as unknown as () => void)();
    },
  };
}
