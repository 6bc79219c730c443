import { expect, it } from 'vitest';
import {
  decideRepoCredential,
  type SeenRepoCredential,
  type StoredCredential,
} from '../../../shared/domain/gitops/decide-repo-credential.ts';
import type { RepositoryVerdict } from '../../../shared/domain/gitops/repo-credential.ts';
import { row, secret, tenant, url } from './a-credential.ts';

function wokenBy(rows: readonly StoredCredential[], verdict: RepositoryVerdict): readonly string[] {
  const seen: SeenRepoCredential = {
    namespace: 'team',
    name: 'credential',
    stored: rows,
    present: {
      object: { uid: 'uid', repository: url, secret: 'creds', conditions: [] },
      secret,
      tenant,
      verdict,
      repositories: ['main-branch', 'live-branch'],
    },
  };
  const { knocks } = decideRepoCredential(seen, { now: 1_000_000 });
  return knocks
    .filter(({ type, subject }) => type === 'overlay.requested.v1' && subject.namespace === 'team')
    .map(({ subject }) => subject.name);
}

it('a credential that comes wakes the repositories at its address', () => {
  expect(wokenBy([], { kind: 'listed' })).toEqual(['main-branch', 'live-branch']);
});

it('a credential that is mended wakes them, too', () => {
  expect(wokenBy([{ ...row, password: 'before' }], { kind: 'listed' })).toEqual(['main-branch', 'live-branch']);
});

it('a credential that is as it was, or opens nothing, wakes nobody', () => {
  expect(wokenBy([row], { kind: 'listed' })).toEqual([]);
  expect(wokenBy([], { kind: 'denied' })).toEqual([]);
  expect(wokenBy([], { kind: 'unknown', detail: 'away' })).toEqual([]);
});
