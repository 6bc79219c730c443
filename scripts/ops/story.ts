import type { Effect, Next } from '../../shared/domain/core/step.ts';
import type { LedgerLine, LoggedStep, Pending } from '../../shared/ports/step-reader.ts';

/** A message and what came of it: a node of the tree. */
export interface StoryNode {
  readonly message: string;
  readonly function: string;
  readonly subject: string;
  readonly type: string;
  /** The revision of the cluster that the message spoke of. */
  readonly version?: string | undefined;
  readonly cause?: string | undefined;
  readonly trace?: string | undefined;
  /** How it ended, by its last attempt. */
  readonly outcome: string;
  readonly attempts: readonly Tried[];
  readonly knocks: readonly StoryKnock[];
  readonly ledger: readonly LedgerLine[];
  /** True for another look at what its cause looked at: a wake-up or a replay. It stands beside its cause, not below. */
  readonly again: boolean;
  readonly children: readonly StoryNode[];
}

interface Tried {
  readonly step: string;
  readonly at: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly effects: readonly Effect[];
  readonly next?: Next | undefined;
  readonly covered: number;
  readonly waitedMs?: number | undefined;
  readonly ms: number;
}

export interface StoryKnock {
  readonly id: string;
  readonly function: string;
  readonly type: string;
  readonly subject: string;
  /** handled: it is a child. pending: it waits to be served. joined: it was served together with another knock. */
  readonly state: 'handled' | 'pending' | 'joined';
}

/** A first message and everything that followed from it. */
export interface Story {
  readonly story: string;
  readonly began: string;
  readonly steps: number;
  readonly roots: readonly StoryNode[];
}

/** The name of the story that a step belongs to. */
export function storyOf({ correlation, message }: Pick<LoggedStep, 'correlation' | 'message'>): string {
  return correlation ?? message;
}

/** Puts the steps of one story, oldest first, into the order of cause and consequence. */
export function tellStory(
  story: string,
  steps: readonly LoggedStep[],
  ledger: readonly LedgerLine[],
  pending: Pending,
): Story {
  const byMessage = Map.groupBy(steps, ({ message }) => message);
  const byCause = Map.groupBy(byMessage.values(), ([first]) => causeOf(first));

  // A message that names itself or a later one as its cause would turn the tree into a circle: each is told once.
  const told = new Set<string>();

  /** A message, and beside it the further looks at the same subject that it led to. */
  function tell(tries: readonly LoggedStep[], again: boolean): StoryNode[] {
    const [first] = tries;
    if (first === undefined || told.has(first.message)) return [];
    told.add(first.message);
    const followed = byCause.get(first.message) ?? [];
    const [looks, children] = [followed.filter(isSameLook(first)), followed.filter((one) => !isSameLook(first)(one))];
    const node = toNode(
      tries,
      again,
      children.flatMap((child) => tell(child, false)),
    );
    return [node, ...looks.flatMap((look) => tell(look, true))];
  }

  function toNode(tries: readonly LoggedStep[], again: boolean, children: readonly StoryNode[]): StoryNode {
    const first = tries[0] as LoggedStep;
    const ids = new Set(tries.map(({ step }) => step));
    return {
      message: first.message,
      function: first.function,
      subject: first.subject,
      type: first.type,
      version: first.data.version,
      cause: first.cause,
      trace: first.traceparent?.split('-')[1],
      outcome: tries.at(-1)?.outcome ?? first.outcome,
      attempts: tries.map(({ step, at, outcome, reason, effects, next, covered, waitedMs, ms }) => ({
        step,
        at,
        outcome,
        reason,
        effects,
        next,
        covered,
        waitedMs,
        ms,
      })),
      knocks: tries.flatMap(({ emitted }) => emitted).map((knock) => ({ ...knock, state: stateOf(knock.id) })),
      // What a person did to a message has no step, and names the message as its cause.
      ledger: ledger.filter(({ step, cause }) => (step === undefined ? cause === first.message : ids.has(step))),
      again,
      children,
    };
  }

  function stateOf(id: string): StoryKnock['state'] {
    if (byMessage.has(id)) return 'handled';
    return pending.knocks.some((knock) => knock.id === id) ? 'pending' : 'joined';
  }

  function causeOf(step: LoggedStep | undefined): string | undefined {
    return step?.cause !== undefined && byMessage.has(step.cause) ? step.cause : undefined;
  }

  const roots = (byCause.get(undefined) ?? []).flatMap((tries) => tell(tries, false));
  const strays = [...byMessage.values()].flatMap((tries) => tell(tries, false));
  return { story, began: steps[0]?.at ?? '', steps: steps.length, roots: [...roots, ...strays] };
}

function isSameLook(parent: LoggedStep): (tries: readonly LoggedStep[]) => boolean {
  return ([child]) => child?.function === parent.function && child.subject === parent.subject;
}
