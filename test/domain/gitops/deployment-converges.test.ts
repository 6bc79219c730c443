import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/domain/core/step.ts';
import { applicationSpec } from '../../../shared/domain/gitops/application-spec.ts';
import { decideDeployment } from '../../../shared/domain/gitops/decide-deployment.ts';
import {
  type Deployment,
  type DeploymentEffect,
  deploymentFinalizer,
  type ObservedDeployment,
  type StoredApplication,
} from '../../../shared/domain/gitops/deployment.ts';
import { inCondition } from '../../../shared/domain/gitops/deployment-step.ts';
import { say, sayResolved } from '../../../shared/domain/gitops/probed-conditions.ts';
import { aDeployment, aDeploymentSpec, anApplication, anObservation, does, today } from '../../support/a-deployment.ts';

/** A cluster and its rows in memory, as a user, Argo CD's side and time would change them. */
interface Story {
  deployment: Deployment | undefined;
  applications: StoredApplication[];
  /** What stands beside Argo CD. */
  argo: Map<string, string>;
  pending: Set<string>;
  /** The UIDs that are noted as faulty. */
  troubled: Set<string>;
  /** The environment `staging`, if it is there. */
  staging: string | undefined;
  born: number;
}

type Event =
  | { readonly is: 'create'; readonly path: string; readonly environment: string; readonly held: boolean }
  | { readonly is: 'change'; readonly path: string; readonly environment: string }
  | { readonly is: 'delete' | 'look' | 'die half way' | 'operate' | 'open staging' | 'close staging' };

const path = fc.constantFrom('a', 'a', 'b', '', '/');
const environment = fc.constantFrom('', 'staging');
const quiet = ['delete', 'look', 'look', 'look', 'die half way', 'operate', 'open staging', 'close staging'] as const;
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ is: fc.constant('create' as const), path, environment, held: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('change' as const), path, environment }) },
  { weight: 5, arbitrary: fc.constantFrom(...quiet.map((is) => ({ is }))) },
);
const events = fc.array(event, { maxLength: 40, size: 'max' });

describe('a GitOpsDeployment, whatever happens in which order', () => {
  it('comes to rest with exactly what the object of today asks for, and nothing of those before it', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const story = aStory();
        for (const one of happened) happen(story, one);

        for (let round = 0; round < 4; round += 1) {
          look(story, { moment: longAfter });
          operate(story);
        }

        expect(does(decideDeployment(observed(story), longAfter))).toEqual([]);
        expect([...story.argo.keys()]).toEqual(story.applications.map(({ id }) => id));
        expect(story.argo).toEqual(new Map(story.applications.map(({ id, spec }) => [id, spec])));
        expect(story.deployment?.deleting ?? false).toBe(false);
        expect([...story.troubled]).toEqual(faultyOf(story));
        if (story.deployment === undefined) expect(story.applications).toEqual([]);
        else expectAsAsked(story, story.deployment);
      }),
      { numRuns: 500 },
    );
  });

  it('never has two applications, whenever one looks', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const story = aStory();
        for (const one of happened) {
          happen(story, one);
          expect(story.applications.length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

/** An environment that was deleted is given up by then. */
const longAfter: Moment = {
  ...today,
  waiting: { reason: 'EnvironmentLeft', since: today.now - 300_000, deadline: today.now },
};

/** The deployment, if its user reads that something is wrong with it. */
function faultyOf({ deployment }: Story): string[] {
  return deployment?.conditions.some(({ status }) => status === 'True') ? [deployment.uid] : [];
}

function expectAsAsked({ applications, staging }: Story, { uid, spec, conditions }: Deployment): void {
  expect(applications.every((application) => application.uid === uid)).toBe(true);
  const [application] = applications;
  const isWrong = conditions.some(({ status }) => status === 'True');
  // A fault is told, and what was there before it stays. Everything else is stored as asked.
  if (isWrong) return;
  const isGone = spec.destination.environment !== '' && staging === undefined;
  const target = isGone
    ? ({ kind: 'gone' } as const)
    : spec.destination.environment === ''
      ? ({ kind: 'local' } as const)
      : ({ kind: 'environment', id: staging ?? '' } as const);
  expect(application?.spec).toBe(applicationSpec(spec, { namespace: 'team', userId: 'team-uid', target }));
}

function aStory(): Story {
  return {
    deployment: undefined,
    applications: [],
    argo: new Map(),
    pending: new Set(),
    troubled: new Set(),
    staging: undefined,
    born: 0,
  };
}

function happen(story: Story, event: Event): void {
  switch (event.is) {
    case 'create':
      if (story.deployment !== undefined) return;
      story.born += 1;
      story.deployment = aDeployment({
        uid: `u${story.born}`,
        finalizers: event.held ? [deploymentFinalizer] : [],
        spec: specOf(event),
      });
      return;
    case 'change':
      if (story.deployment !== undefined) story.deployment = { ...story.deployment, spec: specOf(event) };
      return;
    case 'delete':
      if (story.deployment === undefined) return;
      story.deployment = story.deployment.finalizers.length === 0 ? undefined : { ...story.deployment, deleting: true };
      return;
    case 'look':
      look(story);
      return;
    case 'die half way':
      look(story, { dies: true });
      return;
    case 'operate':
      operate(story);
      return;
    case 'open staging':
      story.born += 1;
      story.staging ??= `e${story.born}`;
      return;
    case 'close staging':
      // Whoever deletes an environment takes it out of the applications in the same transaction.
      story.applications = story.applications.map((one) =>
        one.environmentId === story.staging ? { ...one, environmentId: null } : one,
      );
      story.staging = undefined;
  }
}

function specOf({ path, environment }: { readonly path: string; readonly environment: string }) {
  const { source } = aDeploymentSpec();
  const destination = { environment, namespace: environment === '' ? '' : 'shop' };
  return aDeploymentSpec({ source: { ...source, path }, destination });
}

function observed({ deployment, applications, pending, troubled, staging }: Story): ObservedDeployment {
  const asks = deployment?.spec.destination.environment === 'staging';
  return anObservation({
    deployment,
    applications,
    troubled: [...troubled],
    environment: !asks
      ? undefined
      : staging === undefined
        ? { state: 'missing' }
        : { state: 'ready', id: staging, namespaces: [] },
    progress: {
      pending: deployment !== undefined && pending.has(deployment.uid),
      failure: null,
      instanceId: null,
      ownerId: null,
    },
  });
}

/** One step: the object first, then all the rows at once; a process may die between the two. */
function look(story: Story, { dies = false, moment = today }: { dies?: boolean; moment?: Moment } = {}): void {
  const { effects } = decideDeployment(observed(story), moment);
  for (const effect of effects) touchObject(story, effect);
  if (!dies) for (const effect of effects) touchRows(story, effect);
}

function touchObject(story: Story, effect: DeploymentEffect): void {
  const { deployment } = story;
  if (deployment === undefined) return;
  if (effect.do === 'remove-finalizer') {
    // Who set the finalizer was promised that this is over.
    expect(story.argo.has(deployment.uid)).toBe(false);
    expect(story.applications).toEqual([]);
    story.deployment = undefined;
  }
  if (effect.do === 'say-error')
    story.deployment = {
      ...deployment,
      conditions: say(deployment.conditions, inCondition(effect.message), effect.at),
    };
  if (effect.do === 'resolve-error')
    story.deployment = {
      ...deployment,
      conditions: sayResolved(deployment.conditions, 'ErrorOccurred', effect.at),
    };
}

function touchRows(story: Story, effect: DeploymentEffect): void {
  switch (effect.do) {
    case 'create-application':
    case 'update-application': {
      const { id, spec, environmentId } = effect;
      const others = story.applications.filter((one) => one.id !== id);
      story.applications = [...others, anApplication({ id, spec, environmentId })];
      story.pending.add(id);
      return;
    }
    case 'delete-application':
      story.applications = story.applications.filter(({ id }) => id !== effect.id);
      story.pending.add(effect.id);
      return;
    case 'say-error':
      story.troubled.add(story.deployment?.uid ?? '');
      return;
    case 'resolve-error':
      story.troubled.delete(story.deployment?.uid ?? '');
      return;
    case 'forget-trouble':
      story.troubled.delete(effect.id);
      return;
    default:
  }
}

/** The side of Argo CD: whatever the rows say by now. */
function operate(story: Story): void {
  for (const id of story.pending) {
    const row = story.applications.find((one) => one.id === id);
    if (row === undefined) story.argo.delete(id);
    else story.argo.set(id, row.spec);
  }
  story.pending.clear();
}
