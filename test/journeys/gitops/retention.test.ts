import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';

let world: GitOpsWorld;
beforeAll(async () => {
  world = await openGitOpsWorld();
});
afterAll(() => world.close());

describe('collect-garbage', () => {
  it('drops days that are over, and forgets what has long been served', async () => {
    await world.sql.unsafe(
      `create table step_log_20200101 partition of step_log for values from ('2020-01-01') to ('2020-01-02')`,
    );
    await world.sql`insert into served (function, subject, version, at) values ('f', 'team/old', 1, '2020-01-01'), ('f', 'team/new', 1, now())`;

    const { did } = await world.schedule('collect-garbage');

    expect(did).toBe('dropped 1 days, 1 rows and 0 objects');
    expect(await world.sql`select subject from served`).toEqual([{ subject: 'team/new' }]);
  });
});
