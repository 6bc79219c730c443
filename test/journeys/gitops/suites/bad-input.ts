import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { argoApplications } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import type { RunningCluster } from '../../../support/running-cluster.ts';
import { badDeployments } from './bad-deployments.ts';
import { describeBadEnvironments } from './bad-environments.ts';
import { expectNoDefects, goodSource, openBadInput } from './bad-input-scene.ts';
import { describeBadObjects } from './bad-objects.ts';
import { openTargetWorld, type TargetWorld } from './managed-environments-world.ts';
import { describeNoStorm } from './no-storm.ts';

/** From what a tenant does to what they are told and what must not be there; `target` is a cluster to deploy to. */
export function describeBadInput(open: () => Promise<GitOpsWorld>, target: () => Promise<RunningCluster>): void {
  describe('bad input', () => {
    let world: GitOpsWorld;
    let here: TargetWorld;

    beforeAll(async () => {
      world = await open();
      here = await openTargetWorld(world, await target());
    });
    afterAll(async () => {
      await here?.close();
      await here?.running.stop();
      await world?.close();
    });
    afterEach(() => expectNoDefects(world));

    describe('in a GitOpsDeployment', () => {
      it.each(Object.entries(badDeployments))(
        '%s: the user reads why, nothing is stored, and a good spec heals it',
        async (_what, { spec, message, name = 'web' }) => {
          const scene = await openBadInput(world);

          const id = await scene.deploy(spec, name);
          await world.settle();
          expect(await scene.conditionOf(name)).toEqual({ status: 'True', message });
          await scene.expectNothingOf(id);
          await scene.expectNoTenant();

          await scene.change({ source: goodSource, type: 'manual', destination: null, syncPolicy: null }, name);
          await world.settle();
          await scene.expectHealed(id, name);
        },
      );

      it('a repository that nobody can reach: Argo CD says so, the user reads it, and another repository heals it', async () => {
        const scene = await openBadInput(world);
        const id = await scene.deploy({ source: { ...goodSource, repoURL: 'https://127.0.0.1:1/team/shop' } });
        await world.settle();
        const application = await scene.application(id);
        const message = 'failed to get git client for repo: connection refused';
        const said = [{ type: 'ComparisonError', message, lastTransitionTime: '2026-01-15T12:00:00Z' }];
        await world.cluster.patch(argoApplications, application?.metadata as never, { status: { conditions: said } });
        await world.settle();

        expect(await scene.allConditions()).toContainEqual(['ComparisonError', 'True', message]);

        await scene.change({ source: goodSource });
        await world.settle();
        await world.cluster.patch(argoApplications, application?.metadata as never, { status: { conditions: [] } });
        await world.settle();
        expect(await scene.allConditions()).not.toContainEqual(['ComparisonError', 'True', message]);
        expect((await scene.application(id))?.spec.source?.repoURL).toBe(goodSource.repoURL);
      });

      it.each(['../../etc', 'd\u00e9ploy', '/sub//path/'])(
        'the path %s is for Argo CD to judge, within its fence',
        async (path) => {
          const scene = await openBadInput(world);

          const id = await scene.deploy({ source: { ...goodSource, path } });
          await world.settle();

          expect((await scene.application(id))?.spec).toMatchObject({
            project: `app-project-${scene.namespace.uid}`,
            destination: { name: 'in-cluster', namespace: scene.namespace.name },
          });
        },
      );
    });

    describeBadEnvironments(() => here);
    describeBadObjects(() => world);
    describeNoStorm(() => here);
  });
}
