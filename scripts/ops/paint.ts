import { styleText } from 'node:util';

/** Colour for a terminal, and nothing for anything else. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  wait(text: string): string;
}

/** Only a terminal gets colour, and only where NO_COLOR does not forbid it. */
export function openPaint({ isTTY = false }: { readonly isTTY?: boolean }, noColor: string | undefined): Paint {
  const coloured = isTTY && (noColor ?? '') === '';
  const paint = (style: Parameters<typeof styleText>[0]) => (text: string) =>
    coloured && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  return { bold: paint('bold'), dim: paint('dim'), good: paint('green'), bad: paint('red'), wait: paint('yellow') };
}

/** Paints an outcome of a step by what it asks of the reader. */
export function paintOutcome(paint: Paint, outcome: string): string {
  if (outcome === 'stepped' || outcome === 'skipped') return paint.good(outcome);
  return outcome === 'defect' || outcome === 'poison' ? paint.bad(outcome) : paint.wait(outcome);
}
