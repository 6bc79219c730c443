import type {
  Binding,
  BindingEffect,
  BoundApplication,
  BoundComponent,
  BoundEnvironment,
  BoundSnapshot,
  OwnedDeployment,
  SeenBinding,
} from '../../../shared/domain/binding/binding.ts';
import { bindingLabels } from '../../../shared/domain/binding/binding-labels.ts';
import { considerBinding } from '../../../shared/domain/binding/consider-binding.ts';
import { decideRepository } from '../../../shared/domain/binding/decide-repository.ts';
import { decideSnapshotBinding } from '../../../shared/domain/binding/decide-snapshot-binding.ts';
import { labelPatch } from '../../../shared/domain/binding/deployment-labels.ts';
import { isBefore } from '../../../shared/domain/binding/is-before.ts';
import {
  type PlannedComponent,
  planRepository,
  type RepositoryPlan,
} from '../../../shared/domain/binding/plan-repository.ts';
import { type Knock, type Step, type Waiting, wakesAfterSeconds } from '../../../shared/domain/core/step.ts';
import { withConditions } from '../../../shared/domain/core/with-conditions.ts';
import type { FileContent, Files } from '../../../shared/domain/overlay/files.ts';
import type { Changes } from '../../../shared/domain/overlay/overlay.ts';
import { applied, contentOf, filesOf, type Tree } from '../overlay/a-repository.ts';
import { aBinding, anApplication, aSnapshot, digest, now, place } from './a-binding.ts';
import { type Pending, rowsInMemory } from './rows-in-memory.ts';

type Plan = RepositoryPlan<Pending, PlannedComponent>;

interface Wakeup extends Waiting {
  readonly due: number;
}

/** What was read once is the same the next time. */
const contents = new Map<string, FileContent>();

function readOnce(tree: Tree): Files {
  return {
    ...filesOf(tree),
    contentOf(path) {
      const text = tree[path] ?? '';
      const known = contents.get(text) ?? contentOf(text);
      contents.set(text, known);
      return known;
    },
  };
}

/** As long as shared/adapters/postgres/repositories/overlay-rows.ts leaves a repository alone that was compared. */
const checkSeconds = 600;
/** More steps in one moment than any honest story needs: two functions knock at each other for ever. */
const mostSteps = 200;

/**
 * A namespace, its repository and the two functions about them, in memory. Knocks are served one after the other and at
 * once; time passes only when a story says so, from one wake-up to the next.
 */
export class Place {
  readonly applications = new Map<string, BoundApplication>([['shop', anApplication()]]);
  readonly environments = new Map<string, BoundEnvironment>();
  readonly snapshots = new Map<string, BoundSnapshot>([['v1', aSnapshot('web')]]);
  readonly components = new Map<string, BoundComponent>();
  readonly bindings = new Map<string, Binding>();
  readonly deployments = new Map<string, OwnedDeployment>();
  readonly store = rowsInMemory();
  readonly steps = { bindings: 0, repositories: 0 };
  tree: Tree = {};
  commits: { readonly id: string; readonly paths: readonly string[] }[] = [];
  /** Why nobody can push; undefined: everybody can. */
  refusal: { readonly reason: string; readonly message: string } | undefined;
  /** Whoever writes to repositories does not come. */
  isAway = false;
  now = now;
  /** When all of the repository was last compared. */
  checkedAt = now;
  /** What happens the next time while somebody writes to a repository. */
  meanwhile: (() => void) | undefined;
  /** The next one who writes to a repository dies before it can tell. */
  isDying = false;
  /** Looks at everything after every step. */
  watch: (place: Place) => void = () => {};
  private born = 0;
  private isWriting = false;
  private readonly knocks = new Map<string, Knock>();
  private readonly wakeups = new Map<string, Wakeup>();

  bind(name: string, but: Partial<Binding> = {}): void {
    this.born += 1;
    const created = this.now + this.born;
    this.bindings.set(name, aBinding({ uid: `${name}-${this.born}`, labels: {}, created, ...but }));
    this.knock(name);
  }

  change(name: string, but: Partial<Binding>): void {
    const binding = this.bindings.get(name);
    if (binding === undefined) return;
    this.bindings.set(name, { ...binding, ...but, generation: binding.generation + 1 });
    this.knock(name);
  }

  /** The garbage collector of the cluster takes what it owned. */
  unbind(name: string): void {
    const binding = this.bindings.get(name);
    this.bindings.delete(name);
    for (const [key, { owner }] of this.deployments) if (owner === binding?.uid) this.deployments.delete(key);
    this.knock(name);
  }

  /** Something that Bindings are about has changed. */
  knockAll(): void {
    for (const name of this.bindings.keys()) this.knock(name);
  }

  endComponent(name: string): void {
    this.components.delete(name);
    this.store.gone.add(name);
    this.ask('repo');
    this.knockAll();
  }

  ask(repositoryId: string): void {
    this.knocks.set(repositoryId, { type: 'overlay.requested.v1', subject: { namespace: 'team', name: repositoryId } });
  }

  knock(name: string): void {
    this.knocks.set(`binding ${name}`, { type: 'binding.changed.v1', subject: { namespace: 'team', name } });
  }

  /** Argo CD deploys everything. */
  sync(): void {
    for (const [name, one] of this.deployments) {
      if (one.syncStatus === 'Synced' && one.revision === one.commit) continue;
      this.deployments.set(name, { ...one, syncStatus: 'Synced', health: 'Healthy', revision: one.commit });
      this.knockAll();
    }
  }

  /** Serves all knocks, and those that come of it. */
  serve(): void {
    for (let served = 0; ; served += 1) {
      if (served > mostSteps) throw new Error(`no rest: ${[...this.knocks.keys()].join(', ')}`);
      const [first] = [...this.knocks].filter(([, { type }]) => !this.isWriting || type === 'binding.changed.v1');
      if (first === undefined) return;
      const [key, { type, subject }] = first;
      this.knocks.delete(key);
      if (type === 'binding.changed.v1') this.reconcile(subject.name);
      else if (!this.isAway) this.render(subject.name);
      this.watch(this);
    }
  }

  /** Serves what there is, and then everything that wakes up within the time. */
  pass(seconds: number): void {
    const end = this.now + seconds * 1_000;
    this.serve();
    for (;;) {
      const [next] = [...this.wakeups].toSorted(([, one], [, other]) => one.due - other.due);
      if (next === undefined || next[1].due > end) break;
      this.now = Math.max(this.now, next[1].due);
      this.knock(next[0]);
      this.serve();
    }
    this.now = end;
  }

  observe(name: string): SeenBinding {
    const binding = this.bindings.get(name);
    const others = [...this.bindings]
      .filter(([other, one]) => other !== name && one.application === binding?.application)
      .filter(([other, one]) => one.environment === binding?.environment && this.store.of(other).length > 0)
      .map(([other, one]) => ({ name: other, created: one.created }));
    const self = { name, created: binding?.created ?? 0 };
    return {
      namespace: 'team',
      name,
      binding,
      stored: this.store.of(name),
      application: this.applications.get(binding?.application ?? ''),
      environment: this.environments.get(binding?.environment ?? ''),
      choice: this.environments.has(binding?.environment ?? '') ? { kind: 'own-namespace' } : undefined,
      snapshot: this.snapshots.get(binding?.snapshot ?? ''),
      components: [...this.components.values()],
      place,
      rival: others.find((other) => isBefore(other, self))?.name,
      followers: others.filter((other) => isBefore(self, other)).map((other) => other.name),
      deployments: [...this.deployments.values()],
      isNamespaceGoing: false,
      digest,
    };
  }

  decide(name: string): Step<BindingEffect> {
    return decideSnapshotBinding(this.observe(name), { now: this.now, waiting: this.wakeups.get(name) });
  }

  private reconcile(name: string): void {
    this.steps.bindings += 1;
    const seen = this.observe(name);
    const step = this.decide(name);
    const { binding, application } = seen;
    const considered = binding && application && considerBinding(seen, binding, application);
    for (const effect of step.effects) {
      const is = this.bindings.get(name);
      switch (effect.do) {
        case 'leave-overlay':
          this.store.leave(effect.uid);
          break;
        case 'forget-overlay':
          this.store.forget(effect.uid);
          break;
        case 'delete-binding':
          this.unbind(name);
          break;
        case 'remove-deployment':
          this.deployments.delete(effect.name);
          this.knock(name);
          break;
        case 'create-deployment':
        case 'update-deployment':
          this.deploy(name, effect.name, considered);
          break;
        case 'label-binding':
          if (is) this.bindings.set(name, { ...is, labels: { ...is.labels, ...bindingLabels(is) } });
          this.knock(name);
          break;
        case 'want-overlay': {
          const wish = considered?.rendering?.wish;
          if (binding && wish) this.store.want({ ...binding, ...wish, name });
          break;
        }
        case 'tell-user': {
          if (is === undefined) break;
          const { bindingConditions: said } = is.status;
          const rest = { bindingConditions: withConditions(said, step.conditions, effect.at) ?? said };
          const fresh = seen.rival === undefined ? considered?.status(effect.at) : rest;
          this.bindings.set(name, { ...is, status: { ...is.status, ...fresh } });
          this.knock(name);
          break;
        }
        default:
          effect satisfies never;
      }
    }
    this.follow(step);
    this.wait(name, step);
  }

  private deploy(binding: string, name: string, considered: ReturnType<typeof considerBinding> | undefined): void {
    const standing = this.deployments.get(name);
    const wanted = [...(considered?.deploying.create ?? []), ...(considered?.deploying.update ?? [])].find(
      (one) => one.name === name,
    );
    if (wanted === undefined) return;
    const kept = Object.entries({ ...standing?.labels, ...labelPatch(standing?.labels ?? {}, wanted.labels) });
    this.deployments.set(name, {
      name,
      uid: standing?.uid ?? `${name}-uid`,
      version: '1',
      component: wanted.component,
      owner: this.bindings.get(binding)?.uid,
      isDeleting: false,
      labels: Object.fromEntries(kept.filter((label): label is [string, string] => label[1] !== null)),
      commit: wanted.commit,
      spec: wanted.spec,
      syncStatus: standing?.syncStatus ?? '',
      health: standing?.health ?? '',
      revision: standing?.revision ?? '',
    });
    this.knock(binding);
  }

  private render(repositoryId: string): void {
    const pending = this.store.work(repositoryId);
    const isWhole =
      pending.overlays.length === 0 && pending.leaving.length === 0 && this.now - this.checkedAt > checkSeconds * 1_000;
    const { overlays, leaving } = isWhole ? { overlays: this.store.all(), leaving: [] } : pending;
    if (overlays.length === 0 && leaving.length === 0 && !isWhole) return;
    this.steps.repositories += 1;
    const todo = overlays.map(({ row }) => ({ ...row, namespace: 'team', requestedAt: this.now }));
    const repository = { id: repositoryId, namespace: 'team' };
    const lately = { now: this.now, commits: 0, lastAt: undefined };
    const step = decideRepository(
      { repository, lately, overlays: todo, leaving, isWhole, isMore: false },
      { now: this.now },
    );
    const plan = this.plan(overlays, leaving);
    this.isWriting = true;
    this.meanwhile?.();
    this.meanwhile = undefined;
    this.serve();
    this.isWriting = false;
    const { refusal, isDying } = this;
    this.isDying = false;
    if (refusal !== undefined) for (const one of overlays) this.store.refused(one, { ...refusal, at: this.now });
    else this.push(plan);
    if (refusal === undefined && isDying) {
      // The message of one who died comes again.
      this.ask(repositoryId);
      return;
    }
    if (refusal === undefined) this.record(plan);
    if (refusal === undefined && isWhole) this.checkedAt = this.now;
    this.follow(step);
  }

  /** What a comparison of everything with what should stand there would change. */
  repair(): Changes {
    return this.plan(this.store.all(), []).changes;
  }

  private plan(overlays: readonly Pending[], leaving: readonly PlannedComponent[]): Plan {
    const plan = planRepository(overlays, leaving, readOnce(this.tree));
    if (plan.kind === 'needs') throw new Error('Everything is read here');
    return plan;
  }

  private push({ changes }: Plan): void {
    if (changes.size === 0) return;
    this.tree = applied(this.tree, changes);
    this.commits.push({ id: `commit-${this.commits.length + 1}`, paths: [...changes.keys()] });
  }

  private record({ overlays, pruned }: Plan): void {
    for (const { overlay, results, isChanged, paths } of overlays) {
      const known = overlay.row.renderedDigest === overlay.row.wantedDigest ? overlay.row.commit : undefined;
      const commit = isChanged ? this.commits.at(-1)?.id : (known ?? this.lastCommitOf(paths));
      this.store.rendered(overlay, results, commit);
    }
    for (const { name } of pruned) this.store.gone.delete(name);
  }

  private lastCommitOf(folders: readonly string[]): string | undefined {
    return this.commits.findLast(({ paths }) => paths.some((path) => folders.some((one) => path.startsWith(`${one}/`))))
      ?.id;
  }

  private follow({ knocks }: Step): void {
    const keys = knocks.map(({ type, subject }) => `${type} ${subject.name}`);
    if (new Set(keys).size < keys.length) throw new Error(`knocks twice at once: ${keys.join(', ')}`);
    for (const one of knocks)
      this.knocks.set(one.type === 'binding.changed.v1' ? `binding ${one.subject.name}` : one.subject.name, one);
  }

  /** As the journal keeps it: the patience for one reason runs from the first time that it was given. */
  private wait(name: string, { next }: Step): void {
    const before = this.wakeups.get(name);
    this.wakeups.delete(name);
    const after = wakesAfterSeconds(next);
    if (next.kind === 'settled' || after === undefined) return;
    const { reason, deadlineSeconds } = next.wait;
    const since = before?.reason === reason ? before.since : this.now;
    this.wakeups.set(name, { reason, since, deadline: since + deadlineSeconds * 1_000, due: this.now + after * 1_000 });
  }
}
