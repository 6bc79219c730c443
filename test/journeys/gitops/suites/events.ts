import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  gitOpsDeployments,
  managedEnvironments,
  type ObjectKind,
  repositoryCredentials,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Subject } from '../../../../shared/domain/core/subject.ts';
import type { Machine } from '../../../../shared/runtime/machine.ts';
import type { Outcome } from '../../../../shared/runtime/outcome.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { aSpec, type DeploymentSteps, openDeploymentSteps } from './deployment-steps.ts';

/** From a change on the cluster to the one function that looks at it, one look at a time. */
export function describeEvents(open: () => Promise<GitOpsWorld>): void {
  describe('an event', () => {
    let world: GitOpsWorld;
    let steps: DeploymentSteps;
    beforeAll(async () => {
      world = await open();
      steps = openDeploymentSteps(world);
    });
    afterAll(() => world.close());
    beforeEach(() => {
      world.queue.sent.length = 0;
      world.queue.buried.length = 0;
    });

    it('AL-01 AL-06 WL-01 of a GitOpsDeployment reaches its function, which looks at once, and one application comes of it', async () => {
      const team = await world.namespace();
      const key = { namespace: team.name, name: 'shop' };

      await world.cluster.create(gitOpsDeployments, { metadata: key, spec: aSpec });
      const told = world.queue.sent.map(({ message }) => [message.function, message.serialKey]);
      const outcomes = await steps.settle();

      expect(told).toEqual([['reconcile-gitops-deployment', `deployment:${team.name}/shop`]]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['stepped']);
      expect(await steps.mappings(team.name, 'shop')).toHaveLength(1);
    });

    it('AL-07 AL-08 AL-09 WL-02 that comes during a look at the same GitOpsDeployment waits, is sent on by that look, and then nothing is under way', async () => {
      const team = await world.namespace();
      const key = { namespace: team.name, name: 'shop' };
      await steps.unnoticed.create(gitOpsDeployments, { metadata: key, spec: aSpec });

      const first = await lookAndHold(key);
      await steps.unnoticed.patch(gitOpsDeployments, key, { spec: { type: 'manual' } });
      const second = await steps.look(team.name, 'shop');
      const meanwhile = await steps.mappings(team.name, 'shop');
      first.release();
      const ended = await first.outcome;
      const sentOn = await steps.settle();

      expect(second).toEqual([{ kind: 'coalesced', why: 'busy' }]);
      expect(meanwhile).toEqual([]);
      expect([ended, ...sentOn].map(({ kind }) => kind)).toEqual(['stepped', 'stepped']);
      const [only, ...others] = await steps.mappings(team.name, 'shop');
      expect(others).toEqual([]);
      const stored = await steps.application(only?.application_id ?? '');
      expect(JSON.parse(stored?.spec_field ?? '{}')).not.toHaveProperty('syncPolicy');
      expect(await underWay(key)).toEqual({ leases: 0, knocks: 0, wakeups: 0 });
    });

    it('AL-07 of another GitOpsDeployment does not wait', async () => {
      const team = await world.namespace();
      const key = { namespace: team.name, name: 'shop' };
      await steps.unnoticed.create(gitOpsDeployments, { metadata: key, spec: aSpec });

      const first = await lookAndHold(key);
      await steps.create(team.name, 'stock');
      const meanwhile = await steps.mappings(team.name, 'stock');
      first.release();
      await first.outcome;

      expect(meanwhile).toHaveLength(1);
    });

    it.each<[string, ObjectKind, object, string]>([
      [
        'BC-02 WL-07 of a GitOpsDeploymentManagedEnvironment',
        managedEnvironments,
        { apiURL: 'https://127.0.0.1:1', credentialsSecret: 'none', allowInsecureSkipTLSVerify: false },
        'reconcile-managed-environment',
      ],
      [
        'WL-07 of a GitOpsDeploymentRepositoryCredential',
        repositoryCredentials,
        { repository: 'https://127.0.0.1:1/shop', secret: 'none' },
        'reconcile-repo-credential',
      ],
    ])('%s reaches its function', async (_what, kind, spec, reached) => {
      const team = await world.namespace();

      await world.cluster.create(kind, { metadata: { namespace: team.name, name: 'mine' }, spec });

      expect(world.queue.sent.map(({ message }) => [message.function, message.subject])).toEqual([
        [reached, { namespace: team.name, name: 'mine', version: expect.any(String) }],
      ]);
    });

    it.each([
      ['WR-04', 'of an unknown type', { type: 'environment.moved.v1' }, 'does not consume environment.moved.v1'],
      ['WR-05', 'about nothing', { data: null }, 'not a'],
      ['WR-05', 'with somebody else’s payload', { data: { repository: 'https://example.com/r' } }, 'not a'],
    ])('%s %s is buried with the reason: nobody is asked, and it does not come again', async (_id, _what, but, why) => {
      for (const [door, type] of [
        ['reconcile-managed-environment', 'managed-environment.changed.v1'],
        ['reconcile-repo-credential', 'repo-credential.changed.v1'],
      ] as const) {
        world.connection.asked.length = 0;
        world.queue.buried.length = 0;

        const outcome = await handle(door, { type, data: { namespace: 'team', name: 'mine' }, ...but });

        expect(outcome.kind).toBe('poison');
        expect(world.queue.buried).toMatchObject([{ function: door, why: expect.stringContaining(why) }]);
        expect([world.queue.sent, world.connection.asked]).toEqual([[], []]);
      }
    });

    /** A look that has seen everything and is kept from ending. */
    async function lookAndHold(key: Subject): Promise<{ outcome: Promise<Outcome>; release(): void }> {
      const { journal } = world.machine;
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const machine: Machine = {
        ...world.machine,
        journal: {
          ...journal,
          async finish(record, rows) {
            reached.resolve();
            await released.promise;
            return journal.finish(record, rows);
          },
        },
      };
      const event = { type: 'gitops-deployment.changed.v1', data: key };
      const outcome = handle('reconcile-gitops-deployment', event, machine);
      await Promise.race([reached.promise, outcome]);
      return { outcome, release: released.resolve };
    }

    function handle(name: string, event: { type: string; data: unknown }, machine = world.machine): Promise<Outcome> {
      const door = world.functions.get(name);
      if (door === undefined) throw new Error(`the map has no function ${name}`);
      const envelope = {
        specversion: '1.0',
        id: randomUUID(),
        source: '/functions/test',
        time: new Date().toISOString(),
      };
      return door.handle({ ...envelope, ...event }, { receives: 1, covered: 0 }, machine);
    }

    /** What the machine still has to do with a GitOpsDeployment. */
    async function underWay({ namespace, name }: Subject) {
      const subject = `${namespace}/${name}`;
      const [counts] = await world.sql`
        select (select count(*)::int from lease where key = ${`deployment:${subject}`}) as leases,
          (select count(*)::int from knock where function = 'reconcile-gitops-deployment' and subject = ${subject}) as knocks,
          (select count(*)::int from wakeup where subject = ${subject}) as wakeups`;
      return counts;
    }
  });
}
