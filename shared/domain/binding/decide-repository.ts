import { type Effect, type Knock, type Moment, recheck, type Step, settled } from '../core/step.ts';
import { overlayKnock } from './consider-rendering.ts';

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
  /** Milliseconds since the epoch, by the clock of the rows. */
  readonly requestedAt: number;
}

/** What was written to a repository in the last ten seconds, by the clock of the rows. */
export interface Lately {
  readonly now: number;
  /** Those of which something stands. */
  readonly commits: number;
  /** Undefined: nothing was. */
  readonly lastAt: number | undefined;
}

export interface RepositoryToDo {
  readonly repository: { readonly id: string; readonly namespace: string };
  readonly lately: Lately;
  readonly overlays: readonly OverlayToDo[];
  /** Components whose directories are to go. */
  readonly leaving: readonly { readonly name: string }[];
  /** All of it is compared with what should stand there. */
  readonly isWhole: boolean;
  /** There is more to do than becomes one commit. */
  readonly isMore: boolean;
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

/** A few changes that come one after the other are written as they come. */
const freely = 3;
/** Between two commits while more comes all the time: then a commit is a few seconds' worth of changes. */
const paceSeconds = 2;

/**
 * Everything that is pending becomes one commit. Whoever asked is told to look: what came of it stands in the rows. Where
 * changes come faster than commits are made, what comes within a moment is gathered; a single change never waits.
 */
export function decideRepository(todo: RepositoryToDo, _moment: Moment): Step<RepositoryEffect> {
  const { repository, overlays, leaving, isWhole, isMore } = todo;
  const again = overlayKnock(repository.namespace, repository.id);
  const afterSeconds = secondsToGather(todo);
  if (afterSeconds > 0)
    return {
      effects: [],
      conditions: [],
      knocks: [{ ...again, afterSeconds }],
      // The knock comes first. This says why until then.
      next: recheck(2 * paceSeconds, {
        reason: 'Gathering',
        message: 'Many changes come at once, and are gathered for one commit',
        deadlineSeconds: 2 * paceSeconds,
      }),
    };
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
    knocks: [
      ...overlays
        .filter(({ isGone }) => !isGone)
        .map(
          ({ namespace, name, application }): Knock => ({
            type: 'binding.changed.v1',
            subject: { namespace, name, application },
          }),
        ),
      ...(isMore ? [again] : []),
    ],
    next: settled,
  };
}

/** Whole seconds, because queues know no others. Zero: nobody waits. */
function secondsToGather({ overlays, lately, isWhole, isMore }: RepositoryToDo): number {
  const { now, commits, lastAt } = lately;
  // Nothing more would fit into the commit.
  if (isWhole || isMore || lastAt === undefined || commits < freely) return 0;
  // Asked for while the last commit was made: they come faster than we write.
  if (!overlays.some(({ requestedAt }) => requestedAt < lastAt)) return 0;
  return Math.max(0, Math.ceil(paceSeconds - (now - lastAt) / 1_000));
}
