import { describe, expect, it } from 'vitest';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { managedEnvironments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Ran } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { badDeployments } from './bad-deployments.ts';
import { badEnvironments, makeBadEnvironment } from './bad-environments.ts';
import { openBadInput } from './bad-input-scene.ts';
import { badCredentials } from './bad-objects.ts';
import { openCredentialScene } from './credential-scene.ts';
import type { TargetWorld } from './managed-environments-world.ts';
import { startPlayedGitHost } from './played-git-host.ts';

const hourSeconds = 3_600;
/** Trouble outside is looked at after half a minute and ever less often, down to every ten minutes. */
const patience = 12;
/** What only the user can repair is looked at when the user does something. */
const settledFor = 1;

export function describeNoStorm(opened: () => TargetWorld): void {
  describe('an hour of everything that can be wrong', () => {
    it('is looked at a few times where the outside may change, and hardly ever where only the user can help', async () => {
      const here = opened();
      const { world } = here;
      await world.sql`delete from wakeup`;
      const host = await startPlayedGitHost();
      for (const { spec } of Object.values(badDeployments)) await (await openBadInput(world)).deploy(spec);
      for (const bad of Object.values(badEnvironments)) await makeBadEnvironment(here, bad);
      for (const { spec = {}, secret } of Object.values(badCredentials)) {
        const scene = await openCredentialScene(world, host);
        await scene.makeSecret(secret as Record<string, string> | undefined);
        await scene.make(spec);
      }
      const orphan = await openBadInput(world);
      await orphan.syncRun({ gitopsDeploymentName: 'not-there' });
      const first = perSubject(await world.settle());

      const ran = perSubject(await anHour(here));
      await host.stop();

      expect(first.size).toBeGreaterThan(60);
      // Those that may change by themselves: a host away or saying no, a cluster away or saying no.
      const often = [...ran].filter(([, times]) => times > settledFor);
      expect(often.map(([what]) => what.split(' ')[0]).toSorted()).toEqual([
        ...Array(2).fill('reconcile-managed-environment'),
        ...Array(3).fill('reconcile-repo-credential'),
      ]);
      expect(Math.max(...ran.values())).toBeLessThanOrEqual(patience);
      expect(world.delayed).toEqual([]);
    });
  });
}

function perSubject(ran: readonly Ran[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { function: name, subject } of ran) {
    const what = `${name} ${subject}`;
    times.set(what, (times.get(what) ?? 0) + 1);
  }
  return times;
}

/** Lets an hour go by, from one wake-up to the next. Everything that tells a time is moved back instead of the clock. */
async function anHour(here: TargetWorld): Promise<Ran[]> {
  const { world } = here;
  const ran: Ran[] = [];
  for (let left = hourSeconds; ; ) {
    const [row] = await world.sql<[{ seconds: number | null }]>`
      select extract(epoch from min(due_at) - clock_timestamp())::float8 as seconds from wakeup`;
    const until = Math.max(0, row.seconds ?? hourSeconds) + 0.01;
    if (until > left) return ran;
    left -= until;
    await world.sql`update wakeup set due_at = due_at - make_interval(secs => ${until}),
      since = since - make_interval(secs => ${until}), deadline = deadline - make_interval(secs => ${until})`;
    await moveConditions(here, until);
    const due = await world.machine.upkeep.takeDue(1_000);
    world.queue.sent.push(...due.map((message) => ({ message, from: 'forward-due', pending: true })));
    ran.push(...(await world.settle()));
    if (ran.length > 5_000) throw new Error('it is a storm');
  }
}

const moved = new Map<string, number>();

/** An environment reads in its own condition since when it has trouble. */
async function moveConditions({ world }: TargetWorld, seconds: number): Promise<void> {
  const unnoticed = openCluster({ connection: world.bare });
  for (const { metadata, status } of await listObjects(unnoticed, managedEnvironments)) {
    const condition = status?.conditions.find((one) => one.status !== 'True');
    if (condition === undefined) continue;
    const behind = (moved.get(metadata.uid) ?? 0) + seconds * 1_000;
    const whole = Math.floor(behind / 1_000) * 1_000;
    moved.set(metadata.uid, behind - whole);
    const lastTransitionTime = new Date(Date.parse(condition.lastTransitionTime) - whole).toISOString();
    const conditions = [{ ...condition, lastTransitionTime: lastTransitionTime.replace(/\.\d+Z$/, 'Z') }];
    await unnoticed.patch(managedEnvironments, metadata, { status: { conditions } }, { subresource: 'status' });
  }
}
