import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { startControlPlane } from '../../../infra/real/start-control-plane.ts';
import { contractTokens, type OpenApiWorld, openApiWorld } from '../../support/api-world.ts';
import { startAuditSink } from '../../support/audit-sink.ts';
import { compactEtcd } from '../../support/compact-etcd.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { describeSuiteA } from './contract/suite-a.ts';
import { describeSuiteB } from './contract/suite-b.ts';

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager']);

describe.skipIf('missing' in real)(`the real kube-apiserver${reasonOf(real)}`, () => {
  let opened: OpenApiWorld | undefined;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecoach-contract-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const audit = await startAuditSink();
    stops.push(() => audit.stop());
    const cluster = await startControlPlane({
      parts: partsOf(real),
      folder,
      audit: { url: audit.url },
      tokens: contractTokens,
      controllerManager: true,
    });
    stops.push(() => cluster.stop());
    const world = openApiWorld({ cluster, isReal: true, audit, forgetHistory: () => compactEtcd(folder) });
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
