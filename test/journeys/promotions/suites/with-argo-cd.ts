import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyClasses } from '../../../../infra/kubernetes/apply-classes.ts';
import {
  applications,
  bindings,
  claims,
  components,
  environments,
  gitOpsDeployments,
  promotionRuns,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { PromotionRun } from '../../../../shared/contracts/kubernetes/promotion-run.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { until } from '../../../support/until.ts';

const image = (build: number) => `registry.example.com/app-a/component-a:build-${build}`;

/** The example of the first design document, with targets by claims, a git host, and an Argo CD that works. */
export function describePromotionJourney(open: () => Promise<GitOpsJourney>): void {
  describe('POC → Dev automated, Staging manual, Prod 1 automated, Prod 2 manual, with an Argo CD that works', () => {
    let journey: GitOpsJourney;
    let namespace: string;
    let snapshot = '';
    beforeAll(async () => {
      journey = await open();
      await applyClasses(journey.connection);
      namespace = await journey.namespace();
      await journey.api.create(applications, { metadata: key('app-a'), spec: { displayName: 'App A' } });
      await environment('poc', '', 'AppStudioAutomated');
      await environment('dev', 'poc', 'AppStudioAutomated');
      await environment('staging', 'dev', 'Manual');
      await environment('prod-1', 'staging', 'AppStudioAutomated');
      await environment('prod-2', 'staging', 'Manual');
    });
    afterAll(() => journey?.stop());

    it('1 to 6: a build goes to POC and Dev by itself, and stops before Staging', async () => {
      await journey.api.create(components, {
        metadata: key('component-a'),
        spec: { application: 'app-a', componentName: 'component-a', containerImage: image(1) },
      });

      const run = await untilEnded(({ spec }) => spec.automatedPromotion !== undefined);

      snapshot = run.spec.snapshot;
      expect(wayOf(run)).toEqual(['Success', '1 poc success', '2 dev success']);
      expect(await bound()).toEqual({ poc: snapshot, dev: snapshot });
      await proves(run, 1);
      const [poc, dev] = run.status?.environmentStatus ?? [];
      expect(Date.parse(dev?.startTime ?? '')).toBeGreaterThanOrEqual(Date.parse(poc?.endTime ?? ''));
    });

    it('7 to 10: a manual run brings it to Staging, and Prod 1 follows by itself, without Prod 2', async () => {
      await journey.api.create(promotionRuns, {
        metadata: key('to-staging'),
        spec: { application: 'app-a', snapshot, manualPromotion: { targetEnvironment: 'staging' } },
      });

      const manual = await untilEnded(({ metadata }) => metadata.name === 'to-staging');
      const follower = await untilEnded(({ metadata }) => metadata.labels['stagecoach.dev/cause'] === 'to-staging');

      expect(wayOf(manual)).toEqual(['Success', '1 staging success']);
      expect(wayOf(follower)).toEqual(['Success', '1 prod-1 success']);
      expect(await bound()).toEqual({ poc: snapshot, dev: snapshot, staging: snapshot, 'prod-1': snapshot });
      await proves(manual, 1);
      await proves(follower, 1);
    });

    it('the next build takes the same way, and what is behind Staging stays as it is', async () => {
      await journey.api.patch(components, key('component-a'), { spec: { containerImage: image(2) } });

      const run = await untilEnded(({ spec }) => spec.automatedPromotion !== undefined && spec.snapshot !== snapshot);

      expect(wayOf(run)).toEqual(['Success', '1 poc success', '2 dev success']);
      const next = run.spec.snapshot;
      expect(await bound()).toEqual({ poc: next, dev: next, staging: snapshot, 'prod-1': snapshot });
      await proves(run, 2);
      expect(await runningIn('staging')).toBe(image(1));
    });

    it('what is not healthy in time fails, in the words that Argo CD has for it', async () => {
      await journey.api.patch(environments, key('poc'), { spec: { promotion: { stepDeadline: '30s' } } });
      const path = `${await placeOf('poc')}/deployments/component-a`;
      const headers = { 'content-type': 'application/merge-patch+json' };
      await journey.connection.request(path, {
        method: 'PATCH',
        headers,
        body: { spec: { paused: true } },
        accept: [],
      });
      await journey.api.patch(components, key('component-a'), { spec: { containerImage: image(3) } });

      const run = await untilEnded(({ status }) => status?.completionResult === 'Failure');

      expect(wayOf(run)).toEqual(['Failure', '1 poc failed']);
      const { commit = '' } = run.status?.environmentStatus[0] ?? {};
      expect(run.status?.conditions.find(({ type }) => type === 'Promoted')).toMatchObject({
        reason: 'NotHealthy',
        message: `poc: Component component-a is Suspended at commit ${commit.slice(0, 10)}: Deployment component-a: Deployment is paused`,
      });
    });

    function key(name: string) {
      return { namespace, name };
    }

    async function environment(name: string, parentEnvironment: string, deploymentStrategy: string): Promise<void> {
      await journey.api.create(claims, {
        metadata: key(name),
        spec: { deploymentTargetClassName: 'isolation-level-namespace' },
      });
      await journey.api.create(environments, {
        metadata: key(name),
        spec: {
          displayName: name,
          deploymentStrategy,
          parentEnvironment,
          configuration: { target: { deploymentTargetClaim: { claimName: name } } },
        },
      });
    }

    async function untilEnded(isIt: (run: PromotionRun) => boolean): Promise<PromotionRun> {
      let last: PromotionRun | undefined;
      try {
        return await until(
          'the promotion to end',
          async () => {
            last = (await listObjects(journey.api, promotionRuns, namespace)).find(isIt);
            return last?.status?.state === 'Completed' ? last : undefined;
          },
          journey.patienceMs,
        );
      } catch (error) {
        throw new Error(`${(error as Error).message}; it said ${JSON.stringify(last?.status)}`);
      }
    }

    function wayOf({ status }: PromotionRun): string[] {
      const way = status?.environmentStatus.map((one) => `${one.step} ${one.environmentName} ${one.status}`);
      return [status?.completionResult ?? '', ...(way ?? [])];
    }

    async function bound(): Promise<Record<string, string>> {
      const all = await listObjects(journey.api, bindings, namespace);
      return Object.fromEntries(all.map(({ spec }) => [spec.environment, spec.snapshot]));
    }

    /** What the run holds for proof is true: the image runs in each environment, and the revision has the commit in it. */
    async function proves({ status }: PromotionRun, build: number): Promise<void> {
      for (const { environmentName, commit, components: seen, startTime, endTime } of status?.environmentStatus ?? []) {
        expect(commit).toMatch(/^[\da-f]{40}$/);
        expect(seen).toMatchObject([{ name: 'component-a', sync: 'Synced', health: 'Healthy' }]);
        expect(await isIn(seen[0]?.revision ?? '', commit), `${commit} in ${seen[0]?.revision}`).toBe(true);
        expect(Date.parse(endTime ?? '')).toBeGreaterThanOrEqual(Date.parse(startTime ?? ''));
        expect(await runningIn(environmentName)).toBe(image(build));
      }
    }

    /** Asked of git itself, in a clone of our own. */
    async function isIn(revision: string, commit: string): Promise<boolean> {
      const application = await journey.api.read(applications, key('app-a'));
      const url = new URL(application?.status?.gitops?.repositoryURL ?? '');
      Object.assign(url, { username: 'reader', password: journey.git.readToken });
      const folder = await mkdtemp(join(tmpdir(), 'stagecoach-clone-'));
      try {
        const git = promisify(execFile);
        await git('git', ['clone', '--quiet', '--bare', url.href, folder], { timeout: 20_000 });
        return await git('git', ['-C', folder, 'merge-base', '--is-ancestor', commit, revision]).then(
          () => true,
          () => false,
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }

    async function placeOf(name: string): Promise<string> {
      const all = await listObjects(journey.api, gitOpsDeployments, namespace);
      const place = all.find(({ metadata }) => metadata.labels['appstudio.openshift.io/environment'] === name);
      return `/apis/apps/v1/namespaces/${place?.spec.destination.namespace}`;
    }

    async function runningIn(name: string): Promise<string | undefined> {
      const { body } = await journey.connection.request(`${await placeOf(name)}/deployments/component-a`);
      const { spec } = body as { spec: { template: { spec: { containers: { image: string }[] } } } };
      return spec.template.spec.containers[0]?.image;
    }
  });
}
