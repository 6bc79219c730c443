import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claims, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { decoded, type EnvironmentHands, managedType, nowhere, openEnvironmentHands } from './environments-world.ts';

/** Environments that get their place by a claim: the claim's target, and the Secret that opens it. */
export function describeClaimedEnvironments(open: () => Promise<GitOpsWorld>): void {
  describe('an Environment with a claim', () => {
    let world: GitOpsWorld;
    let hands: EnvironmentHands;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      hands = await openEnvironmentHands(world);
    });

    async function bound(): Promise<string> {
      await hands.putSecret('dev-secret', 'first');
      await hands.bind();
      const uid = await hands.create('dev', hands.at('dev-dtc'));
      await hands.settle();
      return uid;
    }

    it.each([
      ['with', 'team-dev', ['team-dev']],
      ['without', '', []],
    ])(
      'AE-08 %s a default namespace gets a managed environment and a copy of the Secret',
      async (_with, defaultNamespace, namespaces) => {
        await hands.putSecret('dev-secret', 'first');
        await hands.bind({ defaultNamespace });
        const uid = await hands.create('dev', hands.at('dev-dtc'));
        await hands.settle();

        const owner = {
          kind: 'Environment',
          apiVersion: 'appstudio.redhat.com/v1alpha1',
          name: 'dev',
          uid,
          controller: true,
        };
        expect(await hands.managed('dev')).toMatchObject({
          metadata: { ownerReferences: [owner] },
          spec: {
            apiURL: nowhere,
            credentialsSecret: 'managed-environment-secret-dev',
            namespaces,
            clusterResources: false,
          },
        });
        const copy = await hands.copy('dev');
        expect(copy).toMatchObject({
          type: managedType,
          metadata: { labels: { 'appstudio.openshift.io/environment-secret': 'dev' }, ownerReferences: [owner] },
        });
        expect(decoded(copy)).toBe('first');
        expect(await hands.uses('dev')).toEqual({ claim_name: 'dev-dtc', secret_name: 'dev-secret' });
      },
    );

    it('AE-18 follows new credentials, and a key that is gone', async () => {
      await bound();

      await world.cluster.patch(
        secrets,
        { namespace: hands.namespace, name: 'dev-secret' },
        { data: { kubeconfig: Buffer.from('second').toString('base64'), more: 'eA==' } },
      );
      await hands.settle();
      const both = await hands.copy('dev');
      await world.cluster.patch(secrets, { namespace: hands.namespace, name: 'dev-secret' }, { data: { more: null } });
      await hands.settle();

      expect([decoded(both), both?.data['more']]).toEqual(['second', 'eA==']);
      expect(Object.keys((await hands.copy('dev'))?.data ?? {})).toEqual(['kubeconfig']);
    });

    it('AE-19 repairs its copy when somebody changes or deletes it', async () => {
      await bound();
      const key = { namespace: hands.namespace, name: 'managed-environment-secret-dev' };

      await world.cluster.patch(secrets, key, { data: { kubeconfig: 'eA==' } });
      await hands.settle();
      expect(decoded(await hands.copy('dev'))).toBe('first');

      await world.cluster.remove(secrets, key);
      await hands.settle();
      expect(decoded(await hands.copy('dev'))).toBe('first');
    });

    it('never lets what is in the Secret out of the Secret', async () => {
      await hands.putSecret('dev-secret', 'open-sesame');
      await hands.bind({ apiURL: 'https://me:open-sesame@127.0.0.1:1' });
      await hands.create('dev', hands.at('dev-dtc'));
      await hands.settle();
      await hands.putSecret('dev-secret', 'open-sesame, the second');
      await hands.settle();

      const written = await world.sql<{ text: string }[]>`
        select row_to_json(s)::text as text from step_log s where function = 'reconcile-environment'
        union all select row_to_json(k)::text from knock k union all select row_to_json(w)::text from wakeup w
        union all select row_to_json(e)::text from environment_use e`;
      expect(written.length).toBeGreaterThan(1);
      expect(written.filter(({ text }) => text.includes('open-sesame') || text.includes(btoa('open-sesame')))).toEqual(
        [],
      );
      expect(JSON.stringify(await hands.conditions('dev'))).not.toContain('open-sesame');
    });

    it('AE-08 loses the copy with the Secret, keeps its managed environment, and gets both right when it comes again', async () => {
      await bound();
      const { metadata } = (await hands.managed('dev')) ?? {};

      await world.cluster.remove(secrets, { namespace: hands.namespace, name: 'dev-secret' });
      await hands.settle();
      expect(await hands.copy('dev')).toBeUndefined();
      expect((await hands.managed('dev'))?.metadata.uid).toBe(metadata?.uid);
      expect((await hands.conditions('dev'))['Reconciled']).toBe(
        'False/SecretNotFound/the secret dev-secret referenced by the Environment resource was not found',
      );

      await hands.putSecret('dev-secret', 'again');
      await hands.settle();
      expect(decoded(await hands.copy('dev'))).toBe('again');
      expect((await hands.conditions('dev'))['Reconciled']).toBe('True/SecretNotFoundResolved/');
    });

    it('AE-12 uses a Secret of the managed-environment type as it is', async () => {
      await hands.putSecret('dev-secret', 'x', managedType);
      await hands.bind();
      await hands.create('dev', hands.at('dev-dtc'));
      await hands.settle();

      expect((await hands.managed('dev'))?.spec.credentialsSecret).toBe('dev-secret');
      expect(await hands.copy('dev')).toBeUndefined();
    });

    it('AE-09 waits for a claim that is not bound, without an error, and says why', async () => {
      await world.cluster.create(claims, {
        metadata: { namespace: hands.namespace, name: 'dev-dtc' },
        spec: { deploymentTargetClassName: '' },
      });
      await hands.create('dev', hands.at('dev-dtc'));
      await hands.settle();

      const said = await hands.conditions('dev');
      expect(Object.keys(said)).toEqual(['TargetReady']);
      expect(said['TargetReady']).toMatch(/^False\/ClaimNotBound\/The claim dev-dtc is not bound yet/);
      expect(await hands.managed('dev')).toBeUndefined();
      const [wait] = await world.sql`select reason from wakeup
        where function = 'reconcile-environment' and subject = ${`${hands.namespace}/dev`}`;
      expect(wait).toEqual({ reason: 'ClaimNotBound' });
    });

    it('AE-10 AE-14 says that its claim does not exist, and goes on when it comes', async () => {
      await hands.create('dev', hands.at('dev-dtc'));
      await hands.settle();
      expect((await hands.conditions('dev'))['Reconciled']).toBe(
        'False/DeploymentTargetClaimNotFound/DeploymentTargetClaim not found while generating the desired Environment resource',
      );

      await hands.putSecret('dev-secret', 'first');
      await hands.bind();
      await world.wake();
      await hands.settle();
      expect(await hands.managed('dev')).toBeDefined();
      expect((await hands.conditions('dev'))['Reconciled']).toBe('True/DeploymentTargetClaimNotFoundResolved/');
    });

    it('defect 16: one whose claim is missing keeps no other from following its Secret', async () => {
      await bound();
      await hands.create('lost', hands.at('no-dtc'));
      await hands.settle();
      await hands.putSecret('dev-secret', 'second');
      await hands.settle();

      expect(decoded(await hands.copy('dev'))).toBe('second');
    });

    it('AE-18 AE-20 is woken by the Secret of its target, and by no other', async () => {
      await bound();
      const door = world.functions.get('forward-secret');
      async function wakes(name: string): Promise<readonly string[]> {
        const rehearsal = await door?.rehearse(
          { namespace: hands.namespace, name },
          { now: 0 },
          { world: world.world },
        );
        return (rehearsal?.step?.knocks ?? []).map(({ type, subject }) => `${type} ${subject.name}`);
      }

      expect(await wakes('dev-secret')).toEqual(['environment.changed.v1 dev']);
      expect(await wakes('another')).toEqual([]);
      expect(await wakes('managed-environment-secret-dev')).toEqual([
        'managed-environment.changed.v1 managed-environment-dev',
      ]);
    });
  });
}
