import { describe, expect, it } from 'vitest';
import type { Condition, Said } from '../../../shared/domain/core/condition.ts';
import type { Moment } from '../../../shared/domain/core/step.ts';
import { withConditions } from '../../../shared/domain/core/with-conditions.ts';
import { decideEnvironment } from '../../../shared/domain/environment/decide-environment.ts';
import type { SeenEnvironment } from '../../../shared/domain/environment/environment.ts';
import {
  aBoundView,
  aClaim,
  aCopy,
  aManaged,
  anEnvironment,
  aView,
  credentials,
  said,
  works,
} from './an-environment.ts';

const now = Date.parse('2026-01-02T00:00:00Z');
const missing = 'the secret own-secret referenced by the Environment resource was not found';

function told(seen: SeenEnvironment, moment: Moment = { now }): Record<string, string> {
  return Object.fromEntries(
    decideEnvironment(seen, moment).conditions.map(({ type, status, reason, message }) => [
      type,
      `${status}/${reason}/${message}`,
    ]),
  );
}

function saying(...conditions: Said[]): SeenEnvironment {
  return aView({ environment: anEnvironment({ said: conditions }) });
}

describe('what an Environment is told', () => {
  const errors: [string, SeenEnvironment, string, string][] = [
    ['AE-04 a missing Secret', aView({ environment: anEnvironment({ credentials }) }), 'SecretNotFound', missing],
    [
      'AE-07 a claim and credentials',
      aBoundView({ environment: anEnvironment({ claimName: 'dev-dtc', credentials }) }),
      'InvalidEnvironment',
      'Environment is invalid since it cannot have both DeploymentTargetClaim and credentials configuration set',
    ],
    [
      'AE-10 a missing claim',
      aBoundView({ claim: undefined }),
      'DeploymentTargetClaimNotFound',
      'DeploymentTargetClaim not found while generating the desired Environment resource',
    ],
    [
      'AE-22 a bound claim without a target',
      aBoundView({ claim: aClaim({ targetName: '' }), target: undefined }),
      'DeploymentTargetNotFound',
      'DeploymentTarget not found for DeploymentTargetClaim',
    ],
    [
      'AE-23 a claim whose target does not exist',
      aBoundView({ target: undefined }),
      'DeploymentTargetNotFound',
      'DeploymentTargetClaim references a DeploymentTarget that does not exist',
    ],
  ];
  it.each(errors)('%s, twice: for new clients and for old ones', (_what, seen, reason, message) => {
    expect(told(seen)).toMatchObject({
      Reconciled: `False/${reason}/${message}`,
      ErrorOccurred: `True/ErrorOccurred/${message}`,
    });
  });

  it('nothing but that its target is ready, on a first success', () => {
    expect(told(aBoundView({ managed: aManaged({ connection: works }), copy: aCopy() }))).toEqual({
      TargetReady: 'True/Connected/',
    });
  });

  it('AE-05 that an error is resolved, once', () => {
    const wrong = [
      said('Reconciled', 'False', 'SecretNotFound', missing),
      said('ErrorOccurred', 'True', 'ErrorOccurred', missing),
    ];
    const first = decideEnvironment(saying(...wrong), { now });
    const after = withConditions(wrong, first.conditions, now) ?? [];
    const second = decideEnvironment(saying(...after), { now: now + 60_000 });

    expect(told(saying(...wrong))).toMatchObject({
      Reconciled: 'True/SecretNotFoundResolved/',
      ErrorOccurred: 'False/ErrorOccurredResolved/',
    });
    expect(first.effects).toEqual([{ do: 'tell-user', at: now }]);
    expect(second.effects).toEqual([]);
  });

  it('AE-15 an error in place of another one', () => {
    const wrong = said('Reconciled', 'False', 'SecretNotFound', missing);
    const seen = aBoundView({ claim: undefined }, { said: [wrong] });

    expect(told(seen)['Reconciled']).toContain('False/DeploymentTargetClaimNotFound');
    expect(decideEnvironment(seen, { now }).effects).toContainEqual({ do: 'tell-user', at: now });
  });

  it('AE-09 no error while its claim waits, but why it does', () => {
    const waiting = said('Bound', 'False', 'WaitingForTarget', 'No target fits');

    expect(told(aBoundView({ claim: aClaim({ phase: 'Pending', said: [waiting] }), target: undefined }))).toEqual({
      TargetReady: 'False/ClaimNotBound/The claim dev-dtc is not bound yet: No target fits',
    });
    expect(told(aBoundView({ claim: aClaim({ phase: 'Pending' }), target: undefined }))['TargetReady']).toBe(
      'False/ClaimNotBound/The claim dev-dtc is not bound yet',
    );
  });
});

describe('an Environment that waits', () => {
  const seen = aBoundView({ claim: aClaim({ phase: 'Pending' }), target: undefined }, { targetDeadline: '30m' });
  const waited = (seconds: number): Moment => ({
    now,
    waiting: { reason: 'ClaimNotBound', since: now - seconds * 1_000, deadline: now - seconds * 1_000 + 1_800_000 },
  });

  it('says what for, and no longer than its targetDeadline', () => {
    expect(decideEnvironment(seen, { now }).next).toEqual({
      kind: 'recheck',
      afterSeconds: 15,
      wait: {
        reason: 'ClaimNotBound',
        message: 'The claim dev-dtc is not bound yet',
        deadlineSeconds: 1_800,
      },
    });
  });

  it('looks again when the deadline comes, though it would have slept longer', () => {
    expect(decideEnvironment(seen, waited(1_000)).next).toMatchObject({ afterSeconds: 250 });
    expect(decideEnvironment(seen, waited(1_700)).next).toMatchObject({ afterSeconds: 100 });
  });

  it('says that it is overdue, and goes on more slowly', () => {
    const { next } = decideEnvironment(seen, waited(1_800));

    expect(told(seen, waited(1_800))['TargetReady']).toBe(
      'False/ClaimNotBound/The claim dev-dtc is not bound yet (overdue: targetDeadline is 30m)',
    );
    expect(next).toMatchObject({ kind: 'recheck', afterSeconds: 600 });
    expect(told(seen, waited(90_000))).toEqual(told(seen, waited(1_800)));
  });

  it.each(['1ms', '1s'])('does not spin with a deadline of %s', (targetDeadline) => {
    const hasty = aBoundView({ claim: aClaim({ phase: 'Pending' }), target: undefined }, { targetDeadline });

    expect(decideEnvironment(hasty, { now }).next).toMatchObject({ afterSeconds: 15 });
    expect(decideEnvironment(hasty, waited(100)).next).toMatchObject({
      afterSeconds: 600,
      wait: { deadlineSeconds: 600 },
    });
  });

  it('for the cluster is woken by the managed environment', () => {
    expect(decideEnvironment(aBoundView(), { now }).next).toMatchObject({
      kind: 'blocked',
      on: 'GitOpsDeploymentManagedEnvironment managed-environment-dev',
      wait: { reason: 'Connecting', deadlineSeconds: 3_600 },
    });
  });

  it('for its user s own change waits for nothing else', () => {
    const invalid = aBoundView({ environment: anEnvironment({ claimName: 'dev-dtc', credentials }) });

    expect(decideEnvironment(invalid, { now }).next).toEqual({ kind: 'settled' });
  });
});

describe('a step of an Environment', () => {
  it('wakes the managed environment when only the Secret is another one', () => {
    const seen = aBoundView({ managed: aManaged({ connection: works }), copy: aCopy({ isSame: false }) });

    expect(decideEnvironment(seen, { now }).knocks).toEqual([
      { type: 'managed-environment.changed.v1', subject: { namespace: 'team', name: 'managed-environment-dev' } },
    ]);
  });

  it('does not tell the address of a cluster, nor what is said already', () => {
    const ready: Condition = { type: 'TargetReady', status: 'True', reason: 'Connected', message: '' };
    const settledView = aBoundView(
      { managed: aManaged({ connection: works }), copy: aCopy() },
      { said: [said('TargetReady', ready.status, ready.reason, ready.message)] },
    );

    expect(JSON.stringify(decideEnvironment(aBoundView(), { now }))).not.toContain('there.example');
    expect(decideEnvironment(settledView, { now })).toEqual({
      effects: [],
      conditions: [ready],
      knocks: [],
      next: { kind: 'settled' },
    });
  });
});
