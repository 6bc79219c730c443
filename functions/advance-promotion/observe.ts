import { environmentOf } from '../../shared/contracts/environments.ts';
import {
  type AnySchema,
  applications,
  bindings,
  environments,
  type ObjectKind,
  type ObjectOf,
  promotionRuns,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { graphEnvironmentOf, promotedBindingOf, runOf } from '../../shared/contracts/promotions.ts';
import { keepable } from '../../shared/domain/core/keepable.ts';
import { isObjectName } from '../../shared/domain/core/object-name.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { Choice } from '../../shared/domain/environment/choose-place.ts';
import { followerName } from '../../shared/domain/promotion/follower-name.ts';
import { isHandedOver } from '../../shared/domain/promotion/hand-over.ts';
import type { LinedRun, Run, SeenPromotion, StoredStep } from '../../shared/domain/promotion/promotion.ts';
import type { StoredPromotions } from '../../shared/ports/promotion-rows.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { listOfApplication } from '../../shared/runtime/list-of-application.ts';
import { freshened } from '../../shared/runtime/read-named.ts';
import { isHomeGoing, seePlace } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';
import { askGit } from './ask-git.ts';
import { lookAgain } from './look-again.ts';

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
  const { named, open, steps, ended } =
    asked !== undefined && isAbout(run, asked, told)
      ? asked
      : await promotions.observe({ namespace, name, uid: run?.uid, application: run?.application ?? told });
  const end = ended.find(({ uid }) => uid === run?.uid);
  const seen = { namespace, name, run, named, open, digest };
  if (run === undefined || run.isDeleting || run.status.state === 'Completed') return { ...seen, ...nothingAround };
  if (end !== undefined) return { ...seen, ...nothingAround, end, steps };
  const isActive = open.some(({ uid, state }) => uid === run.uid && state === 'Active');
  if (!isActive) return { ...seen, ...(await lookAtLine(namespace, run, open, services, signal)) };
  return lookAgain({ ...seen, ...(await lookAhead(namespace, run, steps, services, signal)) }, run, services, signal);
}

/** Whether what was asked by the name alone is what this run would have asked for. */
function isAbout(run: Run | undefined, { named, ended }: StoredPromotions, told: string | undefined): boolean {
  if (run === undefined) return true;
  const isOver = run.status.state !== 'Completed' && ended.some(({ uid }) => uid === run.uid);
  return run.application === told && !isOver && named.every(({ uid }) => uid === run.uid);
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
  { clusters }: Services,
  signal: AbortSignal,
): Promise<readonly LinedRun[]> {
  const found = await listOfApplication(clusters.local, promotionRuns, application, { namespace, signal });
  return found
    .map(runOf)
    .filter(({ status, isDeleting }) => status.state !== 'Completed' && !isDeleting)
    .map(({ uid, name, created }) => ({ uid, name, created }));
}

/**
 * The lists are those of the API server's cache, which may lag behind: a list of the newest state takes ten times as long
 * after any write to the cluster. What is under way is read by its name; see look-again.ts for what is about to begin.
 */
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
  const underWay = steps.filter(({ status }) => status === 'in-progress');
  const recently = { namespace, signal, mayLag: true };
  const [application, snapshot, all, bound, isNamespaceGoing, follower] = await Promise.all([
    readApplication(namespace, run, services, signal),
    read(snapshots, run.snapshot),
    freshened(
      listAll(local, environments, recently),
      local,
      environments,
      namespace,
      underWay.map(({ environment }) => environment),
      signal,
    ),
    freshened(
      listOfApplication(local, bindings, run.application, recently),
      local,
      bindings,
      namespace,
      underWay.map(({ binding }) => binding),
      signal,
    ),
    isHomeGoing(local, namespace, signal),
    run.goal.kind === 'manual' ? read(promotionRuns, followerName(run)) : undefined,
  ]);
  const promoted = bound.map(promotedBindingOf);
  // While somebody else promotes the application nobody judges what stands there.
  const [choices, judged] = isHandedOver(application)
    ? [new Map<string, Choice>(), steps]
    : await Promise.all([
        seeChoices(namespace, steps, all, services, signal),
        askGit(run, steps, { namespace, bindings: promoted, application }, services, signal),
      ]);
  return {
    line: [],
    steps: judged,
    isNamespaceGoing,
    application,
    snapshot: snapshot && {
      uid: snapshot.metadata.uid,
      application: snapshot.spec.application,
      components: [...new Set(snapshot.spec.components.map(({ name }) => keepable(name)))],
    },
    components: [],
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
    controller: keepable(deploymentController),
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
