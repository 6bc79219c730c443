/**
 * What is written on a hosted cluster of ours, beside the UID and the class of its claim. All hosted clusters live in one
 * namespace of the provider's, so they have to say whose they are.
 */
export const hostedKeys = {
  /** A label: the namespace of the claim. */
  tenantNamespace: 'stagecoach.dev/tenant-namespace',
  /** An annotation, because the name of a claim may be longer than a label. */
  claimName: 'stagecoach.dev/claim-name',
  /** An annotation: the target that was made of it. */
  target: 'stagecoach.dev/target',
} as const;
