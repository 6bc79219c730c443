import { type FieldSet, fieldSetOfPaths } from './field-set.ts';

/** What nobody owns: the identity of an object and what the server itself keeps in its metadata. */
export const untrackedFields: FieldSet = fieldSetOfPaths([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'clusterName'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
]);
