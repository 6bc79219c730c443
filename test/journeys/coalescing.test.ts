import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeWatchServer } from '../support/fake-watch-server.ts';
import {
  auditEvent,
  auditList,
  type HostProcess,
  openWorld,
  post,
  startHostProcess,
  type World,
  watchBatch,
  watchEvent,
} from '../support/host-process.ts';

let world: World;
let cluster: Awaited<ReturnType<typeof startFakeWatchServer>>;
let host: HostProcess;
let other: HostProcess;

beforeAll(async () => {
  cluster = await startFakeWatchServer();
  world = await openWorld({ ERRAND_CLUSTER: cluster.url });
  [host, other] = await Promise.all([startHostProcess(world.environment), startHostProcess(world.environment)]);
});
afterAll(async () => {
  await Promise.all([host.kill('SIGTERM'), other.kill('SIGTERM')]);
  await world.close();
  await cluster.stop();
});

const claims = '/apis/appstudio.redhat.com/v1alpha1/deploymenttargetclaims';

/** Changes a claim on the cluster and says at which version. */
function change(name: string): number {
  const claim = cluster.put(claims, {
    apiVersion: 'appstudio.redhat.com/v1alpha1',
    kind: 'DeploymentTargetClaim',
    metadata: { namespace: 'team', name },
  });
  return Number(claim.metadata.resourceVersion);
}

async function stepsOf(subject: string, fn = 'run-errand'): Promise<number> {
  const [row] = await world.database.sql<
    { steps: number }[]
  >`select count(*)::int as steps from step_log where subject = ${subject} and function = ${fn}`;
  return row?.steps ?? 0;
}

async function settledAt(subject: string, version: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const [row] = await world.database.sql<
          { ran_version: string }[]
        >`select ran_version from errand where subject = ${subject}`;
        return row?.ran_version;
      },
      { timeout: 20_000 },
    )
    .toBe(String(version));
}

async function queueIsEmpty(): Promise<void> {
  await expect
    .poll(
      async () => {
        const response = await fetch(`${world.queue.endpoint}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.GetQueueAttributes' },
          body: JSON.stringify({
            QueueUrl: `${world.queue.endpoint}/000000000000/stagecoach-run-errand`,
            AttributeNames: ['All'],
          }),
        });
        const { Attributes } = (await response.json()) as { Attributes: Record<string, string> };
        return (
          Number(Attributes['ApproximateNumberOfMessages']) +
          Number(Attributes['ApproximateNumberOfMessagesNotVisible'])
        );
      },
      { timeout: 20_000 },
    )
    .toBe(0);
}

describe('a change that was seen', () => {
  it('by the audit webhook and by the watch is served by one step', async () => {
    const version = change('both');
    await post(host.url, 'ingest-audit', auditList(auditEvent('team', 'both', version)));
    await settledAt('team/both', version);
    await post(host.url, 'forward-event', watchBatch(watchEvent('team', 'both', version)));
    await queueIsEmpty();

    expect(await stepsOf('team/both')).toBe(1);
  });

  it.each([
    [
      'by the audit webhook alone',
      'ingest-audit',
      (version: number) => auditList(auditEvent('team', 'alone', version)),
    ],
    ['by the watch alone', 'forward-event', (version: number) => watchBatch(watchEvent('team', 'alone', version))],
  ])('%s is served', async (_how, door, body) => {
    const version = change('alone');
    await post(host.url, door, body(version));

    await settledAt('team/alone', version);
  });
});

describe('a burst', () => {
  it('of 10,000 events on one subject causes at most two runs after it', async () => {
    await post(host.url, 'forward-event', watchBatch(watchEvent('team', 'busy', change('busy'))));
    // One event a post and a message: nothing is coalesced on the way in.
    let last = 0;
    for (let sent = 0; sent < 10_000; sent += 50) {
      const versions = Array.from({ length: 50 }, () => change('busy'));
      last = versions.at(-1) ?? 0;
      await Promise.all(
        versions.map((version) => post(host.url, 'forward-event', watchBatch(watchEvent('team', 'busy', version)))),
      );
    }
    const during = await stepsOf('team/busy');
    await settledAt('team/busy', last);
    await queueIsEmpty();

    expect((await stepsOf('team/busy')) - during).toBeLessThanOrEqual(2);
    // Ten thousand requests one after another take their time on a busy machine.
  }, 120_000);
});

describe('two hosts', () => {
  it('never work under one serial key at the same time', async () => {
    let version = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      version = change('alone-1');
      await post(
        turn % 2 === 0 ? host.url : other.url,
        'forward-event',
        watchBatch(watchEvent('team', 'alone-1', version)),
      );
    }
    await settledAt('team/alone-1', version);
    await queueIsEmpty();

    const rows = await world.database.sql`select meetings from errand_inside where subject = 'team/alone-1'`;
    expect(rows).toEqual([{ meetings: 0 }]);
    expect(await stepsOf('team/alone-1')).toBeGreaterThan(1);
  });
});
