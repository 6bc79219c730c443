import type { Condition } from '../core/condition.ts';
import { type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { decideSpaceLeaving } from './decide-space-leaving.ts';
import { secondsToLook } from './seconds-to-look.ts';
import { spaceConditions } from './space-conditions.ts';
import { accessParts, type SeenSpace, type SpaceEffect } from './space-request.ts';
import { tellOf } from './tell-space.ts';
import { isSameQuota, readWanted } from './wanted-resources.ts';

/** A token is made within a second. After this long somebody should look at the cluster. */
const deadlineSeconds = 300;

/**
 * Decides what a SpaceRequest still lacks.
 *
 * The request is held before the first thing is made for it, so that nothing outlives it unseen. A namespace is used only
 * if it says that it was made for this very request; one that somebody else made is never entered. All that is made has
 * a name that follows from the request, so a crash anywhere leaves nothing that the next look does not find.
 */
export function decideSpace(seen: SeenSpace, moment: Moment): Step<SpaceEffect> {
  const { request } = seen;
  if (request.isDeleting) return decideSpaceLeaving(seen, moment);
  const problem = problemOf(seen);
  if (problem !== undefined) return refuse(seen, problem, moment);
  const [place] = seen.places;
  if (place?.leavingSince !== undefined)
    return wait(seen, [], `The namespace ${place.name} is being deleted. It is made again when it is gone.`, moment);
  return make(seen, place?.name ?? seen.freeName ?? '', moment);
}

function problemOf({ request, isHomeLeaving, tiers, places, freeName, kubeconfig }: SeenSpace): string | undefined {
  if (isHomeLeaving) return `The namespace ${request.namespace} is being deleted: nothing more is made for it.`;
  const known = tiers.length === 0 ? 'there are none here' : `choose one of ${tiers.join(', ')}`;
  if (request.tier.trim() === '') return `No tier is named: ${known}.`;
  if (!tiers.includes(request.tier)) return `There is no tier "${request.tier}": ${known}.`;
  const wanted = request.wanted === undefined ? undefined : readWanted(request.wanted);
  if (wanted !== undefined && 'problem' in wanted) return `${wanted.problem}.`;
  if (places.length === 0 && freeName === undefined)
    return 'All names that the namespace could have belong to namespaces of others: delete the request and make it again.';
  if (kubeconfig.name === undefined)
    return 'All names that the Secret could have belong to Secrets of others: delete the request and make it again.';
  return undefined;
}

/** What was made before stays: it is used. And what was promised stays said while its namespace goes. */
function refuse(seen: SeenSpace, problem: string, { now }: Moment): Step<SpaceEffect> {
  const { request, places, isHomeLeaving } = seen;
  const isReady = request.said.some(({ type, status }) => type === 'Ready' && status === 'True');
  const condition = spaceConditions.unableToProvision(problem);
  const hold: SpaceEffect[] = places.length > 0 && !request.isHeld ? [{ do: 'hold-request' }] : [];
  const tell = isHomeLeaving && isReady ? [] : tellOf(request, condition, now);
  return stepOf([...hold, ...tell], condition, settled);
}

function make(seen: SeenSpace, namespace: string, moment: Moment): Step<SpaceEffect> {
  const { request, places, parts, token, kubeconfig, server } = seen;
  const secret = kubeconfig.name ?? '';
  const isOpen = token === 'filled';
  const effects: SpaceEffect[] = [
    ...(request.isHeld ? [] : [{ do: 'hold-request' } as const]),
    ...(places.length > 0 ? [] : [{ do: 'make-namespace', namespace } as const]),
    ...accessParts.flatMap((part): SpaceEffect[] =>
      parts[part] === 'right' ? [] : [{ do: 'write-access', namespace, part }],
    ),
    ...quotaEffects(seen, namespace),
    ...tokenEffects(token, namespace),
    ...(isOpen && kubeconfig.state !== 'right' ? [{ do: 'write-kubeconfig', namespace, secret } as const] : []),
  ];
  if (!isOpen)
    return wait(seen, effects, `The namespace ${namespace} is made, and waits for the token of its account.`, moment);
  const condition = spaceConditions.provisioned();
  const tell = tellOf(request, condition, moment.now, { namespace, secret, server });
  // Whatever had to be done may have been refused: somebody looks again whether it stands.
  const next = effects.length === 0 ? settled : patiently('What was made is looked at again.', moment);
  return stepOf([...effects, ...tell], condition, next);
}

function quotaEffects({ request, quota }: SeenSpace, namespace: string): SpaceEffect[] {
  const wanted = readWanted(request.wanted ?? '{}');
  const { hard, json } = 'hard' in wanted ? wanted : { hard: {}, json: undefined };
  const resources = request.wanted === undefined ? undefined : json;
  const isWanted = Object.keys(hard).length > 0;
  return [
    ...(isWanted && (quota === undefined || !isSameQuota(quota, hard))
      ? [{ do: 'write-quota', namespace, hard } as const]
      : []),
    ...(!isWanted && quota !== undefined ? [{ do: 'remove-quota', namespace } as const] : []),
    ...(request.granted === resources ? [] : [{ do: 'record-grant', resources } as const]),
  ];
}

function tokenEffects(token: SeenSpace['token'], namespace: string): SpaceEffect[] {
  if (token === 'absent') return [{ do: 'make-token', namespace }];
  return token === 'foreign' ? [{ do: 'remove-foreign-token', namespace }] : [];
}

function wait(seen: SeenSpace, effects: readonly SpaceEffect[], message: string, moment: Moment): Step<SpaceEffect> {
  const { waiting, now } = moment;
  const isLate = waiting?.reason === 'Provisioning' && now >= waiting.deadline;
  const condition = isLate
    ? spaceConditions.unableToProvision(`${message} That takes longer than it should: is the cluster well?`)
    : spaceConditions.provisioning(message);
  return stepOf([...effects, ...tellOf(seen.request, condition, now)], condition, patiently(message, moment));
}

function patiently(message: string, moment: Moment): Next {
  const reason = 'Provisioning';
  return recheck(secondsToLook(moment, reason), { reason, message, deadlineSeconds });
}

function stepOf(effects: readonly SpaceEffect[], condition: Condition, next: Next): Step<SpaceEffect> {
  return { effects, conditions: [condition], knocks: [], next };
}
