import type {
  Application,
  ApplicationEffect,
  SeenApplication,
  StoredApplication,
} from '../../../shared/domain/application/application.ts';
import { type RepositoryPlace, toldPlace } from '../../../shared/domain/application/repository-place.ts';
import type { Said } from '../../../shared/domain/core/condition.ts';
import type { Step } from '../../../shared/domain/core/step.ts';
import type { StoredCredential } from '../../../shared/domain/gitops/decide-repo-credential.ts';
import type { Engine, Tenant } from '../../../shared/domain/gitops/placement.ts';

export const now = Date.parse('2026-07-01T12:00:00Z');
export const root = 'http://127.0.0.1:9000';
export const uid = '0f9c8b7a-6d5e-4f3a-2b1c-0d9e8f7a6b5c';
export const token = 'a-token-of-the-service';
const lastTransitionTime = '2026-07-01T11:00:00Z';

export function said(status: Said['status'], message: string): Said {
  return { type: 'Created', status, reason: status === 'True' ? 'OK' : 'Error', message, lastTransitionTime };
}

export const well = said('True', 'Application has been successfully created');

/** An Application without a repository, which nobody has looked at. */
export function anApplication(but: Partial<Application> = {}): Application {
  return {
    uid,
    isDeleting: false,
    isRenderedByOthers: false,
    repository: { url: '', branch: '', context: '' },
    said: [],
    gitops: undefined,
    ...but,
  };
}

/** The repository that the service makes for it. */
export const made: RepositoryPlace = {
  url: `${root}/team/shop-0f9c8b7a.git`,
  branch: 'main',
  context: '',
  isMade: true,
};
/** One that a tenant wrote. */
export const given: RepositoryPlace = {
  url: 'https://git.example/team/shop',
  branch: 'main',
  context: '',
  isMade: false,
};
export const written = { url: given.url, branch: '', context: '' };

export function aRow(repository: RepositoryPlace | undefined, but: Partial<StoredApplication> = {}): StoredApplication {
  return {
    uid,
    repository: repository && { ...repository, repositoryId: `id-of-${repository.url}` },
    sequence: 0,
    snapshot: '',
    digest: '',
    frozen: [],
    ...but,
  };
}

export function aCredential(but: Partial<StoredCredential> = {}): StoredCredential {
  return {
    id: uid,
    userId: 'team-uid',
    instanceId: 'argo',
    url: made.url,
    secretName: 'shop',
    revision: 1,
    validatedSecondsAgo: 10,
    failure: '',
    username: 'stagecoach',
    password: token,
    sshPrivateKey: '',
    ...but,
  };
}

const engine: Engine = {
  instanceId: 'argo',
  namespace: 'argocd',
  clusterId: 'cluster',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 0,
};

export function aTenant(but: Partial<Tenant> = {}): Tenant {
  return { namespace: 'team', namespaceUid: 'team-uid', placed: engine, engines: [], ...but };
}

/** An Application in a namespace that the service has a place for repositories for. */
export function aSight(but: Partial<SeenApplication> = {}): SeenApplication {
  return {
    namespace: 'team',
    name: 'shop',
    application: anApplication(),
    isNamespaceGoing: false,
    stored: [],
    credentials: [],
    root,
    own: { credential: { username: 'stagecoach', password: token, sshPrivateKey: '' }, tenant: aTenant() },
    components: [],
    refusal: undefined,
    ...but,
  };
}

/** Everything about an Application with this place is as it should be. */
export function aSettledSight(place: RepositoryPlace, but: Partial<SeenApplication> = {}): SeenApplication {
  const repository = place.isMade ? { url: '', branch: '', context: '' } : { ...place };
  return aSight({
    application: anApplication({ repository, said: [well], gitops: toldPlace(place) }),
    stored: [aRow(place)],
    credentials: place.isMade ? [aCredential()] : [],
    ...but,
  });
}

/** The same, in words: what is done, to what. */
export function does({ effects }: Pick<Step<ApplicationEffect>, 'effects'>): string[] {
  return effects.map((effect) => {
    switch (effect.do) {
      case 'make-repository':
        return `make ${effect.url}`;
      case 'keep-place':
        return `keep ${effect.place === undefined ? 'nowhere' : `${effect.place.url} ${effect.place.branch} "${effect.place.context}"`}`;
      case 'tell-user':
        return 'tell-user';
      default:
        return `${effect.do} ${effect.uid}`;
    }
  });
}

export function knocksOf({ knocks }: Pick<Step<ApplicationEffect>, 'knocks'>): string[] {
  return knocks.map(({ type, subject }) => `${type} ${subject.name}`);
}
