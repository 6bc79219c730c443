import { describe, expect, it } from 'vitest';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { automated, configMap, givenApplication, liveValue } from './given.ts';

/**
 * What the real Argo CD does and the stand-in does not, each in the table of infra/embedded/argo-cd/README.md. A sentence
 * moves to the shared suite when the stand-in has learned it.
 */
export function describeBeyondTheStandIn(world: () => ArgoWorld): void {
  describe.concurrent('what the stand-in has not learned', () => {
    it('the target revision may be a range of versions', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { targetRevision: '1.0.*', syncPolicy: automated },
      );
      await app.until('an error', ({ conditions }) => conditions !== undefined);
      await repository.tag('v1.0.0');
      const second = await repository.commit({ 'one.yaml': configMap('one', 'second') });
      await repository.tag('v1.0.1', 'with a message');
      await repository.commit({ 'one.yaml': configMap('one', 'third') });
      await repository.tag('v1.1.0');

      await app.refresh();
      await app.untilDeployed(second);

      expect(await liveValue(world(), namespace, 'one')).toBe('second');
    });
  });
}
