import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEnvironmentUses } from '../../../../shared/adapters/postgres/claims/environment-uses.ts';
import type { EnvironmentUse } from '../../../../shared/ports/environment-uses.ts';
import type { RowWrite } from '../../../../shared/ports/journal.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { writeRows } from '../../../support/write-rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function uses() {
  return openEnvironmentUses(database.sql);
}
async function write(row: RowWrite): Promise<void> {
  await writeRows(database.sql, [row]);
}
function aUse(given: Partial<EnvironmentUse>): EnvironmentUse {
  return { namespace: 'team', name: 'dev', uid: 'u1', claimName: undefined, secretName: undefined, ...given };
}
function rowsOf(namespace: string) {
  return database.sql`select id, name, claim_name, secret_name, xmin::text from environment_use
    where namespace = ${namespace} order by id`;
}

describe('what an Environment looks at', () => {
  it('AE-18 is found by the Secret, in the own namespace alone', async () => {
    const namespace = 'by-secret';
    await write(uses().remember(aUse({ namespace, name: 'stage', uid: 's2', secretName: 'creds' })));
    await write(uses().remember(aUse({ namespace, name: 'dev', uid: 's1', secretName: 'creds' })));
    await write(uses().remember(aUse({ namespace, name: 'prod', uid: 's3', secretName: 'other' })));
    await write(uses().remember(aUse({ namespace, name: 'lab', uid: 's4' })));
    await write(uses().remember(aUse({ namespace: 'elsewhere', name: 'dev', uid: 's5', secretName: 'creds' })));

    expect(await uses().openedBy({ namespace, name: 'creds' })).toEqual(['dev', 'stage']);
    expect(await uses().openedBy({ namespace, name: 'nobody-s' })).toEqual([]);
  });

  it('follows the Environment to another claim and Secret, and to none', async () => {
    const namespace = 'following';
    await write(uses().remember(aUse({ namespace, uid: 'f1', claimName: 'one', secretName: 'a' })));
    await write(uses().remember(aUse({ namespace, uid: 'f1', claimName: 'two', secretName: 'b' })));
    const [moved] = await rowsOf(namespace);
    await write(uses().remember(aUse({ namespace, uid: 'f1' })));
    const [without] = await rowsOf(namespace);

    expect(moved).toMatchObject({ claim_name: 'two', secret_name: 'b' });
    expect(without).toMatchObject({ claim_name: null, secret_name: null });
    expect(await uses().openedBy({ namespace, name: 'b' })).toEqual([]);
  });

  it('is not written again where nothing is new', async () => {
    const namespace = 'quiet';
    const use = aUse({ namespace, uid: 'q1', claimName: 'one' });
    await write(uses().remember(use));
    const before = await rowsOf(namespace);
    await write(uses().remember(use));

    expect(await rowsOf(namespace)).toEqual(before);
  });

  it('names one that was made again once', async () => {
    const namespace = 'again';
    await write(uses().remember(aUse({ namespace, uid: 'a1', secretName: 'creds' })));
    await write(uses().remember(aUse({ namespace, uid: 'a2', secretName: 'creds' })));

    expect(await uses().openedBy({ namespace, name: 'creds' })).toEqual(['dev']);
  });

  it('is forgotten with the Environment, whatever UIDs went by that name', async () => {
    const namespace = 'forgotten';
    await write(uses().remember(aUse({ namespace, uid: 'g1' })));
    await write(uses().remember(aUse({ namespace, uid: 'g2' })));
    await write(uses().remember(aUse({ namespace, name: 'stage', uid: 'g3' })));
    await write(uses().forget({ namespace, name: 'dev' }));
    await write(uses().forget({ namespace, name: 'dev' }));

    expect(await rowsOf(namespace)).toMatchObject([{ id: 'g3' }]);
  });
});
