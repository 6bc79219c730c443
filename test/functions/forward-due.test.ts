import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forwardDue } from '../../functions/forward-due/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { openRememberingQueue, openTestMachine } from '../support/machine.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function lostKnock(functionName: string, name: string): Promise<void> {
  const data = database.sql.json({ namespace: 'team', name });
  await database.sql`
    insert into knock (function, subject, id, state, type, data, tenant, serial_key, due_at)
    values (${functionName}, ${`team/${name}`}, ${`id-${name}`}, 'sent', 'claim.changed.v1', ${data}, 'team', 'k', now() - interval '90 seconds')`;
}

describe('forward-due', () => {
  it('sends what got lost, once, and says how late the oldest was', async () => {
    const queue = openRememberingQueue();
    const machine = openTestMachine(database.sql, { queue });
    await lostKnock('run-errand', 'web');

    expect(await forwardDue.tick(machine)).toMatchObject({ count: 1 });
    expect(await forwardDue.tick(machine)).toMatchObject({ count: 0 });
    expect(queue.sent).toMatchObject([
      { from: 'forward-due', pending: true, message: { id: 'id-web', function: 'run-errand' } },
    ]);
  });

  it('is not held up by knocks of a function that left the map', async () => {
    const queue = openRememberingQueue();
    const machine = openTestMachine(database.sql, { queue });
    await lostKnock('bind-nobody', 'gone');
    await lostKnock('run-errand', 'api');

    await forwardDue.tick(machine);

    expect(queue.sent.map(({ message }) => message.id)).toEqual(['id-api']);
    expect(machine.lines).toContainEqual(expect.objectContaining({ level: 'warn', count: 1 }));
  });
});
