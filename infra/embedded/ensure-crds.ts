import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { applyCrds, ownCrds, readCrds } from '../kubernetes/apply-crds.ts';

/**
 * Puts our CRDs into the embedded API server. Most starts find them there as they were left: then nothing is parsed and
 * nothing applied, which is a third of the time a start takes.
 */
export async function ensureCrds(connection: ClusterConnection, folder: string): Promise<void> {
  const stampFile = join(folder, 'crds.sha256');
  const stamp = stampOf(ownCrds);
  const isStamped = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isStamped && (await areThere(connection))) return;
  await applyCrds(connection, readCrds(ownCrds));
  writeFileSync(stampFile, stamp);
}

function stampOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

async function areThere(connection: ClusterConnection): Promise<boolean> {
  const { body } = await connection.request('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
    accept: [],
  });
  const { items } = body as { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
  const names = new Set(items.map(({ metadata }) => metadata.name));
  // A file is named after what it defines: `<group>_<plural>.yaml`.
  return readdirSync(ownCrds)
    .filter((name) => name.endsWith('.yaml'))
    .every((name) => names.has(name.replace(/^(.+)_(.+)\.yaml$/, '$2.$1')));
}
