import type { Step } from '../../shared/domain/core/step.ts';
import { projectName } from '../../shared/domain/gitops/names.ts';
import type { OperationEffect, Piece, PieceKind } from '../../shared/domain/gitops/operation.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { OperationOutcome } from '../../shared/ports/operation-rows.ts';
import type { Seen, SeenOperation, Services } from './sight.ts';

/** What stands beside the Argo CD now, and which operations have ended. */
export function rows(seen: Seen, { effects }: Step<OperationEffect>, services: Services): readonly RowWrite[] {
  if (seen.kind !== 'operation') return [];
  return services.rows.record({
    begun: effects.flatMap((effect) => (effect.do === 'begin-operation' ? effect.operation : [])),
    completed: effects.flatMap((effect) => (effect.do === 'complete-operation' ? effect.operation : [])),
    failed: effects.flatMap((effect) =>
      effect.do === 'fail-operation' ? { id: effect.operation, why: effect.why } : [],
    ),
    instanceId: seen.sight.engine.instanceId,
    ...(hasLeft(seen, effects) && { leftEnvironment: seen.sight.resourceId }),
    ...(seen.observed.problem === undefined && standing(seen)),
  });
}

/** Nobody waits for the environment any more: its cluster Secret is gone, or cannot be taken away. */
function hasLeft({ sight: { resource } }: SeenOperation, effects: readonly OperationEffect[]): boolean {
  const isOver = effects.some(({ do: what }) => what === 'complete-operation' || what === 'fail-operation');
  return isOver && resource.type === 'ManagedEnvironment' && resource.row === undefined;
}

type Standing = Pick<OperationOutcome, 'application' | 'credentials' | 'environment' | 'project'>;

/** Only what differs from what is recorded: a look that changed nothing writes nothing. */
function standing({ sight, observed, digest }: SeenOperation): Standing {
  const { resource, tenant } = sight;
  const stands = (kind: PieceKind): Piece | undefined =>
    observed.pieces.find((piece) => piece.kind === kind && piece.wanted && piece.state !== 'deleting');
  const environment =
    resource.type === 'Application'
      ? resource.row?.environment
      : resource.type === 'ManagedEnvironment'
        ? resource.row
        : undefined;
  const application = resource.type === 'Application' ? resource.row : undefined;
  const credentials = resource.type === 'RepositoryCredentials' ? resource.row : undefined;
  const project = observed.pieces.find(
    ({ kind, name }) => kind === 'project' && tenant !== undefined && name === projectName(tenant.userId),
  );
  return {
    ...(application !== undefined &&
      stands('application') !== undefined &&
      application.appliedRevision !== application.revision && { application }),
    ...(credentials !== undefined &&
      stands('repository-secret') !== undefined &&
      credentials.appliedRevision !== credentials.revision && { credentials }),
    ...(environment !== undefined &&
      stands('cluster-secret') !== undefined &&
      environment.appliedCredentialsId !== environment.credentialsId && { environment }),
    ...(tenant !== undefined &&
      project !== undefined &&
      project.state !== 'deleting' &&
      (tenant.digest !== digest || !isSameSet(tenant.repositories, tenant.recordedRepositories)) && {
        project: { ...tenant, digest },
      }),
  };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}
