import type { StoredCredential } from '../../../shared/domain/gitops/decide-repo-credential.ts';
import type { Engine, Tenant } from '../../../shared/domain/gitops/placement.ts';
import type { GitCredential } from '../../../shared/domain/gitops/repo-credential.ts';

export const url = 'https://git.example.com/Team/Repo.git';
export const secret: GitCredential = { username: 'me', password: 'hunter2', sshPrivateKey: '' };
const engine: Engine = {
  instanceId: 'argo',
  namespace: 'argocd',
  clusterId: 'cluster',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 1,
};
export const tenant: Tenant = { namespace: 'team', namespaceUid: 'team-uid', placed: engine, engines: [] };
/** What is stored of a credential that works. */
export const row: StoredCredential = {
  ...secret,
  id: 'uid',
  userId: 'team-uid',
  instanceId: 'argo',
  url,
  secretName: 'creds',
  revision: 3,
  validatedSecondsAgo: 10,
  failure: '',
};
