type Paths = readonly (readonly string[])[];

const nothing: Paths = [];
const status: Paths = [['status']];
const spec: Paths = [['spec']];
const specAndMetadata: Paths = [['metadata'], ['spec']];
const specAndLabels: Paths = [['spec'], ['metadata', 'labels']];
const specAndOwners: Paths = [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']];

interface Endpoint {
  readonly kind: string;
  readonly builtIn: boolean;
  readonly hasStatus: boolean;
  readonly subresource?: string | undefined;
}

/** Which fields an endpoint of a kind puts back to their old values whatever a request says of them. */
export function resetFieldsOf({ kind, builtIn, hasStatus, subresource }: Endpoint): Paths {
  if (subresource === undefined || subresource === '' || subresource === 'finalize')
    return hasStatus ? status : nothing;
  if (subresource !== 'status') return nothing;
  if (!builtIn) return specAndMetadata;
  if (kind === 'Deployment') return specAndLabels;
  return kind === 'Pod' ? specAndOwners : spec;
}
