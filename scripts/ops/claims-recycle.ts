import { targetOf } from '../../shared/contracts/claims.ts';
import { claims, targets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Target } from '../../shared/domain/target/target.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { clusterTrouble } from './cluster-trouble.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { knockAbout } from './knock-about.ts';
import type { Paint } from './paint.ts';

export interface ClaimsRecycle {
  readonly target: string;
  /** False: it was free already. */
  readonly changed: boolean;
  /** Functions that were told. */
  readonly told: number;
}

const attempts = 5;

/** Makes a Released target Available. Whoever does it vouches that nothing of the last tenant is left behind it. */
export async function runClaimsRecycle(
  context: Context,
  { target: named, why = '' }: { readonly target: string; readonly why?: string | undefined },
): Promise<Result<ClaimsRecycle>> {
  const target = await findTarget(context, named);
  const { namespace, name, phase } = target;
  const subject = `${namespace}/${name}`;
  const isFree = phase === 'Available' && target.claim === undefined && !target.isDeleting;
  if (isFree) return { code: exits.ok, value: { target: subject, changed: false, told: 0 } };
  await refuseUnlessFree(context, target);

  const behind = target.access.defaultNamespace;
  await context.approve(
    `Will make ${subject} Available, as ${context.who}: the next claim that fits gets it${behind === '' ? '' : `, with whatever is left in namespace ${behind}`}.`,
  );
  const cause = context.newId();
  await context.ledger.record([
    {
      who: context.who,
      action: 'recycle-target',
      subject,
      tenant: namespace,
      details: { why, uid: target.uid, claim: target.claim?.name ?? '' },
      cause,
      correlation: cause,
    },
  ]);
  await makeAvailable(context, target);
  return { code: exits.ok, value: { target: subject, changed: true, told: await tell(context, target, cause) } };
}

export function renderClaimsRecycle({ target, changed }: ClaimsRecycle, paint: Paint): string {
  return changed
    ? `${paint.good('recycled')}  ${target} is Available. What becomes of it: npm run ops -- trace ${target}`
    : `${target} is Available already.`;
}

async function findTarget(context: Context, named: string): Promise<Target> {
  const [namespace = '', name = '', ...more] = named.split('/');
  if (namespace === '' || name === '' || more.length > 0)
    throw new Exit(exits.wrongUsage, `Name the target as namespace/name; "${named}" is something else.`);
  const found = await context.world().clusters.local.read(targets, { namespace, name });
  if (found === undefined)
    throw new Exit(
      exits.notFound,
      `There is no DeploymentTarget ${namespace}/${name}. "claims ${namespace}" lists what is Released.`,
    );
  return targetOf(found);
}

/** A sentence for each reason why it may not be given to somebody else. */
async function refuseUnlessFree(context: Context, target: Target): Promise<void> {
  const { namespace, name, phase, claim, isDeleting } = target;
  const subject = `${namespace}/${name}`;
  if (isDeleting) throw new Exit(exits.failed, `${subject} is being deleted: there is nothing left to recycle.`);
  if (phase === 'Failed')
    throw new Exit(
      exits.failed,
      `${subject} is Failed: what is behind it could not be freed. See "kubectl describe -n ${namespace} deploymenttarget/${name}".`,
    );
  if (phase !== 'Released')
    throw new Exit(
      exits.failed,
      `${subject} is ${phase === '' ? 'not looked at yet' : phase}${claim === undefined ? '' : `, for claim ${claim.name}`}: only a Released target can be recycled.${claim === undefined ? '' : ` Delete the claim first: kubectl delete -n ${namespace} deploymenttargetclaim/${claim.name}`}`,
    );
  if (claim === undefined) return;
  const found = await context.world().clusters.local.read(claims, { namespace, name: claim.name });
  if (found === undefined || (claim.uid !== undefined && claim.uid !== found.metadata.uid)) return;
  throw new Exit(
    exits.failed,
    `${subject} is still kept for the claim ${claim.name}, which is there: delete the claim first, kubectl delete -n ${namespace} deploymenttargetclaim/${claim.name}`,
  );
}

/**
 * First nobody has it, then it says so: cut short between the two, it is Released as before and can be recycled again. The
 * binder may look at it in between and write its own word; then we look again, too.
 */
async function makeAvailable(context: Context, { namespace, name, uid }: Target): Promise<void> {
  const { local } = context.world().clusters;
  const key = { namespace, name };
  for (let left = attempts; left > 0; left -= 1) {
    const target = await findTarget(context, `${namespace}/${name}`);
    if (target.uid !== uid) throw new Exit(exits.failed, `${namespace}/${name} is another one by now: look again.`);
    await refuseUnlessFree(context, target);
    const over = { metadata: { resourceVersion: target.version } };
    try {
      if (target.claim === undefined) {
        await local.patch(targets, key, { ...over, status: { phase: 'Available' } }, { subresource: 'status' });
        return;
      }
      await local.patch(targets, key, { ...over, spec: { claimRef: null } });
    } catch (error) {
      if (error instanceof Conflict && left > 1) continue;
      throw new Exit(
        exits.failed,
        `${namespace}/${name} was not recycled: ${clusterTrouble(error)}. Look at it and try again.`,
        { cause: error },
      );
    }
  }
  throw new Exit(exits.failed, `${namespace}/${name} was not recycled: it is given to a claim again and again.`);
}

/** The change wakes the binder by itself; without a watch this does. That the queue is away changes nothing about what is done. */
async function tell(context: Context, { namespace, name }: Target, cause: string): Promise<number> {
  try {
    return await knockAbout(context, 'target.changed.v1', { namespace, name }, cause);
  } catch {
    return 0;
  }
}
