import { describe, expect, it } from 'vitest';
import { freshName } from '../../../support/api-world.ts';
import type { ArgoApplication, ArgoStatus } from '../../../support/argo-application.ts';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { automated, configMap, givenApplication, liveValue } from './given.ts';

export function describeBrokenSources(world: () => ArgoWorld): void {
  describe.concurrent('a source that cannot be read', () => {
    it('because there is no such repository is a ComparisonError that says so', async () => {
      const url = `${world().git.trustedUrl}nowhere.git`;
      const app = await world().application({
        source: { repoURL: url, path: '.', targetRevision: 'main' },
        destination: { name: 'in-cluster', namespace: await world().namespace() },
        syncPolicy: automated,
      });

      const status = await broken(app);

      expect(status.conditions).toMatchObject([
        { type: 'ComparisonError', message: expect.stringMatching(/repository not found/) },
      ]);
      expect(status.operationState).toBeUndefined();
    });

    it('because nobody answers is a ComparisonError that says so', async () => {
      // The port that is reserved for discarding what it gets, which nothing listens on.
      const app = await world().application({
        source: { repoURL: 'http://127.0.0.1:9/team/app.git', path: '.', targetRevision: 'main' },
        destination: { name: 'in-cluster', namespace: await world().namespace() },
        syncPolicy: automated,
      });

      const status = await broken(app);

      expect(status.conditions).toMatchObject([
        { type: 'ComparisonError', message: expect.stringMatching(/connection refused/i) },
      ]);
    });

    it('because of a wrong token is a ComparisonError, until the Secret has the right one', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { trusted: false, syncPolicy: automated },
      );
      const without = await broken(app);
      const name = freshName('repo');
      const secret = { type: 'git', url: repository.url, username: 'anybody' };
      await world().secret(name, 'repository', { ...secret, password: 'not-the-token' });

      const wrong = await app.refresh('hard');
      await world().secret(name, 'repository', { ...secret, password: world().git.readToken });
      await app.refreshUntil('the repository to be read', ({ conditions }) => conditions === undefined);
      const status = await app.untilSettled('Synced', 'Healthy');

      for (const { sync, conditions } of [without, wrong]) {
        expect(sync?.status).toBe('Unknown');
        expect(conditions).toMatchObject([
          { type: 'ComparisonError', message: expect.stringMatching(/authentication required/) },
        ]);
      }
      expect(status.conditions).toBeUndefined();
      expect(status.sync?.revision).toBe(repository.first);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('because its path is not there is a ComparisonError, until it is', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { path: 'missing', syncPolicy: automated },
      );

      const status = await broken(app);
      const second = await repository.commit({ 'missing/one.yaml': configMap('one', 'second') });
      await app.refresh();
      const repaired = await app.untilSettled('Synced', 'Healthy');

      expect(status.conditions).toMatchObject([
        { type: 'ComparisonError', message: expect.stringMatching(/missing: app path does not exist/) },
      ]);
      expect(repaired.sync?.revision).toBe(second);
      expect(repaired.conditions).toBeUndefined();
      expect(await liveValue(world(), namespace, 'one')).toBe('second');
    });

    it('because it leads out of the repository is refused', async () => {
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { path: '../../..', syncPolicy: automated },
      );

      const status = await app.until('an error', ({ conditions }) => conditions !== undefined);

      expect(status.conditions).toMatchObject([{ type: 'ComparisonError', message: expect.stringMatching(/path/) }]);
      expect(status.operationState).toBeUndefined();
    });

    it.each([
      [
        'a file that is not YAML',
        { 'one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: [1\n' },
        /Failed to unmarshal "one\.yaml"/i,
      ],
      [
        'a kustomization that lists a file that is not there',
        { 'kustomization.yaml': 'resources: [no.yaml]\n' },
        /kustomize build.*no\.yaml/s,
      ],
      ['a kustomization that is not one', { 'kustomization.yaml': 'resources: {a: b}\n' }, /kustomize build/],
    ])('because of %s is a ComparisonError that says so', async (_what, files, message) => {
      const { app } = await givenApplication(world(), { 'README.md': 'words\n', ...files }, { syncPolicy: automated });

      const status = await broken(app);

      expect(status.conditions).toMatchObject([{ type: 'ComparisonError', message: expect.stringMatching(message) }]);
      expect(status.operationState).toBeUndefined();
    });

    it('touches nothing that is deployed, and says Unknown until it is repaired', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'kustomization.yaml': 'resources: [one.yaml]\n', 'one.yaml': configMap('one') },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');
      await repository.commit({ 'kustomization.yaml': 'resources: [two.yaml]\n' });

      const status = await app.refresh();
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
      const third = await repository.commit({
        'kustomization.yaml': 'resources: [one.yaml]\n',
        'one.yaml': configMap('one', 'third'),
      });
      await app.refresh();
      const repaired = await app.untilDeployed(third);

      expect(status.sync?.status).toBe('Unknown');
      expect(status.conditions).toMatchObject([{ type: 'ComparisonError' }]);
      expect(status.resources).toMatchObject([{ name: 'one', status: 'Unknown' }]);
      expect(status.operationState).toMatchObject({ phase: 'Succeeded', syncResult: { revision: repository.first } });
      expect(repaired.conditions).toBeUndefined();
      expect(await liveValue(world(), namespace, 'one')).toBe('third');
    });

    it('but read is one that has an object twice: a warning tells which', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one'), 'two.yaml': configMap('one') },
        { syncPolicy: automated },
      );

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.conditions).toMatchObject([
        {
          type: 'RepeatedResourceWarning',
          message: `Resource /ConfigMap/${namespace}/one appeared 2 times among application resources.`,
        },
      ]);
    });
  });
}

/** The state that a source which was never read comes to. */
function broken(app: ArgoApplication): Promise<ArgoStatus> {
  return app.until(
    'Unknown with a condition',
    ({ sync, conditions }) => sync?.status === 'Unknown' && conditions !== undefined,
  );
}
