import type { PromotedBinding, Run, SeenPromotion, StoredStep } from './promotion.ts';

interface Why {
  readonly reason: string;
  readonly message: string;
}

/** One component of the snapshot that is promoted. */
interface Part {
  readonly component: string;
  /** The commit that holds it. */
  readonly commit: string;
  /** Why what is deployed from there would not be what the snapshot says. */
  readonly problem: Why | undefined;
}

/** What stands in Git of a snapshot that is promoted. */
interface Standing {
  readonly commit: string;
  /** Every component of the snapshot that is meant to be deployed. */
  readonly parts: readonly Part[];
}

interface Sight {
  readonly run: { readonly uid: string; readonly snapshot: string };
  readonly isRenderedByOthers: boolean;
  readonly snapshotComponents: readonly string[];
  /** Those of which nothing is written to Git, on purpose. Undefined: nobody asked. */
  readonly skipped?: readonly string[] | undefined;
  readonly digest: (text: string) => string;
}

/** A component of the snapshot is nowhere to be found. */
export const notDeployed = 'ComponentNotDeployed';

/**
 * Looks whether Git holds what the run promotes, and not what was there before it, and whether the Binding deploys it. The
 * Snapshot says which components there are: one that the Binding leaves out is missing.
 */
export function whatStands(step: StoredStep, sight: Sight, binding: PromotedBinding): Standing | Why {
  const stands = sight.isRenderedByOthers ? writtenByOthers(step, sight, binding) : writtenByUs(step, sight, binding);
  if ('reason' in stands || binding.problem === undefined) return stands;
  const { reason, message } = binding.problem;
  return { reason, message: `SnapshotEnvironmentBinding ${binding.name}: ${message}` };
}

function writtenByUs({ rendering }: StoredStep, sight: Sight, binding: PromotedBinding): Standing | Why {
  const { run } = sight;
  const isAsked =
    rendering !== undefined &&
    rendering.snapshot === run.snapshot &&
    rendering.promotionUid === run.uid &&
    rendering.generation === binding.generation;
  if (!isAsked || !rendering.isRendered || rendering.commit === '') {
    const trouble = isAsked ? rendering.trouble : refusal(binding);
    return trouble ?? { reason: 'Rendering', message: 'The GitOps repository is being written' };
  }
  const { commit, results } = rendering;
  return {
    commit,
    parts: partsOf(sight, binding, (component) => {
      const result = results.find((one) => one.component === component);
      if (result === undefined) return undefined;
      return 'path' in result ? { commit } : { commit, problem: { reason: result.reason, message: result.message } };
    }),
  };
}

/** Before anything is asked of the repository, the Binding says what is missing. */
function refusal({ refreshed, name }: PromotedBinding): Why | undefined {
  return refreshed === undefined || refreshed.isOk
    ? undefined
    : { reason: 'RepositoryNotReady', message: `SnapshotEnvironmentBinding ${name}: ${refreshed.message}` };
}

/**
 * Another controller renders: it says in the status of the Binding where. Its word is of this snapshot if it looked at the
 * Binding as it is now, or has written something since the step began. A Snapshot that is made again under its name leaves
 * the Binding as it is: then something has to be written.
 */
function writtenByOthers(step: StoredStep, sight: Sight, binding: PromotedBinding): Standing | Why {
  const { components, refreshed, generation } = binding;
  const refused = refusal(binding);
  if (refused !== undefined) return refused;
  const stood = step.before.startsWith(ofAnother) ? step.before.slice(ofAnother.length) : step.before;
  const isCurrent =
    refreshed?.generation === undefined || stood !== step.before
      ? commitsOf(binding, sight.digest) !== stood
      : refreshed.generation >= generation;
  const written = components.filter(
    ({ name, path, commit }) => path !== '' && commit !== '' && sight.snapshotComponents.includes(name),
  );
  const [first] = written;
  if (!isCurrent || first === undefined)
    return {
      reason: 'Rendering',
      message: `The controller that writes the GitOps repository has not written snapshot ${binding.snapshot} yet, or has not said so`,
    };
  return {
    commit: first.commit,
    parts: partsOf(sight, binding, (component) => written.find(({ name }) => name === component)),
  };
}

function partsOf(
  { snapshotComponents, skipped = [], run }: Sight,
  binding: PromotedBinding,
  placeOf: (component: string) => { readonly commit: string; readonly problem?: Why | undefined } | undefined,
): readonly Part[] {
  return snapshotComponents.toSorted().flatMap((component): Part[] => {
    const place = placeOf(component);
    const told = binding.components.find(({ name }) => name === component)?.problem;
    const problem = place?.problem ?? told;
    if (place !== undefined || problem !== undefined) return [{ component, commit: place?.commit ?? '', problem }];
    if (skipped.includes(component)) return [];
    const message = `SnapshotEnvironmentBinding ${binding.name} does not deploy component ${component} of snapshot ${run.snapshot}`;
    return [{ component, commit: '', problem: { reason: notDeployed, message } }];
  });
}

/** Ahead of what stood there: it was of another Snapshot of the same name. */
const ofAnother = 'another ';

/**
 * What stands in a Binding that somebody else renders, before a run writes its snapshot into it. A run that wrote this snapshot
 * has noted what stood there: it may have failed, or died, before anything else did. Where a person wrote it nobody knows,
 * unless it never had another one: what stands there now is no proof then.
 */
export function beforeOf(
  binding: PromotedBinding | undefined,
  { application, snapshot, digest }: SeenPromotion,
  run: Run,
): string {
  if (application?.isRenderedByOthers !== true) return '';
  const now = commitsOf(binding ?? { components: [] }, digest);
  if (binding === undefined || binding.snapshot !== run.snapshot) return now;
  const { noted, generation } = binding;
  if (noted === undefined) return generation <= 1 ? commitsOf({ components: [] }, digest) : now;
  return noted.snapshotUid === snapshot?.uid ? noted.before : `${ofAnother}${now}`;
}

/** The commits that a Binding names, in a form that can be compared and kept, however many and long they are. */
function commitsOf({ components }: Pick<PromotedBinding, 'components'>, digest: (text: string) => string): string {
  return digest(JSON.stringify(components.map(({ name, commit }) => `${name}=${commit}`).toSorted()));
}
