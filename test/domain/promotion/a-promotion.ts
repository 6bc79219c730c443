import { createHash } from 'node:crypto';
import type { Moment, Step } from '../../../shared/domain/core/step.ts';
import { decidePromotion } from '../../../shared/domain/promotion/decide-promotion.ts';
import type {
  GraphEnvironment,
  PromotedBinding,
  Report,
  Run,
  SeenPromotion,
  StoredEvidence,
  StoredRendering,
  StoredRun,
  StoredStep,
} from '../../../shared/domain/promotion/promotion.ts';
import type { PromotionEffect } from '../../../shared/domain/promotion/promotion-effect.ts';
import type { RunStatus } from '../../../shared/domain/promotion/run-status.ts';
import { statusOf } from '../../../shared/domain/promotion/status-of.ts';

export const now = Date.parse('2026-07-01T12:00:00Z');
/** A moment without a past. */
export const today: Moment = { now };

/** So many seconds later, and what was waited for since now. */
export function later(seconds: number, reason?: string): Moment {
  const at = now + seconds * 1_000;
  return reason === undefined ? { now: at } : { now: at, waiting: { reason, since: now, deadline: now + 86_400_000 } };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export const nothingSaid: RunStatus = { environmentStatus: [], activeBindings: [], conditions: [] };

/** The run `one` that brings the snapshot `v1` of `shop` to `dev`. */
export function aRun(but: Partial<Omit<Run, 'status'>> & { status?: Partial<RunStatus> } = {}): Run {
  return {
    uid: 'one-uid-0001',
    name: 'one',
    version: '10',
    created: now - 60_000,
    isDeleting: false,
    labels: { 'appstudio.application': 'shop', 'appstudio.environment': 'dev' },
    application: 'shop',
    snapshot: 'v1',
    goal: { kind: 'manual', target: 'dev' },
    cause: '',
    snapshotUid: '',
    ...but,
    status: { ...nothingSaid, ...but.status },
  };
}

/** The same along the graph, as a new snapshot would start it. */
export function anAutomatedRun(initial: readonly string[] = ['dev'], but: Parameters<typeof aRun>[0] = {}): Run {
  return aRun({ goal: { kind: 'automated', initial }, cause: 'Snapshot v1', ...but });
}

/** The row of the run, whose turn has come. */
export function aStored(but: Partial<StoredRun> = {}): StoredRun {
  return {
    uid: 'one-uid-0001',
    name: 'one',
    created: now - 60_000,
    application: 'shop',
    state: 'Active',
    started: now - 30_000,
    waiting: undefined,
    ...but,
  };
}

/** `dev`, or `prod<dev manual external claiming leaving`. */
export function anEnvironment(described: string, but: Partial<GraphEnvironment> = {}): GraphEnvironment {
  const [place = '', ...words] = described.split(' ');
  const [name = '', parent = ''] = place.split('<');
  return {
    name,
    parent,
    isDeleting: words.includes('leaving'),
    isAutomated: !words.includes('manual'),
    controller: words.includes('external') ? 'integration' : '',
    isClaiming: words.includes('claiming'),
    stepDeadlineSeconds: 300,
    targetDeadlineSeconds: 3_600,
    ...but,
  };
}

/** The Binding of `shop` in an environment, as the promotion `one` has left it. */
export function aBinding(environment: string, but: Partial<PromotedBinding> = {}): PromotedBinding {
  return {
    name: `shop-${environment}-binding`,
    version: '20',
    generation: 2,
    created: now - 3_600_000,
    isDeleting: false,
    environment,
    snapshot: 'v1',
    promotionUid: 'one-uid-0001',
    noted: undefined,
    components: [],
    deployments: [],
    refreshed: undefined,
    ...but,
  };
}

export const commit = 'c0ffee0000000000';

/** What stands in Git for it. */
export function aRendering(but: Partial<StoredRendering> = {}): StoredRendering {
  return {
    snapshot: 'v1',
    promotionUid: 'one-uid-0001',
    generation: 2,
    isRendered: true,
    commit,
    results: [aResult('web')],
    trouble: undefined,
    ...but,
  };
}

export function aResult(component: string) {
  return { component, path: `components/${component}/overlays/dev`, generatedResources: [] };
}

/** Argo CD is satisfied. */
export function aReport(but: Partial<Report> = {}): Report {
  return {
    applicationId: 'web-id',
    sync: 'Synced',
    revision: commit,
    health: 'Healthy',
    operation: 'Succeeded',
    trouble: '',
    observed: now - 1_000,
    contains: true,
    ...but,
  };
}

export function someEvidence(
  component: string,
  but: Partial<StoredEvidence> = {},
  environment = 'dev',
): StoredEvidence {
  return {
    component,
    deployment: `shop-${environment}-binding-shop-${environment}-${component}`,
    seen: undefined,
    report: undefined,
    ...but,
  };
}

/** A step that began ten seconds ago, whose place is ready, and whose commit stands. */
export function aStep(environment: string, but: Partial<StoredStep> = {}): StoredStep {
  return {
    environment,
    step: 1,
    binding: `shop-${environment}-binding`,
    status: 'in-progress',
    reason: 'NotReported',
    message: `Argo CD has said nothing of component web (GitOpsDeployment shop-${environment}-binding-shop-${environment}-web) yet`,
    began: now - 10_000,
    ready: now - 10_000,
    ended: undefined,
    commit,
    before: '',
    snapshotUid: 'v1-uid',
    evidence: [someEvidence('web', {}, environment)],
    rendering: aRendering(),
    ...but,
  };
}

/** A step that has come to its end. */
export function anEndedStep(environment: string, but: Partial<StoredStep> = {}): StoredStep {
  const status = but.status ?? 'success';
  const { trouble: _t, contains: _c, ...seen } = aReport();
  return aStep(environment, {
    status,
    reason: status === 'success' ? 'Promoted' : 'NotHealthy',
    message: status === 'success' ? '' : 'Component web is Degraded',
    ended: now - 5_000,
    evidence: [someEvidence('web', status === 'success' ? { seen } : {}, environment)],
    ...but,
  });
}

/** A namespace with the application `shop`, its snapshot `v1` of the component `web`, and the environment `dev`. */
export function aSight(but: Partial<SeenPromotion> = {}): SeenPromotion {
  const run = 'run' in but ? but.run : aRun();
  return {
    namespace: 'team',
    name: 'one',
    named: [],
    open: [],
    line: [],
    steps: [],
    isNamespaceGoing: false,
    application: { uid: 'shop-uid', controller: '', isRenderedByOthers: false },
    snapshot: { uid: 'v1-uid', application: 'shop', components: ['web'] },
    components: ['web'],
    skipped: [],
    environments: [anEnvironment('dev')],
    bindings: [],
    choices: new Map(),
    followers: [],
    digest,
    ...but,
    run,
  };
}

/** The same, and it is the run's turn. */
export function anActiveSight(but: Partial<SeenPromotion> = {}): SeenPromotion {
  const stored = aStored();
  return aSight({ named: [stored], open: [stored], ...but });
}

/** It waits for what Argo CD says of `web` in `dev`. */
export function aWaitingSight(step: Partial<StoredStep> = {}, but: Partial<SeenPromotion> = {}): SeenPromotion {
  return anActiveSight({ steps: [aStep('dev', step)], bindings: [aBinding('dev')], ...but });
}

export function decide(seen: SeenPromotion, moment: Moment = today): Step<PromotionEffect> {
  return decidePromotion(seen, moment);
}

/** What is done, in words. What is told and kept stands elsewhere. */
export function does({ effects }: Step<PromotionEffect>): string[] {
  return effects.flatMap((effect) => {
    switch (effect.do) {
      case 'tell-user':
      case 'keep-run':
        return [];
      case 'create-binding':
      case 'promote-binding':
        return [`${effect.do} ${effect.name} ${effect.snapshot}`];
      case 'begin-step':
        return [`begin-step ${effect.step} ${effect.environment}`];
      case 'keep-step':
      case 'end-step':
        return [`${effect.do} ${effect.environment} ${effect.status} ${effect.reason}`];
      case 'end-run':
        return [`end-run ${effect.uid} ${effect.result} ${effect.reason}`];
      case 'sync-deployment':
        return [`sync-deployment ${effect.deployment} ${effect.revision}`];
      case 'start-followers':
        return [`start-followers ${effect.environments.join(' ')}`];
      default:
        return [effect.do];
    }
  });
}

export function knocksOf({ knocks }: Step<PromotionEffect>): string[] {
  return knocks.map(({ subject }) => subject.name);
}

/** What the step waits for, in one word; undefined: nothing. */
export function waitsFor({ next }: Step<PromotionEffect>): string | undefined {
  return next.kind === 'settled' ? undefined : next.wait.reason;
}

/** The status as it would be after the step. */
export function toldTo(seen: SeenPromotion, at = now): RunStatus {
  if (seen.run === undefined) throw new Error('There is nobody to tell');
  return statusOf(seen, seen.run, at);
}

export function conditionOf({ conditions }: RunStatus, type: string): string | undefined {
  const found = conditions.find((one) => one.type === type);
  return found && [found.status, found.reason, found.message].filter((part) => part !== '').join('/');
}

/** The same with its status told, as it is seen the next time. */
export function toldSight(seen: SeenPromotion, at = now): SeenPromotion {
  return seen.run === undefined ? seen : { ...seen, run: { ...seen.run, status: toldTo(seen, at) } };
}

/** The same world, with every list in it turned round. */
export function turnedRound(seen: SeenPromotion): SeenPromotion {
  const { run, snapshot } = seen;
  return {
    ...seen,
    run:
      run?.goal.kind === 'automated' ? { ...run, goal: { ...run.goal, initial: run.goal.initial.toReversed() } } : run,
    named: seen.named.toReversed(),
    open: seen.open.toReversed(),
    line: seen.line.toReversed(),
    snapshot: snapshot && { ...snapshot, components: snapshot.components.toReversed() },
    components: seen.components.toReversed(),
    environments: seen.environments.toReversed(),
    bindings: seen.bindings.toReversed(),
  };
}
