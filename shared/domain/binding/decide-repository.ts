import { type Effect, type Knock, type Moment, type Step, settled } from '../core/step.ts';

/** An overlay of a repository that has something to be done about it. */
export interface OverlayToDo {
  readonly namespace: string;
  /** The Binding. */
  readonly name: string;
  readonly application: string;
  readonly environment: string;
  readonly snapshot: string;
  /** The Binding is gone, and so is what stands for it. */
  readonly isGone: boolean;
}

export interface RepositoryToDo {
  readonly overlays: readonly OverlayToDo[];
  /** Components whose directories are to go. */
  readonly leaving: readonly { readonly name: string }[];
  /** All of it is compared with what should stand there. */
  readonly isWhole: boolean;
}

export type RepositoryEffect = Effect &
  (
    | {
        readonly do: 'render-overlay';
        readonly binding: string;
        readonly environment: string;
        readonly snapshot: string;
      }
    | { readonly do: 'prune-overlay'; readonly binding: string; readonly environment: string }
    | { readonly do: 'prune-component'; readonly component: string }
    | { readonly do: 'check-repository' }
  );

/** Everything that is pending becomes one commit. Whoever asked is told to look: what came of it stands in the rows. */
export function decideRepository(
  { overlays, leaving, isWhole }: RepositoryToDo,
  _moment: Moment,
): Step<RepositoryEffect> {
  return {
    effects: [
      ...(isWhole ? [{ do: 'check-repository' } as const] : []),
      ...overlays.map(
        ({ name, environment, snapshot, isGone }): RepositoryEffect =>
          isGone
            ? { do: 'prune-overlay', binding: name, environment }
            : { do: 'render-overlay', binding: name, environment, snapshot },
      ),
      ...leaving.map(({ name }): RepositoryEffect => ({ do: 'prune-component', component: name })),
    ],
    conditions: [],
    knocks: overlays
      .filter(({ isGone }) => !isGone)
      .map(
        ({ namespace, name, application }): Knock => ({
          type: 'binding.changed.v1',
          subject: { namespace, name, application },
        }),
      ),
    next: settled,
  };
}
