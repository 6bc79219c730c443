import { argoApplications, gitOpsDeployments, syncRuns } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { playSyncs } from '../../../support/played-sync.ts';
import { until } from '../../../support/until.ts';
import { openCredentialScene } from './credential-scene.ts';
import type { TargetWorld } from './managed-environments-world.ts';
import type { PlayedGitHost } from './played-git-host.ts';

/**
 * Tenants with one of everything, looked at until nobody has anything left to do: deployments that are automated, manual,
 * wrong, and waiting for an environment; an environment with an account of its own and one without a Secret; a credential
 * that works and one that does not; a sync that ended and one that waits for its deployment. Returns their namespaces.
 */
export async function openWholeService(here: TargetWorld, host: PlayedGitHost): Promise<readonly string[]> {
  const { world } = here;
  const { name: plain } = await world.namespace();
  await deploy(world, plain, 'web');
  await deploy(world, plain, 'wrong', { source: { ...source, path: '/' } });
  await deploy(world, plain, 'waiting', { destination: { environment: 'nowhere', namespace: 'shop' } });
  await world.cluster.create(syncRuns, {
    metadata: { namespace: plain, name: 'orphan' },
    spec: { gitopsDeploymentName: 'not-there', revisionID: 'main' },
  });

  const syncs = await playSyncs(world);
  await syncs.deploy('api');
  await syncs.syncRun('first', 'api');
  await syncs.begins();
  await syncs.ends({ phase: 'Succeeded', message: 'successfully synced' }, argoSays);

  const far = await here.tenant();
  await here.create(far, { createNewServiceAccount: true });
  await here.create(far, { credentialsSecret: 'nowhere' }, 'closed');
  await deploy(world, far, 'there', { destination: { environment: 'staging', namespace: 'default' } });
  await until('the environment works', async () => {
    await world.settle();
    await world.wake();
    await world.settle();
    return (await here.condition(far))?.status === 'True' ? true : undefined;
  });

  const opened = await openCredentialScene(world, host);
  await opened.makeSecret();
  await opened.make();
  await deploy(world, opened.namespace.name, 'private', { source: { ...source, repoURL: opened.url } });
  const closed = await openCredentialScene(world, host);
  await closed.makeSecret({ username: 'me', password: 'guess' });
  await closed.make();
  await world.settle();

  for (const { metadata, status } of await listObjects(world.cluster, argoApplications, argoNamespace))
    if (status === undefined) await world.cluster.patch(argoApplications, metadata, { status: argoSays });
  await world.settle();
  await world.wake();
  await world.settle();
  return [plain, syncs.namespace.name, far, opened.namespace.name, closed.namespace.name];
}

const source = { repoURL: 'https://git.example/team/shop', path: 'deploy', targetRevision: 'main' };

const argoSays = {
  sync: { status: 'Synced', revision: '0123456789012345678901234567890123456789' },
  health: { status: 'Healthy' },
  reconciledAt: '2026-01-15T12:00:00Z',
};

async function deploy(world: GitOpsWorld, namespace: string, name: string, but: object = {}): Promise<void> {
  await world.cluster.create(gitOpsDeployments, {
    metadata: { namespace, name },
    spec: { source, type: 'automated', ...but },
  });
}
