import { describe, expect, it } from 'vitest';
import { decideManagedEnvironment } from '../../../shared/domain/gitops/decide-managed-environment.ts';
import { accountNames, type SeenEnvironment } from '../../../shared/domain/gitops/managed-environment.ts';
import { anAccount, aSight, credentials, moment, now, stored, uid } from './environment-sight.ts';

function decide(seen: SeenEnvironment, reason?: string) {
  const { effects, next } = decideManagedEnvironment(seen, moment(reason));
  return {
    does: effects.flatMap((effect) =>
      effect.do.endsWith('service-account') && 'id' in effect ? [`${effect.do} ${effect.id}`] : [],
    ),
    next: next.kind === 'recheck' ? `${next.wait.reason} in ${next.afterSeconds}` : next.kind,
  };
}

const gone = { environment: undefined } as const;
const second = 1_000;

describe('a service account on a tenant’s cluster', () => {
  it('BS-13 has the names that clients know', () => {
    expect(accountNames('u-1')).toEqual({
      namespace: 'kube-system',
      account: 'argocd-manager-u-1',
      role: 'argocd-manager-cluster-role-u-1',
      binding: 'argocd-manager-cluster-role-binding-u-1',
      token: 'argocd-manager-u-1-token',
    });
    expect(accountNames('u-1@0a1b2c3d')).toEqual(accountNames('u-1'));
  });

  it('defect 28 is discarded, removed and forgotten when its environment is gone, one look at a time', () => {
    const unwanted = { unwantedSince: now - second };

    expect(decide(aSight({ ...gone, accounts: [anAccount()] }))).toEqual({
      does: [`discard-service-account ${uid}`],
      next: 'RemovingServiceAccount in 1',
    });
    expect(decide(aSight({ ...gone, accounts: [anAccount({ ...unwanted, presence: 'present' })] }))).toEqual({
      does: [`remove-service-account ${uid}`],
      next: 'RemovingServiceAccount in 1',
    });
    const seemsGone = aSight({ ...gone, accounts: [anAccount({ ...unwanted, presence: 'gone' })] });
    expect(decide(seemsGone, 'RemovingServiceAccount')).toEqual({
      does: [],
      next: 'ConfirmingServiceAccountGone in 30',
    });
    expect(decide(seemsGone, 'ConfirmingServiceAccountGone')).toEqual({
      does: [`forget-service-account ${uid}`],
      next: 'settled',
    });
  });

  it('is left alone while Argo CD removes with its token what was deployed', () => {
    const account = anAccount({ unwantedSince: now - second, needed: true, presence: 'present' });

    expect(decide(aSight({ ...gone, accounts: [account] }))).toEqual({
      does: [],
      next: 'RemovingServiceAccount in 30',
    });
  });

  it.each([
    [1, [], 'RemovingServiceAccount in 30'],
    [600, [], 'RemovingServiceAccount in 600'],
    [5 * 24 * 3_600, [], 'RemovingServiceAccount in 3600'],
    [15 * 24 * 3_600, [`forget-service-account ${uid}`], 'settled'],
  ])('is waited for where its cluster is away: after %i seconds', (elapsed, does, next) => {
    const account = anAccount({ unwantedSince: now - elapsed * second, presence: 'unreachable' });

    expect(decide(aSight({ ...gone, accounts: [account] }))).toEqual({ does, next });
  });

  it('stays while Argo CD works with its token, and is discarded with the step that writes another one', () => {
    const inUse = {
      stored: [stored({ credentials: { ...credentials, token: 'own-token', id: 'c' } })],
      accounts: [anAccount({ token: 'own-token' })],
    };

    expect(decide(aSight({ ...inUse, probes: { fresh: 'unreachable' } })).does).toEqual([]);
    expect(decide(aSight({ ...inUse, probes: { fresh: 'works' } }))).toEqual({
      does: [`discard-service-account ${uid}`],
      next: 'RemovingServiceAccount in 1',
    });
  });

  it('that never got a token of its own is discarded, though the user’s token is in use', () => {
    const seen = aSight({ stored: [stored()], accounts: [anAccount()], probes: { stored: 'works' } });

    expect(decide(seen).does).toEqual([`discard-service-account ${uid}`]);
  });

  it('that was left on another cluster is taken away as soon as the rows have moved on', () => {
    const left = anAccount({
      id: `${uid}@0a1b2c3d`,
      server: 'https://old',
      token: 'old-token',
      unwantedSince: now,
      presence: 'present',
    });
    const here = anAccount({ token: 'own-token' });
    const installation = { state: 'works', isComplete: true, token: 'own-token' } as const;
    const before = stored({ credentials: { ...credentials, server: 'https://old', token: 'old-token', id: 'c' } });
    const after = stored({ credentials: { ...credentials, token: 'own-token', id: 'c' } });
    const moving = { createNewServiceAccount: true, accounts: [here, left] };

    expect(
      decide(aSight({ ...moving, stored: [before], probes: { installation: { ...installation, token: undefined } } }))
        .does,
    ).toEqual([]);
    expect(decide(aSight({ ...moving, stored: [before], probes: { installation, fresh: 'works' } }))).toEqual({
      does: [],
      next: 'RemovingServiceAccount in 1',
    });
    expect(decide(aSight({ ...moving, stored: [after], probes: { stored: 'works' } })).does).toEqual([
      `remove-service-account ${left.id}`,
    ]);
  });

  it('that is the same one by another address is only forgotten there', () => {
    const left = anAccount({
      id: `${uid}@0a1b2c3d`,
      server: 'https://alias',
      token: 'own-token',
      unwantedSince: now,
      presence: 'present',
    });
    const seen = aSight({
      createNewServiceAccount: true,
      accounts: [anAccount({ token: 'own-token' }), left],
      stored: [stored({ credentials: { ...credentials, token: 'own-token', id: 'c' } })],
      probes: { stored: 'works' },
    });

    expect(decide(seen)).toEqual({ does: [`forget-service-account ${left.id}`], next: 'settled' });
  });

  it('that is wanted again is written down again before anything else', () => {
    const seen = aSight({
      createNewServiceAccount: true,
      accounts: [anAccount({ unwantedSince: now, presence: 'present' })],
      probes: { installation: { state: 'works', isComplete: true, token: 'own-token' } },
    });

    expect(decide(seen).does).toEqual([`record-service-account ${uid}`]);
  });

  it('of an environment that was made again under the name goes on its own', () => {
    const seen = aSight({ accounts: [anAccount({ id: 'old-uid' })], probes: { fresh: 'works' } });

    expect(decide(seen)).toEqual({ does: ['discard-service-account old-uid'], next: 'RemovingServiceAccount in 1' });
  });
});
