import type { Condition } from '../core/condition.ts';
import { patienceSeconds } from '../core/patience.ts';
import { type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import type { StoredCredential } from '../gitops/decide-repo-credential.ts';
import { operationSubject } from '../gitops/names.ts';
import { chooseEngine } from '../gitops/placement.ts';
import type { GitCredential } from '../gitops/repo-credential.ts';
import type { Application, ApplicationEffect, SeenApplication, StoredApplication } from './application.ts';
import { chooseRepository, type RepositoryChoice } from './choose-repository.ts';
import { isSamePlace, isSameTold, type RepositoryPlace, toldPlace } from './repository-place.ts';

/** No wait here ever fails: it ends when an operator does something. */
const deadlineSeconds = 365 * 86_400;

type Part = Pick<Step<ApplicationEffect>, 'effects' | 'knocks'>;
const nothing: Part = { effects: [], knocks: [] };

/**
 * Decides where an Application is kept. The service's own credential goes with a repository that the service made, and
 * never with an address that a tenant wrote. While a wish cannot be fulfilled, what was kept before it stays as it is:
 * what is deployed from there goes on.
 */
export function decideApplication(seen: SeenApplication, moment: Moment): Step<ApplicationEffect> {
  const { application, isNamespaceGoing } = seen;
  // OBSERVED: rows of Applications that are no more. One made again under the same name is another one.
  const left = leaveOthers(seen);
  if (application === undefined) return { ...left, conditions: [], next: settled };
  // Nothing is begun for what is on its way out, and what it has goes when it is gone.
  if (application.isDeleting || isNamespaceGoing) return { ...nothing, conditions: [], next: settled };

  const choice = chooseRepository(application, seen);
  const problem = choice.kind === 'problem' ? choice.message : seen.refusal;
  if (problem !== undefined) {
    const isNew = !seen.stored.some(({ uid }) => uid === application.uid);
    const noted = isNew ? keepPlace(seen, application, undefined) : nothing;
    const next = choice.kind === 'problem' ? settled : later('RepositoryNotMade', problem, moment);
    return tell([left, noted], application, { problem }, next, moment);
  }
  const place = placeOf(choice);
  const kept = isKept(choice, rowOf(seen, application)) ? nothing : keepPlace(seen, application, place);
  const { next, ...opened } = keepCredential(seen, application, place, moment);
  return tell([left, kept, opened], application, { place }, next, moment);
}

/** Do the rows have it where it should be, or where it must stay? Where they do not, its Components have to look. */
export function isKept(choice: RepositoryChoice, row: StoredApplication | undefined): boolean {
  return row !== undefined && (choice.kind === 'problem' || isSamePlace(row.repository, placeOf(choice)));
}

function placeOf(choice: RepositoryChoice): RepositoryPlace | undefined {
  return choice.kind === 'place' ? choice.place : undefined;
}

function rowOf({ stored }: SeenApplication, { uid }: Application): StoredApplication | undefined {
  return stored.find((row) => row.uid === uid);
}

function leaveOthers({ namespace, application, stored, credentials }: SeenApplication): Part {
  const old = stored.filter(({ uid }) => uid !== application?.uid);
  const unused = credentials.filter(({ id }) => id !== application?.uid);
  return {
    effects: [
      ...unused.map(({ id }) => ({ do: 'remove-credential', uid: id }) as const),
      ...old.map(({ uid }) => ({ do: 'forget-application', uid }) as const),
    ],
    knocks: unused.map(({ id }) => operationAbout(namespace, id)),
  };
}

/** The repository is there before the row that says so. Without a place, the row says that somebody has looked. */
function keepPlace(seen: SeenApplication, application: Application, place: RepositoryPlace | undefined): Part {
  const { namespace, name, components } = seen;
  const isThere = rowOf(seen, application)?.repository?.url === place?.url;
  return {
    effects: [
      ...(place?.isMade && !isThere ? [{ do: 'make-repository', url: place.url } as const] : []),
      { do: 'keep-place', uid: application.uid, place },
    ],
    knocks: components.map((component) => ({
      type: 'component.changed.v1',
      subject: { namespace, name: component, application: name },
    })),
  };
}

/** What lets Argo CD read a repository that the service made. */
function keepCredential(
  { namespace, credentials, own }: SeenApplication,
  { uid }: Application,
  place: RepositoryPlace | undefined,
  moment: Moment,
): Part & { readonly next: Next } {
  const row = credentials.find(({ id }) => id === uid);
  const knocks = [operationAbout(namespace, uid)];
  if (!place?.isMade)
    return {
      ...(row === undefined ? nothing : { effects: [{ do: 'remove-credential', uid }], knocks }),
      next: settled,
    };
  if (own === undefined || (row !== undefined && opens(row, place, own.credential)))
    return { ...nothing, next: settled };
  if (chooseEngine(own.tenant) === undefined) {
    const message = 'There is no Argo CD that takes this namespace: an operator must register one or open one';
    return { ...nothing, next: later('NoArgoCD', message, moment) };
  }
  return { effects: [{ do: 'store-credential', uid, url: place.url }], knocks, next: settled };
}

function opens(row: StoredCredential, { url }: RepositoryPlace, { username, password }: GitCredential): boolean {
  return row.url === url && row.username === username && row.password === password;
}

/** Nothing is told of a place that nobody could choose: the one of before stays. */
function tell(
  parts: readonly Part[],
  { said, gitops }: Application,
  news: { readonly problem: string } | { readonly place: RepositoryPlace | undefined },
  next: Next,
  { now }: Moment,
): Step<ApplicationEffect> {
  const created: Condition =
    'problem' in news
      ? { type: 'Created', status: 'False', reason: 'Error', message: news.problem }
      : { type: 'Created', status: 'True', reason: 'OK', message: 'Application has been successfully created' };
  const place = 'place' in news ? { gitops: toldPlace(news.place) ?? null } : {};
  const isNews =
    withConditions(said, [created], now) !== undefined ||
    ('place' in news && !isSameTold(gitops, toldPlace(news.place)));
  return {
    effects: [
      ...parts.flatMap(({ effects }) => effects),
      ...(isNews ? [{ do: 'tell-user', at: now, ...place } as const] : []),
    ],
    conditions: [created],
    knocks: parts.flatMap(({ knocks }) => knocks),
    next,
  };
}

function later(reason: string, message: string, moment: Moment): Next {
  return recheck(patienceSeconds(moment, reason), { reason, message, deadlineSeconds });
}

function operationAbout(namespace: string, uid: string): Knock {
  return { type: 'operation.requested.v1', subject: operationSubject(namespace, 'RepositoryCredentials', uid) };
}
