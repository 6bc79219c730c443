import type { Condition } from '../core/condition.ts';
import { patienceSeconds } from '../core/patience.ts';
import { blockedOn, type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import type { Binding, BindingEffect, BoundApplication, SeenBinding } from './binding.ts';
import { bindingLabels } from './binding-labels.ts';
import { type Considered, considerBinding, errorOccurred, newsOf } from './consider-binding.ts';
import { overlayKnock, type Rendering } from './consider-rendering.ts';
import { secondsToRetry } from './seconds-to-retry.ts';

/** A Binding whose Application or Environment is gone has this long to get it back. */
const graceSeconds = 180;
/** The change of what is waited for wakes it; this is for the case that the change goes unnoticed. */
const blockedSeconds = 3_600;
/** A repository is written within moments; after this, somebody asks again. */
const renderingSeconds = 120;
/** What a user has in the way of us in Git is looked at again so often. Comparing a repository costs more than a look at a row. */
const mendingSeconds = 900;
const daySeconds = 86_400;

/**
 * Decides what a Binding wants to stand in Git, and which GitOpsDeployments bring it to the Environment's place.
 *
 * Git goes first: a component is deployed only from a directory that is there. What is not wanted any more loses its
 * deployment before its directory. What cannot be rendered or deployed for now never takes away what runs. Of two Bindings
 * for one application and environment the older one works.
 */
export function decideSnapshotBinding(seen: SeenBinding, moment: Moment): Step<BindingEffect> {
  const { namespace, binding, application, rival } = seen;
  const stale = seen.stored.filter(({ uid, isGone }) => uid !== binding?.uid && !isGone).toSorted(byUid);
  const leaving: Step<BindingEffect> = {
    effects: stale.map(({ uid }) => ({ do: 'leave-overlay', uid })),
    conditions: [],
    knocks: stale.map(({ repositoryId }) => overlayKnock(namespace, repositoryId)),
    next: settled,
  };

  // OBSERVED: it is gone or going. What it made in the cluster goes with it, what it made in Git by our hand.
  if (binding === undefined || binding.isDeleting || seen.isNamespaceGoing) return together(leaving);
  if (application === undefined) return together(leaving, outlive(binding, 'Application', binding.created, moment));
  if (rival !== undefined) return together(leaving, standBack(seen, binding, rival, moment));
  const kept = together(leaving, keep(seen, binding, application, moment));
  if (seen.environment !== undefined || !wasDeployed(seen, binding)) return kept;

  // OBSERVED: what it deployed to is gone, and was there once.
  const { waiting, now } = moment;
  const end = outlive(binding, 'Environment', waiting?.reason === 'EnvironmentGone' ? waiting.since : now, moment);
  return end.effects.length > 0 ? together(leaving, end) : { ...kept, next: end.next };
}

/** One after the other. The last one says when to look again; nobody is asked twice at once. */
function together(...steps: readonly Step<BindingEffect>[]): Step<BindingEffect> {
  const knocks = steps.flatMap((step) => step.knocks);
  const isFirst = ({ type, subject }: Knock, place: number): boolean =>
    knocks.findIndex((one) => one.type === type && one.subject.name === subject.name) === place;
  return {
    effects: steps.flatMap(({ effects }) => effects),
    conditions: steps.flatMap(({ conditions }) => conditions),
    knocks: knocks.filter(isFirst),
    next: steps.at(-1)?.next ?? settled,
  };
}

/** Where somebody else renders there is no row, but there are deployments. */
function wasDeployed({ stored, deployments }: SeenBinding, { uid, status }: Binding): boolean {
  return (
    stored.some((one) => one.uid === uid) ||
    deployments.some(({ owner }) => owner === uid) ||
    status.gitopsDeployments.length > 0
  );
}

/** Without its Application or Environment a Binding means nothing. It goes, unless they come soon: they may be applied together. */
function outlive(
  { uid, application, environment }: Binding,
  kind: 'Application' | 'Environment',
  since: number,
  { now }: Moment,
): Step<BindingEffect> {
  const what = kind === 'Application' ? `Application ${application}` : `Environment ${environment}`;
  const left = graceSeconds - (now - since) / 1_000;
  const nothing = { conditions: [], knocks: [] };
  if (left <= 0) return { ...nothing, effects: [{ do: 'delete-binding', uid, why: `${what} is gone` }], next: settled };
  const wait = {
    reason: `${kind}Gone`,
    message: `${what} was not found: the Binding goes, unless it comes`,
    deadlineSeconds: graceSeconds,
  };
  return { ...nothing, effects: [], next: recheck(Math.ceil(left), wait) };
}

/** Its deployments go, and so does what it has in the repository, as far as the older one does not want the same. */
function standBack(seen: SeenBinding, binding: Binding, rival: string, { now }: Moment): Step<BindingEffect> {
  const { uid } = binding;
  const own = seen.stored.filter((one) => one.uid === uid && !one.isGone);
  const message = `SnapshotEnvironmentBinding ${rival} deploys application ${binding.application} to environment ${binding.environment} already: delete one of the two`;
  const conditions: Condition[] = [
    { type: 'Reconciled', status: 'False', reason: 'DuplicateBinding', message },
    errorOccurred(message),
  ];
  const isNews = withConditions(binding.status.bindingConditions, conditions, now) !== undefined;
  return {
    effects: [
      ...own.map((): BindingEffect => ({ do: 'leave-overlay', uid })),
      ...seen.deployments
        .filter(({ owner, isDeleting }) => owner === uid && !isDeleting)
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ name, component }): BindingEffect => ({ do: 'remove-deployment', name, component })),
      ...(isNews ? [{ do: 'tell-user', at: now } as const] : []),
    ],
    conditions,
    knocks: own.map(({ repositoryId }) => overlayKnock(seen.namespace, repositoryId)),
    next: recheck(60, { reason: 'DuplicateBinding', message, deadlineSeconds: daySeconds }),
  };
}

function keep(seen: SeenBinding, binding: Binding, application: BoundApplication, moment: Moment): Step<BindingEffect> {
  const { namespace, followers } = seen;
  const { now } = moment;
  const considered = considerBinding(seen, binding, application);
  const { rendering, deploying, reconciled } = considered;
  const { create, update, remove } = deploying;
  const wish = rendering?.wish;
  // The others find it by its row: without one it is in nobody's way.
  const isRival = wish !== undefined || rendering?.stored !== undefined;
  const news = newsOf(binding, considered, now);
  // Of a new commit of ours the Binding has news, of one of theirs only what deploys it has.
  const moved = [...create, ...remove, ...(rendering === undefined ? update : [])].length;
  return {
    effects: [
      ...(bindingLabels(binding) === undefined ? [] : [{ do: 'label-binding' } as const]),
      ...remove.map(({ name, component }): BindingEffect => ({ do: 'remove-deployment', name, component })),
      ...create.map(({ name, component }): BindingEffect => ({ do: 'create-deployment', name, component })),
      ...update.map(({ name, component }): BindingEffect => ({ do: 'update-deployment', name, component })),
      ...(rendering === undefined ? forgetOverlay(seen, binding) : []),
      ...(wish === undefined
        ? []
        : [
            {
              do: 'want-overlay',
              snapshot: binding.snapshot,
              digest: wish.digest,
              components: wish.inputs.length,
            } as const,
          ]),
      ...(news.length > 0 ? [{ do: 'tell-user', at: now } as const] : []),
    ],
    conditions: [reconciled, ...(rendering?.refreshed === undefined ? [] : [rendering.refreshed])],
    knocks: [
      ...(isRival ? followers.toSorted() : []).map(
        (name): Knock => ({
          type: 'binding.changed.v1',
          subject: { namespace, name, application: binding.application },
        }),
      ),
      ...renderingKnocks(namespace, rendering, moment),
      ...promotionKnocks(namespace, binding, news, moved),
    ],
    next: nextOf(considered, moment),
  };
}

/** What Argo CD says of deployments; a promotion hears of it before the Binding does. */
const saidByArgo: readonly string[] = ['gitopsDeployments', 'componentDeploymentConditions'];

/** Whoever promoted it waits for what becomes of it in Git and on the way to Argo CD. */
function promotionKnocks(
  namespace: string,
  { promotion, application }: Binding,
  news: readonly string[],
  moved: number,
): Knock[] {
  if (promotion === '' || (moved === 0 && news.every((part) => saidByArgo.includes(part)))) return [];
  return [{ type: 'promotion.changed.v1', subject: { namespace, name: promotion, application } }];
}

/** Somebody else renders: a row of ours would go on being rendered, and what stands in the repository is theirs now. */
function forgetOverlay({ stored }: SeenBinding, { uid }: Binding): BindingEffect[] {
  return stored.filter((one) => one.uid === uid).map(() => ({ do: 'forget-overlay', uid }));
}

function renderingKnocks(namespace: string, rendering: Rendering | undefined, moment: Moment): Knock[] {
  const repositoryId = rendering?.wish?.repositoryId ?? rendering?.stored?.repositoryId;
  if (rendering === undefined || repositoryId === undefined) return [];
  return isDue(rendering, moment) ? [overlayKnock(namespace, repositoryId)] : [];
}

/** Whoever writes to the repository is asked for the first time, or has not come for long, or may find something mended. */
function isDue({ wish, stored, isPending, inTheWay }: Rendering, { now, waiting }: Moment): boolean {
  if (wish !== undefined) return isPending;
  const trouble = stored?.trouble;
  if (trouble !== undefined && now - trouble.at < secondsToRetry(trouble) * 1_000) return false;
  if (!isPending) return inTheWay !== undefined && waiting?.reason === inTheWay.reason;
  return trouble !== undefined || waiting?.reason !== 'Rendering' || now >= waiting.deadline;
}

function nextOf({ rendering, deploying, reconciled, on }: Considered, moment: Moment): Next {
  const { obstacle, leaving, taken } = deploying;
  if (on !== undefined) {
    const { reason, message } = rendering?.refreshed ?? reconciled;
    return blockedOn(on, { reason, message, deadlineSeconds: blockedSeconds });
  }
  const trouble = rendering?.wish === undefined ? rendering?.stored?.trouble : undefined;
  if (rendering?.isPending === true && trouble !== undefined) {
    const due = secondsToRetry(trouble) - (moment.now - trouble.at) / 1_000;
    // Asked again just now: the answer knocks; this is for the case that none comes.
    const after = due > 0 ? Math.ceil(due) : renderingSeconds;
    return recheck(after, { reason: trouble.reason, message: trouble.message, deadlineSeconds: daySeconds });
  }
  if (rendering?.isPending === true)
    return blockedOn('the GitOps repository', {
      reason: 'Rendering',
      message: 'The GitOps repository is being written',
      deadlineSeconds: renderingSeconds,
    });
  if (leaving.length > 0) {
    const reason = 'DeploymentLeaving';
    const message = `GitOpsDeployment ${leaving.join(', ')} has to be gone first`;
    return recheck(patienceSeconds(moment, reason), { reason, message, deadlineSeconds: daySeconds });
  }
  if (obstacle !== undefined) {
    const { reason, message } = obstacle;
    return blockedOn(obstacle.on, { reason, message, deadlineSeconds: blockedSeconds });
  }
  const { reason, message } = reconciled;
  if (taken.length > 0) return recheck(60, { reason, message, deadlineSeconds: daySeconds });
  if (rendering?.inTheWay !== undefined) {
    const { inTheWay } = rendering;
    return recheck(mendingSeconds, {
      reason: inTheWay.reason,
      message: inTheWay.message,
      deadlineSeconds: daySeconds,
    });
  }
  return settled;
}

function byUid(one: { readonly uid: string }, other: { readonly uid: string }): number {
  return one.uid < other.uid ? -1 : 1;
}
