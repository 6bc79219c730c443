import type { AdmissionReview } from '../../shared/contracts/kubernetes/admission-review.ts';
import {
  type AnySchema,
  gitOpsDeployments,
  managedEnvironments,
  type ObjectOf,
  repositoryCredentials,
  syncRuns,
} from '../../shared/contracts/kubernetes/kinds.ts';
import {
  admitDeployment,
  admitManagedEnvironment,
  admitRepositoryCredential,
  admitSyncRun,
  letIn,
  type Verdict,
} from '../../shared/domain/gitops/admit.ts';

type Question = AdmissionReview['request'];

/** A verdict, or why the object cannot be judged at all. */
export type Judgement = Verdict | { readonly unreadable: string };

type Judge = (question: Question) => Judgement;

const judges: ReadonlyMap<string, Judge> = new Map([
  judge(gitOpsDeployments.kind, gitOpsDeployments.Schema, ({ spec }, { namespace, name, operation }) =>
    admitDeployment(
      { namespace, name, spec: { ...spec, syncOptions: spec.syncPolicy?.syncOptions ?? [] } },
      operation === 'UPDATE',
    ),
  ),
  judge(syncRuns.kind, syncRuns.Schema, (run, { oldObject }) => {
    const stored = syncRuns.Schema.safeParse(oldObject);
    return admitSyncRun(syncRunOf(run), stored.success ? syncRunOf(stored.data) : undefined);
  }),
  judge(managedEnvironments.kind, managedEnvironments.Schema, ({ spec }) => admitManagedEnvironment(spec)),
  judge(repositoryCredentials.kind, repositoryCredentials.Schema, ({ spec }) => admitRepositoryCredential(spec)),
]);

/** Judges a write by the rule of its kind. Nothing but the question is looked at. */
export function judgeWrite(question: Question): Judgement {
  // Deleting is never in the way, and neither is what ends a deletion: the finalizers of an object that would be refused today.
  if (question.operation !== 'CREATE' && question.operation !== 'UPDATE') return letIn;
  if (isLeaving(question.object)) return letIn;
  const { group, kind } = question.kind;
  const known = group === gitOpsDeployments.group ? judges.get(kind) : undefined;
  if (known === undefined)
    return { refused: undefined, warnings: [`Stagecoach has no rule for ${kind}: the webhook need not ask it`] };
  return known(question);
}

function judge<Schema extends AnySchema>(
  kind: string,
  Schema: Schema,
  rule: (object: ObjectOf<Schema>, question: Question) => Verdict,
): readonly [string, Judge] {
  return [
    kind,
    (question) => {
      const parsed = Schema.safeParse(question.object);
      if (parsed.success) return rule(parsed.data as ObjectOf<Schema>, question);
      const [issue] = parsed.error.issues;
      return { unreadable: `${issue?.path.join('.') || 'the object'}: ${issue?.message ?? 'malformed'}` };
    },
  ];
}

function syncRunOf({ metadata, spec }: ObjectOf<typeof syncRuns.Schema>) {
  return { name: metadata.name, deploymentName: spec.gitopsDeploymentName, revisionId: spec.revisionID };
}

function isLeaving(object: unknown): boolean {
  const { metadata } = (object ?? {}) as { readonly metadata?: { readonly deletionTimestamp?: unknown } };
  return typeof metadata?.deletionTimestamp === 'string';
}
