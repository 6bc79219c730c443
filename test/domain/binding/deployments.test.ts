import { describe, expect, it } from 'vitest';
import type { OwnedDeployment, SeenBinding } from '../../../shared/domain/binding/binding.ts';
import { bindingLabels } from '../../../shared/domain/binding/binding-labels.ts';
import { considerBinding } from '../../../shared/domain/binding/consider-binding.ts';
import type { Deploying } from '../../../shared/domain/binding/consider-deployments.ts';
import { deploymentLabels, labelPatch } from '../../../shared/domain/binding/deployment-labels.ts';
import { deploymentName } from '../../../shared/domain/binding/deployment-name.ts';
import type { Choice } from '../../../shared/domain/environment/choose-place.ts';
import {
  aBinding,
  aComponent,
  aDeployment,
  anApplication,
  anEnvironment,
  aRenderedSight,
  aSnapshot,
  conditionOf,
  decide,
  digest,
  does,
  said,
  storedFor,
  toldSight,
  toldTo,
  waited,
  waitsFor,
} from './a-binding.ts';

const family = 'appstudio.openshift.io';
const deployed = 'AllComponentsDeployed';

function deploying(seen: SeenBinding): Deploying {
  return considerBinding(seen, seen.binding ?? aBinding(), seen.application ?? anApplication()).deploying;
}

const shop = { snapshot: aSnapshot('web', 'api'), components: [aComponent('web'), aComponent('api')] };

describe('the name of a GitOpsDeployment', () => {
  const long = (length: number) => 'x'.repeat(length);
  const named = (binding: string, component: string) =>
    deploymentName({ binding, application: 'shop', environment: 'dev', component }, digest);

  it('is made of everything that it is about', () => {
    expect(named('b', 'web')).toBe('b-shop-dev-web');
  });

  it('AS-06 is shorter where that has more than 250 characters', () => {
    expect(named('b', long(239))).toBe(`b-shop-dev-${long(239)}`);
    expect(named('b', long(240))).toBe(`b-${long(240)}`);
  });

  it('AS-07 is cut where that has more than 250, with a digest of the whole', () => {
    const [binding, component] = [long(200), 'y'.repeat(50)];

    expect(named(binding, component)).toBe(`${long(180)}-${digest(`${binding}-shop-dev-${component}`)}`);
    expect(named(binding, component)).toHaveLength(245);
  });
});

describe('the labels of a GitOpsDeployment', () => {
  const identity = {
    [`${family}/application`]: 'shop',
    [`${family}/component`]: 'web',
    [`${family}/environment`]: 'dev',
  };
  const what = { application: 'shop', component: 'web', environment: 'dev' };

  it('AS-15 are those of the Binding of the family, AS-16 no others, and the three that it is found by', () => {
    expect(deploymentLabels({ [`${family}/x`]: '1', [`test.${family}/y`]: '2', app: 'z' }, what)).toEqual({
      ...identity,
      [`${family}/x`]: '1',
      [`test.${family}/y`]: '2',
    });
    expect(deploymentLabels({ [`${family}/component`]: 'other' }, what)).toEqual(identity);
  });

  it.each<[string, Record<string, string>, Record<string, string>, object | undefined]>([
    ['nothing over nothing', {}, {}, undefined],
    ['one that is new', {}, { [family]: '1' }, { [family]: '1' }],
    ['one that has another value', { [family]: '2' }, { [family]: '1' }, { [family]: '1' }],
    ['one of the family that is wanted no more', { [`${family}/x`]: '1', mine: '2' }, {}, { [`${family}/x`]: null }],
    ['AS-18 one that is the user s own', { mine: '2' }, {}, undefined],
    ['what is there already', { [family]: '1', mine: '2' }, { [family]: '1' }, undefined],
  ])('AS-24 AS-25 are patched: %s', (_what, standing, wanted, patch) => {
    expect(labelPatch(standing, wanted)).toEqual(patch);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['AS-17 when a label of the Binding changes', { [`${family}/x`]: '2' }, { ...identity, [`${family}/x`]: '1' }],
    ['AS-17 when a label of the Binding goes', {}, { ...identity, [`${family}/x`]: '1' }],
    ['AS-19 when somebody took the three away', {}, {}],
    ['AS-19 when somebody says that it is of another component', {}, { ...identity, [`${family}/component`]: 'api' }],
  ])('follow %s', (_what, labels, standing) => {
    const component = standing[`${family}/component`] ?? '';
    const seen = aRenderedSight({
      binding: aBinding({ labels: { ...aBinding().labels, ...labels } }),
      deployments: [aDeployment('web', { labels: { ...standing, mine: '1' }, component })],
    });

    expect(does(decide(seen))).toEqual(['update-deployment web']);
    expect(deploying(seen).update[0]?.labels).toEqual({ ...identity, ...labels });
    expect(toldTo(seen).gitopsDeployments).toMatchObject([{ componentName: 'web' }]);
  });

  it.each([
    ['application', { application: `a${'b'.repeat(63)}` }],
    ['environment', { environment: `a${'b'.repeat(63)}` }],
  ])('cannot hold every name: %s is said to be too long, and nothing is sent that would be refused', (_what, but) => {
    const long = aBinding({ ...but, labels: {} });
    const seen = aRenderedSight({
      binding: long,
      snapshot: { ...aSnapshot('web'), application: long.application },
      components: [aComponent('web', { application: long.application })],
    });

    expect(does(decide(seen))).toEqual(['label-binding']);
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toMatch(
      /^False.ErrorGeneratingGitOpsDeployment.There can be no GitOpsDeployment of component web/,
    );
  });
});

describe('the labels of a Binding', () => {
  const wanted = { 'appstudio.application': 'shop', 'appstudio.environment': 'dev' };

  it.each<[string, Record<string, string>, boolean]>([
    ['B03 are added where there are none', {}, true],
    ['B04 are added beside others', { mine: '1' }, true],
    ['B34 are corrected', { ...wanted, 'appstudio.environment': 'prod' }, true],
    ['are left alone where they are right', { ...wanted, mine: '1' }, false],
  ])('%s', (_what, labels, isPatched) => {
    const seen = aRenderedSight({ binding: aBinding({ labels }), deployments: [aDeployment('web')] });

    expect(does(decide(seen))).toEqual(isPatched ? ['label-binding'] : []);
  });

  it('are patched as far as they are wrong, and as far as a label can hold a name', () => {
    const long = 'x'.repeat(64);

    expect(bindingLabels(aBinding({ labels: { ...wanted, 'appstudio.environment': 'prod' } }))).toEqual({
      'appstudio.environment': 'dev',
    });
    expect(bindingLabels(aBinding({ labels: {}, application: long }))).toEqual({ 'appstudio.environment': 'dev' });
    expect(bindingLabels(aBinding({ labels: {}, application: long, environment: long }))).toBeUndefined();
  });
});

describe('the place that a GitOpsDeployment deploys to', () => {
  const place = (namespaces: string[], isClaimed: boolean): Choice => ({
    kind: 'place',
    isClaimed,
    place: { apiURL: '', secretName: '', allowInsecureSkipTLSVerify: false, namespaces, clusterResources: false },
  });
  const managed = 'managed-environment-dev';

  it.each<[string, Choice, string, object]>([
    ['its own namespace', { kind: 'own-namespace' }, '', { environment: '', namespace: '' }],
    ['AS-12 that of the claimed target', place(['there'], true), '', { environment: managed, namespace: 'there' }],
    ['AS-12 that of a target that names none', place([], true), '', { environment: managed, namespace: '' }],
    [
      'AS-14 the one that the Environment gives',
      place(['a'], false),
      'mine',
      { environment: managed, namespace: 'mine' },
    ],
  ])('is %s', (_what, choice, targetNamespace, destination) => {
    const seen = aRenderedSight({ choice, environment: anEnvironment({ targetNamespace }) });

    expect(deploying(seen).create[0]?.spec).toEqual({
      source: {
        repoURL: 'https://git.example/team/shop',
        path: 'components/web/overlays/dev',
        targetRevision: 'main',
      },
      destination,
      type: 'automated',
      syncOptions: [],
    });
  });

  it('AS-14 is emptied when the Environment has none any more', () => {
    const before = aDeployment('web');
    const destination = { environment: managed, namespace: 'mine' };
    const seen = aRenderedSight({ deployments: [{ ...before, spec: { ...before.spec, destination } }] });

    expect(deploying(seen).update[0]?.spec.destination).toEqual({ environment: '', namespace: '' });
  });

  const problem = { reason: 'X', message: 'x' };
  const lacks: [string, Choice, string, boolean][] = [
    [
      'AS-13 the claim is missing',
      { kind: 'none', reason: 'ClaimNotFound', message: 'The claim c does not exist', problem },
      'ErrorGeneratingGitOpsDeployment/DeploymentTargetClaim referenced by Environment does not exist.',
      true,
    ],
    [
      'the target is missing',
      { kind: 'none', reason: 'TargetNotFound', message: '', problem },
      'ErrorGeneratingGitOpsDeployment/unable to locate DeploymentTarget the references DeploymentTargetClaim',
      true,
    ],
    [
      'AS-14 it names no namespace',
      place([], false),
      'ErrorGeneratingGitOpsDeployment/Environment is missing a TargetNamespace field',
      true,
    ],
    [
      'it is invalid',
      { kind: 'none', reason: 'InvalidEnvironment', message: 'It is', problem },
      'InvalidEnvironment/It is',
      true,
    ],
    [
      'the claim waits',
      { kind: 'none', reason: 'ClaimNotBound', message: 'Not bound yet' },
      'ClaimNotBound/Not bound yet',
      false,
    ],
    [
      'the target is about to go',
      { kind: 'leaving', reason: 'TargetLeaving', message: 'It goes' },
      'TargetLeaving/It goes',
      false,
    ],
  ];
  it.each(lacks)(
    'is not known: %s. Nothing comes, nothing changes, and a component that is out goes',
    (_w, choice, why, isError) => {
      const running = aRenderedSight({
        ...shop,
        choice,
        deployments: [aDeployment('web', { commit: 'old' }), aDeployment('gone')],
      });
      const step = decide(running);
      const { bindingConditions, gitopsDeployments } = toldTo(running);

      expect(does(step)).toEqual(['remove-deployment gone']);
      expect(conditionOf(bindingConditions, 'Reconciled')).toBe(`False/${why}`);
      expect(conditionOf(bindingConditions, 'ErrorOccurred')?.split('/')[0]).toBe(isError ? 'True' : undefined);
      expect(gitopsDeployments.map(({ componentName }) => componentName)).toEqual(['web']);
      expect(step.next).toMatchObject({ kind: 'blocked', on: 'Environment dev', wait: { deadlineSeconds: 3_600 } });
      expect(waitsFor(step)).toBe(why.split('/')[0]);
    },
  );
});

describe('a GitOpsDeployment', () => {
  const only = (but: Partial<OwnedDeployment>) => aRenderedSight({ deployments: [aDeployment('web', but)] });
  const { spec } = aDeployment('web');

  it.each<[string, Partial<OwnedDeployment>]>([
    ['AS-04 from another path', { spec: { ...spec, source: { ...spec.source, path: 'mine' } } }],
    ['AS-04 of a type that there is not', { spec: { ...spec, type: 'sometimes' } }],
    ['AS-04 with sync options', { spec: { ...spec, syncOptions: ['CreateNamespace=true'] } }],
    ['of an older commit', { commit: 'old' }],
  ])('%s is made as it should be', (_what, but) => {
    expect(does(decide(only(but)))).toEqual(['update-deployment web']);
    expect(deploying(only(but)).update[0]).toMatchObject({ spec, commit: 'c0ffee', over: { version: '20' } });
  });

  it('that somebody made manual stays manual, whatever else of it is mended', () => {
    const manual = { ...spec, type: 'manual' };
    const elsewhere = { ...manual, source: { ...spec.source, path: 'mine' } };

    expect(does(decide(only({ spec: manual })))).toEqual([]);
    expect(deploying(only({ spec: elsewhere })).update[0]).toMatchObject({ spec: manual });
  });

  it('AS-03 that is as it should be is left alone', () => {
    const step = decide(toldSight(only({ labels: { ...aDeployment('web').labels, mine: '1' } })));

    expect(step).toMatchObject({ effects: [], knocks: [], next: { kind: 'settled' } });
  });

  it('AS-05 of a component that is out goes, and no other', () => {
    const stranger = aDeployment('stranger', { owner: 'somebody' });
    const free = aDeployment('free', { owner: undefined });
    const seen = aRenderedSight({ deployments: [free, stranger, aDeployment('gone'), aDeployment('web')] });

    expect(does(decide(seen))).toEqual(['remove-deployment gone']);
  });

  it('that is already going is not removed again', () => {
    const seen = aRenderedSight({ deployments: [aDeployment('gone', { isDeleting: true }), aDeployment('web')] });

    expect(does(decide(seen))).toEqual([]);
  });

  it.each<[string, Partial<OwnedDeployment>]>([
    ['of a Binding of the same name that is no more', { owner: 'old-binding-uid', commit: 'old' }],
    ['that somebody deletes', { isDeleting: true, commit: 'old' }],
  ])('%s has to be gone before its successor comes', (_what, but) => {
    const step = decide(only(but));

    expect(does(step)).toEqual([]);
    expect(step.next).toEqual({
      kind: 'recheck',
      afterSeconds: 15,
      wait: {
        reason: 'DeploymentLeaving',
        message: 'GitOpsDeployment shop-dev-shop-dev-web has to be gone first',
        deadlineSeconds: 86_400,
      },
    });
    expect(decide(only(but), waited(1_000, 'DeploymentLeaving')).next).toMatchObject({ afterSeconds: 250 });
  });

  it('that is nobody s is never touched: the user is told what to do', () => {
    const seen = only({ owner: undefined, commit: 'old' });

    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toBe(
      "False/DeploymentNameTaken/A GitOpsDeployment shop-dev-shop-dev-web is there already and is not this Binding's: delete or rename it",
    );
    expect(decide(seen).next).toMatchObject({
      kind: 'recheck',
      afterSeconds: 60,
      wait: { reason: 'DeploymentNameTaken' },
    });
  });
});

describe('the status of a Binding', () => {
  it('AS-02 names the deployment of each component, AS-20 in the order of the components, as soon as it is wanted', () => {
    const seen = aRenderedSight({ ...shop, deployments: [aDeployment('web')] });

    expect(toldTo(seen).gitopsDeployments).toMatchObject([
      { componentName: 'api', gitopsDeployment: 'shop-dev-shop-dev-api', syncStatus: '', health: '', commitID: '' },
      { componentName: 'web', gitopsDeployment: 'shop-dev-shop-dev-web' },
    ]);
  });

  it('AS-23 tells how each of them is', () => {
    const seen = aRenderedSight({ deployments: [aDeployment('web', { health: 'Degraded', revision: 'abc' })] });

    expect(toldTo(seen).gitopsDeployments).toEqual([
      {
        componentName: 'web',
        gitopsDeployment: 'shop-dev-shop-dev-web',
        syncStatus: 'Synced',
        health: 'Degraded',
        commitID: 'abc',
      },
    ]);
  });

  it.each([
    ['OutOfSync', 'False/CommitsUnsynced/1 of 2 components deployed'],
    ['Synced', 'True/CommitsSynced/2 of 2 components deployed'],
  ])('AS-22 counts those that are deployed: one of two is %s', (syncStatus, says) => {
    const seen = aRenderedSight({ ...shop, deployments: [aDeployment('web', { syncStatus }), aDeployment('api')] });

    expect(conditionOf(toldTo(seen).componentDeploymentConditions, deployed)).toBe(says);
  });

  it('has one condition about that, whatever others wrote there, and keeps its time', () => {
    const strange = [
      said('Strange', 'True', 'X'),
      said(deployed, 'True', 'CommitsSynced', '1 of 1 components deployed'),
    ];
    const binding = aBinding({ status: { componentDeploymentConditions: strange } });
    const seen = toldSight(aRenderedSight({ binding, deployments: [aDeployment('web')] }));

    expect(seen.binding?.status.componentDeploymentConditions).toEqual(strange.slice(1));
    expect(decide(seen).effects).toEqual([]);
  });

  it('AS-27 says once that all is well after an error, and says nothing of errors where there was none', () => {
    const wrong = [
      said('Reconciled', 'False', 'GitOpsRepoNotReady', 'x'),
      said('ErrorOccurred', 'True', 'ErrorOccurred', 'x'),
    ];
    const seen = aRenderedSight({
      binding: aBinding({ status: { bindingConditions: wrong } }),
      deployments: [aDeployment('web')],
    });

    expect(
      toldTo(seen).bindingConditions.map(({ type, status, reason, message }) => [type, status, reason, message]),
    ).toEqual([
      ['Reconciled', 'True', 'Reconciled', ''],
      ['ErrorOccurred', 'False', 'ErrorOccurred', ''],
    ]);
    expect(decide(seen).effects).toContainEqual(expect.objectContaining({ do: 'tell-user' }));
    expect(decide(toldSight(seen)).effects).toEqual([]);
    expect(toldTo(aRenderedSight()).bindingConditions.map(({ type }) => type)).toEqual(['Reconciled']);
  });

  it('keeps what others say of a component beside what we say', () => {
    const foreign = said('Tested', 'True', 'OK');
    const [web] = toldTo(aRenderedSight()).components;
    if (web === undefined) throw new Error('It is not told');
    const components = [{ ...web, conditions: [foreign, ...web.conditions] }];
    const seen = aRenderedSight({ binding: aBinding({ status: { components } }), deployments: [aDeployment('web')] });

    expect(toldTo(seen).components).toEqual(components);
  });

  it('is told again when the snapshot was rendered anew', () => {
    const running = toldSight(aRenderedSight({ deployments: [aDeployment('web')] }));
    const seen = { ...running, stored: [storedFor({ ...running, stored: [] }, { commit: 'beef' })] };

    expect(does(decide(seen))).toEqual(['update-deployment web']);
    expect(decide(seen).effects).toContainEqual(expect.objectContaining({ do: 'tell-user' }));
  });
});
