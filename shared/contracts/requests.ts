import { contract, Subject } from './envelope.ts';

/** The rows of a thing beside an Argo CD have changed: make what stands there as they say. Its subject is one of shared/domain/gitops/names.ts. */
export const OperationRequested = contract('operation.requested.v1', Subject);
