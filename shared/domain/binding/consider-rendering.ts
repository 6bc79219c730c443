import type { Condition } from '../core/condition.ts';
import type { Knock } from '../core/step.ts';
import { describeDifferences } from '../overlay/describe-differences.ts';
import type { OverlayInput } from '../overlay/overlay.ts';
import type { Binding, BoundApplication, ComponentPlace, RepositoryPlace, SeenBinding } from './binding.ts';
import type { StoredOverlay } from './stored-overlay.ts';
import { type Fault, wantedInputs } from './wanted-inputs.ts';

/** A component of a Binding: where it stands, and why it does not stand there as it should. */
export interface ComponentState {
  readonly component: string;
  /** Undefined: nothing of it can be deployed yet. What is deployed of it already stays as it is. */
  readonly place: ComponentPlace | undefined;
  /** Empty: it has no Route. */
  readonly routeName: string;
  readonly problem: { readonly reason: string; readonly message: string } | undefined;
  /** It should not run here: what is deployed of it goes. */
  readonly isLeftOut: boolean;
  /** What was asked for has the image of the Snapshot. */
  readonly isCurrent: boolean;
}

/** What is to be asked of a repository. */
export interface Wish {
  readonly repositoryId: string;
  readonly context: string;
  readonly inputs: readonly OverlayInput[];
  readonly digest: string;
  readonly cause: string;
  /**
   * All that may stand in the repository: what was wanted before this may have been written by somebody who died before
   * telling. What of it is not wanted has to go.
   */
  readonly standing: readonly OverlayInput[];
  /** The components that nobody is taking away: those that were wanted until now. */
  readonly certain: readonly string[];
}

/** How the repository stands to a Binding. */
export interface Rendering {
  /** Undefined: nothing new is known, what was said stays. */
  readonly refreshed: Condition | undefined;
  /** Undefined: nobody knows which components there should be, so what is there stays. */
  readonly components: readonly ComponentState[] | undefined;
  /** How many components should run. */
  readonly expected: number | undefined;
  /** To be stored. Undefined: it is already. */
  readonly wish: Wish | undefined;
  /** The repository has to be looked at for it. */
  readonly isPending: boolean;
  /** What differs and waits for the next promotion. */
  readonly postponed: readonly string[];
  /** What keeps a component from being written, in the repository itself: nobody tells when that is mended. */
  readonly inTheWay: { readonly reason: string; readonly message: string } | undefined;
  /** What has to change first. */
  readonly on: string | undefined;
  readonly stored: StoredOverlay | undefined;
}

const refreshedType = 'Refreshed';
const refreshedWell: Condition = {
  type: refreshedType,
  status: 'True',
  reason: 'OK',
  message: 'GitOps repo has been successfully refreshed',
};

/**
 * Considers what should stand in the repository for a Binding. What the Binding says itself is rendered at once; what
 * others changed comes to automated environments at once, and to manual ones with their next promotion.
 */
export function considerRendering(seen: SeenBinding, binding: Binding, application: BoundApplication): Rendering {
  const { namespace, environment, snapshot, place, components, digest } = seen;
  const row = seen.stored.find(({ uid }) => uid === binding.uid);
  const stored = row?.isGone ? undefined : row;
  const fault = (reason: string, message: string, on: string): Rendering => ({
    refreshed: { type: refreshedType, status: 'False', reason, message },
    components: undefined,
    expected: undefined,
    wish: undefined,
    isPending: false,
    postponed: [],
    inTheWay: undefined,
    on,
    stored,
  });

  if (environment === undefined)
    return fault(
      'EnvironmentNotFound',
      `Environment ${binding.environment} was not found`,
      `Environment ${binding.environment}`,
    );
  if (snapshot === undefined)
    return fault('SnapshotNotFound', `Snapshot ${binding.snapshot} was not found`, `Snapshot ${binding.snapshot}`);
  if (snapshot.application !== '' && snapshot.application !== binding.application)
    return fault(
      'SnapshotOfOtherApplication',
      `Snapshot ${binding.snapshot} belongs to application ${snapshot.application}, not to ${binding.application}`,
      `SnapshotEnvironmentBinding ${seen.name}`,
    );
  if (place === undefined)
    return fault(
      'RepositoryNotReady',
      application.problem ?? `Application ${binding.application} has no GitOps repository yet`,
      `Application ${binding.application}`,
    );

  const before = stored?.wanted ?? [];
  const sources = { namespace, binding, application, environment, snapshot, components, before, digest };
  const { inputs, faults } = wantedInputs(sources);
  const { repositoryId, context } = place;
  const isElsewhere = stored?.repositoryId !== repositoryId || stored.context !== context;
  // Another promotion of the same snapshot brings what was put off, too.
  const isPromoted = isOfAnother(binding, stored);
  const isChanged = stored?.generation !== binding.generation || isPromoted;
  // What is put off is not asked for: until its time has come, what was asked for before is what should run.
  const isOpen = isChanged || environment.isAutomated;
  const asked = isOpen ? inputs : before;
  // A snapshot with the same images is another one: the ledger tells which commit holds it.
  const wanted = digest(JSON.stringify({ snapshot: binding.snapshot, repositoryId, context, inputs: asked }));
  const differs = stored?.wantedDigest !== wanted;
  const isWished = isChanged || differs;
  const isStanding = stored?.renderedDigest !== undefined && stored.renderedDigest === stored.wantedDigest;
  const others = faults.filter(({ component }) => !asked.some((one) => one.component === component));

  return {
    refreshed: isWished && differs ? undefined : refreshedBy(stored, isStanding),
    components: [
      ...asked.map((input) => stateOf(input, { place, stored, faults, images: snapshot.components })),
      ...others.map(stateOfFault),
    ],
    expected: asked.length + others.filter(({ kind }) => kind !== 'unbuilt').length,
    wish: isWished
      ? {
          repositoryId,
          context,
          inputs: asked,
          digest: wanted,
          cause: isChanged ? causeOf(binding, stored) : isElsewhere ? 'repository' : 'configuration',
          standing: row?.repositoryId === repositoryId ? everythingOf(row) : [],
          certain: before.map(({ component }) => component),
        }
      : undefined,
    isPending: (isWished && differs) || (stored !== undefined && !isStanding),
    postponed: isOpen ? [] : describeDifferences(before, inputs),
    inTheWay: stored?.results.find((result) => 'reason' in result),
    on: undefined,
    stored,
  };
}

function everythingOf({ rendered, wanted }: StoredOverlay): readonly OverlayInput[] {
  return [...rendered, ...wanted.filter(({ component }) => !rendered.some((one) => one.component === component))];
}

/** The promotion has written the snapshot; whatever was changed since then, a person did. */
function causeOf(binding: Binding, stored: StoredOverlay | undefined): string {
  const { promotion, generation, snapshot } = binding;
  const isPromoted = promotion !== '' && (stored?.snapshot !== snapshot || isOfAnother(binding, stored));
  return isPromoted ? `promotion ${promotion}` : `binding generation ${generation}`;
}

/** A promotion that is made again under its name is another one, and so may be the snapshot by the name that it brings. */
function isOfAnother({ promotion, promotionUid }: Binding, stored: StoredOverlay | undefined): boolean {
  return promotion !== '' && (stored?.promotion !== promotion || stored.promotionUid !== promotionUid);
}

function refreshedBy(stored: StoredOverlay | undefined, isStanding: boolean): Condition | undefined {
  if (isStanding) return refreshedWell;
  const trouble = stored?.trouble;
  return trouble && { type: refreshedType, status: 'False', reason: trouble.reason, message: trouble.message };
}

interface Known {
  readonly place: RepositoryPlace;
  readonly stored: StoredOverlay | undefined;
  readonly faults: readonly Fault[];
  readonly images: readonly { readonly name: string; readonly image: string }[];
}

/**
 * What became of a component that was asked for. What stands in another repository does not stand in this one, and what
 * the last wish was without may be on its way out.
 */
function stateOf({ component, image, expose }: OverlayInput, { place, stored, faults, images }: Known): ComponentState {
  const { repositoryId, url, branch } = place;
  const isHere = stored?.repositoryId === repositoryId && stored.wanted.some((one) => one.component === component);
  const result = isHere ? stored.results.find((one) => one.component === component) : undefined;
  const failure = result !== undefined && 'reason' in result ? result : undefined;
  const problem = faults.find((one) => one.component === component) ?? failure;
  return {
    component,
    place:
      result !== undefined && 'path' in result
        ? {
            url,
            branch,
            path: result.path,
            generatedResources: result.generatedResources,
            commitID: stored?.commit ?? '',
          }
        : undefined,
    routeName: expose?.with === 'Route' ? expose.name : '',
    problem: problem && { reason: problem.reason, message: problem.message },
    isLeftOut: false,
    isCurrent: failure === undefined && images.some((one) => one.name === component && one.image === image),
  };
}

function stateOfFault({ component, reason, message, kind }: Fault): ComponentState {
  const isLeftOut = kind !== 'broken';
  return { component, place: undefined, routeName: '', problem: { reason, message }, isLeftOut, isCurrent: false };
}

/** Looks at the repository of an overlay. */
export function overlayKnock(namespace: string, repositoryId: string): Knock {
  return { type: 'overlay.requested.v1', subject: { namespace, name: repositoryId } };
}
