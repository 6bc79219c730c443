import { type Condition, isSameCondition } from '../core/condition.ts';

/** What opens a repository. What is not given is empty. */
export interface GitCredential {
  readonly username: string;
  readonly password: string;
  readonly sshPrivateKey: string;
}

/** What a repository host said to somebody who asked for the branches of a repository. */
export type RepositoryVerdict =
  /** It listed them. */
  | { readonly kind: 'listed' }
  /** There is no such repository. */
  | { readonly kind: 'missing'; readonly detail: string }
  /** It does not let this credential in. */
  | { readonly kind: 'denied' }
  /** The service does not ask at such an address. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Nobody could tell: the host is away, or we are not able to ask. The same facts give the same words. */
  | { readonly kind: 'unknown'; readonly detail: string };

/** A condition as it stands on the object. */
export interface StampedCondition extends Condition {
  readonly lastTransitionTime: string;
}

const types = ['ErrorOccurred', 'ValidRepositoryURL', 'ValidRepositoryCredential'] as const;
type Reason =
  | 'ErrorOccurred'
  | 'RepositoryCredentialUpToDate'
  | 'SecretNotSpecified'
  | 'SecretNotFound'
  | 'SecretInvalidType'
  | 'InvalidCredentials'
  | 'InvalidRepositoryUrl'
  | 'ValidRepositoryUrl';
type Said = readonly [Condition['status'], Reason, string];

/** The three conditions of every situation. Clients of the original service know the words. */
export const credentialConditions = {
  secretNotSpecified: () => wrong('SecretNotSpecified', 'Secret field is missing value'),
  secretNotFound: () => wrong('SecretNotFound', 'Secret specified not found'),
  secretInvalidType: () =>
    wrong('SecretInvalidType', 'Secret has an invalid type, must be managed-gitops.redhat.com/repository-credential'),
  invalidUrl: (problem: string) => wrong('InvalidRepositoryUrl', problem),
  missing: (detail: string) => wrong('InvalidRepositoryUrl', `Repository does not exist: ${detail}`),
  /** `because` is for what the original does not know, such as a password that is too long. */
  denied(url: string, secret: string, because?: string) {
    const message = `Repository Credentials provided ${secret} for Repository ${url} are invalid${because === undefined ? '' : `: ${because}`}`;
    return three(
      ['True', 'InvalidCredentials', message],
      ['True', 'ValidRepositoryUrl', `Repository ${url} exists`],
      ['False', 'InvalidCredentials', message],
    );
  },
  valid: (url: string, secret: string) =>
    three(['False', 'RepositoryCredentialUpToDate', 'RepositoryCredentials are Valid'], ...bothValid(url, secret)),
  /** All is well with it, but there is nobody to give it to. */
  unplaced: (url: string, secret: string, message: string) =>
    three(['True', 'ErrorOccurred', message], ...bothValid(url, secret)),
  /** Nobody knows whether anything is wrong with it. */
  unknown(url: string, detail: string) {
    const message = `Repository ${url} could not be checked: ${detail}`;
    return three(
      ['True', 'ErrorOccurred', message],
      ['Unknown', 'ErrorOccurred', message],
      ['Unknown', 'ErrorOccurred', message],
    );
  },
} as const;

/** Does the object say this already, all three and nothing else? */
export function saysAlready(standing: readonly Condition[], said: readonly Condition[]): boolean {
  return (
    standing.length === said.length &&
    said.every((condition) => standing.some((other) => isSameCondition(condition, other)))
  );
}

/**
 * The whole list as it is to be written: what is said already keeps its time. The order is that of the string
 * `type/message/status/reason/time`, by code units.
 */
export function stampConditions(
  standing: readonly StampedCondition[],
  said: readonly Condition[],
  now: string,
): readonly StampedCondition[] {
  return said
    .map(({ type, status, reason, message }) => {
      const before = standing.find((other) => isSameCondition({ type, status, reason, message }, other));
      return { type, status, reason, message, lastTransitionTime: before?.lastTransitionTime ?? now };
    })
    .toSorted((one, other) => (inOneString(one) < inOneString(other) ? -1 : 1));
}

/** What is too long to be kept; undefined where all of it fits. The numbers are those of the columns, before sealing. */
export function credentialProblem({ username, password, sshPrivateKey }: GitCredential): string | undefined {
  if (bytes(username) > 256) return 'username is longer than 256 bytes';
  if (bytes(password) > 8_192) return 'password is longer than 8192 bytes';
  if (bytes(sshPrivateKey) > 16_384) return 'sshPrivateKey is longer than 16384 bytes';
  return undefined;
}

function bothValid(url: string, secret: string): [Said, Said] {
  return [
    ['True', 'ValidRepositoryUrl', `Repository ${url} exists`],
    [
      'True',
      'RepositoryCredentialUpToDate',
      `Repository Credentials provided ${secret} for Repository ${url} are valid`,
    ],
  ];
}

function wrong(reason: Reason, message: string): readonly Condition[] {
  return three(['True', reason, message], ['False', reason, message], ['False', reason, message]);
}

function three(...said: readonly [Said, Said, Said]): readonly Condition[] {
  return said.map(([status, reason, message], index) => ({ type: types[index] ?? '', status, reason, message }));
}

function inOneString({ type, message, status, reason, lastTransitionTime }: StampedCondition): string {
  return [type, message, status, reason, lastTransitionTime].join('/');
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
