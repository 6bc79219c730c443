import type { ClusterConnection } from '../../../../shared/adapters/kubernetes/connection.ts';
import { defaultAppProject } from '../../../kubernetes/default-app-project.ts';
import { statusOf } from '../cluster/api-error.ts';
import type { Fields } from '../kube-object.ts';
import { argoDefinitions } from './definitions.ts';

const servedTimeoutMs = 20_000;

/** Makes what applications need and is not there: the two definitions, the namespace, the project `default`. Changes nothing that is. */
export async function installArgoCd(
  connection: ClusterConnection,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const definition of argoDefinitions) await create(connection, definitions, definition);
  await create(connection, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });

  const projects = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/appprojects`;
  await served(connection, `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications?limit=1`, signal);
  await served(connection, `${projects}?limit=1`, signal);
  await create(connection, projects, defaultAppProject(namespace));
}

async function create(connection: ClusterConnection, path: string, body: Fields): Promise<void> {
  try {
    await connection.request(path, { method: 'POST', body, accept: [] });
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
  }
}

/** A kind is served a moment after its definition was made. */
async function served(connection: ClusterConnection, path: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + servedTimeoutMs;
  while (!signal.aborted && (await connection.request(path, { signal })).status === 404) {
    if (Date.now() > deadline)
      throw new Error(`The API server does not serve ${path}: look at the conditions of its CRD`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
