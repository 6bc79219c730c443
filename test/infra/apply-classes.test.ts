import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbedded } from '../../infra/embedded/start-embedded.ts';
import { applyClasses } from '../../infra/kubernetes/apply-classes.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { openLogger } from '../../shared/adapters/telemetry/logger.ts';
import { classes } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';

const shipped = { namespace: '', name: 'isolation-level-namespace' };
const log = openLogger({ level: 'error', write: () => {}, clock: { now: Date.now } });
/** Everything but the cluster is configured; without git there is no Argo CD either. */
const given = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  AWS_REGION: 'us-east-1',
  GIT_ROOT_URL: 'http://127.0.0.1:1',
  PATH: '',
};

describe('the class that ships', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-classes-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What npm start does for a cluster that is not configured, and what is there then. */
  async function afterStart(
    look: (cluster: Cluster, connection: ReturnType<typeof connectCluster>) => Promise<void>,
  ): Promise<void> {
    const embedded = await startEmbedded(folder, given, log);
    const connection = connectCluster({ kubeconfigPath: embedded.environment['KUBECONFIG'], now: Date.now });
    try {
      await look(openCluster({ connection }), connection);
    } finally {
      await connection.close();
      await embedded.stop();
    }
  }

  it('is there when npm start has started a cluster, and applying it again changes nothing', async () => {
    await afterStart(async (cluster, connection) => {
      const made = await cluster.read(classes, shipped);

      await applyClasses(connection);

      expect(made?.spec).toEqual({
        provisioner: 'appstudio.redhat.com/devsandbox',
        parameters: {},
        reclaimPolicy: 'Delete',
        allowTargetResourceExpansion: false,
      });
      expect(await cluster.read(classes, shipped)).toEqual(made);
    });
  });

  it('does not overwrite one that somebody made under its name', async () => {
    const own = { provisioner: 'example.com/own', parameters: { size: 'large' }, reclaimPolicy: 'Retain' };
    await afterStart(async (cluster) => {
      await cluster.remove(classes, shipped);
      await cluster.create(classes, { metadata: { name: shipped.name }, spec: own });
    });

    await afterStart(async (cluster) => {
      expect((await cluster.read(classes, shipped))?.spec).toMatchObject(own);
    });
  });
});
