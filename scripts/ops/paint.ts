import { styleText } from 'node:util';

/** Colour for a terminal, and nothing for anything else. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  wait(text: string): string;
}

/** Asks the stream and NO_COLOR, which win over everything. */
export function openPaint(stream: NodeJS.WritableStream): Paint {
  const paint = (style: Parameters<typeof styleText>[0]) => (text: string) =>
    text === '' ? text : styleText(style, text, { stream });
  return { bold: paint('bold'), dim: paint('dim'), good: paint('green'), bad: paint('red'), wait: paint('yellow') };
}

/** Paints an outcome of a step by what it asks of the reader. */
export function paintOutcome(paint: Paint, outcome: string): string {
  if (outcome === 'stepped' || outcome === 'skipped') return paint.good(outcome);
  return outcome === 'defect' || outcome === 'poison' ? paint.bad(outcome) : paint.wait(outcome);
}
