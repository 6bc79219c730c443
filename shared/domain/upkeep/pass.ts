import { type DriftPart, driftParts } from './drift.ts';

/** How far one part of a pass has got. */
export interface PartState {
  readonly done: boolean;
  /** Where to go on: the key of the last thing that was compared. Empty: at the beginning. */
  readonly after: string;
  /** How many things it has looked at. */
  readonly looked: number;
  /** What kept it from looking at all of them, for the operator. */
  readonly trouble?: string | undefined;
  /** It did not look at all in this pass, and why, for the operator. */
  readonly skipped?: string | undefined;
}

/** The parts, and whose turn is next. */
export interface PassState {
  readonly next: DriftPart;
  readonly parts: Readonly<Record<DriftPart, PartState>>;
}

const untouched: PartState = { done: false, after: '', looked: 0 };

export function newPass(): PassState {
  return {
    next: driftParts[0],
    parts: Object.fromEntries(driftParts.map((part) => [part, untouched])) as Record<DriftPart, PartState>,
  };
}

/** A pass as it was kept, whatever an older version of us knew of its parts. */
export function restorePass(kept: Partial<PassState>): PassState {
  const fresh = newPass();
  return { next: kept.next ?? fresh.next, parts: { ...fresh.parts, ...kept.parts } };
}

export function isOver({ parts }: PassState): boolean {
  return driftParts.every((part) => parts[part].done);
}

/** The part whose turn it is: the next one in the circle that is not done. */
export function whoseTurn({ next, parts }: PassState): DriftPart | undefined {
  const start = driftParts.indexOf(next);
  const circle = [...driftParts.slice(start), ...driftParts.slice(0, start)];
  return circle.find((part) => !parts[part].done);
}

/** The state after a part had its turn. A part that is not done has its next turn after all the others: nobody waits for the largest. */
export function afterTurn(state: PassState, part: DriftPart, came: PartState): PassState {
  const following = driftParts[(driftParts.indexOf(part) + 1) % driftParts.length] ?? driftParts[0];
  return { next: following, parts: { ...state.parts, [part]: came } };
}
