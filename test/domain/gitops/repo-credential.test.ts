import { describe, expect, it } from 'vitest';
import {
  credentialConditions,
  credentialProblem,
  saysAlready,
  stampConditions,
} from '../../../shared/domain/gitops/repo-credential.ts';

const url = 'https://git.example.com/Team/Repo.git';

/** Type, status, reason and message of each, in the order of the table. */
function rows(conditions: readonly { type: string; status: string; reason: string; message: string }[]) {
  return conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);
}

describe('the three conditions of a repository credential', () => {
  it.each([
    [
      'SN-03 no Secret is named',
      credentialConditions.secretNotSpecified(),
      'SecretNotSpecified',
      'Secret field is missing value',
    ],
    [
      'SN-03 the Secret is not there',
      credentialConditions.secretNotFound(),
      'SecretNotFound',
      'Secret specified not found',
    ],
    [
      'the Secret has another type',
      credentialConditions.secretInvalidType(),
      'SecretInvalidType',
      'Secret has an invalid type, must be managed-gitops.redhat.com/repository-credential',
    ],
    [
      'there is no such repository',
      credentialConditions.missing('repository not found'),
      'InvalidRepositoryUrl',
      'Repository does not exist: repository not found',
    ],
  ])('%s: True, False, False with one reason and one text', (_what, conditions, reason, message) => {
    expect(rows(conditions)).toEqual([
      ['ErrorOccurred', 'True', reason, message],
      ['ValidRepositoryURL', 'False', reason, message],
      ['ValidRepositoryCredential', 'False', reason, message],
    ]);
  });

  it('RR-04 the repository is there and the login fails', () => {
    const message = `Repository Credentials provided creds for Repository ${url} are invalid`;

    expect(rows(credentialConditions.denied(url, 'creds'))).toEqual([
      ['ErrorOccurred', 'True', 'InvalidCredentials', message],
      ['ValidRepositoryURL', 'True', 'ValidRepositoryUrl', `Repository ${url} exists`],
      ['ValidRepositoryCredential', 'False', 'InvalidCredentials', message],
    ]);
  });

  it('all is well', () => {
    expect(rows(credentialConditions.valid(url, 'creds'))).toEqual([
      ['ErrorOccurred', 'False', 'RepositoryCredentialUpToDate', 'RepositoryCredentials are Valid'],
      ['ValidRepositoryURL', 'True', 'ValidRepositoryUrl', `Repository ${url} exists`],
      [
        'ValidRepositoryCredential',
        'True',
        'RepositoryCredentialUpToDate',
        `Repository Credentials provided creds for Repository ${url} are valid`,
      ],
    ]);
  });
});

describe('BS-17 writing conditions', () => {
  const before = '2026-01-01T00:00:00Z';
  const now = '2026-02-02T00:00:00Z';
  const denied = stampConditions([], credentialConditions.denied(url, 'creds'), before);

  it('stamps the first ones now', () => {
    expect(new Set(denied.map(({ lastTransitionTime }) => lastTransitionTime))).toEqual(new Set([before]));
  });

  it('keeps the time of what is said already, and stamps what is new', () => {
    const valid = stampConditions(denied, credentialConditions.valid(url, 'creds'), now);

    expect(valid.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['ErrorOccurred', now],
      ['ValidRepositoryCredential', now],
      ['ValidRepositoryURL', before],
    ]);
  });

  it('stamps a changed text though the status is the same', () => {
    const [first] = stampConditions(denied, credentialConditions.denied(url, 'others'), now);

    expect(first?.lastTransitionTime).toBe(now);
  });

  it('replaces the whole list: a condition of somebody else goes', () => {
    const foreign = {
      type: 'Foreign',
      status: 'True',
      reason: 'Other',
      message: '',
      lastTransitionTime: before,
    } as const;

    expect(stampConditions([foreign], credentialConditions.secretNotFound(), now).map(({ type }) => type)).toEqual([
      'ErrorOccurred',
      'ValidRepositoryCredential',
      'ValidRepositoryURL',
    ]);
  });

  it('SN-03 is needless where all three say the same, in whatever order', () => {
    expect(saysAlready(denied.toReversed(), credentialConditions.denied(url, 'creds'))).toBe(true);
    expect(saysAlready(denied, credentialConditions.denied(url, 'others'))).toBe(false);
    expect(saysAlready(denied.slice(1), credentialConditions.denied(url, 'creds'))).toBe(false);
  });
});

describe('defect 24: what a row cannot hold is said before it is tried', () => {
  const fits = { username: 'u'.repeat(256), password: 'p'.repeat(8_192), sshPrivateKey: 'k'.repeat(16_384) };

  it('as long as a row holds', () => {
    expect(credentialProblem(fits)).toBeUndefined();
  });

  it.each([
    ['username is longer than 256 bytes', { username: `${fits.username}u` }],
    ['username is longer than 256 bytes', { username: 'ü'.repeat(129) }],
    ['password is longer than 8192 bytes', { password: `${fits.password}p` }],
    ['sshPrivateKey is longer than 16384 bytes', { sshPrivateKey: `${fits.sshPrivateKey}k` }],
  ])('%s', (problem, but) => {
    expect(credentialProblem({ ...fits, ...but })).toBe(problem);
  });
});
