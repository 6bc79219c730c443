import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { until } from './until.ts';

/** One object of infra/kubernetes/rbac, as far as tests look at it. */
export interface RbacObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly roleRef?: { readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string }[];
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

interface Choice {
  /** Where the Argo CDs are; the shipped bindings name the default of ARGO_CD_NAMESPACE. Anywhere: a suite makes its own. */
  readonly argoNamespaces: readonly string[] | 'anywhere';
  /** The files of rbac/optional to apply as well. */
  readonly optional: readonly string[];
}

/** The namespace of the service's own ServiceAccounts, as in the shipped bindings. */
export const serviceNamespace = 'stagecoach';

const folder = fileURLToPath(new URL('../../infra/kubernetes/rbac', import.meta.url));
const shippedArgoNamespace = 'gitops-service-argocd';
/** The placeholder of the optional bindings, and where the hosted clusters of tests are. */
const hostedNamespace = 'hosted-clusters';
const plurals: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

/** What is shipped, or one of the optional files. */
export function readRoles(optional?: string): readonly RbacObject[] {
  const files =
    optional === undefined
      ? readdirSync(folder).filter((name) => name.endsWith('.yaml'))
      : [join('optional', `${optional}.yaml`)];
  return files
    .toSorted()
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => document.toJS() as RbacObject);
}

/** As `kubectl apply -f infra/agent/rbac.yaml` does. */
export async function applyAgentRoles(connection: Pick<ClusterConnection, 'request'>): Promise<void> {
  const text = readFileSync(new URL('../../infra/agent/rbac.yaml', import.meta.url), 'utf8');
  for (const document of parseAllDocuments(text)) await apply(connection, document.toJS() as RbacObject);
}

/** As `kubectl apply -f infra/kubernetes/rbac` does, with the namespaces filled in. */
export async function applyRoles(
  connection: Pick<ClusterConnection, 'request'>,
  { argoNamespaces, optional }: Choice,
): Promise<void> {
  const objects = [...readRoles(), ...optional.flatMap((file) => readRoles(file))].flatMap((object) => {
    const { namespace } = object.metadata;
    if (namespace === shippedArgoNamespace)
      return argoNamespaces === 'anywhere'
        ? [{ ...object, kind: 'ClusterRoleBinding', metadata: { name: object.metadata.name } }]
        : argoNamespaces.map((name) => within(object, name));
    return [object];
  });
  if (optional.includes('hypershift'))
    await apply(connection, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: hostedNamespace } });
  // Whoever is bound to something must be there first, and so must the namespace.
  const order = Object.keys(plurals);
  for (const object of objects.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)))
    await apply(connection, object);
  // An API server takes a moment until it knows a new role, and each kind of them in the order they came.
  const last = { user: `system:serviceaccount:${serviceNamespace}:collect-garbage`, verb: 'list' };
  await until('the roles to be known', async () => {
    const everywhere = { group: 'managed-gitops.redhat.com', resource: 'operations', namespace: 'default' };
    const beside = {
      group: 'argoproj.io',
      resource: 'applications',
      namespace: argoNamespaces === 'anywhere' ? 'default' : (argoNamespaces[0] ?? ''),
    };
    return (await isAllowed(connection, { ...last, ...everywhere })) && isAllowed(connection, { ...last, ...beside });
  });
}

interface Asked {
  readonly user: string;
  readonly groups?: readonly string[] | undefined;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace: string;
  readonly name?: string | undefined;
}

/** What the API server would say. */
export async function isAllowed(
  connection: Pick<ClusterConnection, 'request'>,
  { user, groups = [], ...resourceAttributes }: Asked,
): Promise<boolean> {
  const apiVersion = 'authorization.k8s.io/v1';
  const { body } = await connection.request(`/apis/${apiVersion}/subjectaccessreviews`, {
    method: 'POST',
    body: { apiVersion, kind: 'SubjectAccessReview', spec: { user, groups, resourceAttributes } },
  });
  return (body as { readonly status: { readonly allowed: boolean } }).status.allowed;
}

function within(object: RbacObject, namespace: string): RbacObject {
  return { ...object, metadata: { ...object.metadata, namespace } };
}

async function apply(connection: Pick<ClusterConnection, 'request'>, object: RbacObject): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `${root}${place}/${plurals[kind]}/${encodeURIComponent(metadata.name)}`;
  await connection.request(`${path}?fieldManager=stagecoach-test&force=true&fieldValidation=Strict`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: object,
    accept: [],
  });
}
