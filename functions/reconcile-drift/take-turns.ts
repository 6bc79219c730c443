import type { DriftPart } from '../../shared/domain/upkeep/drift.ts';
import { afterTurn, type PassState, whoseTurn } from '../../shared/domain/upkeep/pass.ts';
import type { HeldPass } from '../../shared/ports/drift-passes.ts';
import { isTrouble } from '../../shared/ports/trouble.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import { lookAtApplications, lookAtProjects } from './look-at-applications.ts';
import { lookAtMappings } from './look-at-mappings.ts';
import { lookAtNamespaces } from './look-at-namespaces.ts';
import { lookAtOperations } from './look-at-operations.ts';
import { lookAtOrphans } from './look-at-orphans.ts';
import { lookAtRepositories } from './look-at-repositories.ts';
import { lookAtResources } from './look-at-resources.ts';
import { lookAtClusterSecrets, lookAtRepositorySecrets } from './look-at-secrets.ts';
import { sendKnocks } from './send-knocks.ts';
import type { Came, Turn } from './turn.ts';

/** A tick is over before the next one comes, and well before its own time-out. */
export const tickSeconds = 40;

/** Things that one part looks at before the others have their turn; what it then goes on with, it lists from the beginning. */
const shareOfPart = 50_000;

const looks: Readonly<Record<DriftPart, (turn: Turn) => Promise<Came>>> = {
  deployments: (turn) => lookAtResources('GitOpsDeployment', turn),
  'managed-environments': (turn) => lookAtResources('GitOpsDeploymentManagedEnvironment', turn),
  credentials: (turn) => lookAtResources('GitOpsDeploymentRepositoryCredential', turn),
  'sync-runs': (turn) => lookAtResources('GitOpsDeploymentSyncRun', turn),
  claims: (turn) => lookAtResources('DeploymentTargetClaim', turn),
  targets: (turn) => lookAtResources('DeploymentTarget', turn),
  environments: (turn) => lookAtResources('Environment', turn),
  'released-applications': (turn) => lookAtResources('Application', turn),
  components: (turn) => lookAtResources('Component', turn),
  bindings: (turn) => lookAtResources('SnapshotEnvironmentBinding', turn),
  snapshots: (turn) => lookAtResources('Snapshot', turn),
  promotions: (turn) => lookAtResources('PromotionRun', turn),
  repositories: lookAtRepositories,
  'space-requests': (turn) => lookAtResources('SpaceRequest', turn),
  applications: lookAtApplications,
  'cluster-secrets': lookAtClusterSecrets,
  'repository-secrets': lookAtRepositorySecrets,
  projects: lookAtProjects,
  namespaces: lookAtNamespaces,
  mappings: lookAtMappings,
  operations: lookAtOperations,
  orphans: lookAtOrphans,
};

/** Gives one part after the other its turn, until the pass is over or the time is. */
export async function takeTurns(machine: Machine, pass: HeldPass): Promise<{ state: PassState; findings: number }> {
  const { clock, world, log } = machine;
  const started = clock.elapsed();
  const signal = AbortSignal.timeout(tickSeconds * 1_000);
  const isLate = (): boolean => clock.elapsed() - started > (tickSeconds * 1_000) / 2;
  let { state } = pass;
  let findings = 0;
  // What a tick before this one found and could not send.
  await sendKnocks(machine, pass.id);

  for (let part = whoseTurn(state); part !== undefined && !isLate(); part = whoseTurn(state)) {
    const current = part;
    const before = state.parts[current];
    const turn: Turn = {
      machine,
      now: clock.now(),
      after: before.after,
      signal,
      isDue: (everySeconds) => world.driftPasses.isDue(pass.id, current, everySeconds),
      isUp: (looked) => looked >= shareOfPart || isLate(),
      async tell(found) {
        if (found.length === 0) return;
        findings += found.length;
        await world.driftPasses.report(pass.id, current, found);
        await sendKnocks(machine, pass.id);
      },
    };
    try {
      const came = await looks[current](turn);
      const trouble = came.trouble ?? before.trouble;
      state = afterTurn(state, current, {
        ...came,
        looked: before.looked + came.looked,
        ...(trouble !== undefined && { trouble }),
      });
    } catch (error) {
      if (isOurs(error)) throw error;
      // One part that cannot look must not keep the others from looking; the next pass tries again.
      log.warn('a part of the drift pass failed', { fn: 'reconcile-drift', reason: current, error: String(error) });
      state = afterTurn(state, current, { ...before, done: true, trouble: inOneSentence(error) });
    }
  }
  return { state, findings };
}

/** Without database and queue nothing can be kept or told: the tick ends, and the next one goes on. */
function isOurs(error: unknown): boolean {
  return isTrouble(error) && 'dependency' in error && ['database', 'queue'].includes(error.dependency);
}

function inOneSentence(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : typeof error;
}
