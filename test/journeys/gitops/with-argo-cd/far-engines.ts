import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  appProjects,
  argoApplications,
  gitOpsDeployments,
  managedEnvironments,
  operations,
  repositoryCredentials,
  secrets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { applyAgentRoles } from '../../../support/apply-roles.ts';
import { type FarJourney, kubeconfigFor } from '../../../support/far-journey.ts';
import { type HostProcess, startHostProcess } from '../../../support/host-process.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';

/** Point 4: the Argo CD of the tenants runs in another cluster, and deploys into theirs. */
export function describeFarEngineJourneys(open: () => Promise<FarJourney>): void {
  describe('an Argo CD of another cluster that works', () => {
    let journey: FarJourney;
    beforeAll(async () => {
      journey = await open();
    });
    afterAll(() => journey?.stop());

    describe('told by the service, with credentials for that cluster', () => {
      let tenant: TenantJourney;
      beforeAll(async () => {
        tenant = await openTenantOf({ 'web/map.yaml': configMap('web', 'one') });
      });

      it('gets the Application, deploys into the cluster of the tenant, and its status comes back', async () => {
        await deploy(tenant, 'web');

        const { status } = await tenant.untilStatus('web', 'Synced', 'Healthy');

        expect(status?.sync?.revision).toBe(tenant.repository.first);
        expect(status?.reconciledState?.destination).toEqual({ name: 'home', namespace: tenant.namespace });
        expect(await tenant.dataOf('web')).toBe('one');
        const key = await tenant.applicationKey('web');
        expect(await journey.beside.read(argoApplications, key)).toBeDefined();
        expect(await journey.api.read(argoApplications, key)).toBeUndefined();
      });

      it('lets everything go that the tenant takes away, and keeps nothing of the tenant', async () => {
        const application = await tenant.applicationKey('web');
        expect(await leftBeside()).toHaveLength(4);

        await journey.api.remove(gitOpsDeployments, tenant.key('web'));
        await tenant.until(
          'the Application to be gone',
          async () => (await journey.beside.read(argoApplications, application)) === undefined,
        );
        expect(await tenant.dataOf('web')).toBeUndefined();
        await journey.api.remove(managedEnvironments, tenant.key('home'));
        await journey.api.remove(repositoryCredentials, tenant.credential);

        await tenant.until('nothing to be left', async () => (await leftBeside()).length === 0);
      });
    });

    describe('in whose namespace only its agent writes', () => {
      let tenant: TenantJourney;
      let agent: HostProcess | undefined;
      beforeAll(async () => {
        await applyAgentRoles(journey.engine.connection);
        await journey.register(await journey.kubeconfigOf('stagecoach-service'), 'agent');
        await journey.host.kill('SIGTERM');
        journey.host = await startHostProcess(journey.world.environment);
        tenant = await openTenantOf({ 'web/map.yaml': configMap('web', 'one') });
      });
      afterAll(async () => {
        await agent?.kill('SIGTERM');
      });

      it('CO-07 CO-28 is told by Operations, of which the agent works off those of that namespace', async () => {
        await deploy(tenant, 'web');
        const application = await tenant.applicationKey('web');
        await tenant.until('what the agent is asked to do', async () => (await asked()).length >= 3);
        expect(await journey.beside.read(argoApplications, application)).toBeUndefined();
        const [operationID] = await asked();
        const misplaced = { namespace: 'default', name: `operation-${operationID}` };
        await journey.beside.create(operations, { metadata: { ...misplaced }, spec: { operationID } });

        agent = await journey.startAgent(await journey.kubeconfigOf('stagecoach-agent'));

        const { status } = await tenant.untilStatus('web', 'Synced', 'Healthy');
        expect(status?.sync?.revision).toBe(tenant.repository.first);
        expect(await tenant.dataOf('web')).toBe('one');
        await agent.said(/"effects":\["refuse-operation-object"\]/);
        expect(await journey.beside.read(operations, misplaced)).toBeDefined();
      });

      it('SL-05 gets a rotated password by way of the agent', async () => {
        const { otherReadToken: password } = journey.git;

        await journey.api.patch(secrets, tenant.credential, {
          data: { password: Buffer.from(password).toString('base64') },
        });

        await tenant.until('the new password to be there', async () => (await passwords()).includes(password));
        expect(await passwords()).not.toContain(journey.git.readToken);
      });

      it('lets go what is deleted, and no Operation is left', async () => {
        const application = await tenant.applicationKey('web');

        await journey.api.remove(gitOpsDeployments, tenant.key('web'));

        await tenant.until(
          'the Application to be gone',
          async () => (await journey.beside.read(argoApplications, application)) === undefined,
        );
        expect(await tenant.dataOf('web')).toBeUndefined();
        await tenant.until('every Operation to be worked off', async () => (await asked()).length === 0);
      });

      /** The operations that lie in the namespace of the Argo CD. */
      async function asked(): Promise<string[]> {
        const found = await listObjects(journey.beside, operations, journey.engine.argoNamespace);
        return found.map(({ spec }) => spec.operationID);
      }

      async function passwords(): Promise<string[]> {
        const labelSelector = 'argocd.argoproj.io/secret-type=repository';
        const found = await listObjects(journey.beside, secrets, journey.engine.argoNamespace, { labelSelector });
        return found.map(({ data }) => Buffer.from(data['password'] ?? '', 'base64').toString());
      }
    });

    /** With its own cluster as a managed environment: that is how an Argo CD of another one reaches it. */
    async function openTenantOf(files: Parameters<typeof openTenant>[1]): Promise<TenantJourney> {
      const tenant = await openTenant(journey, files);
      const { url, ca, adminToken: token } = journey.cluster;
      await journey.api.create(secrets, {
        metadata: { ...tenant.key('home') },
        type: secretTypes.managedEnvironment,
        stringData: { kubeconfig: JSON.stringify(kubeconfigFor({ url, ca, token })) },
      });
      await journey.api.create(managedEnvironments, {
        metadata: { ...tenant.key('home') },
        spec: { apiURL: url, credentialsSecret: 'home', allowInsecureSkipTLSVerify: false },
      });
      return tenant;
    }

    async function deploy(tenant: TenantJourney, name: string): Promise<void> {
      await tenant.deploy(name, { path: name, destination: { environment: 'home', namespace: tenant.namespace } });
    }

    /** What stands beside the Argo CD because a tenant wanted something: applications, projects, and Secrets for both. */
    async function leftBeside(): Promise<string[]> {
      const { beside, engine } = journey;
      const { argoNamespace: place } = engine;
      const found = [
        ...(await listObjects(beside, argoApplications, place)),
        ...(await listObjects(beside, appProjects, place)),
        ...(await listObjects(beside, secrets, place)),
      ];
      return found.map(({ metadata: { name } }) => name).filter((name) => !['default', 'argocd-secret'].includes(name));
    }
  });
}
