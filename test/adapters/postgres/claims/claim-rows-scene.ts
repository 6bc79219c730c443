import { openClaimRows } from '../../../../shared/adapters/postgres/claims/claim-rows.ts';
import { openEnvironmentUses } from '../../../../shared/adapters/postgres/claims/environment-uses.ts';
import type { Claim } from '../../../../shared/domain/claim/claim.ts';
import type { Resources } from '../../../../shared/domain/core/quantity.ts';
import type { Target } from '../../../../shared/domain/target/target.ts';
import { aClaim, aTarget } from '../../../domain/target/a-target.ts';
import { openTestDatabase } from '../../../support/database.ts';
import { writeRows } from '../../../support/write-rows.ts';

/** The rows around claims and targets, in a database of their own. */
export async function openClaimRowsScene() {
  const database = await openTestDatabase();
  const { sql } = database;
  const rows = openClaimRows(sql);
  const uses = openEnvironmentUses(sql);
  return {
    sql,
    rows,
    write: (...given: Parameters<typeof writeRows>[1]) => writeRows(sql, given),
    remember: (...given: readonly Target[]) =>
      writeRows(
        sql,
        given.map((one) => rows.rememberTarget(one)),
      ),
    wait: (...given: readonly Claim[]) =>
      writeRows(
        sql,
        given.map((one) => rows.rememberWaiting(one)),
      ),
    /** An Environment that names a claim. */
    use: (name: string, claimName: string | undefined) =>
      writeRows(sql, [
        uses.remember({ namespace: 'team', name, uid: `${name}-uid`, claimName, secretName: undefined }),
      ]),
    async empty(): Promise<void> {
      await sql`truncate deployment_target, waiting_claim, environment_use`;
    },
    close: () => database.close(),
  };
}

export type ClaimRowsScene = Awaited<ReturnType<typeof openClaimRowsScene>>;

export function target(name: string, given: Partial<Target> = {}): Target {
  return aTarget({ name, uid: `${name}-uid`, phase: 'Available', ...given });
}

export function claim(name: string, given: Partial<Claim> = {}): Claim {
  return aClaim({ name, uid: `${name}-uid`, ...given });
}

export function cpu(requests: string, limits?: string): Resources {
  return { requests: { cpu: requests }, ...(limits !== undefined && { limits: { cpu: limits } }) };
}
