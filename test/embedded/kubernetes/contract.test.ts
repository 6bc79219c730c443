import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { startEmbeddedKubernetes } from '../../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { contractTokens, type OpenApiWorld, openApiWorld } from '../../support/api-world.ts';
import { startAuditSink } from '../../support/audit-sink.ts';
import { describeSuiteA } from './contract/suite-a.ts';
import { describeSuiteB } from './contract/suite-b.ts';

describe('the embedded API server', () => {
  let opened: OpenApiWorld | undefined;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecoach-contract-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const audit = await startAuditSink();
    stops.push(() => audit.stop());
    const cluster = await startEmbeddedKubernetes({ folder, audit: { url: audit.url }, tokens: contractTokens });
    stops.push(() => cluster.stop());
    const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
    await applyCrds(connection, readCrds(ownCrds));
    await connection.close();
    const world = openApiWorld({ cluster, isReal: false, audit, forgetHistory: async () => cluster.compact() });
    stops.push(() => world.close());
    opened = world;
  });

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  function world(): OpenApiWorld {
    if (opened === undefined) throw new Error('The cluster of this suite did not start.');
    return opened;
  }

  describeSuiteA(world);
  describeSuiteB(world);
});
