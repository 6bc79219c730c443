import { followerName } from '../../../shared/domain/promotion/follower-name.ts';
import type { View } from '../../../shared/runtime/page/kept-views.ts';
import { showPromotion } from './shown-promotion.ts';
import type { Sources } from './sources.ts';
import { toneOfPromotion, toneOfStep } from './tone.ts';

/** Its followers are the next in line, so they are among the newest. */
const mostOthers = 30;

/** One promotion: every environment on its way, what was seen there and when, what it waits for, what came before and after. */
export const promotion: View<Sources> = {
  name: 'promotion',
  async read([namespace, name, ...more], { reader, environments }) {
    if (namespace === undefined || name === undefined || more.length > 0) return undefined;
    const told = await reader.one({ namespace, name });
    if (told === undefined) return undefined;
    const [others, { byNamespace }] = await Promise.all([
      reader.of({ namespace, name: told.application }, mostOthers),
      environments(),
    ]);
    // Its cause has only a name in it, and an older one may have had that as well.
    const follower = followerName({ name, uid: told.id });
    const [kind = '', ...named] = told.cause.split(' ');
    return {
      ...told,
      tone: toneOfPromotion(told),
      steps: told.steps.map((step) => ({ ...step, tone: toneOfStep(step) })),
      cause: { kind: named.length === 0 ? '' : kind, name: named.join(' ') },
      followers: others.filter((other) => other.name === follower).map(showPromotion),
      others: others.filter(({ id }) => id !== told.id).map(showPromotion),
      environments: byNamespace.get(namespace) ?? [],
    };
  },
};
