import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { poll } from '../poll.ts';

/** As much of a CustomResourceDefinition as is looked at here. */
export interface CrdFile {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The CRDs that Stagecoach ships. */
export const ownCrds = fileURLToPath(new URL('../crds', import.meta.url));

const limitMs = 30_000;

export function readCrds(folder: string): readonly CrdFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => document.toJS() as CrdFile)
    .filter(({ kind }) => kind === 'CustomResourceDefinition');
}

/**
 * Applies the CRDs and waits until each is served. Applied by the server, because those of Argo CD are too large for the
 * annotation that a client-side apply leaves; harmless to repeat.
 */
export async function applyCrds(
  connection: Pick<ClusterConnection, 'request'>,
  crds: readonly CrdFile[],
): Promise<void> {
  await Promise.all(
    crds.map(async (crd) => {
      await connection.request(`${pathOf(crd)}?fieldManager=stagecoach-setup&force=true&fieldValidation=Strict`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: crd,
        accept: [],
      });
      await poll(`${crd.metadata.name} to be established`, limitMs, async () =>
        isEstablished((await connection.request(pathOf(crd))).body as Conditioned),
      );
      // Neither says the other: a kind was seen listed before it was established, and not yet listed after that.
      const list = listPath(crd);
      await poll(`${list} to be served`, limitMs, async () => (await connection.request(list)).status === 200);
    }),
  );
}

function isEstablished({ status }: Conditioned): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}

function pathOf({ metadata }: CrdFile): string {
  return `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`;
}

function listPath({ spec }: CrdFile): string {
  const version = spec.versions.find(({ served }) => served)?.name;
  return `/apis/${spec.group}/${version}/${spec.names.plural}?limit=1`;
}
