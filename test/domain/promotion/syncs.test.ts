import { describe, expect, it } from 'vitest';
import { openQuestions } from '../../../shared/domain/promotion/open-questions.ts';
import type { Report, SeenPromotion } from '../../../shared/domain/promotion/promotion.ts';
import { syncName } from '../../../shared/domain/promotion/sync-name.ts';
import {
  anEnvironment,
  aReport,
  aRun,
  aStored,
  aWaitingSight,
  commit,
  decide,
  digest,
  does,
  later,
  someEvidence,
  toldTo,
} from './a-promotion.ts';

const deployment = 'shop-dev-binding-shop-dev-web';
const name = syncName(aRun(), deployment, commit, digest);
const manual = (report: Report | undefined, but: Partial<SeenPromotion> = {}, isManual = true): SeenPromotion =>
  aWaitingSight({ evidence: [someEvidence('web', { report, isManual })] }, but);
const asked = `sync-deployment ${deployment} ${commit}`;
const outOfSync = aReport({ sync: 'OutOfSync', revision: 'old', contains: false });

interface Rule {
  readonly seen: SeenPromotion;
  readonly asks: boolean;
}

const rules: Record<string, Rule> = {
  'is synced at the commit': { seen: manual(outOfSync), asks: true },
  'is synced where it is OutOfSync at the commit': { seen: manual(aReport({ sync: 'OutOfSync' })), asks: true },
  'is synced where Argo CD has said nothing of it yet': { seen: manual(undefined), asks: true },
  'is not synced twice': { seen: manual(outOfSync, { syncs: [{ name, problem: '' }] }), asks: false },
  'is not synced where it is Synced at the commit and only has to become healthy': {
    seen: manual(aReport({ health: 'Progressing' })),
    asks: false,
  },
  'is not synced where all is well': { seen: manual(aReport()), asks: false },
  'is not synced in an environment that was given to others meanwhile': {
    seen: manual(outOfSync, { environments: [anEnvironment('dev external')] }),
    asks: false,
  },
  'is not synced before there is a commit': {
    seen: aWaitingSight({ rendering: undefined, evidence: [someEvidence('web', { isManual: true })] }),
    asks: false,
  },
};

describe('a GitOpsDeployment of type manual', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, asks }) => {
    expect(does(decide(seen)).filter((done) => done.startsWith('sync'))).toEqual(asks ? [asked] : []);
  });

  it('is not synced when its time is over', () => {
    expect(does(decide(manual(outOfSync), later(290)))).toEqual([
      'end-step dev failed OlderRevision',
      'end-run one-uid-0001 Failure OlderRevision',
    ]);
  });

  it('says what is wrong with the sync that was asked for', () => {
    const seen = manual(outOfSync, { syncs: [{ name, problem: 'The cluster is gone' }] });

    expect(toldTo(seen).waiting).toMatchObject({
      reason: 'SyncFailed',
      message: `dev: GitOpsDeploymentSyncRun ${name} of component web: The cluster is gone`,
    });
  });

  it('is asked for before anybody is told, so that a crash in between asks for the same', () => {
    const order = decide(manual(outOfSync)).effects.map((effect) => effect.do);

    expect(order.indexOf('sync-deployment')).toBeLessThan(order.indexOf('tell-user'));
    expect(openQuestions(manual(outOfSync), aRun(), aStored())).toEqual([{ ask: 'sync', name }]);
  });
});

describe('a GitOpsDeployment of type automated', () => {
  it('is left to Argo CD', () => {
    expect(does(decide(manual(outOfSync, {}, false)))).toEqual(['keep-step dev in-progress OlderRevision']);
  });
});

describe('the name of a sync', () => {
  it('is the same for the same run, deployment and commit, and another one for any other', () => {
    const others = [
      syncName({ uid: 'another' }, deployment, commit, digest),
      syncName(aRun(), 'another', commit, digest),
      syncName(aRun(), deployment, 'another', digest),
    ];

    expect(new Set([name, ...others, syncName(aRun(), deployment, commit, digest)]).size).toBe(4);
  });

  it('is a name that Kubernetes takes, however long that of the deployment is', () => {
    const long = syncName(aRun(), `${'x'.repeat(241)}.${'y'.repeat(9)}`, commit, digest);

    expect(long).toMatch(/^x{241}\.?y*-[0-9a-f]{10}$/);
    expect(long.length).toBeLessThanOrEqual(253);
  });
});
