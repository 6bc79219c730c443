import { createHash } from 'node:crypto';
import type {
  Binding,
  BindingEffect,
  BindingStatus,
  BoundApplication,
  BoundComponent,
  BoundEnvironment,
  ComponentStatus,
  OwnedDeployment,
  RepositoryPlace,
  SeenBinding,
} from '../../../shared/domain/binding/binding.ts';
import { considerBinding } from '../../../shared/domain/binding/consider-binding.ts';
import { decideSnapshotBinding } from '../../../shared/domain/binding/decide-snapshot-binding.ts';
import { deploymentName } from '../../../shared/domain/binding/deployment-name.ts';
import type { OverlayResult, StoredOverlay } from '../../../shared/domain/binding/stored-overlay.ts';
import type { Said } from '../../../shared/domain/core/condition.ts';
import type { Moment, Step } from '../../../shared/domain/core/step.ts';

export const now = Date.parse('2026-07-01T12:00:00Z');
/** A moment without a past. */
export const today: Moment = { now };

/** The seconds that something was waited for already, for a certain reason. */
export function waited(seconds: number, reason: string, deadlineSeconds = 86_400): Moment {
  const since = now - seconds * 1_000;
  return { now, waiting: { reason, since, deadline: since + deadlineSeconds * 1_000 } };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function said(type: string, status: Said['status'], reason: string, message = ''): Said {
  return { type, status, reason, message, lastTransitionTime: '2026-07-01T11:00:00Z' };
}

const nothingSaid: BindingStatus = {
  components: [],
  gitopsRepoConditions: [],
  gitopsDeployments: [],
  bindingConditions: [],
  componentDeploymentConditions: [],
};

/** The Binding `shop-dev` of the application `shop` and the environment `dev`, with the snapshot `v1`. */
export function aBinding(but: Partial<Omit<Binding, 'status'>> & { status?: Partial<BindingStatus> } = {}): Binding {
  return {
    uid: 'binding-uid',
    version: '10',
    generation: 1,
    created: now - 3_600_000,
    isDeleting: false,
    labels: { 'appstudio.application': 'shop', 'appstudio.environment': 'dev' },
    application: 'shop',
    environment: 'dev',
    snapshot: 'v1',
    promotion: '',
    promotionUid: '',
    components: [],
    ...but,
    status: { ...nothingSaid, ...but.status },
  };
}

export function anApplication(but: Partial<BoundApplication> = {}): BoundApplication {
  return { uid: 'shop-uid', isRenderedByOthers: false, configuration: undefined, problem: undefined, ...but };
}

export function anEnvironment(but: Partial<BoundEnvironment> = {}): BoundEnvironment {
  return {
    isAutomated: true,
    env: [],
    clusterType: undefined,
    exposeWith: undefined,
    ingressDomain: '',
    gateway: undefined,
    targetNamespace: '',
    ...but,
  };
}

export function aComponent(name: string, but: Partial<BoundComponent> = {}): BoundComponent {
  return {
    name,
    componentName: name,
    application: 'shop',
    isSkipped: false,
    replicas: undefined,
    resources: undefined,
    env: [],
    port: 0,
    route: '',
    pullSecret: '',
    kustomizeBase: '',
    unsupportedEnv: [],
    ...but,
  };
}

/** A snapshot of `shop` with an image for each of the components. */
export function aSnapshot(...names: readonly string[]) {
  return { application: 'shop', components: names.map((name) => ({ name, image: `quay.io/team/${name}:1` })) };
}

export const place: RepositoryPlace = {
  repositoryId: 'repo',
  url: 'https://git.example/team/shop',
  branch: 'main',
  context: '',
};

/** A namespace with the Binding, its application, environment and snapshot, and the component `web`. Nothing is done yet. */
export function aSight(but: Partial<SeenBinding> = {}): SeenBinding {
  return {
    namespace: 'team',
    name: 'shop-dev',
    binding: aBinding(),
    stored: [],
    application: anApplication(),
    environment: anEnvironment(),
    choice: { kind: 'own-namespace' },
    snapshot: aSnapshot('web'),
    components: [aComponent('web')],
    place,
    rival: undefined,
    followers: [],
    deployments: [],
    isNamespaceGoing: false,
    digest,
    ...but,
  };
}

/** The row that this Binding asks for, as it stands in the repository. */
export function storedFor(seen: SeenBinding, but: Partial<StoredOverlay> = {}): StoredOverlay {
  const { binding, application } = seen;
  const wish = binding && application && considerBinding(seen, binding, application).rendering?.wish;
  if (binding === undefined || wish === undefined || wish === null) throw new Error('It wants nothing');
  return {
    uid: binding.uid,
    repositoryId: wish.repositoryId,
    context: wish.context,
    environment: binding.environment,
    isGone: false,
    snapshot: binding.snapshot,
    generation: binding.generation,
    promotion: binding.promotion,
    promotionUid: binding.promotionUid,
    wantedDigest: wish.digest,
    wanted: wish.inputs,
    renderedDigest: wish.digest,
    rendered: wish.inputs,
    results: wish.inputs.map(({ component }) => resultOf(component)),
    commit: 'c0ffee',
    trouble: undefined,
    ...but,
  };
}

export function resultOf(component: string): OverlayResult {
  return {
    component,
    path: `components/${component}/overlays/dev`,
    generatedResources: ['deployment-patch.yaml'],
  };
}

/** One whose rendering stands in the repository. */
export function aRenderedSight(but: Partial<SeenBinding> = {}, stored: Partial<StoredOverlay> = {}): SeenBinding {
  const seen = aSight(but);
  return { ...seen, stored: [storedFor(seen, stored)] };
}

/** The GitOpsDeployment of a component as `shop-dev` makes it. */
export function aDeployment(component: string, but: Partial<OwnedDeployment> = {}): OwnedDeployment {
  return {
    name: nameFor(component),
    uid: `${component}-deployment-uid`,
    version: '20',
    component,
    owner: 'binding-uid',
    isDeleting: false,
    labels: {
      'appstudio.openshift.io/application': 'shop',
      'appstudio.openshift.io/component': component,
      'appstudio.openshift.io/environment': 'dev',
    },
    commit: 'c0ffee',
    spec: {
      source: { repoURL: place.url, path: `components/${component}/overlays/dev`, targetRevision: 'main' },
      destination: { environment: '', namespace: '' },
      type: 'automated',
      syncOptions: [],
    },
    syncStatus: 'Synced',
    health: 'Healthy',
    revision: 'c0ffee',
    ...but,
  };
}

function nameFor(component: string): string {
  return deploymentName({ binding: 'shop-dev', application: 'shop', environment: 'dev', component }, digest);
}

export function decide(seen: SeenBinding, moment: Moment = today): Step<BindingEffect> {
  return decideSnapshotBinding(seen, moment);
}

/** What is done, to whom. What is told stands elsewhere. */
export function does({ effects }: Step<BindingEffect>): string[] {
  return effects
    .filter((effect) => effect.do !== 'tell-user')
    .map((effect) => {
      if ('component' in effect) return `${effect.do} ${effect.component}`;
      if (effect.do === 'want-overlay') return `want-overlay ${effect.snapshot}`;
      return 'uid' in effect ? `${effect.do} ${effect.uid}` : effect.do;
    });
}

export function knocksOf({ knocks }: Step<BindingEffect>): string[] {
  return knocks.map(({ type, subject }) => `${type} ${subject.name}`);
}

/** What the step waits for, in one word; undefined: nothing. */
export function waitsFor({ next }: Step<BindingEffect>): string | undefined {
  return next.kind === 'settled' ? undefined : next.wait.reason;
}

/** The status as it would be after the step. */
export function toldTo(seen: SeenBinding, at = now): BindingStatus {
  const { binding, application } = seen;
  if (binding === undefined || application === undefined) throw new Error('There is nobody to tell');
  return { ...binding.status, ...considerBinding(seen, binding, application).status(at) };
}

/** One of its conditions in one line. */
export function conditionOf(conditions: readonly Said[], type: string): string | undefined {
  const found = conditions.find((one) => one.type === type);
  return found && [found.status, found.reason, found.message].filter((part) => part !== '').join('/');
}

export function componentOf(seen: SeenBinding, name: string): ComponentStatus | undefined {
  return toldTo(seen).components.find((one) => one.name === name);
}

/** The same with its status told, as it is seen the next time. */
export function toldSight(seen: SeenBinding): SeenBinding {
  return seen.binding === undefined ? seen : { ...seen, binding: { ...seen.binding, status: toldTo(seen) } };
}

/** The same world, with every list in it turned round. */
export function turnedRound(seen: SeenBinding): SeenBinding {
  const { binding, snapshot } = seen;
  return {
    ...seen,
    binding: binding && { ...binding, components: binding.components.toReversed() },
    snapshot: snapshot && { ...snapshot, components: snapshot.components.toReversed() },
    stored: seen.stored.toReversed(),
    components: seen.components.toReversed(),
    deployments: seen.deployments.toReversed(),
    followers: seen.followers.toReversed(),
  };
}
