import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServiceGauges } from '../../../../shared/adapters/postgres/gitops/service-gauges.ts';
import { Transient } from '../../../../shared/ports/trouble.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { writeTenant } from '../../../support/every-table.ts';
import { failingSql } from '../../../support/failing-sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const nothing = {
  deployments: 0,
  faultyDeployments: 0,
  waiting: 0,
  inProgress: 0,
  completed: 0,
  failed: 0,
  completedLately: 0,
  failedLately: 0,
};

async function operation(id: string, state: string, endedMinutesAgo = 0): Promise<void> {
  await database.sql`
    insert into operation (id, instance_id, resource_id, resource_type, state, last_state_update)
    values (${id}, 'a-argo', ${id}, 'Application', ${state}, now() - make_interval(mins => ${endedMinutesAgo}))`;
}

describe('the numbers of the service', () => {
  it('defect 34: are 0, each of them, where there is no row', async () => {
    expect(await openServiceGauges(database.sql).read()).toEqual(nothing);
  });

  it('BM-01 count operations by state, and a state that nothing is in any more is 0 again', async () => {
    const gauges = openServiceGauges(database.sql);
    // Among its rows are one deployment and one operation that waits.
    await writeTenant(database.sql, 'a');
    for (const id of ['w1', 'w2']) await operation(id, 'Waiting');
    await operation('p1', 'In_Progress');
    await operation('c1', 'Completed', 3);
    await operation('f1', 'Failed', 3);

    expect(await gauges.read()).toMatchObject({ waiting: 3, inProgress: 1, completed: 1, failed: 1 });

    await database.sql`update operation set state = 'Completed'`;

    expect(await gauges.read()).toMatchObject({ waiting: 0, inProgress: 0, completed: 6, failed: 0 });
    await database.sql`delete from operation`;
  });

  it('CM-02 tell how many operations ended in the last ten minutes, well and not', async () => {
    await operation('c2', 'Completed', 9);
    await operation('c3', 'Completed', 11);
    await operation('f2', 'Failed', 9);
    await operation('f3', 'Failed', 1);
    await operation('f4', 'Failed', 600);
    await operation('w3', 'Waiting', 1);

    const numbers = await openServiceGauges(database.sql).read();

    expect(numbers).toMatchObject({ completedLately: 1, failedLately: 2, completed: 2, failed: 3 });
  });

  it('defect 34: count every faulty deployment, however many, and each deployment once', async () => {
    await database.sql`
      insert into deployment_trouble (id, namespace, name)
      select 'faulty-' || n, 'team', 'shop-' || n from generate_series(1, 5001) n
      union all select 'a-application', 'a-team', 'web'`;

    const numbers = await openServiceGauges(database.sql).read();

    expect(numbers).toMatchObject({ deployments: 5_002, faultyDeployments: 5_002 });
  });

  it('are asked for in one round trip, and say so where the database is away', async () => {
    let asked = 0;
    const counting = new Proxy(database.sql, {
      get(target, property) {
        if (property === 'unsafe') asked += 1;
        return Reflect.get(target, property, target) as unknown;
      },
    });
    await openServiceGauges(counting).read();

    expect(asked).toBe(1);
    await expect(openServiceGauges(failingSql(database.sql, () => true)).read()).rejects.toThrow(Transient);
  });
});
