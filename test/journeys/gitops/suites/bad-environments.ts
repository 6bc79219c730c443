import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOnCreate } from '../../../../shared/domain/gitops/deployment-problem.ts';
import { unreadable as nonsense, openBadInput } from './bad-input-scene.ts';
import type { TargetWorld } from './managed-environments-world.ts';

interface BadEnvironment {
  readonly reason: string;
  readonly status?: 'Unknown';
  readonly kubeconfig?: (here: TargetWorld) => string;
  readonly spec?: object;
}

/** A kubeconfig that works but for a part that is another. */
const but =
  (part: RegExp, other: string) =>
  (here: TargetWorld): string =>
    here.kubeconfig().replace(part, other);

/** Ten lists, each of ten times the one before. */
const bomb = Array.from({ length: 10 }, (_, at) =>
  at === 0
    ? 'a0: &a0 [x]'
    : `a${at}: &a${at} [${Array(10)
        .fill(`*a${at - 1}`)
        .join(', ')}]`,
).join('\n');

const unparsable = 'UnableToParseKubeconfigData';
const unreachable = 'https://127.0.0.1:1';

/** What a user may write into an environment and its Secret, and the reason that they read then. */
export const badEnvironments: Readonly<Record<string, BadEnvironment>> = {
  'a kubeconfig that is no YAML': { kubeconfig: () => '{ not: [a', reason: unparsable },
  'a kubeconfig of bytes that are no text': { kubeconfig: () => '\u0000\u0001\u0002', reason: unparsable },
  'a kubeconfig that is a sentence': { kubeconfig: () => 'let me in', reason: unparsable },
  'an empty kubeconfig': { kubeconfig: () => '', reason: unparsable },
  'a kubeconfig that grows when it is read': { kubeconfig: () => bomb, reason: unparsable },
  'a kubeconfig of nine hundred kilobytes': {
    kubeconfig: (here) => `# ${'x'.repeat(900_000)}\n${here.kubeconfig()}`,
    reason: unparsable,
  },
  'a program in place of a token': {
    kubeconfig: but(/"token":"[^"]*"/, '"exec":{"apiVersion":"client.authentication.k8s.io/v1","command":"id"}'),
    reason: unparsable,
  },
  'a file in place of a token': { kubeconfig: but(/"token":"[^"]*"/, '"tokenFile":"/etc/passwd"'), reason: unparsable },
  'a token of two lines': { kubeconfig: but(/"token":"[^"]*"/, '"token":"a\\nb"'), reason: unparsable },
  'a file in place of an authority': {
    kubeconfig: but(/"certificate-authority-data":"[^"]*"/, '"certificate-authority":"/etc/passwd"'),
    reason: 'UnableToRetrieveRestConfig',
  },
  'nonsense in the authority': {
    kubeconfig: (here) => here.kubeconfig({ ca: `${here.running.ca}\u0000` }),
    reason: 'UnableToRetrieveRestConfig',
  },
  'a token that the cluster does not know': {
    kubeconfig: (here) => here.kubeconfig({ token: 'invented' }),
    reason: 'UnableToValidateClusterCredentials',
    status: 'Unknown',
  },
  'a cluster where nobody listens': {
    kubeconfig: (here) => here.kubeconfig({ server: unreachable }),
    spec: { apiURL: unreachable },
    reason: 'UnableToCreateClient',
  },
  'nonsense as address': {
    kubeconfig: (here) => here.kubeconfig({ server: `${unreachable}/${nonsense}` }),
    spec: { apiURL: `${unreachable}/${nonsense}` },
    reason: 'UnsupportedAPIURL',
    status: 'Unknown',
  },
  'a zero in the address': {
    kubeconfig: (here) => here.kubeconfig({ server: `${unreachable}/\u0000` }),
    spec: { apiURL: `${unreachable}/\u0000` },
    reason: 'UnsupportedAPIURL',
    status: 'Unknown',
  },
  'an address without encryption': {
    spec: { apiURL: 'http://127.0.0.1:1' },
    reason: 'UnsupportedAPIURL',
    status: 'Unknown',
  },
  'a Secret that is not there': { spec: { credentialsSecret: 'nowhere' }, reason: 'UnableToRetrieveRestConfig' },
  'nonsense as Secret': { spec: { credentialsSecret: nonsense }, reason: 'UnableToRetrieveRestConfig' },
  'a Secret whose name is a way out': { spec: { credentialsSecret: '..' }, reason: 'UnableToRetrieveRestConfig' },
  'nonsense as namespace': { spec: { namespaces: [nonsense] }, reason: 'InvalidNamespaceList', status: 'Unknown' },
  'a namespace that is a pattern': { spec: { namespaces: ['*'] }, reason: 'InvalidNamespaceList', status: 'Unknown' },
};

/** The tenant's act: an environment that does not work, and a deployment to it. */
export async function makeBadEnvironment(
  here: TargetWorld,
  { kubeconfig, spec = {} }: BadEnvironment,
  name = 'staging',
) {
  const scene = await openBadInput(here.world);
  const namespace = scene.namespace.name;
  await here.putSecret(namespace, 'target', kubeconfig?.(here) ?? here.kubeconfig());
  const environment = await here.create(namespace, spec, name);
  const deployment = await scene.deploy({ destination: { environment: name, namespace: 'default' } });
  return { scene, namespace, environment, deployment };
}

export function describeBadEnvironments(opened: () => TargetWorld): void {
  describe('in a managed environment', () => {
    let here: TargetWorld;
    beforeAll(() => {
      here = opened();
    });

    it.each(Object.entries(badEnvironments))(
      '%s: the user reads why, also where they deploy to it, nothing is stored, and good values heal it',
      async (_what, bad) => {
        const { scene, namespace, environment, deployment } = await makeBadEnvironment(here, bad);
        await here.world.settle();
        const { reason, status = 'False' } = bad;

        expect(await here.condition(namespace)).toMatchObject({ status, reason });
        expect(await here.rows(environment)).toBeUndefined();
        expect(await scene.conditionOf()).toEqual({ status: 'True', message: environmentOnCreate });
        await scene.expectNothingOf(deployment);
        await scene.expectNoTenant();

        await here.putSecret(namespace, 'target', here.kubeconfig());
        await here.change(namespace, { apiURL: here.running.url, credentialsSecret: 'target', namespaces: [] });
        await here.world.settle();
        expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
        await scene.expectHealed(deployment);
      },
    );

    it('with the longest of names works, and so does its deployment', async () => {
      const name = 'e'.repeat(253);
      const { scene, namespace, deployment } = await makeBadEnvironment(here, { reason: '' }, name);
      await here.world.settle();

      expect(await here.condition(namespace, name)).toMatchObject({ status: 'True' });
      expect((await scene.application(deployment))?.spec.destination.namespace).toBe('default');
    });

    it('a namespace that it does not have: the user reads which it has, and naming one heals it', async () => {
      const scene = await openBadInput(here.world);
      const { name: namespace } = scene.namespace;
      await here.putSecret(namespace, 'target', here.kubeconfig());
      await here.create(namespace, { namespaces: ['default'] });
      await here.world.settle();

      const deployment = await scene.deploy({ destination: { environment: 'staging', namespace: 'kube-system' } });
      await here.world.settle();
      expect(await scene.conditionOf()).toEqual({
        status: 'True',
        message:
          "the namespace specified in the destination field is invalid: the ManagedEnvironment 'staging' only has the namespaces default",
      });
      await scene.expectNothingOf(deployment);

      await scene.change({ destination: { namespace: 'default' } });
      await here.world.settle();
      await scene.expectHealed(deployment);
    });
  });
}
