import { spaceRequests } from '../../contracts/kubernetes/kinds.ts';
import { annotations, finalizers, labels } from '../../contracts/kubernetes/metadata-keys.ts';
import type { SpaceRequest } from '../../contracts/kubernetes/space-request.ts';
import { fitsLabel } from '../../domain/core/object-name.ts';
import { otherRequestName, requestName } from '../../domain/target/made-names.ts';
import type { Cluster } from '../../ports/cluster.ts';
import type { Provisioner, Wanted } from '../../ports/provisioner.ts';
import { Conflict } from '../../ports/trouble.ts';
import { defaultTier, findByName, findSpaceRequest, labelledRequests } from './find-space-request.ts';
import { labelled, lacksAmounts, lacksLabel, orphanOf, provisionOf } from './space-provision.ts';

interface DevsandboxSettings {
  /** The cluster of the tenants, where SpaceRequests stand beside the claims. */
  readonly local: Cluster;
  /** True: the certificates of the clusters that it gives are not checked. For development only. */
  readonly isInsecure?: boolean | undefined;
}

interface WantedByUid extends Wanted {
  readonly claim: { readonly name: string; readonly uid: string };
}

/** A namespace for each claim, asked for with a SpaceRequest. Who fulfils that, a toolchain operator or we, is all the same. */
export function openDevsandbox({ local, isInsecure = false }: DevsandboxSettings): Provisioner {
  const provisioner: Provisioner = {
    name: 'appstudio.redhat.com/devsandbox',

    async observe(wanted, signal) {
      const request = await findSpaceRequest(wanted, local, signal);
      return request === undefined ? { state: 'absent' } : provisionOf(request, wanted, isInsecure);
    },

    async provision(wanted, signal) {
      const request = await findSpaceRequest(wanted, local, signal);
      if (request !== undefined) return update(request, wanted, signal);
      if (isByUid(wanted) && wanted.class !== undefined) await create(wanted, signal);
    },

    async attach(wanted, signal) {
      const request = await findSpaceRequest(wanted, local, signal);
      if (request === undefined || request.metadata.deletionTimestamp !== undefined) return;
      const said = {
        labels: fitsLabel(wanted.target) ? { [labels.target]: wanted.target } : {},
        // The original service wrote none: from now on it is known whose it is.
        annotations: isByUid(wanted) ? annotationsOf(wanted, ['claimUid', 'claimClass']) : {},
      };
      if (hasAll(request.metadata.labels, said.labels) && hasAll(request.metadata.annotations, said.annotations))
        return;
      await patch(request, said, signal);
    },

    async release(wanted, signal) {
      const request = await findSpaceRequest(wanted, local, signal);
      if (request !== undefined) await remove(request, signal);
    },

    async made({ namespace, name }, signal) {
      const requests = await labelledRequests(local, namespace, labels.claim, name, signal);
      return requests.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(orphanOf);
    },

    async discard({ id, namespace, name }, signal) {
      const request = await local.read(spaceRequests, { namespace, name }, { signal });
      if (request?.metadata.uid === id) await remove(request, signal);
    },
  };

  async function create(wanted: WantedByUid, signal: AbortSignal): Promise<void> {
    const { namespace, claim } = wanted;
    try {
      await local.create(spaceRequests, requestFor(wanted, requestName(claim)), { signal });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      // Ours, made between our look and now or without its answer; or somebody else's, and then we go round it.
      if ((await findByName(claim, namespace, local, signal)) !== undefined) return;
      await local.create(spaceRequests, requestFor(wanted, otherRequestName(claim)), { signal });
    }
  }

  async function update(request: SpaceRequest, wanted: Wanted, signal: AbortSignal): Promise<void> {
    const isGoing = request.metadata.deletionTimestamp !== undefined;
    if (isGoing || !isByUid(wanted) || !(lacksAmounts(request, wanted) || lacksLabel(request, wanted))) return;
    const said = { labels: labelled(wanted.claim.name), annotations: annotationsOf(wanted) };
    await patch(request, said, signal);
  }

  /** The finalizer first, so that it does not vanish before what is behind it. */
  async function remove(request: SpaceRequest, signal: AbortSignal): Promise<void> {
    const { namespace, name, uid, deletionTimestamp, finalizers: present } = request.metadata;
    if (deletionTimestamp !== undefined) return;
    const { key } = finalizers.spaceRequest;
    if (!present.includes(key)) await patch(request, { finalizers: [...present, key] }, signal);
    await local.remove(spaceRequests, { namespace, name }, { uid, signal });
  }

  async function patch({ metadata }: SpaceRequest, said: object, signal: AbortSignal): Promise<void> {
    const { namespace, name, resourceVersion } = metadata;
    await local.patch(spaceRequests, { namespace, name }, { metadata: { ...said, resourceVersion } }, { signal });
  }

  return provisioner;
}

function requestFor(wanted: WantedByUid, name: string) {
  const parameters = wanted.class?.parameters ?? {};
  const tier = parameters['tierName'];
  const roles = parameters['targetClusterRoles'];
  return {
    metadata: {
      namespace: wanted.namespace,
      name,
      labels: labelled(wanted.claim.name),
      annotations: annotationsOf(wanted),
    },
    spec: {
      tierName: typeof tier === 'string' && tier !== '' ? tier : defaultTier,
      ...(Array.isArray(roles) && { targetClusterRoles: roles.map(String) }),
    },
  };
}

function annotationsOf(
  { claim, class: asking, resources }: WantedByUid,
  which: readonly ('claimUid' | 'claimClass' | 'wantedResources')[] = ['claimUid', 'claimClass', 'wantedResources'],
): Readonly<Record<string, string>> {
  const values = {
    claimUid: claim.uid,
    claimClass: asking?.name,
    wantedResources: resources === undefined ? undefined : JSON.stringify(resources),
  };
  return Object.fromEntries(
    which.flatMap((one) => (values[one] === undefined ? [] : [[annotations[one].key, values[one]]])),
  );
}

function isByUid(wanted: Wanted): wanted is WantedByUid {
  return wanted.claim?.uid !== undefined;
}

function hasAll(found: Readonly<Record<string, string>>, said: Readonly<Record<string, string>>): boolean {
  return Object.entries(said).every(([key, value]) => found[key] === value);
}
