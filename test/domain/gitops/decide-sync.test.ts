import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/domain/core/step.ts';
import { decideSync } from '../../../shared/domain/gitops/decide-sync.ts';
import type { SeenSync } from '../../../shared/domain/gitops/sync.ts';
import { aRow, aRun, aTarget, inWords, missing, noon, seenSync, wrong } from '../../support/seen-sync.ts';

const automated =
  "invalid GitOpsDeploymentSyncRun 'first'. Syncing a GitOpsDeployment with Automated sync policy is not allowed";
const gaveUp = `${missing}; gave up waiting for it after 24 hours`;
const waitsInLine = aRow({ requestedAt: undefined, phase: '', operation: undefined });
const older = { id: 'a', name: 'a', createdAt: noon - 1_000, requested: false };
const younger = { id: 'z', name: 'z', createdAt: noon + 1_000, requested: false };

interface Rule {
  readonly seen: Partial<SeenSync>;
  readonly moment?: Partial<Moment>;
  readonly does: readonly string[];
  /** The condition it gets; undefined: it keeps what it has. */
  readonly says?: string | undefined;
  readonly knocks?: readonly string[];
  readonly next: string;
}

const rules: Record<string, Rule> = {
  'RS-01 is asked for once when it is its turn': {
    seen: {},
    does: ['start-sync run v1'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'takes the target revision of the deployment where it names none (defect 2)': {
    seen: { run: aRun({ revisionId: '' }) },
    does: ['start-sync run main'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'takes HEAD where the deployment names none either': {
    seen: { run: aRun({ revisionId: '' }), deployment: { uid: 'app', type: 'manual', targetRevision: '' } },
    does: ['start-sync run HEAD'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'RT-01 says that its revision is too long, in bytes': {
    seen: { run: aRun({ revisionId: 'é'.repeat(129) }) },
    does: ['report-sync'],
    says: 'the revision is too long: value exceeds maximum size: max: 256, actual: 258',
    next: 'settled',
  },
  'says that its revision can be none': {
    seen: { run: aRun({ revisionId: 'ma\u0000in' }) },
    does: ['report-sync'],
    says: 'the revision must not contain control characters',
    next: 'settled',
  },
  'RS-05 waits for a deployment that does not exist, and says so (defect 32)': {
    seen: { deployment: undefined, targets: [] },
    does: ['report-sync'],
    says: missing,
    next: 'DeploymentMissing on GitOpsDeployment web',
  },
  'says nothing twice while it waits for its deployment': {
    seen: { run: aRun({ conditions: [wrong(missing)] }), deployment: undefined, targets: [] },
    does: [],
    says: missing,
    next: 'DeploymentMissing on GitOpsDeployment web',
  },
  'gives up on its deployment after a day, and says that it did': {
    seen: { run: aRun({ conditions: [wrong(missing)] }), deployment: undefined, targets: [] },
    moment: { waiting: { reason: 'DeploymentMissing', since: noon - 86_400_000, deadline: noon } },
    does: ['report-sync'],
    says: gaveUp,
    next: 'settled',
  },
  'does not begin to wait again after it gave up': {
    seen: { run: aRun({ conditions: [wrong(gaveUp)] }), deployment: undefined, targets: [] },
    does: [],
    says: gaveUp,
    next: 'settled',
  },
  'WL-05 takes its complaint back and starts as soon as the deployment is there': {
    seen: { run: aRun({ conditions: [wrong(gaveUp)] }) },
    does: ['report-sync', 'start-sync run v1'],
    says: '',
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'waits a moment for a deployment that nobody has looked at yet': {
    seen: { run: aRun({ conditions: [wrong(missing)] }), targets: [] },
    does: ['report-sync'],
    says: '',
    next: 'DeploymentNotReady in 1',
  },
  'stands in line already while Argo CD does not know the deployment as it is': {
    seen: { targets: [aTarget({ applied: false })] },
    does: ['queue-sync run v1'],
    next: 'DeploymentNotReady in 1',
  },
  'looks ever less often at a deployment that is not getting ready, and says what it waits for': {
    seen: { targets: [] },
    moment: { waiting: { reason: 'DeploymentNotReady', since: noon - 400_000, deadline: noon + 86_000_000 } },
    does: ['report-sync'],
    says: "GitOpsDeployment 'web' referenced by the GitOpsDeploymentSyncRun is not with Argo CD yet, see its conditions",
    next: 'DeploymentNotReady in 100',
  },
  'RS-06 does not sync what Argo CD syncs by itself': {
    seen: { deployment: { uid: 'app', type: 'automated', targetRevision: '' } },
    does: ['report-sync'],
    says: automated,
    next: 'DeploymentAutomated on GitOpsDeployment web',
  },
  'leaves the line where its deployment became automated meanwhile': {
    seen: {
      rows: [waitsInLine],
      deployment: { uid: 'app', type: 'automated', targetRevision: '' },
      targets: [aTarget({ others: [younger] })],
    },
    does: ['report-sync', 'finish-sync Error'],
    says: automated,
    knocks: ['sync-run.changed.v1 z'],
    next: 'settled',
  },
  'AL-02 starts at once where nobody else syncs': {
    seen: { targets: [aTarget({ others: [younger] })] },
    does: ['start-sync run v1'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'AL-03 waits behind one that is under way, even a younger one': {
    seen: { targets: [aTarget({ others: [{ ...younger, requested: true }] })] },
    does: ['queue-sync run v1'],
    next: 'SyncInProgress on GitOpsDeploymentSyncRun z',
  },
  'waits behind an older one that has not started': {
    seen: { rows: [waitsInLine], targets: [aTarget({ others: [older] })] },
    does: [],
    next: 'SyncInProgress on GitOpsDeploymentSyncRun a',
  },
  'goes by the name where two are from the same second': {
    seen: { targets: [aTarget({ others: [{ ...younger, createdAt: noon }] })] },
    does: ['start-sync run v1'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'lets an older one go first that nobody has looked at yet, and has it looked at': {
    seen: { expected: older },
    does: ['queue-sync run v1'],
    knocks: ['sync-run.changed.v1 a'],
    next: 'OlderSyncRunExpected in 1',
  },
  'does not knock for it again while it waits': {
    seen: { rows: [waitsInLine], expected: older },
    moment: { waiting: { reason: 'OlderSyncRunExpected', since: noon - 1_000, deadline: noon + 59_000 } },
    does: [],
    next: 'OlderSyncRunExpected in 1',
  },
  'does not wait long for an older one that does not come': {
    seen: { rows: [waitsInLine], expected: older },
    moment: { waiting: { reason: 'OlderSyncRunExpected', since: noon - 60_000, deadline: noon } },
    does: ['start-sync run v1 queued'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'AL-04 starts from its place in the line when it is first': {
    seen: { rows: [waitsInLine] },
    does: ['start-sync run v1 queued'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'SyncRequested in 15',
  },
  'starts anew where the application it stood in line for is gone': {
    seen: { rows: [{ ...waitsInLine, applicationId: undefined }], deployment: undefined, targets: [] },
    does: ['forget-sync run'],
    knocks: ['sync-run.changed.v1 first'],
    next: 'settled',
  },
  'starts anew where its deployment was made again': {
    seen: {
      rows: [waitsInLine],
      deployment: { uid: 'other', type: 'manual', targetRevision: '' },
      targets: [aTarget(), aTarget({ applicationId: 'other' })],
    },
    does: ['forget-sync run'],
    knocks: ['sync-run.changed.v1 first'],
    next: 'settled',
  },
};

describe('a sync run', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, moment, does, says, knocks = [], next }) => {
    const step = decideSync(seenSync(seen), { now: noon, ...moment });

    expect(inWords(step)).toEqual({ does, knocks, next, says: does.includes('report-sync') ? [says] : [] });
  });
});
