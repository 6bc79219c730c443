import { describe, expect, it } from 'vitest';
import type { SeenApplication } from '../../../shared/domain/application/application.ts';
import { decideApplication } from '../../../shared/domain/application/decide-application.ts';
import { toldPlace } from '../../../shared/domain/application/repository-place.ts';
import { withConditions } from '../../../shared/domain/core/with-conditions.ts';
import {
  aCredential,
  anApplication,
  aRow,
  aSettledSight,
  aSight,
  aTenant,
  does,
  given,
  knocksOf,
  made,
  now,
  root,
  said,
  token,
  uid,
  well,
  written,
} from './an-application.ts';

interface Rule {
  readonly seen: SeenApplication;
  readonly does: readonly string[];
  readonly knocks?: readonly string[];
  /** Of the condition Created; undefined: nothing is said. */
  readonly says: string | undefined;
  readonly waits?: string;
}

const ok = 'True OK Application has been successfully created';
const operation = `operation.requested.v1 repository-credentials.${uid}`;
const keepMade = `keep ${made.url} main ""`;
const components = ['web', 'api'];
const looks = ['component.changed.v1 web', 'component.changed.v1 api'];
const nowhere =
  'spec.gitOpsRepository.url is empty and this service has no place of its own for repositories: set it to a repository that you can push to';
const wrongBranch = 'spec.gitOpsRepository.branch must not begin with a dash';
const refusal = 'The host of repositories does not let this service make one';
const nobodyTakesIt = aTenant({ placed: undefined, engines: [] });
const own = (but: { password?: string; tenant?: ReturnType<typeof aTenant> }) => ({
  credential: { username: 'stagecoach', password: but.password ?? token, sshPrivateKey: '' },
  tenant: but.tenant ?? aTenant(),
});

const rules: Record<string, Rule> = {
  'L01 without a repository gets one of its own, with what opens it, and wakes its Components': {
    seen: aSight({ components }),
    does: [`make ${made.url}`, keepMade, `store-credential ${uid}`, 'tell-user'],
    knocks: [...looks, operation],
    says: ok,
  },
  'with a repository that its user wrote is kept there, and nobody gives the credential of the service away': {
    seen: aSight({ application: anApplication({ repository: written }), components }),
    does: [`keep ${given.url} main ""`, 'tell-user'],
    knocks: looks,
    says: ok,
  },
  'says what to change where its branch cannot be one, and stores no place': {
    seen: aSight({ application: anApplication({ repository: { ...written, branch: '-x' } }), components }),
    does: ['keep nowhere', 'tell-user'],
    knocks: looks,
    says: `False Error ${wrongBranch}`,
  },
  'L01 says that it needs a repository where the service has no place for one': {
    seen: aSight({ root: undefined }),
    does: ['keep nowhere', 'tell-user'],
    says: `False Error ${nowhere}`,
  },
  'that somebody else renders for has no place with us, and is well': {
    seen: aSight({ application: anApplication({ isRenderedByOthers: true, repository: written }), components }),
    does: ['keep nowhere', 'tell-user'],
    knocks: looks,
    says: ok,
  },
  'that somebody else renders for from now on leaves its place and what opened it': {
    seen: aSettledSight(made, {
      application: anApplication({ isRenderedByOthers: true, said: [well], gitops: toldPlace(made) }),
      components,
    }),
    does: ['keep nowhere', `remove-credential ${uid}`, 'tell-user'],
    knocks: [...looks, operation],
    says: ok,
  },
  'L03 says that the host did not make the repository, and tries again later': {
    seen: aSight({ refusal, components }),
    does: ['keep nowhere', 'tell-user'],
    knocks: looks,
    says: `False Error ${refusal}`,
    waits: 'RepositoryNotMade',
  },
  'L03 L11 keeps quiet while the host still says no': {
    seen: aSight({
      refusal,
      application: anApplication({ said: [said('False', refusal)] }),
      stored: [aRow(undefined)],
    }),
    does: [],
    says: `False Error ${refusal}`,
    waits: 'RepositoryNotMade',
  },
  'L03 L11 goes on where the host lets it': {
    seen: aSight({
      application: anApplication({ said: [said('False', refusal)] }),
      stored: [aRow(undefined)],
      components,
    }),
    does: [`make ${made.url}`, keepMade, `store-credential ${uid}`, 'tell-user'],
    knocks: [...looks, operation],
    says: ok,
  },
  'moves to a repository that its user wrote later, and takes back the credential of the service': {
    seen: aSettledSight(made, {
      application: anApplication({ repository: written, said: [well], gitops: toldPlace(made) }),
      components,
    }),
    does: [`keep ${given.url} main ""`, `remove-credential ${uid}`, 'tell-user'],
    knocks: [...looks, operation],
    says: ok,
  },
  'takes back the credential of the service even where the user wrote the very address that the service had made': {
    seen: aSettledSight(made, {
      application: anApplication({ repository: { ...written, url: made.url }, said: [well], gitops: toldPlace(made) }),
    }),
    does: [`keep ${made.url} main ""`, `remove-credential ${uid}`],
    knocks: [operation],
    says: ok,
  },
  'keeps what is deployed where it is while its new branch cannot be one': {
    seen: aSettledSight(made, {
      application: anApplication({
        repository: { url: '', branch: '-x', context: '' },
        said: [well],
        gitops: toldPlace(made),
      }),
    }),
    does: ['tell-user'],
    says: `False Error ${wrongBranch}`,
  },
  'keeps what is deployed where it is while the service has lost its place for repositories': {
    seen: aSettledSight(made, { root: undefined, own: undefined }),
    does: ['tell-user'],
    says: `False Error ${nowhere}`,
  },
  'moves inside its repository without making it again': {
    seen: aSettledSight(made, {
      application: anApplication({
        repository: { url: '', branch: 'live', context: 'x' },
        said: [well],
        gitops: toldPlace(made),
      }),
    }),
    does: [`keep ${made.url} live "x"`, 'tell-user'],
    says: ok,
  },
  'follows the service to another place for repositories': {
    seen: aSettledSight(made, { root: 'https://git.example/own' }),
    does: [
      'make https://git.example/own/team/shop-0f9c8b7a.git',
      'keep https://git.example/own/team/shop-0f9c8b7a.git main ""',
      `store-credential ${uid}`,
      'tell-user',
    ],
    knocks: [operation],
    says: ok,
  },
  'gives Argo CD the new token of the service': {
    seen: aSettledSight(made, { own: own({ password: 'the-next-token' }) }),
    does: [`store-credential ${uid}`],
    knocks: [operation],
    says: ok,
  },
  'gives Argo CD the token again where its row got lost': {
    seen: aSettledSight(made, { credentials: [] }),
    does: [`store-credential ${uid}`],
    knocks: [operation],
    says: ok,
  },
  'waits for an Argo CD that takes its namespace': {
    seen: aSight({ own: own({ tenant: nobodyTakesIt }) }),
    does: [`make ${made.url}`, keepMade, 'tell-user'],
    says: ok,
    waits: 'NoArgoCD',
  },
  'says again what somebody wrote over, and only that': {
    seen: aSettledSight(given, { application: anApplication({ repository: written, said: [well] }) }),
    does: ['tell-user'],
    says: ok,
  },
  'that is gone leaves nothing, whatever UIDs went by its name': {
    seen: aSight({
      application: undefined,
      stored: [aRow(made), aRow(given, { uid: 'before' })],
      credentials: [aCredential()],
      components,
    }),
    does: [`remove-credential ${uid}`, `forget-application ${uid}`, 'forget-application before'],
    knocks: [operation],
    says: undefined,
  },
  'that was never seen and is gone is nobody': { seen: aSight({ application: undefined }), does: [], says: undefined },
  'that is made again is another one: nothing of the first is left to it': {
    seen: aSight({
      stored: [aRow(given, { uid: 'before', sequence: 7 })],
      credentials: [aCredential({ id: 'before' })],
    }),
    does: [
      'remove-credential before',
      'forget-application before',
      `make ${made.url}`,
      keepMade,
      `store-credential ${uid}`,
      'tell-user',
    ],
    knocks: ['operation.requested.v1 repository-credentials.before', operation],
    says: ok,
  },
  'L15 that is being deleted begins nothing': {
    seen: aSight({ application: anApplication({ isDeleting: true }) }),
    does: [],
    says: undefined,
  },
  'in a namespace that is being deleted begins nothing': {
    seen: aSight({ isNamespaceGoing: true }),
    does: [],
    says: undefined,
  },
  'that is gone with its namespace leaves no rows': {
    seen: aSight({ application: undefined, isNamespaceGoing: true, stored: [aRow(given)] }),
    does: [`forget-application ${uid}`],
    says: undefined,
  },
};

describe('an Application', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does: done, knocks = [], says, waits }) => {
    const step = decideApplication(seen, { now });

    expect(does(step)).toEqual(done);
    expect(knocksOf(step)).toEqual(knocks);
    expect(step.conditions.map(({ status, reason, message }) => `${status} ${reason} ${message}`)).toEqual(
      says === undefined ? [] : [says],
    );
    expect(step.next.kind === 'settled' ? undefined : step.next.wait.reason).toBe(waits);
  });

  it.each(Object.entries(rules))('settles: %s', (_rule, { seen }) => {
    const { effects, knocks } = decideApplication(done(seen), { now: now + 60_000 });

    expect(does({ effects })).toEqual([]);
    expect(knocks).toEqual([]);
  });

  it.each(Object.entries(rules))('any order: %s', (_rule, { seen }) => {
    const turned = { ...seen, stored: seen.stored.toReversed(), credentials: seen.credentials.toReversed() };
    const [one, other] = [seen, turned].map((sight) => decideApplication(sight, { now }));

    expect(other?.effects.toSorted(byText)).toEqual(one?.effects.toSorted(byText));
    expect(other?.conditions).toEqual(one?.conditions);
  });

  it('never has a step that tells a token', () => {
    for (const { seen } of Object.values(rules))
      expect(JSON.stringify(decideApplication(seen, { now }))).not.toContain(token);
  });

  it('waits longer and longer for a host that says no', () => {
    const waiting = { reason: 'RepositoryNotMade', since: now - 3_600_000, deadline: now };

    expect(decideApplication(aSight({ refusal }), { now }).next).toMatchObject({ kind: 'recheck', afterSeconds: 15 });
    expect(decideApplication(aSight({ refusal }), { now, waiting }).next).toMatchObject({ afterSeconds: 600 });
  });

  it('wakes its Components in line with itself', () => {
    const { knocks } = decideApplication(aSight({ components: ['web'] }), { now });

    expect(knocks[0]?.subject).toEqual({ namespace: 'team', name: 'web', application: 'shop' });
  });

  it('says where it is kept, and takes it back where that is not with us any more', () => {
    const tells = (seen: SeenApplication) =>
      decideApplication(seen, { now }).effects.find((effect) => effect.do === 'tell-user');

    expect(tells(aSight())).toEqual({
      do: 'tell-user',
      at: now,
      gitops: { repositoryURL: `${root}/team/shop-0f9c8b7a.git`, branch: 'main', context: '' },
    });
    expect(tells(aSight({ application: anApplication({ isRenderedByOthers: true }) }))).toMatchObject({ gitops: null });
    expect(tells(aSight({ root: undefined }))).toEqual({ do: 'tell-user', at: now });
  });
});

/** The world after the step: everything that it asked for has been done. */
function done(seen: SeenApplication): SeenApplication {
  const { effects, conditions } = decideApplication(seen, { now });
  let { application, stored, credentials } = seen;
  for (const effect of effects) {
    switch (effect.do) {
      case 'keep-place':
        stored = [...stored.filter((row) => row.uid !== effect.uid), aRow(effect.place, { uid: effect.uid })];
        break;
      case 'forget-application':
        stored = stored.filter((row) => row.uid !== effect.uid);
        break;
      case 'store-credential': {
        const password = seen.own?.credential.password ?? '';
        const stays = credentials.filter(({ id }) => id !== effect.uid);
        credentials = [...stays, aCredential({ id: effect.uid, url: effect.url, password })];
        break;
      }
      case 'remove-credential':
        credentials = credentials.filter(({ id }) => id !== effect.uid);
        break;
      case 'tell-user':
        application = application && {
          ...application,
          said: withConditions(application.said, conditions, effect.at) ?? application.said,
          gitops: effect.gitops === undefined ? application.gitops : (effect.gitops ?? undefined),
        };
        break;
      default:
    }
  }
  return { ...seen, application, stored, credentials };
}

function byText(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
