import { describe, expect, it } from 'vitest';
import type { BindingStatus, ComponentPlace, SeenBinding } from '../../../shared/domain/binding/binding.ts';
import { considerBinding } from '../../../shared/domain/binding/consider-binding.ts';
import {
  aBinding,
  aComponent,
  aDeployment,
  anApplication,
  aRenderedSight,
  aSight,
  conditionOf,
  decide,
  does,
  place,
  said,
  storedFor,
  toldSight,
  toldTo,
} from './a-binding.ts';

const external = anApplication({ isRenderedByOthers: true });
const refreshed = said('GitOpsResourcesGenerated', 'True', 'OK');

function at(component: string): ComponentPlace {
  return {
    url: place.url,
    branch: 'main',
    path: `components/${component}/overlays/dev`,
    generatedResources: [],
    commitID: 'c0ffee',
  };
}

function told(name: string, gitOpsRepository: ComponentPlace | undefined = at(name)) {
  return { name, generatedRouteName: '', gitOpsRepository, conditions: [] };
}

function saying(status: Partial<BindingStatus>, but: Partial<SeenBinding> = {}): SeenBinding {
  return aSight({ application: external, place: undefined, binding: aBinding({ status }), ...but });
}

const deployments = [aDeployment('api'), aDeployment('web')];

describe('a Binding that somebody else renders', () => {
  it('AS-08 waits for the first word, takes back what was deployed, and does not say that all of it is', () => {
    const seen = saying({}, { deployments });

    expect(does(decide(seen))).toEqual(['remove-deployment api', 'remove-deployment web']);
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toMatch(/^False.WaitingForComponentStatus/);
    expect(conditionOf(toldTo(seen).bindingConditions, 'ErrorOccurred')).toBeUndefined();
    expect(toldTo(seen)).toMatchObject({ gitopsDeployments: [], componentDeploymentConditions: [] });
    expect(decide(seen).next).toMatchObject({
      kind: 'blocked',
      on: 'SnapshotEnvironmentBinding shop-dev',
      wait: { reason: 'WaitingForComponentStatus', deadlineSeconds: 3_600 },
    });
  });

  it('AS-09 stops where the last word is that the repository is not ready, and leaves what runs', () => {
    const bad = said('Refreshed', 'False', 'GenerateError');
    const seen = saying({ components: [told('web')], gitopsRepoConditions: [refreshed, bad] }, { deployments });

    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toBe(
      "False/GitOpsRepoNotReady/Cannot Reconcile Binding 'shop-dev', since GitOps Repo Conditions status is false.",
    );
    expect(conditionOf(toldTo(seen).bindingConditions, 'ErrorOccurred')).toMatch(/^True/);
  });

  it('AS-10 goes on when it is ready: what it lists is deployed, what it does not list goes', () => {
    const seen = saying(
      { components: [told('web')], gitopsRepoConditions: [refreshed] },
      { deployments: [aDeployment('api')] },
    );

    expect(does(decide(seen))).toEqual(['remove-deployment api', 'create-deployment web']);
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toBe('True/Reconciled');
  });

  it('AS-10 deploys without a word about the repository, where components are listed', () => {
    expect(does(decide(saying({ components: [told('web')] })))).toEqual(['create-deployment web']);
  });

  it('AS-11 stops where a component is listed twice, and names it', () => {
    const seen = saying({ components: [told('web'), told('api'), told('web')] }, { deployments });

    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toBe(
      'False/DuplicateComponents/duplicate component keys found in status field in web',
    );
  });

  it('leaves the deployment of a component alone that is listed without a place', () => {
    const seen = saying({ components: [told('api', { ...at('api'), url: '' }), told('web')] }, { deployments });

    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, 'AllComponentsDeployed')).toMatch(/2 of 2/);
    expect(does(decide({ ...seen, deployments: [] }))).toEqual(['create-deployment web']);
  });

  it.each(['No Name', 'Web_1', 'x'.repeat(64)])('is not kept from the others by a name like %s', (name) => {
    const seen = saying({ components: [told(name), told('web')] });

    expect(does(decide(seen))).toEqual(['create-deployment web']);
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toContain(
      `False/ErrorGeneratingGitOpsDeployment/There can be no GitOpsDeployment of component ${name}: `,
    );
  });

  it('never has its words about the repository overwritten, nor anything asked of a repository', () => {
    const seen = saying({ components: [told('web')], gitopsRepoConditions: [refreshed] });
    const { status, rendering } = considerBinding(seen, seen.binding ?? aBinding(), external);

    expect(Object.keys(status(0)).toSorted()).toEqual([
      'bindingConditions',
      'componentDeploymentConditions',
      'gitopsDeployments',
    ]);
    expect(rendering).toBeUndefined();
    expect(decide(seen).knocks).toEqual([]);
  });

  it('is settled when everything is as it says', () => {
    const seen = toldSight(saying({ components: [told('api'), told('web')] }, { deployments }));

    expect(decide(seen)).toMatchObject({ effects: [], knocks: [], next: { kind: 'settled' } });
  });
});

describe('an Application that changes who renders', () => {
  const ours = toldSight(aRenderedSight({ deployments: [aDeployment('web')] }));

  it('to somebody else is forgotten in the rows, which would be rendered for ever, and runs on', () => {
    const seen = { ...ours, application: external, place: undefined };

    expect(does(decide(seen))).toEqual(['forget-overlay binding-uid']);
    expect(decide({ ...seen, stored: [] })).toMatchObject({ effects: [], next: { kind: 'settled' } });
  });

  it('to us runs on until our own rendering stands', () => {
    const asked = { ...ours, stored: [] };
    const wished = {
      ...ours,
      stored: [storedFor(asked, { renderedDigest: undefined, results: [], commit: undefined })],
    };

    expect(does(decide(asked))).toEqual(['want-overlay v1']);
    expect(does(decide(wished))).toEqual([]);
  });

  it('to us runs on where we cannot render it', () => {
    const broken = { ...ours, stored: [], components: [aComponent('web', { unsupportedEnv: ['A'] })] };

    expect(does(decide(broken))).toEqual(['want-overlay v1']);
    expect(does(decide({ ...broken, stored: [storedFor(broken)] }))).toEqual([]);
  });
});
