import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';

const ownClasses = fileURLToPath(new URL('classes', import.meta.url));
const path = '/apis/appstudio.redhat.com/v1alpha1/deploymenttargetclasses';

/**
 * Makes the classes that ship, so that a claim can be fulfilled at once. A class that is there belongs to whoever made it:
 * it stays as it is, whatever its spec. The CRDs must be there. Harmless to repeat.
 */
export async function applyClasses(connection: Pick<ClusterConnection, 'request'>): Promise<void> {
  const classes = readdirSync(ownClasses)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(readFileSync(join(ownClasses, name), 'utf8')))
    .map((document) => document.toJS() as object);
  for (const body of classes) await connection.request(path, { method: 'POST', body, accept: [409] });
}
