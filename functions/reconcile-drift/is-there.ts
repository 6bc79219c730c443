import type { ObjectKind } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster, ObjectKey } from '../../shared/ports/cluster.ts';
import { Refused } from '../../shared/ports/trouble.ts';

/** The UID of an object; undefined where there is none. One that cannot be read is there all the same. */
export async function isThere(
  cluster: Cluster,
  kind: ObjectKind,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<string | 'unreadable' | undefined> {
  try {
    const found = (await cluster.read(kind, key, { signal })) as { metadata: { uid: string } } | undefined;
    return found?.metadata.uid;
  } catch (error) {
    if (error instanceof Refused) return 'unreadable';
    throw error;
  }
}
