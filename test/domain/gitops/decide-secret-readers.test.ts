import { describe, expect, it } from 'vitest';
import { decideSecretReaders, isWrittenForArgo } from '../../../shared/domain/gitops/decide-secret-readers.ts';
import { clusterSecretName, repositorySecretName } from '../../../shared/domain/gitops/names.ts';

const names = ['one', 'two', 'three', 'four', 'five'];

describe('BC-03 a Secret that changed', () => {
  it.each([1, 5])('wakes the %d that name it, of both kinds', (many) => {
    const readers = names.map((name, index) => ({ name, secret: index < many ? 'creds' : 'other' }));
    const { knocks, effects } = decideSecretReaders({
      namespace: 'team',
      name: 'creds',
      environments: readers,
      credentials: readers,
      opened: [],
    });

    expect(knocks).toEqual(
      ['managed-environment.changed.v1', 'repo-credential.changed.v1'].flatMap((type) =>
        names.slice(0, many).map((name) => ({ type, subject: { namespace: 'team', name } })),
      ),
    );
    expect(effects).toEqual([]);
  });

  it('wakes nobody where nobody names it', () => {
    const readers = [
      { name: 'one', secret: 'other' },
      { name: 'two', secret: '' },
    ];

    expect(
      decideSecretReaders({ namespace: 'team', name: 'creds', environments: readers, credentials: [], opened: [] })
        .knocks,
    ).toEqual([]);
  });

  it('AE-18 wakes the Environments whose target it opens', () => {
    const opened = ['dev', 'stage'];

    expect(
      decideSecretReaders({ namespace: 'team', name: 'creds', environments: [], credentials: [], opened }).knocks,
    ).toEqual(opened.map((name) => ({ type: 'environment.changed.v1', subject: { namespace: 'team', name } })));
  });

  it('is known by its name where we wrote it ourselves', () => {
    const id = '2f6f0f3e-5f0a-4f0e-9d55-0a5b1c2d3e4f';

    expect([repositorySecretName(id), clusterSecretName(id)].map(isWrittenForArgo)).toEqual([true, true]);
    expect(['creds', 'repo-cred-mine', `x-${repositorySecretName(id)}`].map(isWrittenForArgo)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
