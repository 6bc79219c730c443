import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { Conflict, Transient, Uncertain } from '../../../shared/ports/trouble.ts';
import { closeErrandStores } from '../../support/errands/errand-store.ts';
import { type HostProcess, openWorld, startHostProcess, type World } from '../../support/host-process.ts';
import { chooseHostPlace, type HostPlace, type JourneyCluster } from '../../support/journey-cluster.ts';
import { until } from '../../support/until.ts';

const claims = '/apis/appstudio.redhat.com/v1alpha1/namespaces/default/deploymenttargetclaims';

/** The journey from a change in a cluster to the end of its errand, on whatever cluster is given. */
export function describeClusterJourney(
  open: (place: HostPlace) => Promise<JourneyCluster>,
  servers: readonly string[],
): void {
  let world: World;
  let place: HostPlace;
  let cluster: JourneyCluster;
  let connection: ClusterConnection;

  beforeAll(async () => {
    world = await openWorld({ LOG_LEVEL: 'warn' });
    place = await chooseHostPlace(world.environment['WEBHOOK_TOKEN_FILE'] ?? '');
    cluster = await open(place);
    connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
  });

  afterAll(async () => {
    await connection?.close();
    await cluster?.stop();
    await closeErrandStores();
    await world?.close();
  });

  it('what is created and changed reaches its function through the audit webhook alone', async () => {
    const host = await startHost({ ...place.environment });
    try {
      await write('audited', 5);

      await everythingServed('audited', 5);
    } finally {
      await host.kill('SIGTERM');
    }
  }, 60_000);

  it('what is created and changed reaches its function through the watch alone', async () => {
    // On another port than the one that the audit webhook posts to.
    const host = await startHost({ ...place.environment, PORT: '0', KUBECONFIG: cluster.kubeconfigFile });
    try {
      await write('watched', 5);

      await everythingServed('watched', 5);
    } finally {
      await host.kill('SIGTERM');
    }
  }, 60_000);

  it('what is deleted before the host comes back needs nothing more', async () => {
    await write('short-lived', 2);
    for (const at of [0, 1]) await connection.request(`${claims}/short-lived-${at}`, { method: 'DELETE' });
    const host = await startHost({ ...place.environment, KUBECONFIG: cluster.kubeconfigFile });
    try {
      await write('after', 2);

      await everythingServed('after', 2);
      expect(await deadLetters()).toBe(0);
    } finally {
      await host.kill('SIGTERM');
    }
  }, 60_000);

  describe.each(servers)('with %s killed in the middle', (server) => {
    it('nothing is lost and nothing is done twice', async () => {
      const name = server.replaceAll(' ', '-').toLowerCase();
      const host = await startHost({ ...place.environment, KUBECONFIG: cluster.kubeconfigFile });
      try {
        const writing = write(name, 40);
        await until('some to be written', async () => (await written(name)) >= 10, 30_000);
        await cluster.killAndRestart[server]?.();
        await writing;

        await everythingServed(name, 40);
        expect(await deadLetters()).toBe(0);
      } finally {
        await host.kill('SIGTERM');
      }
    }, 120_000);
  });

  function startHost(environment: Readonly<Record<string, string>>): Promise<HostProcess> {
    const observed = { ERRAND_CLUSTER: cluster.kubeconfigFile, LOG_LEVEL: 'info' };
    return startHostProcess({ ...world.environment, ...environment, ...observed });
  }

  /** Creates claims and changes each once, through every outage, as a patient client does. */
  async function write(prefix: string, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const name = `${prefix}-${at}`;
      await patiently(() =>
        connection.request(claims, {
          method: 'POST',
          body: {
            apiVersion: 'appstudio.redhat.com/v1alpha1',
            kind: 'DeploymentTargetClaim',
            metadata: { name },
            spec: { deploymentTargetClassName: 'any' },
          },
          accept: [409],
        }),
      );
      await patiently(() =>
        connection.request(`${claims}/${name}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { metadata: { labels: { changed: 'once' } } },
          accept: [],
        }),
      );
    }
  }

  async function written(prefix: string): Promise<number> {
    const versions = await versionsOf(prefix).catch(() => new Map());
    return versions.size;
  }

  async function versionsOf(prefix: string): Promise<Map<string, string>> {
    const { body } = await connection.request(claims, { accept: [] });
    const { items } = body as { items: { metadata: { name: string; resourceVersion: string } }[] };
    const own = items.filter(({ metadata }) => metadata.name.startsWith(`${prefix}-`));
    return new Map(own.map(({ metadata }) => [`default/${metadata.name}`, metadata.resourceVersion]));
  }

  /** Every claim was served at its last version, and each version at most once: the table would refuse it twice. */
  async function everythingServed(prefix: string, count: number): Promise<void> {
    const versions = await versionsOf(prefix);
    expect(versions.size).toBe(count);
    await expect
      .poll(
        async () => {
          const rows = await world.database.sql<{ subject: string; ran_version: string }[]>`
            select subject, ran_version from errand where subject like ${`default/${prefix}-%`} and reports = runs`;
          return new Map(rows.map(({ subject, ran_version }) => [subject, String(ran_version)]));
        },
        { timeout: 40_000 },
      )
      .toEqual(versions);
  }

  async function deadLetters(): Promise<number> {
    const [row] = await world.database.sql<{ dead: number }[]>`
      select count(*)::int as dead from step_log where outcome in ('poison', 'defect')`;
    return row?.dead ?? -1;
  }
}

async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const passes = error instanceof Transient || error instanceof Uncertain || error instanceof Conflict;
      if (!passes || Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
