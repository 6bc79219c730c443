import { namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Finding } from '../../shared/domain/upkeep/drift.ts';
import type { TenantRow } from '../../shared/ports/drift-rows.ts';
import { inGroups } from './in-groups.ts';
import { isThere } from './is-there.ts';
import { type Came, pageSize, type Turn } from './turn.ts';

/**
 * Tenants whose namespace is gone, or was made again under the same name. What they had in it is found by the parts that
 * look at resources, and cleaned up by its owners; when nothing is left, the tenant's own rows are garbage.
 */
export async function lookAtNamespaces(turn: Turn): Promise<Came> {
  const { driftRows, clusters } = turn.machine.world;
  const alive = new Set<string>();
  for await (const page of clusters.local.list(namespaces, { signal: turn.signal }))
    for (const { metadata } of page) alive.add(metadata.uid);

  let after = Number(turn.after);
  for (let looked = 0; ; ) {
    const tenants = await driftRows.tenants(after, pageSize);
    const missed = tenants.filter(({ id }) => !alive.has(id));
    const found = await inGroups(missed, async (tenant): Promise<Finding[]> => {
      const key = { namespace: '', name: tenant.namespace };
      const uid = await isThere(clusters.local, namespaces, key, turn.signal);
      return uid === tenant.id || uid === 'unreadable' ? [] : [toFinding(tenant, uid === undefined)];
    });
    await turn.tell(found.flat());
    looked += tenants.length;
    after = tenants.at(-1)?.seq ?? after;
    if (tenants.length < pageSize) return { done: true, after: '', looked };
    if (turn.isUp(looked)) return { done: false, after: String(after), looked };
  }
}

function toFinding({ id, namespace, things }: TenantRow, gone: boolean): Finding {
  const left = things === 0 ? 'nothing is left in it' : `rows stand for ${things} things in it`;
  return {
    kind: 'NamespaceGone',
    subject: { namespace, name: id },
    what: `The namespace ${gone ? 'is gone' : 'is another one by now'}; ${left}`,
  };
}
