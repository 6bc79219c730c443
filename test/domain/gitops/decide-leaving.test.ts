import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/domain/core/step.ts';
import { decideOperation } from '../../../shared/domain/gitops/decide-operation.ts';
import type { LeavingApplication } from '../../../shared/domain/gitops/operation.ts';
import { anOperation } from '../../support/observed-operation.ts';

const start = 1_000_000_000;
const finalizer = 'resources-finalizer.argocd.argoproj.io/background';

function leaving(but: Partial<LeavingApplication> = {}) {
  const application = { name: 'gitopsdepl-a-1', labelled: true, finalizers: [finalizer], ...but };
  return anOperation({
    gone: true,
    operations: [{ id: 'o-1', ownerUserId: 'u-1', state: 'In_Progress' }],
    leaving: [application],
    pieces: [{ kind: 'project', name: 'project', wanted: false, state: 'same' }],
  });
}

function at(seconds: number, waiting?: Moment['waiting']): Moment {
  return { now: start + seconds * 1_000, ...(waiting !== undefined && { waiting }) };
}

function inWords({ effects, next }: ReturnType<typeof decideOperation>): string[] {
  return [...effects.map((effect) => effect.do), next.kind === 'settled' ? 'settled' : next.wait.reason];
}

describe('an Argo CD Application that has to go', () => {
  it('CU-02 is deleted, and its project stays until it is gone', () => {
    expect(inWords(decideOperation(leaving(), at(0)))).toEqual(['delete-application', 'ApplicationLeaving']);
  });

  it('is given time, and is then touched: Argo CD overlooks a deletion now and then', () => {
    expect(inWords(decideOperation(leaving({ deletingSince: start }), at(5)))).toEqual(['ApplicationLeaving']);
    expect(inWords(decideOperation(leaving({ deletingSince: start }), at(16)))).toEqual([
      'touch-application',
      'ApplicationLeaving',
    ]);
  });

  it('is touched no more often than that: each touch is a change, which has it looked at again', () => {
    const touchedAt = start + 16_000;

    expect(inWords(decideOperation(leaving({ deletingSince: start, touchedAt }), at(17)))).toEqual([
      'ApplicationLeaving',
    ]);
    expect(inWords(decideOperation(leaving({ deletingSince: start, touchedAt }), at(31)))).toEqual([
      'touch-application',
      'ApplicationLeaving',
    ]);
  });

  it('CU-04 loses its finalizers after five minutes', () => {
    expect(inWords(decideOperation(leaving({ deletingSince: start }), at(300)))).toEqual([
      'strip-finalizers',
      'FinalizersStripped',
    ]);
  });

  it('without finalizers, is only waited for', () => {
    expect(inWords(decideOperation(leaving({ deletingSince: start, finalizers: [] }), at(310)))).toEqual([
      'FinalizersStripped',
    ]);
  });

  it('defect 26: is a failure two minutes after it lost them, and says so to its owner', () => {
    const since = start + 300_000;
    const waiting = { reason: 'FinalizersStripped', since, deadline: since + 120_000 };

    const before = decideOperation(leaving({ deletingSince: start }), at(419, waiting));
    const step = decideOperation(leaving({ deletingSince: start }), at(420, waiting));

    expect(inWords(before)).toEqual(['strip-finalizers', 'FinalizersStripped']);
    expect(inWords(step)).toEqual(['fail-operation', 'settled']);
    expect(step.effects).toEqual([
      expect.objectContaining({ why: expect.stringContaining('gitopsdepl-a-1 could not be deleted') }),
    ]);
    expect(step.knocks).toEqual([
      { type: 'gitops-deployment.changed.v1', subject: { namespace: 'team', name: 'web' } },
    ]);
  });

  it('an overdue one that is asked for anew gets its two minutes again', () => {
    expect(inWords(decideOperation(leaving({ deletingSince: start }), at(9_000)))).toEqual([
      'strip-finalizers',
      'FinalizersStripped',
    ]);
  });

  it('CU-01 CO-30 is left alone where it is not labelled as ours, and counts as gone', () => {
    expect(inWords(decideOperation(leaving({ labelled: false }), at(0)))).toEqual([
      'delete-project',
      'complete-operation',
      'settled',
    ]);
  });

  it('CO-08 when it is gone, its owner is told', () => {
    const step = decideOperation({ ...leaving(), leaving: [] }, at(0));

    expect(inWords(step)).toEqual(['delete-project', 'complete-operation', 'settled']);
    expect(step.knocks.map(({ type }) => type)).toEqual(['gitops-deployment.changed.v1']);
  });
});
