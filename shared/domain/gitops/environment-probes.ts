import type {
  EnvironmentCredentials,
  SeenEnvironment,
  StoredEnvironment,
  TargetAccount,
} from './managed-environment.ts';

type Probe = keyof SeenEnvironment['probes'];

/**
 * What has to be asked of the tenant's cluster next before anything can be decided; undefined when enough is known. The
 * credentials that are in use are tried first. Nobody asks a second time at an address where nobody answers.
 */
export function nextProbe(seen: SeenEnvironment): Probe | undefined {
  const { environment, probes } = seen;
  if (environment === undefined || seen.engine === undefined || wantedOf(seen) === undefined) return undefined;
  const { createNewServiceAccount } = environment.spec;
  if (isCurrent(seen)) {
    if (probes.stored === undefined) return 'stored';
    if (!createNewServiceAccount || isSettledBy(probes.stored)) return undefined;
  }
  if (createNewServiceAccount && probes.installation === undefined) return 'installation';
  return freshCredentials(seen) !== undefined && probes.fresh === undefined ? 'fresh' : undefined;
}

/** A new token would not change what came of it. */
export function isSettledBy(connection: SeenEnvironment['probes']['stored']): boolean {
  return connection === 'works' || connection === 'unreachable' || connection === 'unknown-authority';
}

/** The credentials that would be written, as soon as all of them are known. */
export function freshCredentials(seen: SeenEnvironment): EnvironmentCredentials | undefined {
  const wanted = wantedOf(seen);
  if (wanted === undefined || !seen.environment?.spec.createNewServiceAccount) return wanted;
  const { isComplete, token } = seen.probes.installation ?? {};
  return isComplete === true && token !== undefined ? { ...wanted, token } : undefined;
}

/** What the Secret yields, with the user's own token in it. */
export function wantedOf({ choice }: SeenEnvironment): EnvironmentCredentials | undefined {
  return choice !== undefined && 'wanted' in choice ? choice.wanted : undefined;
}

export function currentOf({ environment, stored }: SeenEnvironment): StoredEnvironment | undefined {
  return stored.find(({ id }) => id === environment?.uid);
}

/** The account that was made for this environment, unless it is the one of another cluster. */
export function accountOf({ environment, accounts }: SeenEnvironment): TargetAccount | undefined {
  return accounts.find(({ id }) => id === environment?.uid);
}

/** Do the rows hold what the environment and its Secret ask for? */
export function isCurrent(seen: SeenEnvironment): boolean {
  const stored = currentOf(seen)?.credentials;
  const wanted = wantedOf(seen);
  if (stored === undefined || wanted === undefined || !isSamePlace(stored, wanted)) return false;
  if (stored.namespaces !== wanted.namespaces || stored.clusterResources !== wanted.clusterResources) return false;
  if (!seen.environment?.spec.createNewServiceAccount) return stored.token === wanted.token;
  const account = accountOf(seen);
  // Until the account has a token of its own, its row holds the user's, and nothing was made yet.
  const hasOwnToken = account !== undefined && account.token !== wanted.token;
  return hasOwnToken && isRecorded(account, wanted) && account.token === stored.token;
}

/** Is it written down that an account is made there? */
export function isRecorded(account: TargetAccount | undefined, wanted: EnvironmentCredentials): boolean {
  return account !== undefined && account.unwantedSince === undefined && isSamePlace(account, wanted);
}

function isSamePlace(
  one: Pick<EnvironmentCredentials, 'server' | 'insecure' | 'certificateAuthority'>,
  other: Pick<EnvironmentCredentials, 'server' | 'insecure' | 'certificateAuthority'>,
): boolean {
  return (
    one.server === other.server &&
    one.insecure === other.insecure &&
    (one.certificateAuthority ?? '') === (other.certificateAuthority ?? '')
  );
}
