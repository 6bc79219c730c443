import { describe, expect, it } from 'vitest';
import { decideManagedEnvironment } from '../../../shared/domain/gitops/decide-managed-environment.ts';
import { nextProbe } from '../../../shared/domain/gitops/environment-probes.ts';
import type { Probes, SeenEnvironment, TargetAccount } from '../../../shared/domain/gitops/managed-environment.ts';
import { anAccount, aSight, credentials, moment, now, stored, uid } from './environment-sight.ts';

function decide(seen: SeenEnvironment, at = moment()) {
  const { effects, conditions, knocks, next } = decideManagedEnvironment(seen, at);
  return {
    does: effects
      .filter((effect) => effect.do !== 'tell-user')
      .map((effect) => `${effect.do} ${'id' in effect ? effect.id : ''}`.trim()),
    says: conditions.map(({ status, reason }) => `${status} ${reason}`),
    tells: effects.some((effect) => effect.do === 'tell-user'),
    knocks: knocks.map(({ type, subject }) => `${type} ${subject.name}`),
    next: next.kind === 'recheck' ? `${next.wait.reason} in ${next.afterSeconds}` : next.kind,
  };
}

describe('a managed environment', () => {
  it('SM-01 is written when its cluster let us in, and everybody who waits is woken', () => {
    const waiting = [{ namespace: 'team', name: 'web' }];

    expect(decide(aSight({ probes: { fresh: 'works' }, waiting }))).toEqual({
      does: [`write-environment ${uid}`],
      says: ['True Succeeded'],
      tells: true,
      knocks: [`operation.requested.v1 managed-environment.${uid}`, 'gitops-deployment.changed.v1 web'],
      next: 'settled',
    });
  });

  it('SM-03 that is as it should be settles, and says nothing that it says already', () => {
    const said = {
      type: 'ConnectionInitializationSucceeded',
      status: 'True',
      reason: 'Succeeded',
      message: '',
      since: now,
    } as const;
    const seen = aSight({ stored: [stored()], probes: { stored: 'works' }, said });

    expect(decide(seen)).toEqual({ does: [], says: ['True Succeeded'], tells: false, knocks: [], next: 'settled' });
  });

  it.each([
    ['host', { server: 'https://other' }],
    ['flag', { insecure: true }],
    ['authority', { certificateAuthority: 'another' }],
    ['token', { token: 'another' }],
    ['namespaces', { namespaces: 'a,b' }],
    ['cluster resources', { clusterResources: true }],
  ])('defect 4 with another %s is tried anew and written anew', (_what, before) => {
    const seen = aSight({ stored: [stored({ credentials: { ...credentials, ...before, id: 'old' } })] });
    expect(nextProbe(seen)).toBe('fresh');

    const { does, knocks } = decide({ ...seen, probes: { fresh: 'works' } });

    expect(does).toEqual([`write-environment ${uid}`]);
    expect(knocks).toContain(`operation.requested.v1 managed-environment.${uid}`);
  });

  it('RD-15 says that no client could be made of its Secret where nobody answers, and only there', () => {
    const text = 'unable to create k8s client from restConfig from managed environment secret';
    const saidOf = (fresh: Probes['fresh']) =>
      decideManagedEnvironment(aSight({ probes: { fresh } }), moment()).conditions.map(({ message }) => message);

    expect(saidOf('unreachable')).toEqual([expect.stringContaining(text)]);
    for (const fresh of ['unknown-authority', 'forbidden', 'refused', 'works'] as const)
      expect(saidOf(fresh)).toEqual([expect.not.stringContaining(text)]);
  });

  it.each<[Probes['fresh'], string]>([
    ['unreachable', 'False UnableToCreateClient'],
    ['unknown-authority', 'Unknown UnableToValidateClusterCredentials'],
    ['forbidden', 'Unknown UnableToValidateClusterCredentials'],
    ['refused', 'Unknown UnableToValidateClusterCredentials'],
  ])('that is %s says so, writes nothing and looks again', (fresh, says) => {
    for (const seen of [aSight({ probes: { fresh } }), aSight({ stored: [stored()], probes: { stored: fresh } })])
      expect(decide(seen)).toMatchObject({ does: [], says: [says], knocks: [], next: 'TargetNotReachable in 30' });
  });

  it.each([
    [0, 'TargetNotReachable in 30'],
    [100, 'TargetNotReachable in 100'],
    [3_000, 'TargetNotReachable in 600'],
    [7 * 3_600, 'TargetNotReachable in 3600'],
    [8 * 24 * 3_600, 'settled'],
  ])('looks at trouble outside less and less often: after %i seconds', (elapsed, next) => {
    const first = decideManagedEnvironment(aSight({ probes: { fresh: 'forbidden' } }), moment());
    const condition = first.conditions[0] as NonNullable<(typeof first.conditions)[0]>;
    const said = { ...condition, since: now - elapsed * 1_000 };

    expect(decide(aSight({ probes: { fresh: 'forbidden' }, said }))).toMatchObject({ tells: false, next });
  });

  it('SM-11 with something wrong in the user’s own objects is told and settles, and its rows stay', () => {
    const problem = {
      type: 'ConnectionInitializationSucceeded',
      status: 'False',
      reason: 'InvalidSecretType',
      message: '',
    } as const;

    expect(decide(aSight({ choice: { problem }, stored: [stored()] }))).toMatchObject({
      does: [],
      says: ['False InvalidSecretType'],
      next: 'settled',
    });
  });

  it('waits for an Argo CD where there is none', () => {
    const seen = aSight({ engine: undefined });

    expect(nextProbe(seen)).toBeUndefined();
    expect(decide(seen)).toMatchObject({ does: [], says: ['False KubernetesError'], next: 'NoArgoCD in 30' });
  });

  it('does nothing in a namespace that goes', () => {
    expect(decide(aSight({ choice: undefined }))).toMatchObject({ does: [], says: [], knocks: [], next: 'settled' });
  });

  it.each([
    ['mapping', { hasMapping: false }],
    ['project', { hasProject: false }],
    ['access', { instances: ['another-argo'] }],
  ])('SM-23 whose %s is missing gets it again', (_what, missing) => {
    const { does, knocks } = decide(aSight({ stored: [stored(missing)], probes: { stored: 'works' } }));

    expect(does).toEqual([`complete-environment ${uid}`]);
    expect(knocks).toContain(`operation.requested.v1 managed-environment.${uid}`);
  });

  it('SM-02 whose row is gone is written again', () => {
    const seen = aSight({ stored: [stored({ credentials: undefined })], probes: { fresh: 'works' } });

    expect(decide(seen).does).toEqual([`write-environment ${uid}`]);
  });

  it('SM-10 that is gone takes its rows with it and tells who used it', () => {
    const applications = [
      { id: 'app', deployment: { namespace: 'team', name: 'web' } },
      { id: 'lost', deployment: undefined },
    ];

    expect(decide(aSight({ environment: undefined, stored: [stored({ applications })] }))).toEqual({
      does: [`remove-environment ${uid}`],
      says: [],
      tells: false,
      knocks: [
        `operation.requested.v1 managed-environment.${uid}`,
        'operation.requested.v1 application.app',
        'operation.requested.v1 application.lost',
        'gitops-deployment.changed.v1 web',
      ],
      next: 'settled',
    });
  });

  it('SM-01 that was made again takes the rows of its predecessor away in the same step', () => {
    const seen = aSight({ stored: [stored({ id: 'old-uid' })], probes: { fresh: 'works' } });

    expect(decide(seen).does).toEqual(['remove-environment old-uid', `write-environment ${uid}`]);
  });
});

describe('a managed environment with an account of its own', () => {
  const whole = { state: 'works', isComplete: true, token: 'own-token' } as const;

  function sight(
    probes: Probes,
    accounts: readonly TargetAccount[] = [anAccount()],
    more: Parameters<typeof aSight>[0] = {},
  ) {
    return aSight({ createNewServiceAccount: true, probes, accounts, ...more });
  }

  it('BS-13 is written down, then made, then used, one look at a time', () => {
    const nothing = { state: 'works', isComplete: false, token: undefined } as const;
    expect(nextProbe(sight({}, []))).toBe('installation');
    expect(decide(sight({ installation: nothing }, []))).toMatchObject({
      does: [`record-service-account ${uid}`],
      says: [],
      knocks: ['managed-environment.changed.v1 staging'],
      next: 'RecordingServiceAccount in 1',
    });
    expect(decide(sight({ installation: nothing }), moment('RecordingServiceAccount'))).toMatchObject({
      does: [`install-service-account ${uid}`],
      says: [],
      next: 'InstallingServiceAccount in 1',
    });
    expect(nextProbe(sight({ installation: { ...whole, token: undefined } }))).toBeUndefined();
    expect(
      decide(sight({ installation: { ...whole, token: undefined } }), moment('InstallingServiceAccount')),
    ).toMatchObject({ does: [], says: [], knocks: [], next: 'InstallingServiceAccount in 1' });
    expect(nextProbe(sight({ installation: whole }))).toBe('fresh');
    expect(decide(sight({ installation: whole, fresh: 'works' }))).toMatchObject({
      does: [`write-environment ${uid}`],
      says: ['True Succeeded'],
      next: 'settled',
    });
  });

  it('says so when no token has come within its time', () => {
    const seen = sight({ installation: { ...whole, token: undefined } });

    expect(decide(seen, moment('InstallingServiceAccount', 121))).toMatchObject({
      says: ['False UnableToInstallServiceAccount'],
      next: 'ServiceAccountNotInstalled in 30',
    });
  });

  it('SM-05 says so when it may not even look, and does not try', () => {
    expect(decide(sight({ installation: { ...whole, state: 'forbidden', isComplete: false } }))).toMatchObject({
      does: [],
      says: ['False UnableToInstallServiceAccount'],
      next: 'ServiceAccountNotInstalled in 30',
    });
    expect(decide(sight({ installation: { ...whole, state: 'unreachable', isComplete: false } }, []))).toMatchObject({
      does: [],
      says: ['False UnableToCreateClient'],
    });
  });

  it('does not try at once again what did not work, and tries again after a while', () => {
    const said = {
      type: 'ConnectionInitializationSucceeded',
      status: 'False',
      reason: 'UnableToInstallServiceAccount',
      message: 'no',
      since: now,
    } as const;
    const seen = sight({ installation: { ...whole, isComplete: false } }, [anAccount()], { said });

    expect(decide(seen, moment('InstallingServiceAccount', 1))).toMatchObject({
      does: [],
      says: [],
      next: 'ServiceAccountNotInstalled in 30',
    });
    expect(decide(seen, moment('ServiceAccountNotInstalled', 30)).does).toEqual([`install-service-account ${uid}`]);
  });

  it('SM-09 looks at its account again only where its token is not accepted any more', () => {
    const current = [stored({ credentials: { ...credentials, token: 'own-token', id: 'c' } })];
    const accounts = [anAccount({ token: 'own-token' })];

    expect(nextProbe(sight({}, accounts, { stored: current }))).toBe('stored');
    expect(nextProbe(sight({ stored: 'works' }, accounts, { stored: current }))).toBeUndefined();
    expect(nextProbe(sight({ stored: 'unreachable' }, accounts, { stored: current }))).toBeUndefined();
    expect(nextProbe(sight({ stored: 'refused' }, accounts, { stored: current }))).toBe('installation');
  });
});
