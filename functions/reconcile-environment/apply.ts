import { environments, managedEnvironments, secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { finalizers, labels, secretTypes } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Condition } from '../../shared/domain/core/condition.ts';
import { fitsLabel } from '../../shared/domain/core/object-name.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import { choosePlace } from '../../shared/domain/environment/choose-place.ts';
import type { EnvironmentEffect, ManagedSpec } from '../../shared/domain/environment/environment.ts';
import { credentialsSecretOf, managedSpecOf } from '../../shared/domain/environment/keep-place.ts';
import { withOwner } from '../../shared/domain/environment/owner-of.ts';
import { Conflict } from '../../shared/ports/trouble.ts';

import type { SeenByStep, Services } from './observe.ts';

/** The managed environment, the copy of the Secret, the finalizer and the conditions: what is said comes last. */
export async function applyEnvironment(
  seen: SeenByStep,
  step: Step<EnvironmentEffect>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  // The finalizer makes another version of the object, over which the conditions are then written.
  const isTouched = step.effects.some((effect) => isFinalizerEffect(effect));
  for (const effect of step.effects) {
    if (effect.do === 'tell-user') await tell(seen, step.conditions, effect.at, isTouched, services, signal);
    else await applyEffect(effect, seen, services, signal);
  }
}

function isFinalizerEffect(effect: EnvironmentEffect): boolean {
  return effect.do === 'hold-environment' || effect.do === 'let-environment-go';
}

async function applyEffect(
  effect: Exclude<EnvironmentEffect, { do: 'tell-user' }>,
  seen: SeenByStep,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { local } = services.clusters;
  const { namespace } = seen;
  switch (effect.do) {
    case 'hold-environment':
    case 'let-environment-go':
      return writeFinalizer(seen, effect.do === 'hold-environment', services, signal);
    case 'create-managed-environment': {
      const { name } = effect;
      const metadata = { namespace, name, ownerReferences: ownersOf(seen, undefined) };
      await local.create(managedEnvironments, { metadata, spec: specOf(seen) }, { signal });
      return;
    }
    case 'update-managed-environment': {
      const metadata = {
        resourceVersion: seen.managedObject?.metadata.resourceVersion,
        ownerReferences: ownersOf(seen, seen.managedObject),
      };
      // Two spellings at once are refused, and what is absent is false.
      const spec = { ...specOf(seen), clusterCredentialsSecret: null, createNewServiceAccount: null };
      const isThere = await local.patch(
        managedEnvironments,
        { namespace, name: effect.name },
        { metadata, spec },
        { signal },
      );
      return lookAgainUnless(isThere, effect.name);
    }
    case 'remove-managed-environment':
      await local.remove(managedEnvironments, { namespace, name: effect.name }, { uid: seen.managed?.uid, signal });
      return;
    case 'copy-secret': {
      const metadata = {
        namespace,
        name: effect.name,
        labels: labelsOf(seen),
        ownerReferences: ownersOf(seen, undefined),
      };
      const copy = { metadata, type: secretTypes.managedEnvironment, data: seen.source?.data ?? {} };
      await local.create(secrets, copy, { signal });
      return;
    }
    case 'update-copied-secret':
      return updateCopy(effect.name, seen, services, signal);
    case 'remove-copied-secret':
      await local.remove(secrets, { namespace, name: effect.name }, { uid: seen.copy?.uid, signal });
      return;
  }
}

async function updateCopy(name: string, seen: SeenByStep, { clusters }: Services, signal: AbortSignal): Promise<void> {
  const { namespace, source, copyObject } = seen;
  const data = source?.data ?? {};
  const dropped = Object.keys(copyObject?.data ?? {}).filter((key) => !(key in data));
  const isThere = await clusters.local.patch(
    secrets,
    { namespace, name },
    {
      metadata: {
        resourceVersion: copyObject?.metadata.resourceVersion,
        labels: labelsOf(seen),
        ownerReferences: ownersOf(seen, copyObject),
      },
      data: { ...data, ...Object.fromEntries(dropped.map((key) => [key, null])) },
    },
    { signal },
  );
  lookAgainUnless(isThere, name);
}

/** It went while we looked at it. */
function lookAgainUnless(isThere: boolean, name: string): void {
  if (!isThere) throw new Conflict(`${name} is gone`);
}

function specOf(seen: SeenByStep): Omit<ManagedSpec, 'createNewServiceAccount'> | undefined {
  const { environment, claim, target } = seen;
  const choice = environment === undefined ? undefined : choosePlace(environment, claim, target);
  if (choice?.kind !== 'place') return undefined;
  const { createNewServiceAccount, ...spec } = managedSpecOf(choice.place, credentialsSecretOf(seen, choice.isClaimed));
  return spec;
}

function ownersOf(
  { name, environment }: SeenByStep,
  owned: { readonly metadata: { readonly ownerReferences: Parameters<typeof withOwner>[0] } } | undefined,
) {
  return withOwner(owned?.metadata.ownerReferences ?? [], { name, uid: environment?.uid ?? '' });
}

function labelsOf({ name }: SeenByStep): Record<string, string> {
  return fitsLabel(name) ? { [labels.environmentSecret]: name } : {};
}

async function writeFinalizer(
  { namespace, name, object }: SeenByStep,
  isHeld: boolean,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  if (object === undefined) return;
  const { key } = finalizers.environment;
  const others = object.metadata.finalizers.filter((one) => one !== key);
  await clusters.local.patch(
    environments,
    { namespace, name },
    {
      metadata: {
        resourceVersion: object.metadata.resourceVersion,
        finalizers: isHeld ? [...others, key] : others,
      },
    },
    { signal },
  );
}

/** The whole list is written at once, so only over the version that it was made from. */
async function tell(
  { namespace, name, object: seenObject }: SeenByStep,
  conditions: readonly Condition[],
  at: number,
  isTouched: boolean,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace, name };
  const object = isTouched ? await clusters.local.read(environments, key, { signal }) : seenObject;
  // It may be gone, now that nothing holds it.
  if (object === undefined || object.metadata.uid !== seenObject?.metadata.uid) return;
  const told = withConditions(object.status?.conditions ?? [], conditions, at);
  if (told === undefined) return;
  await clusters.local.patch(
    environments,
    key,
    { metadata: { resourceVersion: object.metadata.resourceVersion }, status: { conditions: told } },
    { subresource: 'status', signal },
  );
}
