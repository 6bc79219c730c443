import { reconcileDrift } from '../../../../functions/reconcile-drift/index.ts';
import type { PassReport } from '../../../../shared/ports/drift-passes.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';

/** An hour and a bit: older than every age that a pass waits for. */
export const later = 2 * 3_600_000;

/** One whole pass, begun by an operator, at a time of one's own: `ahead` milliseconds from now. */
export async function runPass(
  world: GitOpsWorld,
  { ahead = 0 }: { readonly ahead?: number } = {},
): Promise<PassReport> {
  const { clock } = world.machine;
  const machine = { ...world.machine, clock: { ...clock, now: () => clock.now() + ahead } };
  await world.world.driftPasses.begin('a test');
  for (let tick = 0; tick < 50; tick += 1) {
    await reconcileDrift.tick(machine);
    const [report] = await world.world.driftPasses.latest(1);
    if (report?.endedAt !== undefined) return report;
  }
  throw new Error('the pass does not end');
}

/** What a pass found about things of a namespace, or of these names beside an Argo CD: kind and subject. */
export function foundAbout({ findings }: PassReport, ...parts: readonly string[]): string[] {
  return findings
    .filter(({ subject }) => parts.some((part) => subject.includes(part)))
    .map(({ finding, subject }) => `${finding} ${subject}`)
    .toSorted();
}

/** Takes the knocks out of the queue, so that nobody acts on them: type and subject. */
export function takeKnocks(world: GitOpsWorld): string[] {
  return world.queue.sent
    .splice(0)
    .map(({ message }) => `${message.type} ${message.subject.namespace}/${message.subject.name}`)
    .toSorted();
}

/** Leaves only knocks that have one of these in their subject: others share the API server, and have rows of their own. */
export function keepKnocks(world: GitOpsWorld, ...parts: readonly string[]): void {
  const kept = world.queue.sent
    .splice(0)
    .filter(({ message: { subject } }) => parts.some((part) => `${subject.namespace}/${subject.name}`.includes(part)));
  world.queue.sent.push(...kept);
}
