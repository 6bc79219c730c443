import type { Condition } from '../core/condition.ts';
import { type Effect, type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { operationSubject } from './names.ts';
import { chooseEngine, type Tenant } from './placement.ts';
import {
  credentialConditions,
  credentialProblem,
  type GitCredential,
  type RepositoryVerdict,
  type StampedCondition,
  saysAlready,
} from './repo-credential.ts';
import { repositoryUrlProblem } from './repository-url.ts';

/** A credential as the rows have it. Its id is the UID of the object it was made from. */
export interface StoredCredential extends GitCredential {
  readonly id: string;
  readonly userId: string;
  readonly instanceId: string;
  readonly url: string;
  readonly secretName: string;
  readonly revision: number;
  /** How long ago it last opened the repository. */
  readonly validatedSecondsAgo: number;
  /** Why it could not be given to Argo CD, the last time that was tried; empty where it could. */
  readonly failure: string;
}

/** The GitOpsDeploymentRepositoryCredential, as far as it matters. */
export interface CredentialObject {
  readonly uid: string;
  readonly repository: string;
  readonly secret: string;
  readonly conditions: readonly StampedCondition[];
}

export type SeenSecret = 'missing' | 'wrong-type' | GitCredential;

export interface SeenRepoCredential {
  readonly namespace: string;
  readonly name: string;
  /** Rows of every object that ever had this name here. */
  readonly stored: readonly StoredCredential[];
  /** Undefined: it is gone, or about to go. */
  readonly present:
    | undefined
    | {
        readonly object: CredentialObject;
        readonly secret: SeenSecret;
        readonly tenant: Tenant;
        /** Undefined: nobody was asked. */
        readonly verdict: RepositoryVerdict | undefined;
        /** Repositories of the tenant at its address that Bindings are written to. They may have waited for it. */
        readonly repositories: readonly string[];
      };
}

export type RepoCredentialEffect = Effect &
  (
    | { readonly do: 'write-conditions'; readonly reason: string; readonly at: number }
    | { readonly do: 'store-credential'; readonly id: string; readonly url: string; readonly secret: string }
    | { readonly do: 'remove-credential'; readonly id: string }
  );

/** A host that changed its mind is noticed within this time; the original looks at every credential every ten minutes. */
const validForSeconds = 3_600;
/** What only somebody else can repair, and what the user can: an answer costs a connection to somebody's host. */
const slowSeconds = 600;
const quickSeconds = 30;
/** No wait of this kind ever fails: it ends when the host or the user does something. */
const patienceSeconds = 365 * 86_400;

/**
 * Must the host be asked? Not where all that would be asked is what it let in before, a short while ago, and the object
 * says so: every write of ours comes back as a change, and the host should not pay for that.
 */
export function needsVerdict(
  object: CredentialObject,
  secret: SeenSecret,
  stored: readonly StoredCredential[],
): boolean {
  if (preliminary(object, secret) !== undefined || typeof secret === 'string') return false;
  const row = stored.find(({ id }) => id === object.uid);
  return (
    row === undefined ||
    !isSame(row, object, secret) ||
    row.validatedSecondsAgo >= validForSeconds ||
    !saysAlready(object.conditions, wordsFor(object, row.failure))
  );
}

/**
 * Decides what becomes of a credential. Only one that opened its repository is stored, and a stored one stays until its
 * object goes: what Argo CD has may still work when we cannot reach the host. A word about a user's mistake is said once
 * and waits for the user; an outage is nobody's mistake and never takes back what was said before it.
 */
export function decideRepoCredential(seen: SeenRepoCredential, moment: Moment): Step<RepoCredentialEffect> {
  const { namespace, stored, present } = seen;
  // OBSERVED: rows of objects that are no more. An object made again under the same name is another one.
  const old = stored.filter(({ id }) => id !== present?.object.uid);
  const removed = {
    effects: old.map(({ id }): RepoCredentialEffect => ({ do: 'remove-credential', id })),
    knocks: old.map(({ id }) => knockAbout(namespace, id)),
  };
  if (present === undefined) return { ...removed, conditions: [], next: settled };

  const { object, secret, tenant, verdict, repositories } = present;
  const said = preliminary(object, secret);
  if (said !== undefined || typeof secret === 'string') return tell(removed, object, said ?? [], settled, moment);

  const row = stored.find(({ id }) => id === object.uid);
  const asStored = row !== undefined && isSame(row, object, secret);
  const { repository, secret: secretName } = object;
  const valid = credentialConditions.valid(repository, secretName);
  switch (verdict?.kind) {
    // OBSERVED: the host does not know the repository, or does not let us in. Either may change without a word to us.
    case 'missing':
      return tell(removed, object, credentialConditions.missing(verdict.detail), slow('InvalidRepositoryUrl'), moment);
    case 'denied':
      return tell(
        removed,
        object,
        credentialConditions.denied(repository, secretName),
        slow('InvalidCredentials'),
        moment,
      );
    case 'refused':
      return tell(removed, object, credentialConditions.invalidUrl(verdict.detail), settled, moment);
    // OBSERVED: nobody could tell. What was said of the very same credential stays.
    case 'unknown': {
      const keeps =
        asStored &&
        [valid, credentialConditions.denied(repository, secretName)].some((one) => saysAlready(object.conditions, one));
      const now = keeps ? object.conditions : credentialConditions.unknown(repository, verdict.detail);
      return tell(removed, object, now, growing('HostUnreachable', verdict.detail, moment), moment);
    }
    // OBSERVED: it works. Undefined says that it did so a short while ago, and that nothing has changed since.
    default: {
      const engine = chooseEngine(tenant);
      if (engine === undefined) {
        const message = 'There is no Argo CD that takes this namespace: an operator must register one or open one';
        const now = credentialConditions.unplaced(repository, secretName, message);
        return tell(removed, object, now, growing('NoArgoCD', message, moment), moment);
      }
      const kept: Pick<Step<RepoCredentialEffect>, 'effects' | 'knocks'> = asStored
        ? removed
        : {
            effects: [
              ...removed.effects,
              { do: 'store-credential', id: object.uid, url: repository, secret: secretName },
            ],
            knocks: [
              ...removed.knocks,
              knockAbout(namespace, object.uid),
              ...repositories.map((name) => ({ type: 'overlay.requested.v1', subject: { namespace, name } })),
            ],
          };
      const again = recheck(validForSeconds, {
        reason: 'CheckedFromTimeToTime',
        message: 'The credential works; whether it still does is looked at from time to time',
        deadlineSeconds: patienceSeconds,
      });
      // What failed is about the row of before: a new one is tried anew.
      return tell(kept, object, wordsFor(object, asStored ? row.failure : ''), again, moment);
    }
  }
}

/** All is well with the credential; what went wrong beside Argo CD is said, too. */
function wordsFor({ repository, secret }: CredentialObject, failure: string): readonly Condition[] {
  return failure === ''
    ? credentialConditions.valid(repository, secret)
    : credentialConditions.unplaced(repository, secret, `Argo CD could not be given the credential: ${failure}`);
}

/** The row that was just found to be right once more: only the time of that is to be noted. */
export function confirmedRow({ stored, present }: SeenRepoCredential): StoredCredential | undefined {
  if (present?.verdict?.kind !== 'listed' || typeof present.secret === 'string') return undefined;
  const { object, secret } = present;
  return stored.find((row) => row.id === object.uid && isSame(row, object, secret));
}

/** What is wrong before anybody is asked. */
function preliminary(object: CredentialObject, secret: SeenSecret): readonly Condition[] | undefined {
  if (object.secret === '') return credentialConditions.secretNotSpecified();
  if (secret === 'missing') return credentialConditions.secretNotFound();
  if (secret === 'wrong-type') return credentialConditions.secretInvalidType();
  const problem = repositoryUrlProblem(object.repository);
  if (problem !== undefined) return credentialConditions.invalidUrl(problem);
  const tooLong = credentialProblem(secret);
  return tooLong === undefined ? undefined : credentialConditions.denied(object.repository, object.secret, tooLong);
}

function isSame(row: StoredCredential, { repository, secret: name }: CredentialObject, secret: GitCredential): boolean {
  return (
    row.url === repository &&
    row.secretName === name &&
    row.username === secret.username &&
    row.password === secret.password &&
    row.sshPrivateKey === secret.sshPrivateKey
  );
}

function tell(
  { effects, knocks }: Pick<Step<RepoCredentialEffect>, 'effects' | 'knocks'>,
  object: CredentialObject,
  conditions: readonly Condition[],
  next: Next,
  { now }: Moment,
): Step<RepoCredentialEffect> {
  const plain = conditions.map(({ type, status, reason, message }) => ({ type, status, reason, message }));
  const [first] = plain;
  if (first === undefined || saysAlready(object.conditions, plain)) return { effects, knocks, conditions: plain, next };
  return {
    effects: [...effects, { do: 'write-conditions', reason: first.reason, at: now }],
    knocks,
    conditions: plain,
    next,
  };
}

function knockAbout(namespace: string, id: string): Knock {
  return { type: 'operation.requested.v1', subject: operationSubject(namespace, 'RepositoryCredentials', id) };
}

function slow(reason: string): Next {
  const message = 'The repository host said no; it is asked again from time to time';
  return recheck(slowSeconds, { reason, message, deadlineSeconds: patienceSeconds });
}

/** As long again as it has waited already, within bounds. */
function growing(reason: string, message: string, { now, waiting }: Moment): Next {
  const waited = waiting?.reason === reason ? (now - waiting.since) / 1_000 : 0;
  const after = Math.min(slowSeconds, Math.max(quickSeconds, waited));
  return recheck(after, { reason, message, deadlineSeconds: patienceSeconds });
}
