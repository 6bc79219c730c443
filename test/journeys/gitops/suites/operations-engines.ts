import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appProjects, argoApplications, operations } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName, operationName, projectName } from '../../../../shared/domain/gitops/names.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { type OperationStage, openOperationStage } from './operations-stage.ts';

/** Several Argo CDs, here and elsewhere, told by the queue or by an object. */
export function describeOperationsOfEngines(open: () => Promise<GitOpsWorld>): void {
  describe('the Argo CD of an operation', () => {
    let world: GitOpsWorld;
    let stage: OperationStage;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      stage = await openOperationStage(world);
    });

    it('CO-28 CO-29 an Operation object in the namespace of Argo CD is worked off and goes', async () => {
      const id = await stage.application();
      const operation = await stage.request('Application', id);
      await stage.createObject(argoNamespace, operation);

      const { did } = await stage.lookAtObject(argoNamespace, operationName(operation));

      expect(did).toEqual(['create-project', 'create-application', 'complete-operation', 'delete-operation-object']);
      expect(await stage.argoApplication(id)).toBeDefined();
      expect(await stage.operationObject(argoNamespace, operation)).toBeUndefined();
    });

    it('CO-07 CO-28 one in any other namespace is refused, and nothing is done', async () => {
      const id = await stage.application();
      const operation = await stage.request('Application', id);
      await stage.createObject(stage.namespace.name, operation);

      const { did } = await stage.lookAtObject(stage.namespace.name, operationName(operation));

      expect(did).toEqual(['refuse-operation-object']);
      expect(await stage.argoApplication(id)).toBeUndefined();
      expect(await stage.states(id)).toEqual(['Waiting']);
      expect(await stage.operationObject(stage.namespace.name, operation)).toBeDefined();
    });

    it('CO-03 CO-29 an object that is gone is nothing to look at', async () => {
      const { outcome } = await stage.lookAtObject(argoNamespace, operationName(randomUUID()));

      expect(outcome).toBe('skipped');
    });

    it('CO-04 CO-29 one whose operation nobody knows is left alone', async () => {
      const unknown = randomUUID();
      await stage.createObject(argoNamespace, unknown);

      const { did, outcome } = await stage.lookAtObject(argoNamespace, operationName(unknown));

      expect([outcome, ...did]).toEqual(['stepped']);
      expect(await stage.operationObject(argoNamespace, unknown)).toBeDefined();
    });

    it('CO-29 one that names no operation is left alone', async () => {
      const metadata = { namespace: argoNamespace, name: `operation-of-nothing-${stage.namespace.name}` };
      await stage.cluster.create(operations, { metadata, spec: { operationID: '' } });

      const { did, outcome } = await stage.lookAtObject(metadata.namespace, metadata.name);

      expect([outcome, ...did]).toEqual(['stepped']);
      expect(await stage.cluster.read(operations, metadata)).toBeDefined();
    });

    it('one whose operation has ended goes', async () => {
      const id = await stage.application();
      const operation = await stage.request('Application', id);
      await stage.look('Application', id);
      await stage.createObject(argoNamespace, operation);

      const { did } = await stage.lookAtObject(argoNamespace, operationName(operation));

      expect(did).toEqual(['delete-operation-object']);
      expect(await stage.operationObject(argoNamespace, operation)).toBeUndefined();
    });

    it('an Argo CD that only its agent reaches is told by an object, and the agent does the work', async () => {
      const place = await world.namespace('agent');
      const engine = await stage.engine(place, { clusterId: stage.clusterId, transport: 'agent' });
      const id = await stage.application();
      await stage.moveTo(engine, id);
      const operation = await stage.request('Application', id, { instance: engine });

      const handedOver = await stage.look('Application', id);
      const again = await stage.look('Application', id);
      const object = await stage.operationObject(place.name, operation);
      const state = await stage.operation(operation);
      const agent = await stage.lookAtObject(place.name, operationName(operation));

      expect(handedOver.did).toEqual(['create-operation-object']);
      expect([handedOver.reason, again.reason]).toEqual(['WithAgent', 'WithAgent']);
      expect(object?.spec.operationID).toBe(operation);
      expect(state?.state).toBe('Waiting');
      expect(agent.did).toContain('create-application');
      const key = { namespace: place.name, name: applicationName(id) };
      expect(await stage.cluster.read(argoApplications, key)).toBeDefined();
      expect(await stage.states(id)).toEqual(['Completed']);
      // The object is gone: that is how the end comes back to whoever handed it over, and from there to the deployment.
      const gone = await stage.lookAtObject(place.name, operationName(operation));
      expect(gone.woke).toEqual([`operation.requested.v1 application.${id}`]);
      expect(await stage.look('Application', id)).toMatchObject({
        did: [],
        woke: ['gitops-deployment.changed.v1 web'],
        outcome: 'stepped',
      });
      expect((await stage.look('Application', id)).woke).toEqual([]);
    });

    it('an agent that does two operations with one look takes both their objects away', async () => {
      const place = await world.namespace('agent');
      const engine = await stage.engine(place, { clusterId: stage.clusterId, transport: 'agent' });
      const id = await stage.application();
      await stage.moveTo(engine, id);
      const asked = await stage.request('Application', id, { instance: engine });
      const repair = await stage.request('Application', id, { instance: engine, repair: true });
      await stage.look('Application', id);
      expect(await stage.operationObject(place.name, asked)).toBeDefined();

      await stage.lookAtObject(place.name, operationName(repair));

      expect(await stage.states(id)).toEqual(['Completed', 'Completed']);
      expect(await stage.operationObject(place.name, repair)).toBeUndefined();
      expect(await stage.operationObject(place.name, asked)).toBeUndefined();
    });

    it('two Argo CDs of one cluster keep to their own namespaces', async () => {
      const place = await world.namespace('argo');
      const engine = await stage.engine(place, { clusterId: stage.clusterId });
      const [here, there] = [await stage.application({ name: 'here' }), await stage.application({ name: 'there' })];
      await stage.moveTo(engine, there);

      await stage.apply('Application', here);
      await stage.apply('Application', there, { instance: engine });

      expect(await stage.argoApplication(here)).toBeDefined();
      expect(await stage.argoApplication(there)).toBeUndefined();
      const key = { namespace: place.name, name: applicationName(there) };
      expect(await stage.cluster.read(argoApplications, key)).toBeDefined();
    });

    it('an Argo CD of another cluster is reached with the credentials of that cluster, and not by way of in-cluster', async () => {
      const place = await world.namespace('far');
      const farId = randomUUID();
      const access = { host: 'https://far.example:6443', token: 'engine-token' };
      const engine = await stage.engine(place, { clusterId: farId, access });
      const id = await stage.application();
      await stage.moveTo(engine, id);
      const used: string[] = [];
      stage.at = ({ server, token }) => {
        used.push(`${server} ${token}`);
        return withIdentity(stage.cluster, farId);
      };

      await stage.apply('Application', id, { instance: engine });

      expect(new Set(used)).toEqual(new Set(['https://far.example:6443 engine-token']));
      const name = projectName(stage.namespace.uid);
      const project = await stage.cluster.read(appProjects, { namespace: place.name, name });
      // There, in-cluster is a cluster in which the namespace of that name belongs to somebody else.
      expect(project?.spec.destinations).toEqual([]);
    });

    it('CO-06 a cluster that is not the registered one is not written to; it is asked again later', async () => {
      const place = await world.namespace('other');
      const engine = await stage.engine(place, { clusterId: randomUUID(), access: { host: 'https://far.example' } });
      const id = await stage.application();
      await stage.moveTo(engine, id);
      stage.at = () => stage.cluster;

      const { did, reason } = await stage.apply('Application', id, { instance: engine });

      expect([reason, ...did]).toEqual(['AnotherCluster']);
      expect(await stage.states(id)).toEqual(['Waiting']);
    });

    it('a namespace that is not there (yet) is waited for', async () => {
      const engine = await stage.engine({ name: 'not-there', uid: randomUUID() }, { clusterId: stage.clusterId });
      const id = await stage.application();
      await stage.moveTo(engine, id);

      const { did, reason } = await stage.apply('Application', id, { instance: engine });

      expect([reason, ...did]).toEqual(['ArgoCdMissing']);
    });

    it('a namespace that was deleted and made again is another Argo CD: it fails, and is not tried again', async () => {
      const { name } = await world.namespace('again');
      const engine = await stage.engine({ name, uid: randomUUID() }, { clusterId: stage.clusterId });
      const id = await stage.application();
      await stage.moveTo(engine, id);
      const operation = await stage.request('Application', id, { instance: engine });

      const { did, reason } = await stage.look('Application', id);

      expect([reason, ...did]).toEqual([undefined, 'fail-operation']);
      expect((await stage.operation(operation))?.text).toContain('deleted and made again');
    });

    it('CO-05 defect 8.10: an operation about an Argo CD itself is Completed where it stands', async () => {
      await stage.apply('GitOpsEngineInstance', stage.instanceId);

      expect((await stage.states(stage.instanceId)).at(-1)).toBe('Completed');
    });

    it('CO-05 and Failed where it does not', async () => {
      const engine = await stage.engine({ name: 'nowhere', uid: randomUUID() }, { clusterId: stage.clusterId });

      await stage.apply('GitOpsEngineInstance', engine, { instance: engine });

      expect(await stage.states(engine)).toEqual(['Failed']);
    });

    it('operations about one resource beside two Argo CDs take a look each', async () => {
      const place = await world.namespace('second');
      const engine = await stage.engine(place, { clusterId: stage.clusterId });
      const id = await stage.application();
      await stage.request('Application', id);
      await stage.request('Application', id, { instance: engine });

      const { woke } = await stage.look('Application', id);
      await stage.look('Application', id);

      expect(woke).toEqual([`operation.requested.v1 application.${id}`]);
      expect(await stage.states(id)).toEqual(['Completed', 'Completed']);
    });
  });
}

/** The same cluster under another identity. */
function withIdentity(cluster: Cluster, uid: string): Cluster {
  return {
    ...cluster,
    async read(kind, key, options) {
      const found = await cluster.read(kind, key, options);
      if (kind.kind !== 'Namespace' || key.name !== 'kube-system') return found;
      const namespace = found as { metadata: object };
      return { ...namespace, metadata: { ...namespace.metadata, uid } } as typeof found;
    },
  };
}
