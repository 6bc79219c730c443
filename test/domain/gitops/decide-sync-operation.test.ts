import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/domain/core/step.ts';
import { decideOperation } from '../../../shared/domain/gitops/decide-operation.ts';
import type { SyncOperationRow, SyncSight } from '../../../shared/domain/gitops/operation.ts';
import { anOperation } from '../../support/observed-operation.ts';

const start = 1_000_000_000;
const row: SyncOperationRow = {
  id: 's-1',
  revision: 'main',
  desiredState: 'Running',
  applicationId: 'a-1',
  requested: true,
  finished: false,
};
const idle: SyncSight = { name: 'gitopsdepl-a-1', deleting: false };
const ours = { syncId: 's-1' };
const other = { syncId: 's-2' };

interface Rule {
  readonly row?: Partial<SyncOperationRow> | null;
  readonly application?: SyncSight | null;
  readonly moment?: Moment;
  readonly does: readonly string[];
  readonly waitsFor?: string;
}

const rules: Record<string, Rule> = {
  'CO-18 is requested of an Argo CD that has nothing to do': {
    does: ['request-sync', 'begin-operation'],
    waitsFor: 'SyncRequested',
  },
  'is requested of one that is done with another': {
    application: { ...idle, state: { ...other, phase: 'Succeeded' } },
    does: ['request-sync', 'begin-operation'],
    waitsFor: 'SyncRequested',
  },
  'is complete when Argo CD works on it': {
    application: { ...idle, asked: ours, state: { ...ours, phase: 'Running' } },
    does: ['complete-operation'],
  },
  'defect 41 is complete when Argo CD is done with it before anybody looked': {
    application: { ...idle, state: { ...ours, phase: 'Succeeded' } },
    does: ['complete-operation'],
  },
  'waits while another one runs': {
    application: { ...idle, asked: other, state: { ...other, phase: 'Running' } },
    does: ['begin-operation'],
    waitsFor: 'AnotherSyncRuns',
  },
  'waits while another one is stopped': {
    application: { ...idle, state: { syncId: undefined, phase: 'Terminating' } },
    does: ['begin-operation'],
    waitsFor: 'AnotherSyncRuns',
  },
  'is not requested again a moment after it was': {
    application: { ...idle, asked: ours },
    moment: { now: start + 3_000, waiting: { reason: 'SyncRequested', since: start, deadline: start + 86_400_000 } },
    does: ['begin-operation'],
    waitsFor: 'SyncRequested',
  },
  'is requested again when Argo CD has overlooked it': {
    application: { ...idle, asked: ours },
    moment: { now: start + 10_000, waiting: { reason: 'SyncRequested', since: start, deadline: start + 86_400_000 } },
    does: ['request-sync', 'begin-operation'],
    waitsFor: 'SyncRequested',
  },
  'is requested again at once when the request has disappeared': {
    moment: { now: start + 3_000, waiting: { reason: 'SyncRequested', since: start, deadline: start + 86_400_000 } },
    does: ['request-sync', 'begin-operation'],
    waitsFor: 'SyncRequested',
  },
  'is nothing to do while it waits behind another': { row: { requested: false }, does: ['complete-operation'] },
  'fails without an Argo CD Application': { application: null, does: ['fail-operation'] },
  'fails on one that is being deleted': { application: { ...idle, deleting: true }, does: ['fail-operation'] },
  'CO-22 fails without a row': { row: null, does: ['fail-operation'] },
  'defect 35 is nothing to do without an application': {
    row: { applicationId: undefined },
    does: ['complete-operation'],
  },
  'CO-23 is nothing to do where nobody knows what is wanted': {
    row: { desiredState: 'Something' },
    does: ['complete-operation'],
  },
  'CO-24 is told to stop': {
    row: { desiredState: 'Terminated' },
    application: { ...idle, asked: ours, state: { ...ours, phase: 'Running' } },
    does: ['terminate-sync', 'begin-operation'],
    waitsFor: 'SyncTerminating',
  },
  'is told to stop when its time was over': {
    row: { finished: true },
    application: { ...idle, asked: ours, state: { ...ours, phase: 'Running' } },
    does: ['terminate-sync', 'begin-operation'],
    waitsFor: 'SyncTerminating',
  },
  'is told once': {
    row: { desiredState: 'Terminated' },
    application: { ...idle, asked: ours, state: { ...ours, phase: 'Terminating' } },
    does: ['begin-operation'],
    waitsFor: 'SyncTerminating',
  },
  'CX-05 fails where it does not stop in five minutes': {
    row: { desiredState: 'Terminated' },
    application: { ...idle, asked: ours, state: { ...ours, phase: 'Terminating' } },
    moment: { now: start + 300_000, waiting: { reason: 'SyncTerminating', since: start, deadline: start + 300_000 } },
    does: ['fail-operation'],
  },
  'CO-27 does not run where only the request is there: it is withdrawn': {
    row: { desiredState: 'Terminated' },
    application: { ...idle, asked: ours },
    does: ['withdraw-sync', 'complete-operation'],
  },
  'CO-27 does not run where only the outcome is there': {
    row: { desiredState: 'Terminated' },
    application: { ...idle, state: { ...ours, phase: 'Running' } },
    does: ['complete-operation'],
  },
  'CO-26 stops nothing where nothing runs': {
    row: { desiredState: 'Terminated' },
    does: ['complete-operation'],
  },
  'stops nobody else’s': {
    row: { desiredState: 'Terminated' },
    application: { ...idle, asked: other, state: { ...other, phase: 'Running' } },
    does: ['complete-operation'],
  },
  'CX-05 is stopped where the Application is gone': {
    row: { desiredState: 'Terminated' },
    application: null,
    does: ['complete-operation'],
  },
};

function seen({ row: but = {}, application = idle }: Pick<Rule, 'row' | 'application'>) {
  return anOperation({
    type: 'SyncOperation',
    resourceId: 's-1',
    apiName: 'run',
    sync: {
      row: but === null ? undefined : { ...row, ...but },
      ...(application !== null && { application }),
    },
  });
}

describe('a sync', () => {
  it.each(Object.entries(rules))('%s', (_rule, { does, waitsFor, moment = { now: start }, ...given }) => {
    const step = decideOperation(seen(given), moment);

    expect(step.effects.map((effect) => effect.do)).toEqual(does);
    expect(step.next.kind === 'settled' ? undefined : step.next.wait.reason).toBe(waitsFor);
    const told = waitsFor === undefined ? ['sync-run.changed.v1'] : [];
    expect(step.knocks.map(({ type }) => type)).toEqual(told);
  });

  it('is not touched where nobody asks for it any more', () => {
    expect(decideOperation({ ...seen({}), operations: [] }, { now: start }).effects).toEqual([]);
  });
});
