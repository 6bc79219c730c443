import type { Finding } from '../../shared/domain/upkeep/drift.ts';
import type { DanglingMapping } from '../../shared/ports/drift-rows.ts';
import { type Came, pageSize, type Turn } from './turn.ts';

const knocks: Readonly<Record<string, string>> = {
  GitOpsDeploymentManagedEnvironment: 'managed-environment.changed.v1',
  GitOpsDeploymentRepositoryCredential: 'repo-credential.changed.v1',
  GitOpsDeploymentSyncRun: 'sync-run.changed.v1',
  Application: 'application.changed.v1',
};

/** Mappings that point to nothing. Whoever owns the resource makes the row again, or lets the mapping go. */
export async function lookAtMappings(turn: Turn): Promise<Came> {
  const { driftRows } = turn.machine.world;
  let after = Number(turn.after);
  for (let looked = 0; ; ) {
    const page = await driftRows.dangling(after, pageSize);
    await turn.tell(page.dangling.map(toFinding));
    looked += page.looked;
    after = page.lastSeq;
    if (page.looked < pageSize) return { done: true, after: '', looked };
    if (turn.isUp(looked)) return { done: false, after: String(after), looked };
  }
}

function toFinding({ table, kind, uid, relation, namespace, name }: DanglingMapping): Finding {
  const type = knocks[kind];
  const subject = type === undefined ? { namespace: kind, name: uid } : { namespace, name };
  return {
    kind: 'MappingDangling',
    subject,
    what: `${table} names a ${relation} that is not there`,
    // The mapping of a namespace has no owner: whoever clears up takes it away.
    ...(type !== undefined && { knock: { type, subject } }),
  };
}
