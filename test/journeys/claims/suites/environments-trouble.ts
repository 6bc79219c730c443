import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Transient } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { decoded, type EnvironmentHands, openEnvironmentHands } from './environments-world.ts';

/** Whatever write fails, before or after it took effect: it comes out the same. */
export function describeTroubledEnvironments(open: () => Promise<GitOpsWorld>): void {
  describe('an Environment, when a write to the cluster fails', () => {
    let world: GitOpsWorld;
    let hands: EnvironmentHands;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      hands = await openEnvironmentHands(world);
    });

    /** Fails the write of this number, once, and then brings everything to rest. True: there was such a write. */
    async function failAt(number: number, when: 'before' | 'after'): Promise<boolean> {
      let left = number;
      world.connection.trouble = ({ method, path }, at) => {
        if (at !== when || method === 'GET' || !path.includes(`/${hands.namespace}/`)) return undefined;
        left -= 1;
        return left === 0 ? new Transient('cluster', 'no answer') : undefined;
      };
      await world.settle();
      world.connection.trouble = undefined;
      await world.wake();
      await world.settle();
      return left <= 0;
    }

    it.each(['before', 'after'] as const)(
      'gets its place all the same: %s it took effect',
      async (when) => {
        for (let number = 1; ; number += 1) {
          hands = await openEnvironmentHands(world);
          await hands.putSecret('dev-secret', 'first');
          await hands.bind();
          await hands.create('base');
          const uid = await hands.create('dev', { ...hands.at('dev-dtc'), parentEnvironment: 'base' });
          const failed = await failAt(number, when);

          expect(decoded(await hands.copy('dev')), `write ${number}`).toBe('first');
          expect(await hands.managed('dev'), `write ${number}`).toMatchObject({
            metadata: { ownerReferences: [{ uid, controller: true }] },
            spec: { credentialsSecret: 'managed-environment-secret-dev' },
          });
          expect((await hands.find('base'))?.metadata.finalizers).toHaveLength(1);
          expect((await hands.conditions('dev'))['TargetReady']).toMatch(/^False\/UnableToParseKubeconfigData\//);
          expect(await hands.uses('dev')).toEqual({ claim_name: 'dev-dtc', secret_name: 'dev-secret' });
          if (!failed) break;
        }
      },
      120_000,
    );

    it.each(['before', 'after'] as const)(
      'loses it all the same: %s it took effect',
      async (when) => {
        for (let number = 1; ; number += 1) {
          hands = await openEnvironmentHands(world);
          await hands.putSecret('dev-secret', 'first');
          await hands.bind();
          await hands.create('dev', hands.at('dev-dtc'));
          await world.settle();
          await hands.change('dev', { configuration: null });
          const failed = await failAt(number, when);

          expect(await hands.managed('dev'), `write ${number}`).toBeUndefined();
          expect(await hands.copy('dev'), `write ${number}`).toBeUndefined();
          expect((await hands.conditions('dev'))['TargetReady']).toMatch(/^True\/OwnNamespace\//);
          if (!failed) break;
        }
      },
      120_000,
    );
  });
}
