import type { Files } from '../overlay/files.ts';
import type { Changes, OverlayInput } from '../overlay/overlay.ts';
import { pruneComponent, pruneOverlay } from '../overlay/prune.ts';
import { renderOverlay } from '../overlay/render-overlay.ts';
import type { OverlayResult } from './stored-overlay.ts';

/** What a Binding wants of a repository, and what stands there for it. */
export interface PlannedOverlay {
  /** Of the Binding. */
  readonly uid: string;
  readonly environment: string;
  readonly context: string;
  /** Nothing is wanted any more. */
  readonly isGone: boolean;
  readonly inputs: readonly OverlayInput[];
  readonly rendered: readonly OverlayInput[];
  readonly renderedContext: string;
}

/** A Component that is no more. */
export interface PlannedComponent {
  readonly name: string;
  readonly context: string;
  /** The Bindings whose overlays stand on it. */
  readonly holders: readonly string[];
}

export interface RepositoryPlan<Overlay extends PlannedOverlay, Component extends PlannedComponent> {
  readonly kind: 'planned';
  readonly changes: Changes;
  readonly overlays: readonly {
    readonly overlay: Overlay;
    readonly results: readonly OverlayResult[];
    /** Something of it changes. */
    readonly isChanged: boolean;
    /** The directories that hold it. */
    readonly paths: readonly string[];
  }[];
  /** Whose directories go. */
  readonly pruned: readonly Component[];
}

type Needs = { readonly kind: 'needs'; readonly paths: readonly string[] };

/**
 * Plans everything that is to be done in a repository as one change. What one Binding leaves and another one wants stays.
 * One component that cannot be rendered does not hold up the others.
 */
export function planRepository<Overlay extends PlannedOverlay, Component extends PlannedComponent>(
  overlays: readonly Overlay[],
  leaving: readonly Component[],
  files: Files,
): Needs | RepositoryPlan<Overlay, Component> {
  const needs = new Set<string>();
  const changes = new Map<string, string | undefined>();
  const wanted = new Set(
    overlays.flatMap((one) => (one.isGone ? [] : one.inputs.map((input) => keyOf(input.component, one)))),
  );

  /** Takes a part of the plan in; true where it changes anything. */
  function take(part: Needs | { readonly kind: string; readonly changes: Changes }): boolean {
    if (!('changes' in part)) {
      for (const path of part.paths) needs.add(path);
      return false;
    }
    for (const [path, text] of part.changes) changes.set(path, text);
    return part.changes.size > 0;
  }

  const planned = overlays.map((overlay) => {
    const { environment, context, renderedContext } = overlay;
    let isChanged = false;
    for (const { component } of overlay.rendered)
      if (!wanted.has(keyOf(component, { environment, context: renderedContext })))
        isChanged = take(pruneOverlay(component, environment, renderedContext, files)) || isChanged;
    const paths: string[] = [];
    const results: OverlayResult[] = [];
    for (const input of overlay.isGone ? [] : overlay.inputs) {
      const { component } = input;
      const rendering = renderOverlay(input, context, files);
      if (rendering.kind === 'problem') {
        results.push({ component, reason: rendering.reason, message: rendering.message });
        continue;
      }
      isChanged = take(rendering) || isChanged;
      if (rendering.kind !== 'rendered') continue;
      const { path, generatedResources } = rendering;
      results.push({ component, path, generatedResources });
      paths.push(path);
    }
    return { overlay, results, isChanged, paths };
  });

  const isFree = ({ name, context, holders }: PlannedComponent): boolean =>
    holders.every((holder) => overlays.some(({ uid }) => uid === holder)) &&
    !overlays.some(
      (one) => !one.isGone && one.context === context && one.inputs.some(({ component }) => component === name),
    );
  const pruned = leaving.filter(isFree);
  for (const { name, context } of pruned) take(pruneComponent(name, context, files));
  return needs.size > 0
    ? { kind: 'needs', paths: [...needs].toSorted() }
    : { kind: 'planned', changes, overlays: planned, pruned };
}

function keyOf(
  component: string,
  { environment, context }: { readonly environment: string; readonly context: string },
): string {
  return `${context}\n${environment}\n${component}`;
}
