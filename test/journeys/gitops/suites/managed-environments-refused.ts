import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../../infra/embedded/make-certificate.ts';
import { freePort } from '../../../../infra/free-port.ts';
import { secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { seesNamespaces, type TargetWorld } from './managed-environments-world.ts';

const forbidden =
  'Provided service account does not have permission to access resources in the cluster. Verify that the service account has the correct Role and RoleBinding.';
const unknownAuthority =
  "Certificate signed by unknown authority. Note that the '.spec.allowInsecureSkipTLSVerify' field can be used to ignore this error.";
const notValid =
  'Unable to validate the credentials provided in the ManagedEnvironment Secret. Verify the API URL, and service account token are correct.';

export function describeRefusedEnvironments(opened: () => TargetWorld): void {
  describe('a managed environment that does not work', () => {
    let here: TargetWorld;

    beforeAll(() => {
      here = opened();
    });

    /** Told, nothing half done, and the last look settled or said when it looks again. */
    async function expectRefused(namespace: string, id: string, next: 'settled' | 'recheck', condition: object) {
      const { outcomes, knocks } = await here.reconcile();

      expect(await here.condition(namespace)).toMatchObject(condition);
      expect(await here.rows(id)).toBeUndefined();
      expect(await here.world.sql`select from target_service_account where id = ${id}`).toHaveLength(0);
      expect(outcomes.at(-1)).toMatchObject({ kind: 'stepped', next });
      expect(knocks).toEqual([]);
    }

    const usersMistakes: Record<string, [spec: object, secret: object | undefined, condition: object]> = {
      'SM-14 defect 5 a Secret that does not exist': [
        { credentialsSecret: 'nowhere' },
        undefined,
        { status: 'False', reason: 'UnableToRetrieveRestConfig', message: expect.stringContaining("'nowhere'") },
      ],
      'defect 5 a Secret that is not named': [
        { credentialsSecret: '' },
        undefined,
        { status: 'False', reason: 'UnableToRetrieveRestConfig' },
      ],
      'a name that no Secret can have': [
        { credentialsSecret: '..' },
        undefined,
        { status: 'False', reason: 'UnableToRetrieveRestConfig' },
      ],
      'SM-15 a Secret of another type': [
        {},
        { type: 'Opaque', data: { kubeconfig: '' } },
        { status: 'False', reason: 'InvalidSecretType', message: 'invalid secret type: Opaque' },
      ],
      'SM-16 a Secret without a kubeconfig': [
        {},
        { data: { kube: 'eA==' } },
        { status: 'False', reason: 'MissingKubeConfigField' },
      ],
      'SM-17 a kubeconfig that is none': [
        {},
        { data: { kubeconfig: Buffer.from('{ not: [a').toString('base64') } },
        { status: 'False', reason: 'UnableToParseKubeconfigData' },
      ],
      'SM-18 a URL that the kubeconfig does not know': [
        { apiURL: 'https://elsewhere.example.com' },
        undefined,
        { status: 'False', reason: 'UnableToLocateContext' },
      ],
      'SM-22 a question mark in the URL': [
        { apiURL: 'https://api.example.com/?a=b' },
        undefined,
        { status: 'Unknown', reason: 'UnsupportedAPIURL', message: 'the API URL must not have ? or & values' },
      ],
      'SM-20 an invalid namespace': [
        { namespaces: ['fine', 'Not_Fine'] },
        undefined,
        { status: 'Unknown', reason: 'InvalidNamespaceList', message: 'user specified an invalid namespace: Not_Fine' },
      ],
      'SM-21 namespaces that no row has room for': [
        { namespaces: Array.from({ length: 80 }, (_, at) => `${'n'.repeat(56)}-${at}`) },
        undefined,
        {
          status: 'Unknown',
          reason: 'UnableToCreateClusterCredentials',
          message: 'an unknown error occurred',
        },
      ],
    };

    it.each(Object.entries(usersMistakes))(
      '%s is told and waits for the user',
      async (_what, [spec, secret, condition]) => {
        const namespace = await here.tenant();
        if (secret !== undefined) {
          const key = { namespace, name: 'target' };
          await here.world.cluster.remove(secrets, key);
          const type = 'managed-gitops.redhat.com/managed-environment';
          await here.world.cluster.create(secrets, { metadata: key, type, ...secret });
        }

        const id = await here.create(namespace, spec);

        await expectRefused(namespace, id, 'settled', condition);
        expect(await here.world.sql`select from wakeup where tenant = ${namespace}`).toHaveLength(0);
      },
    );

    it('SM-13 a user without a token is told, whatever else it has', async () => {
      const namespace = await here.tenant({ token: undefined });
      await here.putSecret(
        namespace,
        'target',
        here.kubeconfig().replace(/"token":"[^"]*"/, '"client-certificate-data":"eA=="'),
      );

      const id = await here.create(namespace);

      await expectRefused(namespace, id, 'settled', {
        status: 'False',
        reason: 'UnableToParseKubeconfigData',
        message:
          'kubeconfig must have a service account token for the user in context "there". client-certificate is not supported at this time.',
      });
    });

    it('SM-06 a user who may not list namespaces is told, and looked at again', async () => {
      const { token } = await here.user();
      const namespace = await here.tenant({ token });

      const id = await here.create(namespace);

      await expectRefused(namespace, id, 'recheck', {
        status: 'Unknown',
        reason: 'UnableToValidateClusterCredentials',
        message: forbidden,
      });
    });

    it('SM-08 a user who may not get the first of the namespaces is told', async () => {
      const { token } = await here.user();
      const namespace = await here.tenant({ token });

      const id = await here.create(namespace, { namespaces: [await here.targetNamespace()] });

      await expectRefused(namespace, id, 'recheck', {
        reason: 'UnableToValidateClusterCredentials',
        message: forbidden,
      });
    });

    it('a token that the cluster does not know is told', async () => {
      const namespace = await here.tenant({ token: 'invented' });

      const id = await here.create(namespace);

      await expectRefused(namespace, id, 'recheck', {
        reason: 'UnableToValidateClusterCredentials',
        message: notValid,
      });
    });

    it('SM-07 SM-24 a certificate of an unknown authority is told, and may be ignored', async () => {
      const namespace = await here.tenant({ ca: makeCertificate('somebody else').cert });
      const id = await here.create(namespace);
      await expectRefused(namespace, id, 'recheck', {
        status: 'Unknown',
        reason: 'UnableToValidateClusterCredentials',
        message: unknownAuthority,
      });

      await here.change(namespace, { allowInsecureSkipTLSVerify: true });
      await here.reconcile();

      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
    });

    it.each([false, true])(
      'defect 42 SM-05 nobody listens there (createNewServiceAccount %s)',
      async (createNewServiceAccount) => {
        const apiURL = `https://127.0.0.1:${await freePort()}`;
        const namespace = await here.tenant({ server: apiURL });

        const id = await here.create(namespace, { apiURL, createNewServiceAccount });

        await expectRefused(namespace, id, 'recheck', {
          status: 'False',
          reason: 'UnableToCreateClient',
          message: expect.stringContaining(
            'unable to create k8s client from restConfig from managed environment secret',
          ),
        });
      },
    );

    it('defect 22 a server that never answers holds up nothing but its own step', async () => {
      const open = new Set<Socket>();
      const silent = createServer((socket) => open.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const apiURL = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const namespace = await here.tenant({ server: apiURL });

      const id = await here.create(namespace, { apiURL });

      await expectRefused(namespace, id, 'recheck', { status: 'False', reason: 'UnableToCreateClient' });
      for (const socket of open) socket.destroy();
      silent.close();
    });

    it('SM-11 SM-28 what goes wrong later is told, and the rows stay as they were', async () => {
      const { token } = await here.user(seesNamespaces);
      const namespace = await here.tenant({ token });
      const id = await here.create(namespace);
      await here.reconcile();
      const before = await here.rows(id);

      await here.change(namespace, { namespaces: ['-not'] });
      await here.reconcile();
      expect(await here.condition(namespace)).toMatchObject({ status: 'Unknown', reason: 'InvalidNamespaceList' });

      await here.change(namespace, { namespaces: [] });
      await here.world.cluster.remove(secrets, { namespace, name: 'target' });
      await here.reconcile();
      expect(await here.condition(namespace)).toMatchObject({ status: 'False', reason: 'UnableToRetrieveRestConfig' });
      expect(await here.rows(id)).toEqual(before);
    });

    it('trouble outside is looked at again, and ends by itself', async () => {
      const { token, name } = await here.user();
      const namespace = await here.tenant({ token });
      await here.create(namespace);
      await here.reconcile();
      const told = await here.condition(namespace);

      await here.world.wake();
      await here.reconcile();
      expect(await here.condition(namespace)).toEqual(told);

      await here.allow(name, seesNamespaces);
      await here.world.wake();
      await here.reconcile();
      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
      expect(await here.world.sql`select from wakeup where tenant = ${namespace}`).toHaveLength(0);
    });
  });
}
