import { namespaces, repositoryCredentials, secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import {
  needsVerdict,
  type SeenRepoCredential,
  type SeenSecret,
} from '../../shared/domain/gitops/decide-repo-credential.ts';
import { seeTenant } from '../../shared/runtime/see-tenant.ts';
import type { World } from '../../shared/runtime/world.ts';

export type Services = Pick<World, 'clusters' | 'tenants' | 'argoCdNamespaces' | 'credentials' | 'repositories'>;

export interface Seen extends SeenRepoCredential {
  /** The version of the object; undefined where there is none. */
  readonly version: string | undefined;
}

export async function observeRepoCredential(
  subject: Subject,
  services: Services,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const { namespace, name, version } = subject;
  const cluster = services.clusters.local;
  const key = { namespace, name };
  const [found, stored] = await Promise.all([
    cluster.read(repositoryCredentials, key, { signal, atLeast: version }),
    services.credentials.observe('GitOpsDeploymentRepositoryCredential', key),
  ]);
  if (found === undefined && stored.length === 0) return undefined;

  const gone: Seen = { namespace, name, stored, present: undefined, version: found?.metadata.resourceVersion };
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return gone;
  const [home, secret] = await Promise.all([
    cluster.read(namespaces, { namespace: '', name: namespace }, { signal }),
    readSecret(namespace, found.spec.secret, services, signal),
  ]);
  // Deleted between the two reads: what is left of it is on its way out, too.
  if (home === undefined) return gone;

  const object = {
    uid: found.metadata.uid,
    repository: found.spec.repository,
    secret: found.spec.secret,
    conditions: found.status?.conditions ?? [],
  };
  const [tenant, repositories, verdict] = await Promise.all([
    seeTenant(services, { name: namespace, uid: home.metadata.uid }, signal),
    services.credentials.openedBy({ namespace, url: object.repository }),
    typeof secret !== 'string' && needsVerdict(object, secret, stored)
      ? services.repositories.ask(object.repository, secret, signal)
      : undefined,
  ]);
  return { ...gone, present: { object, secret, tenant, verdict, repositories } };
}

async function readSecret(
  namespace: string,
  name: string,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<SeenSecret> {
  // What no Secret can be called is not asked for: some of it would be read as a path.
  if (!/^[a-z\d](?:[-.a-z\d]{0,251}[a-z\d])?$/.test(name)) return 'missing';
  const secret = await clusters.local.read(secrets, { namespace, name }, { signal });
  if (secret === undefined) return 'missing';
  if (secret.type !== secretTypes.repositoryCredential) return 'wrong-type';
  const text = (field: string) => Buffer.from(secret.data[field] ?? '', 'base64').toString('utf8');
  return { username: text('username'), password: text('password'), sshPrivateKey: text('sshPrivateKey') };
}
