import { deploymentName } from '../../../shared/domain/binding/deployment-name.ts';
import { isBefore } from '../../../shared/domain/binding/is-before.ts';
import { type Knock, type Step, type Waiting, wakesAfterSeconds } from '../../../shared/domain/core/step.ts';
import { considerPromotion } from '../../../shared/domain/promotion/consider-promotion.ts';
import { decidePromotion, runLabels } from '../../../shared/domain/promotion/decide-promotion.ts';
import { followerName } from '../../../shared/domain/promotion/follower-name.ts';
import { isOurs } from '../../../shared/domain/promotion/is-ours.ts';
import {
  type Answer,
  openQuestions,
  type Question,
  withAnswer,
} from '../../../shared/domain/promotion/open-questions.ts';
import type {
  GraphEnvironment,
  PromotedBinding,
  Report,
  Run,
  SeenPromotion,
  Sighting,
  StoredEvidence,
  StoredRendering,
  StoredRun,
  StoredStep,
} from '../../../shared/domain/promotion/promotion.ts';
import type { PromotionEffect } from '../../../shared/domain/promotion/promotion-effect.ts';
import { statusOf } from '../../../shared/domain/promotion/status-of.ts';
import { digest, nothingSaid, now } from './a-promotion.ts';

interface Row extends StoredRun {
  readonly result: '' | 'Success' | 'Failure' | 'Deleted';
}

interface Standing extends PromotedBinding {
  readonly application: string;
  /** The name of the run that wrote the snapshot into it. */
  readonly promotion: string;
}

interface Argo extends Omit<Report, 'contains' | 'trouble' | 'applicationId'> {
  readonly isManual: boolean;
}

/** What stands in Git after a commit: an image for each binding and component. */
type Tree = Readonly<Record<string, string>>;

interface Frozen {
  readonly uid: string;
  readonly application: string;
  readonly images: Tree;
}

class Conflict extends Error {}
class Death extends Error {}

/** More steps in one moment than any honest story needs: somebody knocks at itself for ever. */
const mostSteps = 400;
/** A drift pass knocks at everything that is not as it should be. */
const driftSeconds = 600;

/**
 * A namespace, its repository, its Argo CD and the function that advances promotions, in memory. Its rows are written all at
 * once after what it does to the cluster, and it may die between any two of these. Time passes only when a story says so.
 */
export class Town {
  readonly applications = new Map<string, string>([['shop', '']]);
  readonly environments = new Map<string, GraphEnvironment>();
  readonly snapshots = new Map<string, Frozen>();
  /** The images of every Snapshot that ever was, by UID. */
  readonly images = new Map<string, Tree>();
  /** Components that are written as they were before, whatever the snapshot says. */
  readonly broken = new Set<string>();
  readonly unready = new Set<string>();
  readonly runs = new Map<string, Run>();
  readonly bindings = new Map<string, Standing>();
  readonly syncs = new Map<string, { readonly deployment: string; readonly revision: string }>();
  readonly rows = new Map<string, Row>();
  readonly steps = new Map<string, Map<string, StoredStep>>();
  readonly renderings = new Map<string, StoredRendering>();
  readonly argo = new Map<string, Argo>();
  /** Everything that Argo CD ever said. */
  readonly said = new Set<string>();
  readonly manual = new Set<string>();
  trees: Tree[] = [{}];
  now = now;
  /** The function dies after so many writes. */
  diesAfter: number | undefined;
  /** What happens between such a death and the next look. */
  afterDeath: (() => void) | undefined;
  /** So many knocks get lost. */
  loses = 0;
  /** What lists still show. Undefined: they show what is there. */
  private listed:
    | { readonly environments: readonly GraphEnvironment[]; readonly bindings: readonly Standing[] }
    | undefined;
  /** What happens the next time between looking and writing. */
  meanwhile: (() => void) | undefined;
  /** Whose knock is served next, of so many. */
  choose: (many: number) => number = () => 0;
  /** Looks at everything after every step. */
  watch: (town: Town) => void = () => {};
  /** Looks at whoever takes its turn, and at those that it overtakes although they were there when it looked. */
  onTurn: (run: Run, overtaken: readonly string[]) => void = () => {};
  looks = 0;
  private born = 0;
  private driftedAt = now;
  private knocks: Knock[] = [];
  private readonly wakeups = new Map<string, Waiting & { readonly due: number }>();

  /** A PromotionRun. Kubernetes tells when it was made to the second. */
  make(name: string, but: Partial<Run>): void {
    if (this.runs.has(name)) return;
    this.born += 1;
    this.runs.set(name, {
      uid: `${name}-${this.born}`.padStart(12, '0'),
      name,
      version: '1',
      created: Math.floor(this.now / 1_000) * 1_000,
      isDeleting: false,
      labels: {},
      application: 'shop',
      snapshot: 'v1',
      goal: { kind: 'manual', target: 'e0' },
      cause: '',
      snapshotUid: '',
      status: nothingSaid,
      ...but,
    });
    this.knock(name);
  }

  /** A Snapshot; one of before that had the name is gone. */
  freeze(name: string, images: Tree, application = ''): void {
    const uid = `${name}-uid-${this.images.size + 1}`;
    this.images.set(uid, images);
    this.snapshots.set(name, { uid, application, images });
  }

  remove(name: string): void {
    this.runs.delete(name);
    this.knock(name);
  }

  /** From now on lists show what is there now, until they catch up. */
  lag(): void {
    this.listed = { environments: [...this.environments.values()], bindings: [...this.bindings.values()] };
  }

  catchUp(): void {
    this.listed = undefined;
  }

  /** A person changes a Binding. */
  change(name: string, but: Partial<PromotedBinding>): void {
    const binding = this.bindings.get(name);
    if (binding === undefined) return;
    this.bindings.set(name, { ...binding, ...but, generation: binding.generation + 1, version: this.next(binding) });
    this.knock(binding.promotion);
  }

  knock(name: string): void {
    if (name === '') return;
    if (this.loses > 0) this.loses -= 1;
    else this.knocks.push({ type: 'promotion.changed.v1', subject: { namespace: 'team', name } });
  }

  /** Whoever writes the GitOps repository writes all that is wanted, in one commit each. */
  render(): void {
    for (const [name, binding] of this.bindings) {
      const images = this.snapshots.get(binding.snapshot)?.images;
      if (images === undefined) continue;
      const before = this.trees.at(-1) ?? {};
      const isBroken = (component: string) => this.broken.has(component);
      const entries = Object.entries(images).flatMap(([component, image]) => {
        const key = placeOf(binding, component);
        const standing = before[key];
        if (isBroken(component)) return standing === undefined ? [] : [[key, standing] as const];
        return [[key, image] as const];
      });
      const tree = { ...before, ...Object.fromEntries(entries) };
      const known = this.renderings.get(name);
      const isSame = Object.entries(tree).every(([key, image]) => before[key] === image);
      const isAsked = known?.snapshot === binding.snapshot && known.promotionUid === binding.promotionUid;
      const isTold = binding.components.every(({ name: part, problem }) => (problem !== undefined) === isBroken(part));
      if (isSame && isAsked && known.generation === binding.generation && isTold) continue;
      if (!isSame || known === undefined) this.trees.push(tree);
      const commit = isSame && known !== undefined ? known.commit : `c${this.trees.length - 1}`;
      this.renderings.set(name, {
        snapshot: binding.snapshot,
        promotionUid: binding.promotionUid,
        generation: binding.generation,
        isRendered: true,
        commit,
        results: entries.map(([key]) => ({ component: key.split('/')[2] ?? '', path: key, generatedResources: [] })),
        trouble: undefined,
      });
      const components = Object.keys(images).map((part) => ({
        name: part,
        commit,
        path: placeOf(binding, part),
        problem: isBroken(part) ? { reason: 'Broken', message: `${part} cannot be rendered` } : undefined,
      }));
      this.bindings.set(name, { ...binding, components, version: this.next(binding) });
      this.knock(binding.promotion);
    }
  }

  /** Argo CD says something of a component; without an age, of the newest commit. What nobody asked it to deploy it does not. */
  report(name: string, component: string, said: { sync: string; health: string; age?: number }): void {
    const binding = this.bindings.get(name);
    if (binding === undefined) return;
    const { application, environment } = binding;
    const names = { binding: name, application, environment, component };
    const deployment = deploymentName(names, digest);
    const isManual = this.manual.has(environment);
    const asked = [...this.syncs.values()].filter((one) => one.deployment === deployment).at(-1);
    const newest = isManual ? Number(asked?.revision.slice(1) ?? 0) : this.trees.length - 1;
    const revision = `c${Math.max(0, newest - (said.age ?? 0))}`;
    const { sync, health } = said;
    const state = { sync, health, revision, operation: 'Succeeded', observed: this.now, isManual };
    this.argo.set(deployment, state);
    this.said.add(inWords(deployment, state));
    for (const { uid, name: waiting } of this.rows.values())
      for (const { evidence } of this.steps.get(uid)?.values() ?? [])
        if (evidence.some((one) => one.deployment === deployment && one.seen === undefined)) this.knock(waiting);
  }

  /** Serves all knocks, and those that come of it. */
  serve(): void {
    for (let served = 0; this.knocks.length > 0; served += 1) {
      if (served > mostSteps) throw new Error(`no rest: ${this.knocks.map(({ subject }) => subject.name).join(', ')}`);
      const [knock] = this.knocks.splice(this.choose(this.knocks.length) % this.knocks.length, 1);
      if (knock === undefined) return;
      try {
        this.look(knock.subject.name);
      } catch (error) {
        if (!(error instanceof Conflict || error instanceof Death)) throw error;
        if (error instanceof Death) {
          const { afterDeath } = this;
          this.afterDeath = undefined;
          afterDeath?.();
        }
        // Whoever did not come to its end is asked again.
        this.knocks.push(knock);
      }
      this.watch(this);
    }
  }

  /** From one wake-up to the next, with a drift pass now and then. */
  pass(seconds: number): void {
    const end = this.now + seconds * 1_000;
    this.serve();
    for (;;) {
      const drift = this.driftedAt + driftSeconds * 1_000;
      const due = [...this.wakeups].filter(([, wakeup]) => wakeup.due <= Math.min(end, drift));
      const [first] = due.toSorted(([, one], [, other]) => one.due - other.due);
      if (first !== undefined) {
        this.now = Math.max(this.now, first[1].due);
        this.wakeups.set(first[0], { ...first[1], due: Number.POSITIVE_INFINITY });
        this.knocks.push({ type: 'promotion.changed.v1', subject: { namespace: 'team', name: first[0] } });
      } else if (drift <= end) {
        this.now = Math.max(this.now, drift);
        this.driftedAt = drift;
        this.drift();
      } else break;
      this.serve();
    }
    this.now = end;
  }

  /** What a second look would do, for each run that is there. */
  rehearse(): Step<PromotionEffect>[] {
    return [...this.runs.keys()].map((name) => this.decide(name, this.observe(name)));
  }

  observe(name: string): SeenPromotion {
    const run = this.runs.get(name);
    const rows = [...this.rows.values()].filter(({ state }) => state !== 'Completed');
    const named = rows.filter((one) => one.name === name);
    const application = run?.application ?? named[0]?.application ?? '';
    const open = rows.filter((one) => one.application === application);
    const controller = this.applications.get(application);
    const isOthersTurn = open.some(({ state, uid }) => state === 'Active' && uid !== run?.uid);
    const stored = open.find(({ uid }) => uid === run?.uid);
    const isActive = stored?.state === 'Active';
    const { environments, bindings } = this.listed ?? {
      environments: [...this.environments.values()],
      bindings: [...this.bindings.values()],
    };
    const snapshot = this.snapshots.get(run?.snapshot ?? '');
    const seen: SeenPromotion = {
      namespace: 'team',
      name,
      run,
      named,
      open,
      line: isOthersTurn || isActive ? [] : this.lineOf(application),
      steps: isActive ? [...(this.steps.get(run?.uid ?? '')?.values() ?? [])].map((step) => this.reported(step)) : [],
      isNamespaceGoing: false,
      application: controller === undefined ? undefined : { uid: application, controller, isRenderedByOthers: false },
      snapshot: snapshot && { ...snapshot, components: Object.keys(snapshot.images) },
      components: Object.keys(snapshot?.images ?? {}),
      skipped: [],
      environments,
      bindings: bindings.filter((one) => one.application === application),
      choices: new Map(
        [...this.environments.keys()].map((one) => [
          one,
          this.unready.has(one)
            ? { kind: 'none', reason: 'ClaimNotBound', message: 'The claim is not bound yet' }
            : { kind: 'own-namespace' },
        ]),
      ),
      followers: run !== undefined && this.runs.has(followerName(run)) ? [followerName(run)] : [],
      digest,
    };
    if (run === undefined || stored === undefined || !isActive) return seen;
    const underWay = seen.steps
      .filter(({ status }) => status === 'in-progress')
      .flatMap(({ environment, binding }): Question[] => [
        { ask: 'environment', name: environment },
        { ask: 'binding', name: binding },
      ]);
    return this.ask(underWay, seen, run, stored);
  }

  /** Asks until there is nothing left to ask, as the function does. */
  private ask(questions: readonly Question[], seen: SeenPromotion, run: Run, stored: StoredRun): SeenPromotion {
    const asked = new Set<string>();
    let learnt = questions.map((one) => this.answer(one, run)).reduce(withAnswer, seen);
    for (;;) {
      const open = openQuestions(learnt, run, stored).filter((one) => !asked.has(JSON.stringify(one)));
      if (open.length === 0) return learnt;
      for (const one of open) asked.add(JSON.stringify(one));
      learnt = open.map((one) => this.answer(one, run)).reduce(withAnswer, learnt);
    }
  }

  private answer(question: Question, { application, snapshot }: Run): Answer {
    switch (question.ask) {
      case 'environments':
        return { ask: 'environments', found: [...this.environments.values()] };
      case 'bindings':
        return { ask: 'bindings', found: [...this.bindings.values()].filter((one) => one.application === application) };
      case 'components':
        return { ask: 'components', found: Object.keys(this.snapshots.get(snapshot)?.images ?? {}), skipped: [] };
      case 'environment':
        return { ...question, ask: 'environment', found: this.environments.get(question.name) };
      case 'binding': {
        const found = this.bindings.get(question.name);
        const ours = found?.application === application ? found : undefined;
        return { ...question, ask: 'binding', isTaken: found !== undefined, found: ours };
      }
      case 'deployments': {
        const { environment, awaited } = question;
        const binding = [...this.bindings.values()].find(
          (one) => one.application === application && one.environment === environment,
        );
        const rendering = this.renderings.get(binding?.name ?? '');
        return {
          ask: 'deployments',
          found: new Map(awaited.map(({ deployment }) => [deployment, this.sight(deployment, environment, rendering)])),
        };
      }
      default:
        return { ...question, ask: 'sync', problem: this.syncs.has(question.name) ? '' : undefined };
    }
  }

  private lineOf(application: string): Run[] {
    return [...this.runs.values()].filter(
      (one) => one.application === application && one.status.state !== 'Completed' && !one.isDeleting,
    );
  }

  /** Joined with what Argo CD says now, as the rows would be. */
  private reported(step: StoredStep): StoredStep {
    const rendering = this.renderings.get(step.binding);
    const evidence = step.evidence.map(
      (one): StoredEvidence => ({ ...one, ...this.sight(one.deployment, step.environment, rendering) }),
    );
    return { ...step, evidence, rendering };
  }

  private sight(deployment: string, environment: string, rendering: StoredRendering | undefined): Sighting {
    const state = this.argo.get(deployment);
    const contains = Number(state?.revision.slice(1)) >= Number(rendering?.commit.slice(1));
    const report = state && { ...state, applicationId: deployment, trouble: '', contains };
    return { report, isManual: this.manual.has(environment) };
  }

  /** It finds runs without rows that nobody explains, and rows without runs. What has both wakes by itself, or never. */
  private drift(): void {
    for (const { uid, name, status } of this.runs.values()) {
      const isExplained = status.conditions.some(
        (one) => one.type === 'DeploymentController' && one.status === 'False',
      );
      if (status.state !== 'Completed' && !this.rows.has(uid) && !isExplained) this.knock(name);
    }
    for (const { uid, name, state } of this.rows.values()) {
      const isThere = [...this.runs.values()].some((one) => one.uid === uid);
      if (state !== 'Completed' && !isThere) this.knock(name);
    }
  }

  private decide(name: string, seen: SeenPromotion): Step<PromotionEffect> {
    const waiting = this.wakeups.get(name);
    return decidePromotion(seen, { now: this.now, ...(waiting && { waiting }) });
  }

  private look(name: string): void {
    this.looks += 1;
    const seen = this.observe(name);
    const step = this.decide(name, seen);
    const overtaken = seen.run === undefined ? [] : overtakenBy(this, seen.run);
    const { meanwhile } = this;
    this.meanwhile = undefined;
    meanwhile?.();
    const { diesAfter } = this;
    this.diesAfter = undefined;
    let writes = 0;
    const live = (): void => {
      if (diesAfter !== undefined && writes >= diesAfter) throw new Death();
      writes += 1;
    };
    if (seen.run !== undefined) this.apply(seen, seen.run, step, live);
    live();
    this.write(seen, step);
    if (seen.run !== undefined && step.effects.some((effect) => effect.do === 'take-turn'))
      this.onTurn(seen.run, overtaken);
    this.finish(name, step);
  }

  private apply(seen: SeenPromotion, run: Run, { effects }: Step<PromotionEffect>, live: () => void): void {
    let isTouched = false;
    const ends = effects.filter((effect) => effect.do === 'end-step');
    if (ends.length > 0) {
      live();
      this.writeSteps(seen, ends);
    }
    for (const effect of effects) {
      switch (effect.do) {
        case 'label-run':
          live();
          this.patch(run, { labels: { ...run.labels, ...runLabels(run) } });
          isTouched = true;
          break;
        case 'create-binding': {
          live();
          if (this.bindings.has(effect.name)) throw new Conflict();
          const { name, environment, snapshot } = effect;
          this.bindings.set(name, { ...freshBinding(name, environment, run), snapshot, created: this.now });
          break;
        }
        case 'promote-binding': {
          const standing = this.bindings.get(effect.name);
          const known = seen.bindings.find((one) => one.name === effect.name);
          if (standing === undefined || known === undefined) throw new Conflict();
          if (known.snapshot === run.snapshot && known.promotionUid === run.uid) break;
          live();
          if (standing.version !== known.version) throw new Conflict();
          const generation = standing.generation + (standing.snapshot === run.snapshot ? 0 : 1);
          const version = this.next(standing);
          this.bindings.set(effect.name, {
            ...standing,
            snapshot: run.snapshot,
            promotion: run.name,
            promotionUid: run.uid,
            noted: effect.before === '' ? undefined : { snapshotUid: seen.snapshot?.uid ?? '', before: effect.before },
            generation,
            version,
          });
          break;
        }
        case 'sync-deployment':
          live();
          if (this.syncs.has(effect.name)) throw new Conflict();
          this.syncs.set(effect.name, effect);
          break;
        case 'start-followers':
          live();
          if (this.runs.has(effect.name)) throw new Conflict();
          this.make(effect.name, {
            application: run.application,
            snapshot: run.snapshot,
            goal: { kind: 'automated', initial: effect.environments },
            cause: `PromotionRun ${run.name}`,
            snapshotUid: effect.snapshotUid,
          });
          break;
        case 'tell-user':
          live();
          this.patch(run, { status: statusOf(seen, run, effect.at) }, isTouched);
          break;
        default:
      }
    }
  }

  private patch(seen: Run, but: Partial<Run>, isTouched = false): void {
    const run = this.runs.get(seen.name);
    if (run?.uid !== seen.uid || (run.version !== seen.version && !isTouched)) throw new Conflict();
    this.runs.set(run.name, { ...run, ...but, version: this.next(run) });
    this.knock(run.name);
  }

  private next({ version }: { readonly version: string }): string {
    return `${Number(version) + 1}`;
  }

  /** All or nothing. */
  private write(seen: SeenPromotion, { effects }: Step<PromotionEffect>): void {
    const { run } = seen;
    const rows = new Map(this.rows);
    for (const effect of effects) {
      if (effect.do === 'take-turn' && run !== undefined) {
        const rivals = [...rows.values()].filter((one) => one.application === run.application);
        const own = rows.get(run.uid);
        if (rivals.some(({ state, uid }) => state === 'Active' && uid !== run.uid)) throw new Conflict();
        if (own !== undefined && own.state !== 'Waiting') throw new Conflict();
        rows.set(run.uid, { ...rowOf(run), state: 'Active', started: effect.at });
      }
      if (effect.do === 'keep-run' && run !== undefined) {
        const { waiting } = statusOf(seen, run, effect.at);
        const own = rows.get(run.uid) ?? rowOf(run);
        if (own.state === 'Completed') throw new Conflict();
        rows.set(run.uid, { ...own, waiting: waiting && toStored(waiting) });
      }
      if (effect.do === 'end-run') {
        const own = rows.get(effect.uid);
        if (own !== undefined) rows.set(effect.uid, { ...own, state: 'Completed', result: effect.result });
      }
    }
    this.writeSteps(
      seen,
      effects.filter((effect) => effect.do !== 'end-step'),
    );
    for (const [uid, row] of rows) this.rows.set(uid, row);
  }

  private writeSteps(seen: SeenPromotion, effects: readonly PromotionEffect[]): void {
    const { run } = seen;
    const stored = seen.open.find(({ uid }) => uid === run?.uid);
    if (run === undefined || stored === undefined) return;
    const kept = new Map(this.steps.get(run.uid));
    for (const effect of effects) {
      if (effect.do !== 'begin-step' && effect.do !== 'keep-step' && effect.do !== 'end-step') continue;
      const { steps, begin } = considerPromotion(seen, run, stored, effect.at);
      const judged = steps.find(({ environment }) => environment === effect.environment);
      const beginning = begin.find(({ environment }) => environment === effect.environment);
      const before = kept.get(effect.environment);
      if (before !== undefined && before.status !== 'in-progress') throw new Conflict();
      if (judged !== undefined) {
        // What was seen once stays as it was seen, and what was awaited once is not forgotten.
        const others = before?.evidence.filter((one) => !judged.evidence.some((it) => it.component === one.component));
        const evidence = judged.evidence.map(
          (one) => before?.evidence.find((it) => it.component === one.component && it.seen !== undefined) ?? one,
        );
        kept.set(effect.environment, { ...judged, rendering: undefined, evidence: [...evidence, ...(others ?? [])] });
      } else if (beginning !== undefined)
        kept.set(effect.environment, {
          environment: effect.environment,
          step: effect.step,
          binding: beginning.name,
          status: effect.status,
          reason: effect.reason,
          message: beginning.failure?.message ?? '',
          began: effect.at,
          ready: undefined,
          ended: beginning.failure === undefined ? undefined : effect.at,
          commit: '',
          before: beginning.before,
          snapshotUid: seen.snapshot?.uid ?? '',
          evidence: [],
          rendering: undefined,
        });
    }
    this.steps.set(run.uid, kept);
  }

  private finish(name: string, { knocks, next }: Step<PromotionEffect>): void {
    for (const { subject } of knocks) this.knock(subject.name);
    const seconds = wakesAfterSeconds(next);
    const before = this.wakeups.get(name);
    if (seconds === undefined || next.kind === 'settled') {
      this.wakeups.delete(name);
      return;
    }
    const { reason, deadlineSeconds } = next.wait;
    const since = before?.reason === reason ? before.since : this.now;
    const deadline = before?.reason === reason ? before.deadline : this.now + deadlineSeconds * 1_000;
    this.wakeups.set(name, { reason, since, deadline, due: this.now + seconds * 1_000 });
  }
}

/** Where a component of a Binding stands in Git. */
export function placeOf(
  { application, environment }: Pick<Standing, 'application' | 'environment'>,
  part: string,
): string {
  return `${application}/${environment}/${part}`;
}

/** What Argo CD said once, so that it can be found again. */
export function inWords(deployment: string, said: Pick<Report, 'revision' | 'sync' | 'health' | 'observed'>): string {
  return `${deployment} ${said.sync} ${said.health} ${said.revision} ${said.observed}`;
}

/** Those that should have gone before this one. */
function overtakenBy(town: Town, run: Run): string[] {
  return [...town.runs.values()]
    .filter((one) => one.application === run.application && one.uid !== run.uid && isBefore(one, run))
    .filter(({ status, isDeleting }) => status.state !== 'Completed' && !isDeleting)
    .filter((one) => isOurs(town.applications.get(one.application) ?? ''))
    .map(({ name }) => name);
}

function rowOf({ uid, name, created, application }: Run): Row {
  return { uid, name, created, application, state: 'Waiting', started: undefined, waiting: undefined, result: '' };
}

function toStored({ reason, message, since = '', until = '' }: NonNullable<Run['status']['waiting']>) {
  return { reason, message, since: Date.parse(since), until: Date.parse(until) };
}

function freshBinding(name: string, environment: string, run: Run): Standing {
  return {
    application: run.application,
    name,
    version: '1',
    generation: 1,
    created: 0,
    isDeleting: false,
    environment,
    snapshot: '',
    promotion: run.name,
    promotionUid: run.uid,
    noted: undefined,
    components: [],
    deployments: [],
    refreshed: undefined,
  };
}
