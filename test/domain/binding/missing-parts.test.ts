import { describe, expect, it } from 'vitest';
import type { SeenBinding } from '../../../shared/domain/binding/binding.ts';
import {
  aBinding,
  aComponent,
  aDeployment,
  anApplication,
  aRenderedSight,
  aSight,
  aSnapshot,
  componentOf,
  conditionOf,
  decide,
  does,
  knocksOf,
  now,
  said,
  toldTo,
  waited,
  waitsFor,
} from './a-binding.ts';

const younger = (seconds: number) => aBinding({ created: now - seconds * 1_000 });

describe('a Binding without its Application', () => {
  it.each([
    [181, ['delete-binding binding-uid']],
    [180, ['delete-binding binding-uid']],
    [179, []],
    [0, []],
  ])('AS-01 of %i seconds goes when it is older than three minutes', (seconds, done) => {
    expect(does(decide(aSight({ application: undefined, binding: younger(seconds) })))).toEqual(done);
  });

  it('AS-01 waits as long as it has left, and says for what', () => {
    expect(decide(aSight({ application: undefined, binding: younger(30) })).next).toEqual({
      kind: 'recheck',
      afterSeconds: 150,
      wait: {
        reason: 'ApplicationGone',
        message: 'Application shop was not found: the Binding goes, unless it comes',
        deadlineSeconds: 180,
      },
    });
  });
});

describe('a Binding without its Environment', () => {
  const deployed = { environment: undefined, choice: undefined };
  const gone = { ...aRenderedSight({ deployments: [aDeployment('web')] }), ...deployed };

  it('B07 was never deployed: it stays, names it and waits for it', () => {
    const seen = aSight(deployed);

    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(toldTo(seen).gitopsRepoConditions, 'Refreshed')).toBe(
      'False/EnvironmentNotFound/Environment dev was not found',
    );
    expect(decide(seen).next).toEqual({
      kind: 'blocked',
      on: 'Environment dev',
      wait: { reason: 'EnvironmentNotFound', message: 'Environment dev was not found', deadlineSeconds: 3_600 },
    });
  });

  it('B28 was deployed: it keeps everything for three minutes, and says so', () => {
    expect(does(decide(gone))).toEqual([]);
    expect(decide(gone).next).toMatchObject({ afterSeconds: 180, wait: { reason: 'EnvironmentGone' } });
    expect(decide(gone, waited(100, 'EnvironmentGone')).next).toMatchObject({ afterSeconds: 80 });
    expect(conditionOf(toldTo(gone).bindingConditions, 'ErrorOccurred')).toMatch(/^True/);
  });

  it('B28 goes after three minutes, and its overlays with it', () => {
    const end = decide(gone, waited(180, 'EnvironmentGone'));

    expect(does(end)).toEqual(['delete-binding binding-uid']);
    expect(does(decide({ ...gone, binding: undefined }))).toEqual(['leave-overlay binding-uid']);
    expect(knocksOf(decide({ ...gone, binding: undefined }))).toEqual(['overlay.requested.v1 repo']);
  });

  it('B28 counts from the moment that the Environment was missed, not from another wait', () => {
    expect(does(decide(gone, waited(900, 'Rendering')))).toEqual([]);
  });

  it('B28 goes also where somebody else renders, so that no row tells of it', () => {
    const told = aBinding({ status: { gitopsDeployments: toldTo(aRenderedSight()).gitopsDeployments } });
    const seen = aSight({ ...deployed, application: anApplication({ isRenderedByOthers: true }), binding: told });

    expect(does(decide(seen, waited(180, 'EnvironmentGone')))).toEqual(['delete-binding binding-uid']);
    expect(waitsFor(decide({ ...seen, binding: aBinding() }))).not.toBe('EnvironmentGone');
  });

  it('goes on where the Environment comes back in time', () => {
    const seen = aRenderedSight({ deployments: [aDeployment('web')] });

    expect(waitsFor(decide(seen, waited(179, 'EnvironmentGone')))).toBeUndefined();
  });
});

describe('a Binding whose Snapshot', () => {
  const wrong: [string, Partial<SeenBinding>, string, string][] = [
    ['B06 is not there', { snapshot: undefined }, 'SnapshotNotFound/Snapshot v1 was not found', 'Snapshot v1'],
    [
      'B08 is of another application',
      { snapshot: { ...aSnapshot('web'), application: 'other' } },
      'SnapshotOfOtherApplication/Snapshot v1 belongs to application other, not to shop',
      'SnapshotEnvironmentBinding shop-dev',
    ],
    [
      'has nowhere to be written to',
      { place: undefined },
      'RepositoryNotReady/Application shop has no GitOps repository yet',
      'Application shop',
    ],
    [
      'B12 has nowhere to be written to, for a reason that the Application knows',
      { place: undefined, application: anApplication({ problem: 'spec.gitOpsRepository.url is wrong' }) },
      'RepositoryNotReady/spec.gitOpsRepository.url is wrong',
      'Application shop',
    ],
  ];
  it.each(wrong)('%s says so, waits for that, and changes nothing that runs', (_what, but, message, on) => {
    const running = { ...aRenderedSight({ deployments: [aDeployment('web', { syncStatus: 'OutOfSync' })] }), ...but };

    expect(does(decide(running))).toEqual([]);
    expect(does(decide(aSight(but)))).toEqual([]);
    expect(conditionOf(toldTo(running).gitopsRepoConditions, 'Refreshed')).toBe(`False/${message}`);
    expect(conditionOf(toldTo(running).bindingConditions, 'Reconciled')).toBe(
      "False/GitOpsRepoNotReady/Cannot Reconcile Binding 'shop-dev', since GitOps Repo Conditions status is false.",
    );
    expect(decide(running).next).toMatchObject({ kind: 'blocked', on });
  });

  it('is missing does not say that everything is deployed, nor the contrary', () => {
    const before = [said('AllComponentsDeployed', 'True', 'CommitsSynced', '1 of 1 components deployed')];
    const seen = aSight({ snapshot: undefined });

    expect(toldTo(seen).componentDeploymentConditions).toEqual([]);
    expect(
      toldTo({ ...seen, binding: aBinding({ status: { componentDeploymentConditions: before } }) })
        .componentDeploymentConditions,
    ).toEqual(before);
  });

  it('names no application is taken for the one of the Binding', () => {
    expect(does(decide(aSight({ snapshot: { ...aSnapshot('web'), application: '' } })))).toEqual(['want-overlay v1']);
  });
});

describe('a component of the Snapshot', () => {
  const two = { snapshot: aSnapshot('api', 'web') };
  const faulty: [string, Partial<SeenBinding>, string][] = [
    [
      'B05 that is not there',
      { components: [aComponent('web')] },
      'ComponentNotFound/Component api was not found: create it, or promote a snapshot without it',
    ],
    [
      'B09 of another application',
      { components: [aComponent('web'), aComponent('api', { application: 'other' })] },
      'ComponentOfOtherApplication/Component api belongs to application other, not to shop',
    ],
  ];
  it.each(faulty)('%s is named, goes where it ran, and holds up no other', (_what, but, message) => {
    const ran = aRenderedSight({ ...two, components: [aComponent('web'), aComponent('api')] });
    const seen = { ...ran, ...but, deployments: [aDeployment('api'), aDeployment('web')] };

    expect(does(decide(seen))).toEqual(['remove-deployment api', 'want-overlay v1']);
    expect(conditionOf(componentOf(seen, 'api')?.conditions ?? [], 'Rendered')).toBe(`False/${message}`);
    expect(componentOf(seen, 'api')?.gitOpsRepository).toBeUndefined();
    expect(conditionOf(componentOf(seen, 'web')?.conditions ?? [], 'Rendered')).toBe('True/OK');
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, 'AllComponentsDeployed')).toBe(
      'False/CommitsUnsynced/1 of 2 components deployed',
    );
  });

  it('B10 that only the Binding names is told, and nobody expects it', () => {
    const binding = aBinding({ components: [{ name: 'old', configuration: undefined }] });
    const seen = aRenderedSight({ binding, deployments: [aDeployment('web')] });

    expect(conditionOf(componentOf(seen, 'old')?.conditions ?? [], 'Rendered')).toBe(
      'False/ComponentNotInSnapshot/Snapshot v1 has no image for component old: it is not deployed',
    );
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, 'AllComponentsDeployed')).toBe(
      'True/CommitsSynced/1 of 1 components deployed',
    );
  });

  it('B15 that opted out is not told, not deployed and not expected', () => {
    const seen = aRenderedSight({ ...two, components: [aComponent('web'), aComponent('api', { isSkipped: true })] });
    const before = { ...seen, deployments: [aDeployment('api'), aDeployment('web')] };

    expect(toldTo(seen).components.map(({ name }) => name)).toEqual(['web']);
    expect(does(decide(before))).toEqual(['remove-deployment api']);
    expect(conditionOf(toldTo(before).componentDeploymentConditions, 'AllComponentsDeployed')).toMatch(/1 of 1/);
  });
});

describe('a Binding that is on its way out', () => {
  it.each<[string, Partial<SeenBinding>, string[]]>([
    ['B27 and gone leaves its overlays', { binding: undefined }, ['leave-overlay binding-uid']],
    ['and still there does nothing yet', { binding: aBinding({ isDeleting: true }) }, []],
    ['with its namespace does nothing', { isNamespaceGoing: true }, []],
  ])('%s', (_what, but, done) => {
    const step = decide({ ...aRenderedSight(), ...but });

    expect(does(step)).toEqual(done);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('B27 leaves nothing twice', () => {
    const [row] = aRenderedSight().stored;
    const seen = aSight({ binding: undefined, stored: row === undefined ? [] : [{ ...row, isGone: true }] });

    expect(decide(seen)).toEqual({ effects: [], conditions: [], knocks: [], next: { kind: 'settled' } });
  });
});
