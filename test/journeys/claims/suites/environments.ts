import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environments, managedEnvironments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type EnvironmentHands, managedType, nowhere, openEnvironmentHands } from './environments-world.ts';

/** Environments that say themselves how to reach their cluster, or deploy to their own namespace. */
export function describeEnvironments(open: () => Promise<GitOpsWorld>): void {
  describe('an Environment', () => {
    let world: GitOpsWorld;
    let hands: EnvironmentHands;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      hands = await openEnvironmentHands(world);
    });

    function credentials(more: object = {}) {
      const kubernetesCredentials = {
        targetNamespace: 'there',
        apiURL: nowhere,
        clusterCredentialsSecret: 'own-secret',
        allowInsecureSkipTLSVerify: false,
        ...more,
      };
      return { unstableConfigurationFields: { clusterType: 'OpenShift', kubernetesCredentials } };
    }

    it.each([true, false])(
      'AE-01 becomes a managed environment that Kubernetes takes away with it (insecure %s)',
      async (insecure) => {
        await hands.putSecret('own-secret', 'x', managedType);
        const uid = await hands.create(
          'dev',
          credentials({ allowInsecureSkipTLSVerify: insecure, namespaces: ['one', 'two'], clusterResources: true }),
        );
        await hands.settle();

        const managed = await hands.managed('dev');
        expect(managed?.spec).toEqual({
          apiURL: nowhere,
          credentialsSecret: 'own-secret',
          allowInsecureSkipTLSVerify: insecure,
          createNewServiceAccount: false,
          namespaces: ['one', 'two'],
          clusterResources: true,
        });
        expect(managed?.metadata.ownerReferences).toEqual([
          {
            apiVersion: 'appstudio.redhat.com/v1alpha1',
            kind: 'Environment',
            name: 'dev',
            uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ]);
        expect(await hands.copy('dev')).toBeUndefined();
        expect(await hands.uses('dev')).toEqual({ claim_name: null, secret_name: 'own-secret' });
      },
    );

    it('AE-13 without namespaces gives the managed environment none', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('dev', credentials());
      await hands.settle();

      expect((await hands.managed('dev'))?.spec).toMatchObject({ namespaces: [], clusterResources: false });
    });

    it.each([
      ['the insecure flag', { allowInsecureSkipTLSVerify: true }],
      ['clusterResources', { namespaces: ['one'], clusterResources: true }],
      ['namespaces', { namespaces: ['one', 'two'] }],
      ['the Secret', { clusterCredentialsSecret: 'other-secret' }],
    ])(
      'AE-02 brings the managed environment along when %s changes, and then writes nothing more',
      async (_what, more) => {
        await hands.putSecret('own-secret', 'x', managedType);
        await hands.putSecret('other-secret', 'x', managedType);
        await hands.create('dev', credentials());
        await hands.settle();
        const before = await hands.managed('dev');

        await hands.change('dev', credentials(more));
        await hands.settle();
        const after = await hands.managed('dev');
        const { clusterCredentialsSecret: credentialsSecret, ...rest } = {
          clusterCredentialsSecret: 'own-secret',
          ...more,
        };
        expect(after?.spec).toMatchObject({ ...rest, credentialsSecret });
        expect(after?.metadata.uid).toBe(before?.metadata.uid);

        world.connection.asked.length = 0;
        hands.knock('dev');
        await hands.settle();
        expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      },
    );

    it('AE-03 that is gone leaves nothing, and an end to what wakes it', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('dev', credentials());
      await hands.settle();
      await hands.drop('dev');
      await hands.settle();

      expect(await hands.managed('dev')).toBeUndefined();
      expect(await hands.uses('dev')).toBeUndefined();
      hands.knock('dev');
      const ran = await hands.settle();
      expect(ran.filter((one) => one.function === 'reconcile-environment')).toMatchObject([
        { outcome: { kind: 'stepped' } },
      ]);
    });

    it('AE-04 AE-05 waits for its Secret, says so, and takes it back when the Secret comes', async () => {
      const message = 'the secret own-secret referenced by the Environment resource was not found';
      await hands.create('dev', credentials());
      await hands.settle();

      expect(await hands.managed('dev')).toBeUndefined();
      expect(await hands.conditions('dev')).toEqual({
        Reconciled: `False/SecretNotFound/${message}`,
        ErrorOccurred: `True/ErrorOccurred/${message}`,
        TargetReady: 'False/SecretNotFound/The Secret own-secret does not exist in this namespace',
      });

      await hands.putSecret('own-secret', 'x', managedType);
      await hands.settle();
      expect(await hands.managed('dev')).toBeDefined();
      expect(await hands.conditions('dev')).toMatchObject({
        Reconciled: 'True/SecretNotFoundResolved/',
        ErrorOccurred: 'False/ErrorOccurredResolved/',
      });
    });

    it('AE-06 AE-11 without a target deploys to its own namespace, and asks for nothing', async () => {
      await hands.create('dev', { unstableConfigurationFields: { clusterType: 'OpenShift' } });
      await hands.settle();

      expect(await hands.managed('dev')).toBeUndefined();
      expect(await hands.conditions('dev')).toEqual({
        TargetReady: 'True/OwnNamespace/It deploys to the namespace that it is in',
      });
    });

    it('defect 17: loses its managed environment when it names no target any more', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('dev', credentials());
      await hands.settle();
      expect(await hands.managed('dev')).toBeDefined();

      await hands.change('dev', { unstableConfigurationFields: null });
      await hands.settle();
      expect(await hands.managed('dev')).toBeUndefined();
      expect(await hands.secret('own-secret')).toBeDefined();
      expect((await hands.conditions('dev'))['TargetReady']).toContain('True/OwnNamespace');
    });

    it('AE-07 with a claim and credentials is invalid, until one of them goes', async () => {
      const message =
        'Environment is invalid since it cannot have both DeploymentTargetClaim and credentials configuration set';
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('dev', { ...credentials(), ...hands.at('dev-dtc') });
      await hands.settle();

      expect(await hands.managed('dev')).toBeUndefined();
      expect(await hands.conditions('dev')).toEqual({
        Reconciled: `False/InvalidEnvironment/${message}`,
        ErrorOccurred: `True/ErrorOccurred/${message}`,
        TargetReady: `False/InvalidEnvironment/${message}`,
      });

      await hands.change('dev', { configuration: null });
      await hands.settle();
      expect(await hands.managed('dev')).toBeDefined();
      expect((await hands.conditions('dev'))['Reconciled']).toBe('True/InvalidEnvironmentResolved/');
    });

    it('says whether its cluster can be reached, as the managed environment does', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('dev', credentials());
      await hands.settle();
      expect((await hands.conditions('dev'))['TargetReady']).toMatch(/^False\/UnableToParseKubeconfigData\//);

      await hands.connect('dev', 'True', 'Succeeded');
      await hands.settle();
      expect((await hands.conditions('dev'))['TargetReady']).toBe('True/Connected/');

      await hands.connect('dev', 'False', 'UnableToCreateClient', 'Nothing answers');
      await hands.settle();
      expect((await hands.conditions('dev'))['TargetReady']).toBe('False/UnableToCreateClient/Nothing answers');
    });

    it('repairs what somebody changed or deleted', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('dev', credentials());
      await hands.settle();
      const key = { namespace: hands.namespace, name: 'managed-environment-dev' };

      await world.cluster.patch(managedEnvironments, key, { spec: { apiURL: 'https://elsewhere.example' } });
      await hands.settle();
      expect((await hands.managed('dev'))?.spec.apiURL).toBe(nowhere);

      await world.cluster.remove(managedEnvironments, key);
      await hands.settle();
      expect((await hands.managed('dev'))?.spec.apiURL).toBe(nowhere);
    });

    it('takes the other spelling of its credentials', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('dev', { clusterCredentials: { apiServerURL: nowhere, credentials: 'own-secret' } });
      await hands.settle();

      expect((await hands.managed('dev'))?.spec).toMatchObject({ apiURL: nowhere, credentialsSecret: 'own-secret' });
    });

    it('with every field set is taken as it is, and none of them is lost', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      const spec = {
        type: 'non-poc',
        displayName: 'Production for Team A',
        deploymentStrategy: 'AppStudioAutomated',
        parentEnvironment: 'staging',
        tags: ['prod', 'blue'],
        deploymentController: 'appstudio',
        promotion: { stepDeadline: '7m', targetDeadline: '2h' },
        configuration: { env: [{ name: 'LOG', value: 'debug' }] },
        ...credentials({ ingressDomain: 'apps.example', namespaces: ['one'] }),
      };
      await hands.create('prod', spec);
      await hands.settle();

      const found = await world.bare.request(
        `/apis/${environments.group}/${environments.version}/namespaces/${hands.namespace}/environments/prod`,
      );
      expect(found.body).toMatchObject({ spec });
      expect(await hands.managed('prod')).toBeDefined();
    });
  });
}
