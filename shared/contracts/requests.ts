import { contract, Subject } from './envelope.ts';

/** The rows of a thing beside an Argo CD have changed: make what stands there as they say. Its subject is one of shared/domain/gitops/names.ts. */
export const OperationRequested = contract('operation.requested.v1', Subject);

/** A claim waits for a target to be made or enlarged for it, or what was made for it must go. Its subject is the claim. */
export const TargetRequested = contract('target.requested.v1', Subject);

/** A target is no longer wanted, or lacks what lets go of it: see what its provisioner has to do. Its subject is the target. */
export const TargetReleased = contract('target.released.v1', Subject);

/** Something should stand in a repository that does not, or the other way round. Its subject is the row of the repository. */
export const OverlayRequested = contract('overlay.requested.v1', Subject);
