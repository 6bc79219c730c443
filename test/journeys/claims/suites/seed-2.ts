import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claims,
  classes,
  environments,
  managedEnvironments,
  secrets,
  spaceRequests,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers, labels, secretTypes } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { instantOf } from '../../../../shared/domain/core/instant.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';

/**
 * The step-by-step document, its objects as they stand with names made consistent. The test plays the toolchain operator, so
 * the world must not fulfil SpaceRequests itself.
 */
export function describeSeed2(open: () => Promise<GitOpsWorld>): void {
  describe('seed 2, dynamic creation of a target for a claim', () => {
    let world: GitOpsWorld;
    let namespace: string;
    beforeAll(async () => {
      world = await open();
      namespace = (await world.namespace('team-a')).name;
    });
    afterAll(() => world?.close());

    it('step 0: there is a class that points to the devsandbox provisioner', async () => {
      await world.cluster.create(classes, {
        metadata: { name: 'isolation-level-namespace' },
        spec: { provisioner: 'appstudio.redhat.com/devsandbox', parameters: {}, reclaimPolicy: 'Delete' },
      });

      expect(await world.settle()).toEqual([]);
    });

    it('steps 1 to 4: claim and Environment are made together; the claim is Pending and marked, and a SpaceRequest asks for a namespace', async () => {
      await world.cluster.create(claims, {
        metadata: { namespace, name: 'staging-dtc' },
        spec: { deploymentTargetClassName: 'isolation-level-namespace' },
      });
      await world.cluster.create(environments, {
        metadata: { namespace, name: 'staging' },
        spec: {
          displayName: '“Staging”',
          deploymentStrategy: 'AppStudioAutomated',
          parentEnvironment: 'dev',
          tags: ['staging'],
          configuration: { target: { deploymentTargetClaim: { claimName: 'staging-dtc' } } },
        },
      });

      await world.settle();

      const claim = await theClaim();
      expect(claim?.status?.phase).toBe('Pending');
      expect(claim?.metadata.finalizers).toContain(finalizers.claim.key);
      expect(claim?.metadata.annotations[annotations.targetProvisioner.key]).toBe('appstudio.redhat.com/devsandbox');
      expect(claim?.metadata.annotations[annotations.bindComplete.key]).toBeUndefined();
      expect(await conditionOf('TargetReady')).toMatchObject({ status: 'False', reason: 'ClaimNotBound' });
      const [request, ...others] = await listObjects(world.cluster, spaceRequests, namespace);
      expect(others).toEqual([]);
      expect(request?.metadata.name).toMatch(/^staging-dtc-/);
      expect(request?.metadata.labels[labels.claim]).toBe('staging-dtc');
      expect(request?.spec).toMatchObject({ tierName: 'appstudio-env', targetClusterRoles: [] });
    });

    it('steps 5 to 8: the operator makes a namespace and a Secret; a target is made of it, and target and claim are Bound', async () => {
      const [request] = await listObjects(world.cluster, spaceRequests, namespace);
      await world.cluster.create(secrets, {
        metadata: { namespace, name: 'team-a--staging-dtc--secret' },
        type: 'Opaque',
        data: { kubeconfig: Buffer.from('apiVersion: v1').toString('base64') },
      });
      await world.cluster.patch(
        spaceRequests,
        { namespace, name: request?.metadata.name ?? '' },
        {
          status: {
            targetClusterURL: 'https://127.0.0.1:1',
            namespaceAccess: [{ name: 'team-a--staging-dtc', secretRef: 'team-a--staging-dtc--secret' }],
            conditions: [
              { type: 'Ready', status: 'True', reason: 'Provisioned', lastTransitionTime: instantOf(Date.now()) },
            ],
          },
        },
        { subresource: 'status' },
      );

      await world.settle();

      const target = await theTarget();
      const claim = await theClaim();
      expect(target?.metadata.annotations[annotations.provisionedBy.key]).toBe('appstudio.redhat.com/devsandbox');
      expect(target?.metadata.finalizers).toContain(finalizers.target.key);
      expect(target?.spec).toMatchObject({
        deploymentTargetClassName: 'isolation-level-namespace',
        kubernetesCredentials: {
          defaultNamespace: 'team-a--staging-dtc',
          apiURL: 'https://127.0.0.1:1',
          clusterCredentialsSecret: 'team-a--staging-dtc--secret',
        },
        claimRef: { name: 'staging-dtc', uid: claim?.metadata.uid },
      });
      expect(target?.status?.phase).toBe('Bound');
      expect(claim?.metadata.annotations).toMatchObject({
        [annotations.bindComplete.key]: 'true',
        [annotations.boundByController.key]: 'true',
      });
      expect(claim?.spec.targetName).toBe('staging-dtc-dt');
      expect(claim?.status?.phase).toBe('Bound');
      const [labelled] = await listObjects(world.cluster, spaceRequests, namespace);
      expect(labelled?.metadata.labels[labels.target]).toBe('staging-dtc-dt');
    });

    it('step 9: the Environment has a GitOpsDeploymentManagedEnvironment made of the Secret', async () => {
      const environment = await world.cluster.read(environments, { namespace, name: 'staging' });
      const made = await world.cluster.read(managedEnvironments, { namespace, name: 'managed-environment-staging' });

      expect(made?.spec).toMatchObject({
        apiURL: 'https://127.0.0.1:1',
        credentialsSecret: 'managed-environment-secret-staging',
        namespaces: ['team-a--staging-dtc'],
      });
      expect(made?.metadata.ownerReferences).toMatchObject([
        { apiVersion: 'appstudio.redhat.com/v1alpha1', kind: 'Environment', uid: environment?.metadata.uid },
      ]);
      const copy = await world.cluster.read(secrets, { namespace, name: 'managed-environment-secret-staging' });
      expect(copy?.type).toBe(secretTypes.managedEnvironment);
      expect(copy?.metadata.labels[labels.environmentSecret]).toBe('staging');
    });

    it('deprovisioning, steps 1 to 5: the deleted claim waits for its target, and that for its SpaceRequest', async () => {
      await world.cluster.remove(claims, { namespace, name: 'staging-dtc' });
      await world.settle();

      expect((await theClaim())?.metadata.deletionTimestamp).toBeDefined();
      expect((await theTarget())?.metadata.deletionTimestamp).toBeDefined();
      const [request] = await listObjects(world.cluster, spaceRequests, namespace);
      expect(request?.metadata.deletionTimestamp).toBeDefined();
      expect((await theTarget())?.status?.phase).toBe('Bound');
    });

    it('steps 6 and 7: when the SpaceRequest is gone, so are target and claim', async () => {
      const [request] = await listObjects(world.cluster, spaceRequests, namespace);
      await world.cluster.patch(
        spaceRequests,
        { namespace, name: request?.metadata.name ?? '' },
        { metadata: { finalizers: null } },
      );

      await world.settle();

      expect(await theTarget()).toBeUndefined();
      expect(await theClaim()).toBeUndefined();
      expect(await conditionOf('Reconciled')).toMatchObject({
        status: 'False',
        reason: 'DeploymentTargetClaimNotFound',
      });
    });

    function theClaim() {
      return world.cluster.read(claims, { namespace, name: 'staging-dtc' });
    }

    function theTarget() {
      return world.cluster.read(targets, { namespace, name: 'staging-dtc-dt' });
    }

    async function conditionOf(type: string) {
      const seen = await world.cluster.read(environments, { namespace, name: 'staging' });
      return seen?.status?.conditions.find((condition) => condition.type === type);
    }
  });
}
