import { claimOf } from '../../shared/contracts/claims.ts';
import type { AdmissionReview } from '../../shared/contracts/kubernetes/admission-review.ts';
import {
  type AnySchema,
  bindings,
  claims,
  classes,
  environments,
  gitOpsDeployments,
  managedEnvironments,
  type ObjectKind,
  type ObjectOf,
  promotionRuns,
  repositoryCredentials,
  snapshots,
  syncRuns,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { admitClaim } from '../../shared/domain/claim/admit-claim.ts';
import { admitClass } from '../../shared/domain/claim/admit-class.ts';
import {
  admitDeployment,
  admitManagedEnvironment,
  admitRepositoryCredential,
  admitSyncRun,
  letIn,
  type Verdict,
} from '../../shared/domain/gitops/admit.ts';
import { admitRunChange } from '../../shared/domain/promotion/admit-run.ts';
import { admitSnapshotChange } from '../../shared/domain/snapshot/admit-snapshot.ts';
import { judgeBinding } from './judge-binding.ts';
import { judgeEnvironment, judgeRemoval, type Sight } from './judge-environment.ts';

type Question = AdmissionReview['request'];

/** A verdict, or why the object cannot be judged at all. */
export type Judgement = Verdict | { readonly unreadable: string };

type Judge = (question: Question, sight: Sight) => Judgement | Promise<Judgement>;

const judges: ReadonlyMap<string, Judge> = new Map([
  judge(gitOpsDeployments, ({ spec }, { namespace, name, operation }) =>
    admitDeployment(
      { namespace, name, spec: { ...spec, syncOptions: spec.syncPolicy?.syncOptions ?? [] } },
      operation === 'UPDATE',
    ),
  ),
  judge(syncRuns, (run, { stored }) => admitSyncRun(syncRunOf(run), stored && syncRunOf(stored))),
  judge(managedEnvironments, ({ spec }) => admitManagedEnvironment(spec)),
  judge(repositoryCredentials, ({ spec }) => admitRepositoryCredential(spec)),
  judge(environments, (environment, write, sight) => judgeEnvironment(environment, write, sight)),
  judge(bindings, (binding, write, sight) => judgeBinding(binding, write, sight)),
  judge(snapshots, ({ spec }, { object, oldObject, stored }) =>
    stored === undefined
      ? letIn
      : admitSnapshotChange(
          { application: spec.application, components: componentsOf(object) },
          { application: stored.spec.application, components: componentsOf(oldObject) },
        ),
  ),
  // As it was sent: the two spellings of where to start are the same and yet another one.
  judge(promotionRuns, (_run, { object, oldObject, stored }) =>
    stored === undefined ? letIn : admitRunChange(specOf(object), specOf(oldObject)),
  ),
  judge(claims, (claim, { stored }) => admitClaim(claimOf(claim), stored && claimOf(stored))),
  // As it was sent: to the CRD, too, what is not there is not what is empty.
  judge(classes, (_class, { object, oldObject }) => admitClass(specOf(object), specOf(oldObject))),
]);

/** Judges a write by the rule of its kind. */
export function judgeWrite(question: Question, sight: Sight): Judgement | Promise<Judgement> {
  if (question.operation === 'DELETE' && keyOf(question.kind) === keyOf(environments))
    return judgeRemoval({ ...question, stored: read(environments, question.oldObject) }, sight);
  // Deleting is not in the way otherwise, and neither is what ends a deletion: the finalizers of an object that would be refused today.
  if (question.operation !== 'CREATE' && question.operation !== 'UPDATE') return letIn;
  if (isLeaving(question.object)) return letIn;
  const known = judges.get(keyOf(question.kind));
  if (known === undefined) {
    const warning = `Stagecoach has no rule for ${question.kind.kind}: the webhook need not ask it`;
    return { refused: undefined, warnings: [warning] };
  }
  return known(question, sight);
}

type Write<Schema extends AnySchema> = Question & { readonly stored: ObjectOf<Schema> | undefined };

function judge<Schema extends AnySchema>(
  kind: ObjectKind<Schema>,
  rule: (object: ObjectOf<Schema>, write: Write<Schema>, sight: Sight) => Verdict | Promise<Verdict>,
): readonly [string, Judge] {
  return [
    keyOf(kind),
    (question, sight) => {
      const parsed = kind.Schema.safeParse(question.object);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return { unreadable: `${issue?.path.join('.') || 'the object'}: ${issue?.message ?? 'malformed'}` };
      }
      // A name that the API server has made up is in the object alone.
      const name = question.name === '' ? nameOf(question.object) : question.name;
      return rule(
        parsed.data as ObjectOf<Schema>,
        { ...question, name, stored: read(kind, question.oldObject) },
        sight,
      );
    },
  ];
}

function read<Schema extends AnySchema>({ Schema }: ObjectKind<Schema>, object: unknown): ObjectOf<Schema> | undefined {
  const parsed = Schema.safeParse(object);
  return parsed.success ? (parsed.data as ObjectOf<Schema>) : undefined;
}

function keyOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${group}/${kind}`;
}

function syncRunOf({ metadata, spec }: ObjectOf<typeof syncRuns.Schema>) {
  return { name: metadata.name, deploymentName: spec.gitopsDeploymentName, revisionId: spec.revisionID };
}

function specOf(object: unknown): unknown {
  return (object as { readonly spec?: unknown } | undefined)?.spec;
}

function componentsOf(object: unknown): unknown {
  return (specOf(object) as { readonly components?: unknown } | undefined)?.components ?? [];
}

function nameOf(object: unknown): string {
  const { metadata } = (object ?? {}) as { readonly metadata?: { readonly name?: unknown } };
  return typeof metadata?.name === 'string' ? metadata.name : '';
}

function isLeaving(object: unknown): boolean {
  const { metadata } = (object ?? {}) as { readonly metadata?: { readonly deletionTimestamp?: unknown } };
  return typeof metadata?.deletionTimestamp === 'string';
}
