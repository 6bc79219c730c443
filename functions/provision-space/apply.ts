import {
  namespaces,
  type ObjectKind,
  resourceQuotas,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
} from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { accessRules } from '../../shared/domain/space/access-rules.ts';
import { spaceConditions } from '../../shared/domain/space/space-conditions.ts';
import { spaceNames } from '../../shared/domain/space/space-names.ts';
import type { SpaceEffect } from '../../shared/domain/space/space-request.ts';
import type { Cluster, NewObject, ObjectKey } from '../../shared/ports/cluster.ts';
import { Conflict, Refused } from '../../shared/ports/trouble.ts';
import type { World } from '../../shared/runtime/world.ts';
import { holdRequest } from './hold-request.ts';
import type { SeenByStep } from './observe.ts';
import {
  accountIn,
  bindingIn,
  kubeconfigLabels,
  namespaceFor,
  ownerOf,
  quotaIn,
  roleIn,
  subjectsOf,
  tokenIn,
} from './written-parts.ts';

/**
 * In the order of the effects. What the cluster refuses is told to the user in the place of what was decided, because
 * only a person can help; and it is tried again, because that person may be somebody who cannot touch the request.
 */
export async function applySpace(
  seen: SeenByStep,
  step: Step<SpaceEffect>,
  { clusters: { local } }: World,
  signal: AbortSignal,
): Promise<void> {
  const request = holdRequest(seen.object, local, signal);
  for (const effect of step.effects) {
    try {
      if (effect.do === 'hold-request') await request.hold();
      else if (effect.do === 'record-grant') await request.recordGrant(effect.resources);
      else if (effect.do === 'let-go-of-request') await request.letGo();
      else if (effect.do === 'tell-user') await request.tell(step.conditions, effect.at, effect.access);
      else await write(effect, seen, local, signal);
    } catch (error) {
      const at = step.effects.findLast((one) => one.do === 'tell-user')?.at;
      if (!(error instanceof Refused) || at === undefined) throw error;
      const say = seen.request.isDeleting ? spaceConditions.unableToTerminate : spaceConditions.unableToProvision;
      await request.tell([say(refusalOf(effect, error))], at);
      return;
    }
  }
}

/** What is in a Secret may stand in the answer of whoever refuses it. */
function refusalOf({ do: what }: SpaceEffect, { reason, forUser }: Refused): string {
  const isSecret = what === 'write-kubeconfig' || what === 'make-token';
  return `The cluster refuses to ${what.replaceAll('-', ' ')} (${reason})${isSecret ? '' : `: ${forUser}`}`;
}

async function write(effect: SpaceEffect, seen: SeenByStep, cluster: Cluster, signal: AbortSignal): Promise<void> {
  switch (effect.do) {
    case 'make-namespace':
      await cluster.create(namespaces, namespaceFor(seen.request, effect.namespace), { signal });
      break;
    case 'write-access':
      await writeAccess(effect, seen, cluster, signal);
      break;
    case 'write-quota': {
      const wanted = quotaIn(effect.namespace, effect.hard);
      const found = seen.quotaObject;
      const gone = Object.keys(found?.spec?.hard ?? {}).filter((name) => !(name in effect.hard));
      const hard = { ...effect.hard, ...Object.fromEntries(gone.map((name) => [name, null])) };
      await put(cluster, resourceQuotas, found, wanted, { spec: { hard } }, signal);
      break;
    }
    case 'remove-quota':
      await remove(cluster, resourceQuotas, seen.quotaObject, signal);
      break;
    case 'make-token':
      await cluster.create(secrets, tokenIn(effect.namespace), { signal });
      break;
    case 'remove-foreign-token':
      await remove(cluster, secrets, seen.tokenSecret, signal);
      break;
    case 'write-kubeconfig':
      await writeKubeconfigSecret(effect, seen, cluster, signal);
      break;
    case 'delete-namespace': {
      const uid = seen.places.find(({ name }) => name === effect.namespace)?.uid;
      if (uid !== undefined)
        await cluster.remove(namespaces, { namespace: '', name: effect.namespace }, { uid, signal });
      break;
    }
    case 'delete-kubeconfig':
      await remove(cluster, secrets, seen.kubeconfigSecret, signal);
      break;
    default:
  }
}

async function writeAccess(
  { part, namespace }: Extract<SpaceEffect, { do: 'write-access' }>,
  { role, binding }: SeenByStep,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<void> {
  switch (part) {
    case 'service-account':
      await cluster.create(serviceAccounts, accountIn(namespace), { signal });
      break;
    case 'role':
      await put(cluster, roles, role, roleIn(namespace), { rules: accessRules }, signal);
      break;
    case 'role-binding':
      // Kubernetes lets nobody change the role of a binding: one with another role has to go first.
      if (binding !== undefined && binding.roleRef['name'] !== spaceNames.role) {
        await remove(cluster, roleBindings, binding, signal);
        await cluster.create(roleBindings, bindingIn(namespace), { signal });
      } else
        await put(cluster, roleBindings, binding, bindingIn(namespace), { subjects: subjectsOf(namespace) }, signal);
      break;
  }
}

async function writeKubeconfigSecret(
  { secret: name, namespace }: Extract<SpaceEffect, { do: 'write-kubeconfig' }>,
  { request, kubeconfigSecret, kubeconfigText }: SeenByStep,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<void> {
  if (kubeconfigText === undefined) throw new Conflict('the token is gone that the kubeconfig was to be made of');
  const labels = kubeconfigLabels(request, namespace);
  const data = { kubeconfig: Buffer.from(kubeconfigText).toString('base64') };
  const metadata = { namespace: request.namespace, name, labels, ownerReferences: [ownerOf(request)] };
  await put(
    cluster,
    secrets,
    kubeconfigSecret,
    { metadata, type: 'Opaque', data },
    { metadata: { labels }, data },
    signal,
  );
}

interface Found {
  readonly metadata: ObjectKey & { readonly uid: string; readonly resourceVersion: string };
}

/** Makes it, or writes over the version that was seen. */
async function put(
  cluster: Cluster,
  kind: ObjectKind,
  found: Found | undefined,
  wanted: NewObject,
  patch: { readonly metadata?: object; readonly [field: string]: unknown },
  signal: AbortSignal,
): Promise<void> {
  if (found === undefined) {
    await cluster.create(kind, wanted, { signal });
    return;
  }
  const { namespace, name, resourceVersion } = found.metadata;
  const body = { ...patch, metadata: { ...patch.metadata, resourceVersion } };
  if (!(await cluster.patch(kind, { namespace, name }, body, { signal })))
    throw new Conflict(`${kind.kind} ${name} is gone by now`);
}

async function remove(
  cluster: Cluster,
  kind: ObjectKind,
  found: Found | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (found === undefined) return;
  const { namespace, name, uid } = found.metadata;
  await cluster.remove(kind, { namespace, name }, { uid, signal });
}
