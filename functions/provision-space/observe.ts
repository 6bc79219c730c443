import {
  type AnySchema,
  namespaces,
  type ObjectKind,
  type ObjectOf,
  resourceQuotas,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  spaceRequests,
} from '../../shared/contracts/kubernetes/kinds.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { isSameValue } from '../../shared/domain/gitops/merge-patch.ts';
import { accessRules } from '../../shared/domain/space/access-rules.ts';
import { kubeconfigNames, placeNames, spaceNames } from '../../shared/domain/space/space-names.ts';
import type { PartState, SeenSpace, SpaceRequest } from '../../shared/domain/space/space-request.ts';
import { writeKubeconfig } from '../../shared/domain/space/write-kubeconfig.ts';
import type { World } from '../../shared/runtime/world.ts';
import { isMadeFor, placeOf, requestOf } from './request-of.ts';
import { kubeconfigLabels, roleReference, subjectsOf, tokenType } from './written-parts.ts';

type Secret = ObjectOf<typeof secrets.Schema>;

/** What the rule sees, and what is written over. A token is in here, so it is never told to anybody. */
export interface SeenByStep extends SeenSpace {
  readonly object: ObjectOf<typeof spaceRequests.Schema>;
  readonly role: ObjectOf<typeof roles.Schema> | undefined;
  readonly binding: ObjectOf<typeof roleBindings.Schema> | undefined;
  readonly quotaObject: ObjectOf<typeof resourceQuotas.Schema> | undefined;
  readonly tokenSecret: Secret | undefined;
  readonly kubeconfigSecret: Secret | undefined;
  /** What should stand in the Secret; undefined where there is no token yet. */
  readonly kubeconfigText: string | undefined;
}

export async function observeSpace(
  { namespace, name, version }: Subject,
  world: World,
  signal: AbortSignal,
): Promise<SeenByStep | undefined> {
  // Somebody else fulfils them: not even a look.
  if (!world.spaces.fulfils) return undefined;
  const { local } = world.clusters;
  const object = await local.read(spaceRequests, { namespace, name }, { signal, atLeast: version });
  if (object === undefined) return undefined;
  const request = requestOf(object);
  const [home, found, secret] = await Promise.all([
    local.read(namespaces, { namespace: '', name: namespace }, { signal }),
    lookFor(world, namespaces, '', placeNames(request), (one) => isMadeFor(request, one), request.isDeleting, signal),
    lookFor(world, secrets, namespace, kubeconfigNames(request), (one) => isOwnedBy(request, one), false, signal),
  ]);
  const places = found.ours.map(placeOf);
  const [place] = places;
  const inside =
    place === undefined || place.leavingSince !== undefined || request.isDeleting
      ? nothingInside
      : await lookInside(world, place.name, signal);
  const [kubeconfigSecret] = secret.ours;
  const kubeconfigText =
    place === undefined || inside.token === undefined
      ? undefined
      : writeKubeconfig({
          server: world.spaces.server,
          certificateAuthorityData: inBase64(await world.spaces.certificateAuthority()),
          namespace: place.name,
          token: inside.token,
        });
  return {
    object,
    request,
    isHomeLeaving: home === undefined || home.metadata.deletionTimestamp !== undefined,
    tiers: world.spaces.tiers,
    server: world.spaces.server,
    places,
    freeName: found.free,
    ...inside.seen,
    kubeconfig: {
      name: kubeconfigSecret?.metadata.name ?? secret.free,
      state: kubeconfigState(request, kubeconfigSecret, place?.name, kubeconfigText),
    },
    kubeconfigSecret,
    kubeconfigText,
  };
}

/**
 * Those of these names that are ours, and the first that is nobody's. The first name nearly always is ours, and then the
 * others are not asked for; unless all of them have to go.
 */
async function lookFor<Schema extends AnySchema>(
  { clusters }: World,
  kind: ObjectKind<Schema>,
  namespace: string,
  [first = '', ...others]: readonly string[],
  isOurs: (object: ObjectOf<Schema>) => boolean,
  all: boolean,
  signal: AbortSignal,
): Promise<{ readonly ours: readonly ObjectOf<Schema>[]; readonly free: string | undefined }> {
  async function look(name: string) {
    const object = await clusters.local.read(kind, { namespace, name }, { signal });
    return { name, object };
  }
  const best = await look(first);
  const isFound = best.object !== undefined && isOurs(best.object);
  const looked = [best, ...(isFound && !all ? [] : await Promise.all(others.map(look)))];
  return {
    ours: looked.flatMap(({ object }) => (object !== undefined && isOurs(object) ? [object] : [])),
    free: looked.find(({ object }) => object === undefined)?.name,
  };
}

function isOwnedBy({ uid }: SpaceRequest, { metadata }: Secret): boolean {
  return metadata.ownerReferences.some((owner) => owner.uid === uid);
}

async function lookInside({ clusters: { local } }: World, namespace: string, signal: AbortSignal) {
  const [account, role, binding, quotaObject, tokenSecret] = await Promise.all([
    local.read(serviceAccounts, { namespace, name: spaceNames.account }, { signal }),
    local.read(roles, { namespace, name: spaceNames.role }, { signal }),
    local.read(roleBindings, { namespace, name: spaceNames.binding }, { signal }),
    local.read(resourceQuotas, { namespace, name: spaceNames.quota }, { signal }),
    local.read(secrets, { namespace, name: spaceNames.token }, { signal }),
  ]);
  const token = tokenState(tokenSecret, account?.metadata.uid);
  const isBound =
    binding !== undefined &&
    isSameValue(binding.roleRef, roleReference) &&
    isSameValue(binding.subjects, subjectsOf(namespace));
  return {
    token: token === 'filled' ? Buffer.from(tokenSecret?.data['token'] ?? '', 'base64').toString('utf8') : undefined,
    seen: {
      parts: {
        'service-account': account === undefined ? 'absent' : 'right',
        role: stateOf(role, isSameValue(role?.rules, accessRules)),
        'role-binding': stateOf(binding, isBound),
      },
      quota: quotaObject === undefined ? undefined : (quotaObject.spec?.hard ?? {}),
      token,
      role,
      binding,
      quotaObject,
      tokenSecret,
    },
  } as const;
}

const nothingInside: { readonly token: undefined; readonly seen: Awaited<ReturnType<typeof lookInside>>['seen'] } = {
  token: undefined,
  seen: {
    parts: { 'service-account': 'absent', role: 'absent', 'role-binding': 'absent' },
    quota: undefined,
    token: 'absent',
    role: undefined,
    binding: undefined,
    quotaObject: undefined,
    tokenSecret: undefined,
  },
};

/** A Secret for an account that was there before this one opens nothing any more, and its owner in the cluster deletes it. */
function tokenState(secret: Secret | undefined, accountUid: string | undefined): SeenSpace['token'] {
  if (secret === undefined) return 'absent';
  const isFor = secret.metadata.annotations['kubernetes.io/service-account.uid'] ?? accountUid;
  const names = secret.metadata.annotations['kubernetes.io/service-account.name'];
  if (secret.type !== tokenType || names !== spaceNames.account || isFor !== accountUid) return 'foreign';
  return (secret.data['token'] ?? '') === '' ? 'empty' : 'filled';
}

function kubeconfigState(
  request: SpaceRequest,
  secret: Secret | undefined,
  namespace: string | undefined,
  text: string | undefined,
): PartState {
  if (secret === undefined || namespace === undefined || text === undefined) return stateOf(secret, false);
  const labels = Object.entries(kubeconfigLabels(request, namespace));
  return stateOf(
    secret,
    secret.data['kubeconfig'] === inBase64(text) &&
      labels.every(([key, value]) => secret.metadata.labels[key] === value),
  );
}

function stateOf(object: object | undefined, isRight: boolean): PartState {
  if (object === undefined) return 'absent';
  return isRight ? 'right' : 'wrong';
}

function inBase64<Text extends string | undefined>(text: Text): Text {
  return (text === undefined ? undefined : Buffer.from(text).toString('base64')) as Text;
}
