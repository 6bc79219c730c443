import type { Claim } from '../domain/claim/claim.ts';
import type { Said } from '../domain/core/condition.ts';
import type { Target, TargetClass } from '../domain/target/target.ts';
import type { DeploymentTarget } from './kubernetes/deployment-target.ts';
import type { DeploymentTargetClaim } from './kubernetes/deployment-target-claim.ts';
import type { DeploymentTargetClass } from './kubernetes/deployment-target-class.ts';
import { annotations, finalizers, isMarked, readAnnotation } from './kubernetes/metadata-keys.ts';

// Objects of the cluster in the words of the rules about them.

export function claimOf({ metadata, spec, status }: DeploymentTargetClaim): Claim {
  const { namespace, name, uid, resourceVersion: version } = metadata;
  return {
    namespace,
    name,
    uid,
    version,
    created: Date.parse(metadata.creationTimestamp),
    isDeleting: metadata.deletionTimestamp !== undefined,
    isHeld: metadata.finalizers.includes(finalizers.claim.key),
    className: spec.deploymentTargetClassName,
    targetName: spec.targetName,
    resources: spec.resources,
    arch: spec.arch,
    phase: status?.phase ?? '',
    isBindComplete: isMarked(metadata.annotations, annotations.bindComplete),
    isBoundByController: isMarked(metadata.annotations, annotations.boundByController),
    provisioner: readAnnotation(metadata.annotations, annotations.targetProvisioner),
    timeToLive: readAnnotation(metadata.annotations, annotations.timeToLive),
    owner: readAnnotation(metadata.annotations, annotations.owner),
    said: saidOf(status?.conditions),
  };
}

export function targetOf({ metadata, spec, status }: DeploymentTarget): Target {
  const { namespace, name, uid, resourceVersion: version } = metadata;
  return {
    namespace,
    name,
    uid,
    version,
    created: Date.parse(metadata.creationTimestamp),
    isDeleting: metadata.deletionTimestamp !== undefined,
    isHeld: [finalizers.target.key, ...finalizers.target.alsoRead].some((key) => metadata.finalizers.includes(key)),
    className: spec.deploymentTargetClassName,
    claim: spec.claimRef,
    phase: status?.phase ?? '',
    provisionedBy: readAnnotation(metadata.annotations, annotations.provisionedBy),
    resources: spec.resources,
    arch: spec.arch,
    access: spec.kubernetesCredentials,
    said: saidOf(status?.conditions),
  };
}

export function classOf({ metadata, spec }: DeploymentTargetClass): TargetClass {
  return {
    name: metadata.name,
    uid: metadata.uid,
    provisioner: spec.provisioner,
    parameters: spec.parameters,
    reclaimPolicy: spec.reclaimPolicy,
    allowsExpansion: spec.allowTargetResourceExpansion,
  };
}

function saidOf(conditions: readonly Said[] | undefined): readonly Said[] {
  return conditions ?? [];
}
