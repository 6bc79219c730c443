import { spaceRequests } from '../../contracts/kubernetes/kinds.ts';
import { annotations, labels, readAnnotation } from '../../contracts/kubernetes/metadata-keys.ts';
import type { SpaceRequest } from '../../contracts/kubernetes/space-request.ts';
import { fitsLabel } from '../../domain/core/object-name.ts';
import { otherRequestName, requestName } from '../../domain/target/made-names.ts';
import type { Cluster } from '../../ports/cluster.ts';
import type { Wanted } from '../../ports/provisioner.ts';

/** The tier of every SpaceRequest that the original service made, and of ours where the class names no other. */
export const defaultTier = 'appstudio-env';

/** The SpaceRequest of a claim, or of a target that no longer says whose it was. */
export async function findSpaceRequest(
  wanted: Wanted,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<SpaceRequest | undefined> {
  const { namespace, claim, target } = wanted;
  const ofClaim =
    claim === undefined ? [] : await labelledRequests(cluster, namespace, labels.claim, claim.name, signal);
  const found = chosen(ofClaim, wanted);
  if (found !== undefined) return found;
  if (claim?.uid !== undefined) {
    const named = await findByName({ name: claim.name, uid: claim.uid }, namespace, cluster, signal);
    if (named !== undefined) return named;
  }
  if (target === undefined) return undefined;
  return oldest(await labelledRequests(cluster, namespace, labels.target, target, signal));
}

/** Those with this value of a label. */
export async function labelledRequests(
  cluster: Cluster,
  namespace: string,
  label: string,
  value: string,
  signal: AbortSignal,
): Promise<readonly SpaceRequest[]> {
  if (!fitsLabel(value)) return [];
  const found: SpaceRequest[] = [];
  for await (const page of cluster.list(spaceRequests, { namespace, labelSelector: `${label}=${value}`, signal }))
    found.push(...page);
  return found;
}

/** Without its label, or where the name of the claim is too long for one, it still has the name that follows from the claim. */
export async function findByName(
  claim: { readonly name: string; readonly uid: string },
  namespace: string,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<SpaceRequest | undefined> {
  for (const name of [requestName(claim), otherRequestName(claim)]) {
    const request = await cluster.read(spaceRequests, { namespace, name }, { signal });
    if (request === undefined) return undefined;
    if (uidOf(request) === claim.uid) return request;
  }
  return undefined;
}

/**
 * By the UID of the claim. The original service wrote none: a request of its tier is taken for the claim's where it is the
 * only one, and younger than the claim or said to be the target's.
 */
function chosen(requests: readonly SpaceRequest[], { claim, target }: Wanted): SpaceRequest | undefined {
  if (claim === undefined) return undefined;
  const isOfTarget = ({ metadata }: SpaceRequest): boolean =>
    target !== undefined && metadata.labels[labels.target] === target;
  if (claim.uid === undefined) return oldest(requests.filter(isOfTarget)) ?? onlyOne(requests);

  const ours = oldest(requests.filter((request) => uidOf(request) === claim.uid));
  if (ours !== undefined) return ours;
  const { created } = claim;
  const early = requests.filter(
    (request) =>
      uidOf(request) === undefined &&
      request.spec.tierName === defaultTier &&
      (isOfTarget(request) || (created !== undefined && Date.parse(request.metadata.creationTimestamp) >= created)),
  );
  return onlyOne(early);
}

function uidOf({ metadata }: SpaceRequest): string | undefined {
  return readAnnotation(metadata.annotations, annotations.claimUid);
}

function onlyOne(requests: readonly SpaceRequest[]): SpaceRequest | undefined {
  return requests.length === 1 ? requests[0] : undefined;
}

/** There is never more than one; if somebody copied it, the first one is meant. */
function oldest(requests: readonly SpaceRequest[]): SpaceRequest | undefined {
  const [first] = requests.toSorted(
    ({ metadata: one }, { metadata: other }) =>
      Date.parse(one.creationTimestamp) - Date.parse(other.creationTimestamp) || (one.name < other.name ? -1 : 1),
  );
  return first;
}
