import { isSameTold, toldPlace } from '../application/repository-place.ts';
import type { Condition } from '../core/condition.ts';
import { patienceSeconds } from '../core/patience.ts';
import { type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import { chooseSnapshot } from './choose-snapshot.ts';
import { type Component, componentProblem } from './component.ts';
import type { SeenComponent, SnapshotEffect } from './seen-component.ts';
import { builtComponents } from './snapshot.ts';

/** No wait here ever fails: it ends when somebody does something. */
const deadlineSeconds = 365 * 86_400;

type Part = Pick<Step<SnapshotEffect>, 'effects' | 'knocks'>;
type Frozen = Part & { readonly problem?: string };
const nothing: Part = { effects: [], knocks: [] };

/**
 * Decides which state of an Application is its newest, and freezes it. Whoever looks, looks at all Components of the
 * Application, and writes only over the state that was seen before them: of two that are built at once, the one who comes
 * second looks again and finds both. An older state never takes the place of a newer one.
 */
export function decideSnapshot(seen: SeenComponent, moment: Moment): Step<SnapshotEffect> {
  const { component, application, isNamespaceGoing } = seen;
  const left = leaveOthers(seen);
  if (isNamespaceGoing) return { ...left, conditions: [], next: settled };
  const { uid } = application;
  if (uid === undefined) {
    if (component === undefined) return { ...left, conditions: [], next: settled };
    const message = `Application ${application.name} was not found: create it, or correct spec.application`;
    return tell([left], seen, component, message, later('ApplicationNotFound', message, moment), moment);
  }
  const { problem, ...frozen } = freeze(seen, { name: application.name, uid });
  const next = problem === undefined ? settled : later('SnapshotNotMade', problem, moment);
  if (component === undefined) return { ...together([left, frozen]), conditions: [], next };
  const parts = [left, frozen, keep(seen, component)];
  return tell(parts, seen, component, problem ?? componentProblem(component, seen.row?.frozen ?? []), next, moment);
}

/** Rows of Components that are no more: their directories go. */
function leaveOthers(seen: SeenComponent): Part {
  const { namespace, component, stored, application } = seen;
  const old = stored.filter(({ uid, isGone }) => uid !== component?.uid && !isGone);
  const repositories = new Set(old.flatMap(({ repositoryId }) => repositoryId ?? []));
  // OBSERVED: it came back in another Application. In the first one it is missing, and somebody who is there looks at that.
  const bereft = new Set(old.map((row) => row.application).filter((name) => name !== application.name));
  return {
    effects: old.map(({ uid }) => ({ do: 'end-component', uid })),
    knocks: [
      ...[...repositories].map((name) => ({ type: 'overlay.requested.v1', subject: { namespace, name } })),
      // Whoever deletes it may not tell of which application it was.
      ...[...new Set(old.map((row) => row.application))].map((name) => ({
        type: 'application.changed.v1',
        subject: { namespace, name, application: name },
      })),
      ...[...bereft].flatMap((name) => knockAt(name, seen)),
    ],
  };
}

function knockAt(application: string, { namespace, components }: SeenComponent): Knock[] {
  const names = components.filter((one) => one.application === application).map(({ name }) => name);
  const subjects = names.toSorted().map((name) => ({ namespace, name, application }));
  return subjects.slice(0, 1).map((subject) => ({ type: 'component.changed.v1', subject }));
}

/** Is what could be frozen another state than the one that was frozen last? */
export function isNewState({ components, application, row, digest }: SeenComponent): boolean {
  if (application.uid === undefined || digest === row?.digest) return false;
  return builtComponents(components, application.name, row?.frozen ?? []).length > 0;
}

/** The Snapshot is there before the row that says so; whoever dies in between finds it again by what is in it. */
function freeze(seen: SeenComponent, application: { readonly name: string; readonly uid: string }): Frozen {
  if (!isNewState(seen)) return nothing;
  const { namespace, components, row, digest, existing, refusal } = seen;
  const built = builtComponents(components, application.name, row?.frozen ?? []);
  const { kind, name } = chooseSnapshot(existing, built, application, digest);
  if (kind === 'taken') return { ...nothing, problem: `Snapshot ${name} holds other images than these: delete it` };
  if (kind === 'create' && refusal !== undefined)
    return { ...nothing, problem: `Snapshot ${name} cannot be created: ${refusal}` };
  const sequence = (row?.sequence ?? 0) + 1;
  const subject = { namespace, name, application: application.name };
  const frozen = built.map(({ uid, image, commit }) => ({ uid, image, commit }));
  return {
    effects: [
      ...(kind === 'create' ? [{ do: 'create-snapshot', name, sequence } as const] : []),
      { do: 'freeze-state', snapshot: name, sequence, digest, frozen },
    ],
    // The watch tells of a new one before the row does, and of one that was there already not at all.
    knocks: [{ type: 'snapshot.changed.v1', subject }],
  };
}

/** Where its directory is, if it has any; without one, to which Application it belonged once it is gone. */
function keep({ stored, row }: SeenComponent, { uid, application }: Component): Part {
  const { repositoryId, context } = row?.repository ?? { repositoryId: undefined, context: '' };
  const before = stored.find((one) => one.uid === uid);
  const isSame = before?.repositoryId === repositoryId && before?.context === context;
  if (before !== undefined && before.application === application && isSame) return nothing;
  return { effects: [{ do: 'keep-component', uid, repositoryId, context }], knocks: [] };
}

function tell(
  parts: readonly Part[],
  { row }: SeenComponent,
  { said, gitops, isSkipped }: Component,
  problem: string | undefined,
  next: Next,
  { now }: Moment,
): Step<SnapshotEffect> {
  const created: Condition =
    problem === undefined
      ? { type: 'Created', status: 'True', reason: 'OK', message: 'Component has been successfully created' }
      : { type: 'Created', status: 'False', reason: 'Error', message: problem };
  const place = toldPlace(row?.repository);
  const isTold = place === undefined || (isSameTold(gitops, place) && gitops?.resourceGenerationSkipped === isSkipped);
  const isNews = !isTold || withConditions(said, [created], now) !== undefined;
  const told = {
    do: 'tell-user',
    at: now,
    ...(place && { gitops: { ...place, resourceGenerationSkipped: isSkipped } }),
  } as const;
  const { effects, knocks } = together(parts);
  return { effects: isNews ? [...effects, told] : effects, conditions: [created], knocks, next };
}

function together(parts: readonly Part[]): Part {
  return { effects: parts.flatMap(({ effects }) => effects), knocks: parts.flatMap(({ knocks }) => knocks) };
}

function later(reason: string, message: string, moment: Moment): Next {
  return recheck(patienceSeconds(moment, reason), { reason, message, deadlineSeconds });
}
