import { timeToLiveSeconds } from '../domain/claim/time-to-live.ts';
import { keepable } from '../domain/core/keepable.ts';
import type { GraphEnvironment, PromotedBinding, Run } from '../domain/promotion/promotion.ts';
import type { RunStatus } from '../domain/promotion/run-status.ts';
import type { Environment } from './kubernetes/environment.ts';
import { annotations, readAnnotation } from './kubernetes/metadata-keys.ts';
import type { PromotionRun } from './kubernetes/promotion-run.ts';
import type { SnapshotEnvironmentBinding } from './kubernetes/snapshot-environment-binding.ts';
import { promotedBy } from './promoted-by.ts';

// Objects of the cluster in the words of the rules about promotions. What is kept and told of them is compared with them later.

const nothingSaid: RunStatus = { environmentStatus: [], activeBindings: [], conditions: [] };

export function runOf({ metadata, spec, status }: PromotionRun): Run {
  return {
    uid: metadata.uid,
    name: metadata.name,
    version: metadata.resourceVersion,
    created: Date.parse(metadata.creationTimestamp),
    isDeleting: metadata.deletionTimestamp !== undefined,
    labels: metadata.labels,
    application: keepable(spec.application),
    snapshot: keepable(spec.snapshot),
    goal:
      spec.automatedPromotion === undefined
        ? { kind: 'manual', target: keepable(spec.manualPromotion?.targetEnvironment ?? '') }
        : { kind: 'automated', initial: spec.automatedPromotion.initialEnvironments.map(keepable) },
    cause: readAnnotation(metadata.annotations, annotations.cause) ?? '',
    snapshotUid: readAnnotation(metadata.annotations, annotations.snapshotUid) ?? '',
    status:
      status === undefined
        ? nothingSaid
        : {
            ...status,
            conditions: status.conditions.map(({ type, status: is, reason, message, lastTransitionTime }) => ({
              type,
              status: is,
              reason,
              message,
              lastTransitionTime: lastTransitionTime ?? '',
            })),
          },
  };
}

/** The limits that the contract has where a text cannot be read. */
const usual = { stepSeconds: 300, targetSeconds: 3_600 };

export function graphEnvironmentOf({ metadata, spec }: Environment): GraphEnvironment {
  const { stepDeadline, targetDeadline } = spec.promotion;
  return {
    name: metadata.name,
    parent: spec.parentEnvironment,
    isDeleting: metadata.deletionTimestamp !== undefined,
    isAutomated: spec.deploymentStrategy === 'AppStudioAutomated',
    controller: keepable(spec.deploymentController),
    isClaiming: (spec.configuration?.target?.deploymentTargetClaim?.claimName ?? '') !== '',
    stepDeadlineSeconds: timeToLiveSeconds(stepDeadline) ?? usual.stepSeconds,
    targetDeadlineSeconds: timeToLiveSeconds(targetDeadline) ?? usual.targetSeconds,
  };
}

export function promotedBindingOf({ metadata, spec, status }: SnapshotEnvironmentBinding): PromotedBinding {
  const refreshed = status?.gitopsRepoConditions.at(-1);
  const failed = status?.bindingConditions.find(({ type, status: is }) => type === 'Reconciled' && is === 'False');
  return {
    name: metadata.name,
    version: metadata.resourceVersion,
    generation: metadata.generation ?? 0,
    created: Date.parse(metadata.creationTimestamp),
    isDeleting: metadata.deletionTimestamp !== undefined,
    environment: spec.environment,
    snapshot: keepable(spec.snapshot),
    promotionUid: promotedBy(metadata.annotations).promotionUid,
    noted: notedWith(spec.snapshot, readAnnotation(metadata.annotations, annotations.stoodBefore) ?? ''),
    components: (status?.components ?? []).map(({ name, gitOpsRepository, conditions }) => {
      const problem = conditions.find(({ type, status: is }) => type === 'Rendered' && is === 'False');
      return {
        name: keepable(name),
        commit: keepable(gitOpsRepository?.commitID ?? ''),
        path: gitOpsRepository?.path ?? '',
        repository: gitOpsRepository && { url: gitOpsRepository.url, branch: gitOpsRepository.branch },
        problem: problem && { reason: problem.reason, message: problem.message },
      };
    }),
    deployments: (status?.gitopsDeployments ?? []).map(({ componentName, gitopsDeployment }) => ({
      component: keepable(componentName),
      name: keepable(gitopsDeployment),
    })),
    refreshed: refreshed && {
      isOk: refreshed.status !== 'False',
      message: refreshed.message,
      generation: refreshed.observedGeneration,
    },
    problem: failed && { reason: failed.reason, message: failed.message },
  };
}

/** Anybody may write an annotation, and this comes into a row: a digest and a word fit. */
const longest = 100;

/** What a promotion notes in a Binding together with a snapshot. */
export function noteFor({ name, uid }: { readonly name: string; readonly uid: string }, before: string): string {
  return `${name} ${uid} ${before}`;
}

/** Undefined: nobody has noted anything with this snapshot; what was noted with the one before it stays until then. */
function notedWith(snapshot: string, note: string): PromotedBinding['noted'] {
  const [name, snapshotUid = '', ...rest] = note.split(' ');
  const before = rest.join(' ');
  return name === snapshot && before !== '' && before.length <= longest ? { snapshotUid, before } : undefined;
}
