import type { Moment } from '../../../shared/domain/core/step.ts';
import type {
  Environment,
  SeenEnvironment,
  StoredEnvironment,
  TargetAccount,
} from '../../../shared/domain/gitops/managed-environment.ts';

export const uid = 'uid-1';
export const now = Date.parse('2026-01-01T12:00:00Z');

export const credentials = {
  server: 'https://api.example.com',
  token: 'user-token',
  certificateAuthority: 'authority',
  insecure: false,
  namespaces: '',
  clusterResources: false,
} as const;

const engine = {
  instanceId: 'argo',
  namespace: 'argocd',
  clusterId: 'cluster',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 0,
} as const;

/** What is seen of a sound environment, with what the test says otherwise. */
export function aSight(
  given: Partial<SeenEnvironment> & {
    readonly said?: Environment['said'];
    readonly createNewServiceAccount?: boolean;
  } = {},
): SeenEnvironment {
  const { said, createNewServiceAccount = false, ...rest } = given;
  const spec = {
    apiURL: credentials.server,
    credentialsSecret: 'target',
    allowInsecureSkipTLSVerify: false,
    createNewServiceAccount,
    namespaces: [],
    clusterResources: false,
  };
  return {
    namespace: 'team',
    name: 'staging',
    environment: { uid, spec, said },
    choice: { wanted: credentials },
    engine,
    stored: [],
    accounts: [],
    waiting: [],
    probes: {},
    ...rest,
  };
}

export function stored(given: Partial<StoredEnvironment> = {}): StoredEnvironment {
  return {
    id: uid,
    credentials: { ...credentials, id: 'credentials' },
    hasMapping: true,
    hasProject: true,
    instances: ['argo'],
    applications: [],
    ...given,
  };
}

export function anAccount(given: Partial<TargetAccount> = {}): TargetAccount {
  const { server, token, certificateAuthority, insecure } = credentials;
  return { id: uid, server, token, certificateAuthority, insecure, unwantedSince: undefined, needed: false, ...given };
}

/** Now, after it has waited for a reason for some seconds. */
export function moment(reason?: string, elapsed = 0): Moment {
  const since = now - elapsed * 1_000;
  return { now, waiting: reason === undefined ? undefined : { reason, since, deadline: since + 120_000 } };
}
