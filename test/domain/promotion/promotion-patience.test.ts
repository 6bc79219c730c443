import { expect, it } from 'vitest';
import { decidePromotion } from '../../../shared/domain/promotion/decide-promotion.ts';
import type { Run, SeenPromotion } from '../../../shared/domain/promotion/promotion.ts';

const began = Date.parse('2026-01-01T10:00:00Z');
const second = 1_000;

const run: Run = {
  uid: 'u1',
  name: 'friday',
  version: '1',
  created: began,
  isDeleting: false,
  labels: {},
  application: 'shop',
  snapshot: 's1',
  goal: { kind: 'manual', target: 'stage' },
  cause: '',
  snapshotUid: '',
  status: { state: 'Active', environmentStatus: [], activeBindings: [], conditions: [] },
};

/** Its step waits for a claim, for an hour at the most. */
const seen: SeenPromotion = {
  namespace: 'team-a',
  name: 'friday',
  run,
  named: [],
  open: [{ ...run, state: 'Active', started: began, waiting: undefined }],
  line: [],
  steps: [
    {
      environment: 'stage',
      step: 1,
      binding: 'shop-stage',
      status: 'in-progress',
      reason: 'TargetNotReady',
      message: 'The claim has no target yet',
      began,
      ready: undefined,
      ended: undefined,
      commit: '',
      before: '',
      snapshotUid: 'v1-uid',
      evidence: [],
      rendering: undefined,
    },
  ],
  isNamespaceGoing: false,
  application: { uid: 'a1', controller: '', isRenderedByOthers: false },
  snapshot: { uid: 'v1-uid', application: 'shop', components: ['web'] },
  components: ['web'],
  environments: [
    {
      name: 'stage',
      parent: '',
      isDeleting: false,
      isAutomated: false,
      controller: '',
      isClaiming: true,
      stepDeadlineSeconds: 300,
      targetDeadlineSeconds: 3_600,
    },
  ],
  bindings: [
    {
      name: 'shop-stage',
      version: '1',
      generation: 1,
      created: began,
      isDeleting: false,
      environment: 'stage',
      snapshot: 's1',
      promotionUid: 'friday-uid',
      noted: undefined,
      components: [],
      deployments: [],
      refreshed: undefined,
    },
  ],
  choices: new Map([['stage', { kind: 'none', reason: 'ClaimNotBound', message: 'The claim has no target yet' }]]),
  followers: [],
  digest: (text) => text,
};

it.each([0, 1, 600, 3_599])('gives up an hour after it began to wait, looked at after %i seconds', (after) => {
  const now = began + after * second;
  const waiting = { reason: 'TargetNotReady', since: began, deadline: began + 3_600 * second };

  const { next } = decidePromotion(seen, { now, waiting });

  expect(next).toMatchObject({ kind: 'recheck', wait: { reason: 'TargetNotReady', deadlineSeconds: 3_600 } });
});

it('counts from now where it waited for something else before', () => {
  const waiting = { reason: 'Rendering', since: began, deadline: began + 300 * second };

  const { next } = decidePromotion(seen, { now: began + 600 * second, waiting });

  expect(next).toMatchObject({ wait: { deadlineSeconds: 3_000 } });
});
