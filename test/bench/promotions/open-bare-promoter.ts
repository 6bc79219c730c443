import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { realParts } from '../../support/real-parts.ts';
import { followObjects } from '../gitops/follow-objects.ts';
import {
  applicationsPath,
  application as argoApplication,
  argoNamespace,
  argoStatus,
  type BenchObject,
  deployment,
  deploymentsPath,
  floorGroups,
} from '../gitops/objects.ts';
import { openSightings } from '../gitops/sightings.ts';
import { tellState } from '../gitops/tell-state.ts';
import type { PromotionBench } from './open-promotion-bench.ts';
import {
  application,
  binding,
  first,
  floorGroup,
  floorNamespace,
  type PromotedObject,
  pathOf,
  promotedKinds,
  second,
  snapshot,
} from './promotion-objects.ts';

const patienceMs = 60_000;
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** The bare client beside the product, and the hands that wake it. Both answer the milliseconds until the Binding was seen. */
export interface BarePromoter {
  fromSnapshot(name: string): Promise<number>;
  fromReport(revision: string): Promise<number>;
  stop(): Promise<void>;
}

export async function openBarePromoter(bench: PromotionBench): Promise<BarePromoter> {
  const { connection } = bench;
  const post = (path: string, body: object) => connection.request(path, { method: 'POST', body, accept: [] });
  await applyCrds(connection, await floorCrds());
  await bench.makeNamespaces([floorNamespace]);
  for (const environment of [first, second])
    await post(
      pathOf(floorGroup, 'snapshotenvironmentbindings', floorNamespace),
      binding(floorGroup, floorNamespace, environment),
    );
  const made = await post(
    deploymentsPath(floorGroups, floorNamespace),
    deployment(floorGroups, floorNamespace, 'deployment'),
  );
  const object = made.body as BenchObject;
  const deployed = argoApplication(floorGroups, object, []);
  await post(applicationsPath(floorGroups), {
    ...deployed,
    // The bare client finds the deployment by it.
    metadata: { ...deployed.metadata, name: 'deployment', namespace: argoNamespace },
  });
  const sightings = openSightings(patienceMs, () => tellState(bench.sql));
  const watch = await followObjects(
    connection,
    pathOf(floorGroup, 'snapshotenvironmentbindings'),
    (_type, seen, at) => {
      const { spec } = seen as unknown as PromotedObject;
      sightings.note(`${spec.environment} ${spec.snapshot}`, at);
    },
  );
  const child = fork(fileURLToPath(new URL('./bare-promoter.ts', import.meta.url)), [
    bench.environment['KUBECONFIG'] ?? '',
  ]);
  await once(child, 'message');
  return {
    async fromSnapshot(name) {
      const seen = sightings.of(`${first} ${name}`);
      const from = performance.now();
      await post(
        pathOf(floorGroup, 'snapshots', floorNamespace),
        snapshot(floorGroup, floorNamespace, name, application),
      );
      return (await seen) - from;
    },
    async fromReport(revision) {
      const seen = sightings.of(`${second} ${revision}`);
      const from = performance.now();
      const status = argoStatus(deployed, revision, new Date().toISOString().replace(/\.\d+/, ''));
      const path = `${applicationsPath(floorGroups)}/deployment`;
      await connection.request(path, { method: 'PATCH', headers: mergePatch, body: { status }, accept: [] });
      return (await seen) - from;
    },
    async stop() {
      watch.stop();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function floorCrds() {
  const real = await realParts(['argo-cd']);
  if ('missing' in real) throw new Error(real.missing);
  const crds = [...readCrds(join(dirname(real.parts['argo-cd']), 'crds')), ...readCrds(ownCrds)];
  const groups: Record<string, string> = {
    ...Object.fromEntries(promotedKinds.map((plural) => [plural, floorGroup])),
    gitopsdeployments: floorGroups.deployments,
  };
  // Argo CD and we both have a kind of this name.
  const argo = crds.filter(({ spec }) => spec.names.plural === 'applications' && spec.group === 'argoproj.io');
  return [
    ...crds.flatMap((crd) => under(crd, groups[crd.spec.names.plural])),
    ...argo.flatMap((crd) => under(crd, floorGroups.applications)),
  ];
}

function under<Crd extends ReturnType<typeof readCrds>[number]>(crd: Crd, group: string | undefined): Crd[] {
  if (group === undefined) return [];
  const name = `${crd.spec.names.plural}.${group}`;
  return [{ ...crd, metadata: { ...crd.metadata, name }, spec: { ...crd.spec, group } }];
}
