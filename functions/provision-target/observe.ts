import { claimOf } from '../../shared/contracts/claims.ts';
import { claims } from '../../shared/contracts/kubernetes/kinds.ts';
import { belongsTo } from '../../shared/domain/claim/belongs-to.ts';
import type { Claim } from '../../shared/domain/claim/claim.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { chooseProvisioner } from '../../shared/domain/target/choose-provisioner.ts';
import { targetNames } from '../../shared/domain/target/made-names.ts';
import type { Provision } from '../../shared/domain/target/provision.ts';
import type { SeenProvision } from '../../shared/domain/target/provision-effect.ts';
import type { Target, TargetClass } from '../../shared/domain/target/target.ts';
import { allotResources } from '../../shared/domain/target/wanted-resources.ts';
import type { Provisioner, Wanted } from '../../shared/ports/provisioner.ts';
import { isHomeGoing, readClass, readTarget } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';
import { observeOrphans } from './observe-orphans.ts';

export interface SeenByStep extends SeenProvision {
  /** What the provisioner is asked; undefined: nothing. */
  readonly wanted: Wanted | undefined;
}

interface Kept {
  readonly target: Target | undefined;
  /** The name that another one could have. */
  readonly freeName: string;
}

const absent: Provision = { state: 'absent' };

export async function observeProvision(
  { namespace, name, version }: Subject,
  world: World,
  signal: AbortSignal,
): Promise<SeenByStep | undefined> {
  const { local } = world.clusters;
  const found = await local.read(claims, { namespace, name }, { signal, atLeast: version });
  const gone: SeenByStep = {
    namespace,
    name,
    claim: undefined,
    class: undefined,
    provisioner: undefined,
    provision: absent,
    target: undefined,
    targetName: '',
    isNamespaceGoing: false,
    orphans: [],
    wanted: undefined,
  };
  if (found === undefined) {
    const orphans = await observeOrphans({ namespace, name }, undefined, world.provisioners.all, world, signal);
    return orphans.length === 0 ? undefined : { ...gone, orphans };
  }

  const claim = claimOf(found);
  const asking = await readClass(world.clusters.local, claim.className, signal);
  const provisioner = world.provisioners(chooseProvisioner(claim, asking) ?? '');
  if (provisioner === undefined) return { ...gone, claim, class: asking };
  const seen = await observeMade({ ...gone, claim, class: asking }, claim, provisioner, world, signal);
  // What others of its name have left is looked for when the claim begins and when it ends.
  const isBeginning = seen.provision.state === 'absent' && seen.target === undefined;
  if (!isBeginning && !claim.isDeleting) return seen;
  return { ...seen, orphans: await observeOrphans({ namespace, name }, claim, [provisioner], world, signal) };
}

async function observeMade(
  seen: SeenByStep,
  claim: Claim,
  provisioner: Provisioner,
  world: World,
  signal: AbortSignal,
): Promise<SeenByStep> {
  const wanted = wantedFor(claim, seen.class);
  const [provision, { target, freeName }] = await Promise.all([
    provisioner.observe(wanted, signal),
    claim.isBindComplete ? boundTo(claim, world, signal) : keptFor(claim, world, signal),
  ]);
  const named = provision.state === 'absent' ? undefined : provision.target;
  const made =
    target ?? (await readTarget(world.clusters.local, { namespace: claim.namespace, name: named ?? '' }, signal));
  const mayCreate = made === undefined && (provision.state === 'absent' || provision.state === 'ready');
  return {
    ...seen,
    wanted,
    provisioner: provisioner.name,
    provision,
    target: made,
    targetName: freeName,
    // Nothing is begun in a namespace that goes.
    isNamespaceGoing:
      mayCreate && !claim.isDeleting && (await isHomeGoing(world.clusters.local, claim.namespace, signal)),
  };
}

/** Whoever only wants to get rid of something is not told what is wrong with the class. */
function wantedFor(claim: Claim, asking: TargetClass | undefined): Wanted {
  const allotment = asking === undefined ? undefined : allotResources(claim.resources, asking);
  const { name, uid, created } = claim;
  return {
    namespace: claim.namespace,
    claim: { name, uid, created },
    class: claim.isDeleting ? undefined : asking,
    resources: allotment !== undefined && 'resources' in allotment ? allotment.resources : claim.resources,
    arch: claim.arch,
  };
}

async function boundTo({ namespace, targetName }: Claim, world: World, signal: AbortSignal): Promise<Kept> {
  return { target: await readTarget(world.clusters.local, { namespace, name: targetName }, signal), freeName: '' };
}

/** The target that is kept for a claim, by the names that one of ours would have and by what the rows remember. */
async function keptFor(claim: Claim, world: World, signal: AbortSignal): Promise<Kept> {
  const { namespace } = claim;
  const [first, second] = targetNames(claim);
  const [one, around] = await Promise.all([
    readTarget(world.clusters.local, { namespace, name: first }, signal),
    world.claimRows.observeGoneClaim({ namespace, name: claim.name }),
  ]);
  const other =
    one === undefined || belongsTo(one, claim)
      ? undefined
      : await readTarget(world.clusters.local, { namespace, name: second }, signal);
  const remembered = await Promise.all(
    around.reserved
      .filter((name) => name !== first && name !== second)
      .map((name) => readTarget(world.clusters.local, { namespace, name: name }, signal)),
  );
  const target = [one, other, ...remembered].find((each) => each !== undefined && belongsTo(each, claim));
  return { target, freeName: one === undefined ? first : second };
}
