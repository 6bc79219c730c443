import type { RepositoryEffect } from '../../shared/domain/binding/decide-repository.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { Outcome } from './apply.ts';
import type { SeenRepository, Services } from './observe.ts';

export function repositoryRows(
  { repository, overlays: todo, isWhole }: SeenRepository,
  _step: Step<RepositoryEffect>,
  { overlays }: Services,
  outcome: Outcome,
): readonly RowWrite[] {
  if (outcome.kind === 'refused') return todo.map((overlay) => overlays.refused(overlay, outcome));
  return [
    ...(outcome.push === undefined ? [] : [overlays.pushed(repository.id, outcome.push)]),
    ...outcome.overlays.flatMap((done) => overlays.rendered(repository, done)),
    ...outcome.pruned.map((component) => overlays.pruned(component)),
    ...(isWhole ? [overlays.checked(repository.id)] : []),
  ];
}
