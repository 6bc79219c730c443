import { repositoryCredentials } from '../../shared/contracts/kubernetes/kinds.ts';
import { instantOf } from '../../shared/domain/core/instant.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { confirmedRow, type RepoCredentialEffect } from '../../shared/domain/gitops/decide-repo-credential.ts';
import { chooseEngine } from '../../shared/domain/gitops/placement.ts';
import { stampConditions } from '../../shared/domain/gitops/repo-credential.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { Seen, Services } from './observe.ts';

/** The conditions, over the version that was seen. */
export async function applyConditions(
  { namespace, name, present, version }: Seen,
  step: Step<RepoCredentialEffect>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  const write = step.effects.find((effect) => effect.do === 'write-conditions');
  if (write === undefined || present === undefined) return;
  // Kubernetes writes its times without fractions.
  const now = instantOf(write.at);
  const conditions = stampConditions(present.object.conditions, step.conditions, now);
  await clusters.local.patch(
    repositoryCredentials,
    { namespace, name },
    { metadata: { resourceVersion: version }, status: { conditions } },
    { subresource: 'status', signal },
  );
}

export function writeRows(
  seen: Seen,
  step: Step<RepoCredentialEffect>,
  { tenants, credentials }: Services,
): RowWrite[] {
  const { stored, present, name } = seen;
  const confirmed = confirmedRow(seen);
  return [
    ...step.effects.flatMap((effect): readonly RowWrite[] => {
      const row = 'id' in effect ? stored.find(({ id }) => id === effect.id) : undefined;
      if (effect.do === 'remove-credential') return row === undefined ? [] : credentials.remove(row);
      const engine = present === undefined ? undefined : chooseEngine(present.tenant);
      if (effect.do !== 'store-credential' || present === undefined || engine === undefined) return [];
      const { object, secret, tenant } = present;
      // Nothing is stored without a Secret that was read.
      if (typeof secret === 'string') return [];
      const { uid: id, repository: url, secret: secretName } = object;
      const owner = 'GitOpsDeploymentRepositoryCredential' as const;
      const wanted = { ...secret, owner, id, name, url, secretName };
      return [
        ...(tenant.placed === undefined ? tenants.place(tenant, engine) : []),
        ...credentials.store(wanted, tenant, engine, row),
      ];
    }),
    ...(confirmed === undefined ? [] : credentials.confirm(confirmed)),
  ];
}
