import { environmentOf } from '../../shared/contracts/environments.ts';
import {
  type AnySchema,
  applications,
  bindings,
  components,
  environments,
  type ObjectKind,
  type ObjectOf,
  promotionRuns,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { graphEnvironmentOf, promotedBindingOf, runOf } from '../../shared/contracts/promotions.ts';
import { fitsLabel, isObjectName } from '../../shared/domain/core/object-name.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { Choice } from '../../shared/domain/environment/choose-place.ts';
import { followerName } from '../../shared/domain/promotion/follower-name.ts';
import type { LinedRun, Run, SeenPromotion, StoredStep } from '../../shared/domain/promotion/promotion.ts';
import { isHomeGoing, seePlace } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';
import { askGit } from './ask-git.ts';
import { lookForOwn } from './look-for-own.ts';

export type Services = Pick<
  World,
  'clusters' | 'claimRows' | 'promotions' | 'gitOpsRepositories' | 'credentials' | 'repositoryHost' | 'places'
>;
export type SeenByStep = SeenPromotion;

type Around = Omit<SeenPromotion, 'namespace' | 'name' | 'run' | 'named' | 'open' | 'digest'>;

const nothingAround: Around = {
  line: [],
  steps: [],
  isNamespaceGoing: false,
  application: undefined,
  snapshot: undefined,
  components: [],
  environments: [],
  bindings: [],
  choices: new Map(),
  followers: [],
};

/** The run and its rows first: what changes behind their back after that wakes it again. */
export async function observePromotion(
  { namespace, name, version, application: told }: Subject,
  services: Services,
  signal: AbortSignal,
): Promise<SeenByStep> {
  const { clusters, promotions } = services;
  const { digest } = promotions;
  const [object, asked] = await Promise.all([
    clusters.local.read(promotionRuns, { namespace, name }, { signal, atLeast: version }),
    told === undefined ? undefined : promotions.observe({ namespace, name, application: told }),
  ]);
  const run = object && runOf(object);
  const { named, open, steps } =
    asked !== undefined && isAbout(run, asked.named, told)
      ? asked
      : await promotions.observe({ namespace, name, uid: run?.uid, application: run?.application ?? told });
  const seen = { namespace, name, run, named, open, digest };
  if (run === undefined || run.isDeleting || run.status.state === 'Completed') return { ...seen, ...nothingAround };
  const isActive = open.some(({ uid, state }) => uid === run.uid && state === 'Active');
  if (!isActive) return { ...seen, ...(await lookAtLine(namespace, run, open, services, signal)) };
  return lookForOwn({ ...seen, ...(await lookAhead(namespace, run, steps, services, signal)) }, run, services, signal);
}

/** Whether what was asked by the name alone is what this run would have asked for. */
function isAbout(run: Run | undefined, named: SeenPromotion['named'], told: string | undefined): boolean {
  if (run === undefined) return true;
  return run.application === told && named.every(({ uid }) => uid === run.uid);
}

/** Whose turn it is. While another one is active nobody has to be asked. */
async function lookAtLine(
  namespace: string,
  run: Run,
  open: SeenPromotion['open'],
  services: Services,
  signal: AbortSignal,
): Promise<Around> {
  const isTaken = open.some(({ state, uid }) => state === 'Active' && uid !== run.uid);
  const [application, line] = await Promise.all([
    readApplication(namespace, run, services, signal),
    isTaken ? [] : listLine(namespace, run, services, signal),
  ]);
  return { ...nothingAround, application, line };
}

async function listLine(
  namespace: string,
  { application }: Run,
  services: Services,
  signal: AbortSignal,
): Promise<readonly LinedRun[]> {
  const found = await listOfApplication(promotionRuns, namespace, application, services, signal);
  return found
    .map(runOf)
    .filter((one) => one.application === application && one.status.state !== 'Completed' && !one.isDeleting)
    .map(({ uid, name, created }) => ({ uid, name, created }));
}

async function lookAhead(
  namespace: string,
  run: Run,
  steps: readonly StoredStep[],
  services: Services,
  signal: AbortSignal,
): Promise<Around> {
  const { local } = services.clusters;
  const read = <Schema extends AnySchema>(kind: ObjectKind<Schema>, name: string) =>
    isObjectName(name) ? local.read(kind, { namespace, name }, { signal }) : Promise.resolve(undefined);
  const [application, snapshot, all, bound, isNamespaceGoing, follower] = await Promise.all([
    readApplication(namespace, run, services, signal),
    read(snapshots, run.snapshot),
    listAll(environments, namespace, undefined, services, signal),
    listOfApplication(bindings, namespace, run.application, services, signal),
    isHomeGoing(local, namespace, signal),
    run.goal.kind === 'manual' ? read(promotionRuns, followerName(run)) : undefined,
  ]);
  const promoted = bound.filter(({ spec }) => spec.application === run.application).map(promotedBindingOf);
  const [choices, components, judged] = await Promise.all([
    seeChoices(namespace, steps, all, services, signal),
    listNames(namespace, run, steps, services, signal),
    askGit(namespace, run, steps, promoted, application?.isRenderedByOthers ?? false, services, signal),
  ]);
  return {
    line: [],
    steps: judged,
    isNamespaceGoing,
    application,
    snapshot: snapshot && {
      application: snapshot.spec.application,
      components: snapshot.spec.components.map(({ name }) => name),
    },
    components,
    environments: all.map(graphEnvironmentOf),
    bindings: promoted,
    choices,
    followers: follower === undefined ? [] : [follower.metadata.name],
  };
}

async function readApplication(
  namespace: string,
  { application: name }: Run,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<SeenPromotion['application']> {
  if (!isObjectName(name)) return undefined;
  const found = await clusters.local.read(applications, { namespace, name }, { signal });
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return undefined;
  const { deploymentController, gitOpsRepository } = found.spec;
  return {
    uid: found.metadata.uid,
    controller: deploymentController,
    isRenderedByOthers: gitOpsRepository.renderedBy === 'External',
  };
}

/** Only claims are waited for: other places are there or are told of as an error. */
async function seeChoices(
  namespace: string,
  steps: readonly StoredStep[],
  all: readonly ObjectOf<typeof environments.Schema>[],
  services: Services,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Choice>> {
  const awaited = steps.filter(({ status, ready }) => status === 'in-progress' && ready === undefined);
  const choices = await Promise.all(
    awaited.map(async ({ environment }) => {
      const object = all.find(({ metadata }) => metadata.name === environment);
      const { choice } = await seePlace(namespace, object && environmentOf(object), services, signal);
      return [environment, choice] as const;
    }),
  );
  return new Map(choices.flatMap(([name, choice]) => (choice === undefined ? [] : [[name, choice] as const])));
}

/** What a new Binding names. Only asked while there may be one to make: at the beginning of a depth. */
async function listNames(
  namespace: string,
  { application }: Run,
  steps: readonly StoredStep[],
  services: Services,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const isWaiting = steps.some(({ status, evidence }) => status === 'in-progress' && evidence.length === 0);
  if (isWaiting) return [];
  const found = await listAll(components, namespace, undefined, services, signal);
  return found
    .filter(({ spec, metadata }) => spec.application === application && metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name);
}

/** By the label that it should have, and those that have none yet. */
async function listOfApplication<Schema extends AnySchema>(
  kind: ObjectKind<Schema>,
  namespace: string,
  application: string,
  services: Services,
  signal: AbortSignal,
): Promise<readonly ObjectOf<Schema>[]> {
  if (!fitsLabel(application)) return listAll(kind, namespace, undefined, services, signal);
  const [labelled, others] = await Promise.all([
    listAll(kind, namespace, `${labels.application}=${application}`, services, signal),
    listAll(kind, namespace, `!${labels.application}`, services, signal),
  ]);
  return [...labelled, ...others];
}

async function listAll<Schema extends AnySchema>(
  kind: ObjectKind<Schema>,
  namespace: string,
  labelSelector: string | undefined,
  { clusters }: Pick<Services, 'clusters'>,
  signal: AbortSignal,
): Promise<readonly ObjectOf<Schema>[]> {
  const all: ObjectOf<Schema>[] = [];
  for await (const page of clusters.local.list(kind, { namespace, labelSelector, signal })) all.push(...page);
  return all;
}
