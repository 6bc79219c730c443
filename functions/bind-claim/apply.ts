import { targetOf } from '../../shared/contracts/claims.ts';
import { claims, targets } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { belongsTo } from '../../shared/domain/claim/belongs-to.ts';
import type { ClaimEffect } from '../../shared/domain/claim/observed-claim.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { SeenByStep } from './observe.ts';

type Patch = Record<string, unknown>;

/**
 * The order of the effects is the order of the writes. The first write to an object carries the version that was seen, so
 * it fails where somebody wrote first; the status that follows it a moment later says what this first write has made true.
 */
export async function applyClaim(
  seen: SeenByStep,
  step: Step<ClaimEffect>,
  { clusters }: World,
  signal: AbortSignal,
): Promise<void> {
  const { local } = clusters;
  const { namespace, name, claim } = seen;
  if (claim === undefined) return;
  const versions = new Map([[name, claim.version]]);
  const targetVersions = new Map(seen.targets.map((target) => [target.name, target.version]));

  async function patchClaim(patch: Patch, subresource?: 'status'): Promise<void> {
    const metadata = { ...(patch['metadata'] as Patch | undefined), ...version(versions, name) };
    await taken(local.patch(claims, { namespace, name }, { ...patch, metadata }, { signal, subresource }), name);
  }

  async function patchTarget(target: string, patch: Patch, subresource?: 'status'): Promise<void> {
    const metadata = version(targetVersions, target);
    await taken(
      local.patch(targets, { namespace, name: target }, { ...patch, metadata }, { signal, subresource }),
      target,
    );
  }

  /** It may have been given to somebody else since its status was written: only the reference to this claim goes. */
  async function removeReference(target: string): Promise<void> {
    const object = await local.read(targets, { namespace, name: target }, { signal });
    if (object === undefined || claim === undefined || !belongsTo(targetOf(object), claim)) return;
    targetVersions.set(target, object.metadata.resourceVersion);
    await patchTarget(target, { spec: { claimRef: null } });
  }

  const writes = claimPatch(seen, step.effects);
  for (const effect of step.effects) {
    switch (effect.do) {
      case 'reserve-target':
        await patchTarget(effect.target, { spec: { claimRef: { name, uid: claim.uid } } });
        break;
      // One write for all that is to be changed of the claim itself, with the first of them.
      case 'hold-claim':
      case 'point-claim':
      case 'mark-claim':
      case 'unmark-claim': {
        const patch = writes.splice(0).at(0);
        if (patch !== undefined) await patchClaim(patch);
        break;
      }
      case 'tell-target':
        await patchTarget(effect.target, { status: { phase: 'Bound' } }, 'status');
        break;
      case 'tell-claim': {
        const conditions = withConditions(claim.said, step.conditions, effect.at) ?? claim.said;
        await patchClaim({ status: { phase: effect.phase, conditions } }, 'status');
        break;
      }
      case 'release-target':
        if (seen.targets.some((target) => target.name === effect.target && target.phase !== 'Released'))
          await patchTarget(effect.target, { status: { phase: 'Released' } }, 'status');
        await removeReference(effect.target);
        break;
      case 'free-target':
        await removeReference(effect.target);
        break;
      case 'delete-target':
        await local.remove(targets, { namespace, name: effect.target }, { uid: effect.uid, signal });
        break;
      case 'let-claim-go':
        await patchClaim({ metadata: { finalizers: seen.finalizers.filter((key) => key !== finalizers.claim.key) } });
        break;
      case 'delete-claim':
        await local.remove(claims, { namespace, name }, { uid: effect.uid, signal });
        break;
      default:
        effect satisfies never;
    }
  }
}

/** The version that was seen, for the first write only. */
function version(versions: Map<string, string>, name: string): Patch {
  const resourceVersion = versions.get(name);
  versions.delete(name);
  return resourceVersion === undefined ? {} : { resourceVersion };
}

async function taken(written: Promise<boolean>, name: string): Promise<void> {
  if (!(await written)) throw new Conflict(`${name} is gone`);
}

/** What is to be changed of the claim itself: none or one patch. */
function claimPatch(seen: SeenByStep, effects: readonly ClaimEffect[]): Patch[] {
  const marks: Record<string, string | null> = {};
  const patch: Patch = {};
  let held: readonly string[] | undefined;
  for (const effect of effects) {
    switch (effect.do) {
      case 'hold-claim':
        held = [...seen.finalizers, finalizers.claim.key];
        break;
      case 'point-claim':
        marks[annotations.bindComplete.key] = 'true';
        if (effect.byController) {
          marks[annotations.boundByController.key] = 'true';
          patch['spec'] = { targetName: effect.target };
        }
        break;
      case 'mark-claim':
        marks[annotations.targetProvisioner.key] = effect.provisioner;
        break;
      case 'unmark-claim':
        for (const key of [annotations.targetProvisioner.key, ...annotations.targetProvisioner.alsoRead])
          marks[key] = null;
        break;
      default:
    }
  }
  if (held === undefined && Object.keys(marks).length === 0) return [];
  const metadata = {
    ...(held !== undefined && { finalizers: held }),
    ...(Object.keys(marks).length > 0 && { annotations: marks }),
  };
  return [{ ...patch, metadata }];
}
