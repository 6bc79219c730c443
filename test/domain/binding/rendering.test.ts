import { describe, expect, it } from 'vitest';
import type { SeenBinding } from '../../../shared/domain/binding/binding.ts';
import { considerBinding } from '../../../shared/domain/binding/consider-binding.ts';
import {
  aBinding,
  aComponent,
  aDeployment,
  anApplication,
  anEnvironment,
  aRenderedSight,
  aSight,
  aSnapshot,
  componentOf,
  conditionOf,
  decide,
  does,
  knocksOf,
  now,
  place,
  resultOf,
  said,
  storedFor,
  today,
  toldSight,
  toldTo,
  waited,
  waitsFor,
} from './a-binding.ts';

const manual = anEnvironment({ isAutomated: false });
const deployed = 'AllComponentsDeployed';

function pendingOf(seen: SeenBinding): string | undefined {
  return conditionOf(toldTo(seen).bindingConditions, 'ConfigurationPending');
}

describe('the first rendering of a Binding', () => {
  it('is asked for before anything is deployed', () => {
    const step = decide(aSight());

    expect(does(step)).toEqual(['want-overlay v1']);
    expect(knocksOf(step)).toEqual(['overlay.requested.v1 repo']);
    expect(step.next).toEqual({
      kind: 'blocked',
      on: 'the GitOps repository',
      wait: { reason: 'Rendering', message: 'The GitOps repository is being written', deadlineSeconds: 120 },
    });
  });

  it('is waited for in the words of the original, which is no error', () => {
    const { bindingConditions, componentDeploymentConditions } = toldTo(aSight());

    expect(conditionOf(bindingConditions, 'Reconciled')).toBe(
      "False/WaitingForComponentStatus/SnapshotEventBinding Component status is required to generate GitOps deployment, waiting for the Application Service controller to finish reconciling binding 'shop-dev'",
    );
    expect(conditionOf(bindingConditions, 'ErrorOccurred')).toBeUndefined();
    expect(conditionOf(componentDeploymentConditions, deployed)).toBe(
      'False/CommitsUnsynced/0 of 1 components deployed',
    );
  });

  it('B01 stands: the status tells where, and only now a deployment comes', () => {
    const seen = aRenderedSight();

    expect(does(decide(seen))).toEqual(['create-deployment web']);
    expect(knocksOf(decide(seen))).toEqual([]);
    expect(conditionOf(toldTo(seen).gitopsRepoConditions, 'Refreshed')).toBe(
      'True/OK/GitOps repo has been successfully refreshed',
    );
    expect(componentOf(seen, 'web')).toMatchObject({
      generatedRouteName: '',
      gitOpsRepository: {
        url: 'https://git.example/team/shop',
        branch: 'main',
        path: 'components/web/overlays/dev',
        generatedResources: ['deployment-patch.yaml'],
        commitID: 'c0ffee',
      },
    });
  });

  it('B02 has a Route with four characters of its own, and always the same', () => {
    const openShift = {
      environment: anEnvironment({ clusterType: 'OpenShift' }),
      components: [aComponent('web', { port: 8080 })],
    };
    const name = componentOf(aRenderedSight(openShift), 'web')?.generatedRouteName;

    expect(name).toMatch(/^web-[0-9a-f]{4}$/);
    expect(componentOf(aRenderedSight({ ...openShift, snapshot: aSnapshot('api', 'web') }), 'web')).toMatchObject({
      generatedRouteName: name,
    });
  });

  it('of a Snapshot without components is done with nothing to deploy', () => {
    const seen = toldSight(aRenderedSight({ snapshot: aSnapshot() }, { commit: undefined }));

    expect(conditionOf(toldTo(seen).componentDeploymentConditions, deployed)).toBe(
      'True/CommitsSynced/0 of 0 components deployed',
    );
    expect(decide(seen)).toMatchObject({ effects: [], knocks: [], next: { kind: 'settled' } });
  });
});

/** What others than the Binding may change, and how a person would call it. */
const changes: [string, Partial<SeenBinding>, string][] = [
  ['B31 a variable of the Component', { components: [aComponent('web', { env: [aSecret('A')] })] }, 'web: env A'],
  ['its replicas', { components: [aComponent('web', { replicas: 3 })] }, 'web: replicas'],
  [
    'a value of the Application',
    { application: anApplication({ configuration: { env: [aSecret('B')] } }) },
    'web: env B',
  ],
  [
    'B13 a variable of the Environment',
    { environment: anEnvironment({ isAutomated: false, env: [aSecret('C')] }) },
    'web: env C',
  ],
  ['a Component that is gone', { components: [] }, 'web: removed'],
];

function aSecret(name: string) {
  return { name, value: 'hunter2' };
}

describe('what others than the Binding changed', () => {
  it.each(changes)('%s is rendered at once in an automated environment', (_what, but) => {
    const seen = {
      ...aRenderedSight(),
      ...but,
      environment: { ...(but.environment ?? anEnvironment()), isAutomated: true },
    };
    const step = decide(seen);

    expect(does(step)).toContain('want-overlay v1');
    expect(knocksOf(step)).toEqual(['overlay.requested.v1 repo']);
    expect(pendingOf(seen)).toBeUndefined();
  });

  it.each(changes)('%s waits in a manual one, and is named without its value', (_what, but, word) => {
    const running = aRenderedSight({ environment: manual, deployments: [aDeployment('web')] });
    const seen = { ...running, ...but };
    const step = decide(seen);

    expect(does(step)).toEqual([]);
    expect(step.knocks).toEqual([]);
    expect(step.next).toEqual({ kind: 'settled' });
    expect(pendingOf(seen)).toBe(
      `True/WaitsForPromotion/With the next promotion or change of this Binding come: ${word}`,
    );
    expect(JSON.stringify([toldTo(seen), step])).not.toContain('hunter2');
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, deployed)).toMatch(/^True/);
  });

  it.each([
    ['the Binding itself changes', { generation: 2 }],
    ['another snapshot is promoted', { generation: 2, snapshot: 'v2' }],
  ])('comes to a manual environment, all of it, when %s', (_what, but) => {
    const [, others] = changes[1] ?? [];
    const seen = { ...aRenderedSight({ environment: manual }), ...others, binding: aBinding(but) };

    expect(does(decide(seen))).toContain(`want-overlay ${seen.binding.snapshot}`);
    expect(pendingOf(seen)).toBeUndefined();
  });

  it('is no longer pending when it came, or was taken back', () => {
    const pending = said('ConfigurationPending', 'True', 'WaitsForPromotion', 'web: replicas');
    const seen = aRenderedSight({
      environment: manual,
      binding: aBinding({ status: { bindingConditions: [pending] } }),
    });

    expect(pendingOf(seen)).toBe('False/Rendered');
  });

  it('is listed as far as people read', () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ name: `V${index + 10}`, value: '' }));
    const seen = { ...aRenderedSight({ environment: manual }), components: [aComponent('web', { env: many })] };

    expect(pendingOf(seen)).toMatch(/: web: env V10, .*, web: env V29 and 5 more$/);
  });

  it('in a manual environment takes away no deployment and moves no Route before its time', () => {
    const openShift = { isAutomated: false, clusterType: 'OpenShift' } as const;
    const running = aRenderedSight({
      environment: anEnvironment(openShift),
      components: [aComponent('web', { port: 8080 })],
      deployments: [aDeployment('web')],
    });
    const seen = { ...running, components: [] };

    expect(does(decide(seen))).toEqual([]);
    expect(componentOf(seen, 'web')).toMatchObject({
      generatedRouteName: componentOf(running, 'web')?.generatedRouteName,
      gitOpsRepository: { path: 'components/web/overlays/dev' },
    });
  });
});

describe('a new snapshot', () => {
  const running = aRenderedSight({
    snapshot: aSnapshot('api', 'web'),
    components: [aComponent('api'), aComponent('web')],
    deployments: [aDeployment('api'), aDeployment('web')],
  });
  const v2 = aBinding({ snapshot: 'v2', generation: 2, promotion: 'run-1' });

  it('B26 without a component takes its deployment away in the step that asks for the new rendering', () => {
    const seen = { ...running, binding: v2, snapshot: aSnapshot('web') };

    expect(does(decide(seen))).toEqual(['remove-deployment api', 'want-overlay v2']);
    expect(toldTo(seen).components.map(({ name }) => name)).toEqual(['web']);
    expect(toldTo(seen).gitopsDeployments.map(({ componentName }) => componentName)).toEqual(['web']);
  });

  it('with another component deploys that when it stands in Git', () => {
    const components = [aComponent('api'), aComponent('db'), aComponent('web')];
    const seen = { ...running, binding: v2, snapshot: aSnapshot('api', 'db', 'web'), components };
    const [row] = seen.stored;
    const wanted = storedFor(seen);
    const asked = {
      ...seen,
      stored: [{ ...wanted, renderedDigest: row?.renderedDigest, results: row?.results ?? [] }],
    };

    expect(does(decide(seen))).toEqual(['want-overlay v2']);
    expect(does(decide(asked))).toEqual([]);
    expect(does(decide({ ...asked, stored: [wanted] }))).toEqual(['create-deployment db']);
    expect(conditionOf(toldTo(asked).componentDeploymentConditions, deployed)).toMatch(/^False.*2 of 3/);
  });

  it('is waited for without a word of error: what is deployed of the last one is as it should be', () => {
    const seen = { ...running, binding: v2 };
    const asked = { ...seen, stored: [storedFor(seen, { renderedDigest: undefined })] };

    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toBe('True/Reconciled');
    expect(conditionOf(toldTo(asked).bindingConditions, 'Reconciled')).toBe('True/Reconciled');
    expect(waitsFor(decide(asked))).toBe('Rendering');
  });

  it('that is made again under its name comes to a manual Environment with a promotion that is made again under its name', () => {
    const promoted = aBinding({ promotion: 'run-1', promotionUid: 'first' });
    const stands = { ...running, binding: promoted, environment: manual };
    const stored = [storedFor(stands)];
    const anew = { ...stands, stored, snapshot: aSnapshot('api') };

    expect(does(decide({ ...stands, stored }))).toEqual([]);
    expect(does(decide(anew))).toEqual([]);
    expect(does(decide({ ...anew, binding: { ...promoted, promotionUid: 'second' } }))).toEqual([
      'remove-deployment web',
      'want-overlay v1',
    ]);
  });

  it('with the same images is another one: which commit holds it is told', () => {
    expect(does(decide({ ...running, binding: v2 }))).toEqual(['want-overlay v2']);
  });
});

describe('a wish says what it came from', () => {
  const running = aRenderedSight();

  it.each<[string, Partial<SeenBinding>, string]>([
    ['a person', { binding: aBinding({ generation: 2 }) }, 'binding generation 2'],
    ['a promotion', { binding: aBinding({ generation: 2, snapshot: 'v2', promotion: 'run-1' }) }, 'promotion run-1'],
    [
      'a person, after a promotion',
      {
        binding: aBinding({ generation: 2, promotion: 'run-1' }),
        stored: running.stored.map((one) => ({ ...one, promotion: 'run-1' })),
      },
      'binding generation 2',
    ],
    ['a Component', { components: [aComponent('web', { replicas: 2 })] }, 'configuration'],
    ['another repository', { place: { ...place, repositoryId: 'other' } }, 'repository'],
  ])('%s', (_what, but, cause) => {
    const seen = { ...running, ...but };
    const { rendering } = considerBinding(seen, seen.binding ?? aBinding(), seen.application ?? anApplication());

    expect(rendering?.wish?.cause).toBe(cause);
  });
});

describe('a component that cannot be rendered', () => {
  const two = { snapshot: aSnapshot('api', 'web'), components: [aComponent('api'), aComponent('web')] };
  const deployments = [aDeployment('api'), aDeployment('web')];
  const mistakes: [string, Partial<SeenBinding>, string][] = [
    [
      'with a variable from elsewhere',
      { components: [aComponent('api', { unsupportedEnv: ['A'] }), aComponent('web')] },
      'EnvNotSupported/spec.env A of component api has valueFrom, which is not supported: write its value out',
    ],
    [
      'with a variable twice',
      { components: [aComponent('api', { env: [aSecret('A'), aSecret('A')] }), aComponent('web')] },
      'VariableTwice/The Component gives A more than once: keep one of them',
    ],
    [
      'B17 without a host',
      {
        environment: anEnvironment({ exposeWith: 'Ingress' }),
        components: [aComponent('api', { port: 80 }), aComponent('web')],
      },
      'HostMissing/An Ingress needs a host, and api has none: give the Environment an ingressDomain, or the Component a route',
    ],
  ];

  it.each(mistakes)('%s goes on as it is, and says what is wrong', (_what, but, message) => {
    const running = { ...aRenderedSight(two), deployments };
    const seen = { ...running, ...but };

    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(componentOf(seen, 'api')?.conditions ?? [], 'Rendered')).toBe(`False/${message}`);
    expect(componentOf(seen, 'api')?.gitOpsRepository?.path).toBe('components/api/overlays/dev');
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, deployed)).toMatch(/^True.*2 of 2/);
  });

  it.each(mistakes)('%s is left out where it never ran, and holds up no other', (_what, but) => {
    const seen = aRenderedSight({ ...two, ...but });

    expect(seen.stored[0]?.wanted.map(({ component }) => component)).toEqual(['web']);
    expect(does(decide(seen))).toEqual(['create-deployment web']);
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, deployed)).toMatch(/0 of 2/);
  });

  it('of a new snapshot keeps its old image, and is not counted as deployed', () => {
    const running = { ...aRenderedSight(two), deployments };
    const snapshot = { application: 'shop', components: [{ name: 'api', image: ' ' }, ...aSnapshot('web').components] };
    const next = { ...running, binding: aBinding({ snapshot: 'v2', generation: 2 }), snapshot };
    const seen = { ...next, stored: [storedFor(next)] };

    expect(seen.stored[0]?.wanted).toMatchObject([
      { component: 'api', image: 'quay.io/team/api:1' },
      { component: 'web' },
    ]);
    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(componentOf(seen, 'api')?.conditions ?? [], 'Rendered')).toMatch(/^False.ImageMissing/);
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, deployed)).toMatch(/^False.*1 of 2/);
  });

  it('into files that a user has written keeps its deployment', () => {
    const results = [{ component: 'api', reason: 'FileNotOurs', message: 'It is yours' }, resultOf('web')];
    const seen = { ...aRenderedSight(two, { results }), deployments };

    expect(does(decide(seen))).toEqual([]);
    expect(conditionOf(componentOf(seen, 'api')?.conditions ?? [], 'Rendered')).toBe('False/FileNotOurs/It is yours');
    expect(toldTo(seen).gitopsDeployments.map(({ componentName }) => componentName)).toEqual(['api', 'web']);
    expect(conditionOf(toldTo(seen).componentDeploymentConditions, deployed)).toMatch(/^False.*1 of 2/);
  });

  it('B30 into files that a user has written is tried again by and by, as nobody tells when they are gone', () => {
    const results = [{ component: 'api', reason: 'FileNotOurs', message: 'It is yours' }, resultOf('web')];
    const seen = { ...aRenderedSight(two, { results }), deployments };
    const wait = { reason: 'FileNotOurs', message: 'It is yours', deadlineSeconds: 86_400 };

    expect(decide(seen)).toMatchObject({ knocks: [], next: { kind: 'recheck', afterSeconds: 900, wait } });
    expect(knocksOf(decide(seen, waited(900, 'FileNotOurs')))).toEqual(['overlay.requested.v1 repo']);
  });
});

describe('an Application that moves to another repository', () => {
  const moved = { ...place, repositoryId: 'other', url: 'https://git.example/team/moved' };
  const running = aRenderedSight({ deployments: [aDeployment('web')] });

  it('is deployed from the old one until the new one holds it', () => {
    const asked = { ...running, place: moved };
    const wished = {
      ...asked,
      stored: [storedFor(asked, { renderedDigest: undefined, results: [], commit: undefined })],
    };

    expect(does(decide(asked))).toEqual(['want-overlay v1']);
    expect(knocksOf(decide(asked))).toEqual(['overlay.requested.v1 other']);
    expect(does(decide(wished))).toEqual([]);
    expect(does(decide({ ...asked, stored: [storedFor(asked)] }))).toEqual(['update-deployment web']);
  });

  it('takes to it only what was promoted, where the environment is manual', () => {
    const asked = { ...aRenderedSight({ environment: manual }), components: [aComponent('web', { replicas: 3 })] };
    const [row] = storedFor({ ...asked, place: moved }).wanted;

    expect(does(decide({ ...asked, place: moved }))).toEqual(['want-overlay v1']);
    expect(row?.replicas).toBe(1);
    expect(pendingOf({ ...asked, place: moved })).toMatch(/web: replicas$/);
  });

  it('to another directory is deployed from the old one until then', () => {
    const asked = { ...running, place: { ...place, context: 'deep' } };
    const [row] = running.stored;

    expect(does(decide(asked))).toEqual(['want-overlay v1']);
    expect(does(decide({ ...asked, stored: [storedFor(asked, { renderedDigest: row?.renderedDigest })] }))).toEqual([]);
  });
});

describe('a repository that cannot be written', () => {
  const trouble = { reason: 'CredentialMissing', message: 'No credential is for it', since: now, at: now };
  const seen = aRenderedSight({}, { renderedDigest: undefined, results: [], commit: undefined, trouble });
  const tried = (sinceSeconds: number, atSeconds: number): SeenBinding => {
    const at = { since: now - sinceSeconds * 1_000, at: now - atSeconds * 1_000 };
    return { ...seen, stored: seen.stored.map((row) => ({ ...row, trouble: { ...trouble, ...at } })) };
  };

  it('is told with its reason, and waited for with it', () => {
    expect(conditionOf(toldTo(seen).gitopsRepoConditions, 'Refreshed')).toBe(
      'False/CredentialMissing/No credential is for it',
    );
    expect(conditionOf(toldTo(seen).bindingConditions, 'Reconciled')).toMatch(/^False.GitOpsRepoNotReady/);
    expect(conditionOf(toldTo(seen).bindingConditions, 'ErrorOccurred')).toMatch(/^True.ErrorOccurred.Cannot/);
    expect(decide(seen)).toMatchObject({
      knocks: [],
      next: {
        kind: 'recheck',
        afterSeconds: 15,
        wait: { reason: 'CredentialMissing', message: 'No credential is for it', deadlineSeconds: 86_400 },
      },
    });
  });

  it.each([
    [0, 10, 5],
    [100, 0, 50],
    [100, 40, 10],
    [10_000, 0, 600],
  ])('refused for %i seconds, the last time %i seconds ago, is left alone for %i more', (since, at, left) => {
    expect(decide(tried(since + at, at))).toMatchObject({ knocks: [], next: { afterSeconds: left } });
  });

  it('is asked again when that is over, and once', () => {
    const due = decide(tried(0, 15));

    expect(knocksOf(due)).toEqual(['overlay.requested.v1 repo']);
    expect(due.next).toMatchObject({ kind: 'recheck', afterSeconds: 120 });
  });

  it('is asked at once for a changed Binding', () => {
    expect(knocksOf(decide({ ...seen, binding: aBinding({ generation: 2 }) }))).toEqual(['overlay.requested.v1 repo']);
  });

  it('does not take away what runs', () => {
    const running = aRenderedSight({ deployments: [aDeployment('web')] });
    const next = { ...running, binding: aBinding({ snapshot: 'v2', generation: 2 }) };
    const stuck = { ...next, stored: [storedFor(next, { renderedDigest: 'old', trouble })] };

    expect(does(decide(stuck))).toEqual([]);
  });
});

describe('a repository that does not answer', () => {
  const asked = aRenderedSight({}, { renderedDigest: undefined, results: [], commit: undefined });

  it.each([
    ['is not asked again while somebody writes to it', waited(60, 'Rendering', 120), []],
    ['is asked again after two minutes', waited(120, 'Rendering', 120), ['overlay.requested.v1 repo']],
    [
      'is asked again where something else was waited for',
      waited(10, 'RepositoryNotReady'),
      ['overlay.requested.v1 repo'],
    ],
    ['is asked where nobody knows that it was', today, ['overlay.requested.v1 repo']],
  ])('%s', (_what, moment, knocks) => {
    expect(knocksOf(decide(asked, moment))).toEqual(knocks);
    expect(waitsFor(decide(asked, moment))).toBe('Rendering');
  });
});
