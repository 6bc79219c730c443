import type { ExplainedFunction, Explanation } from './explain.ts';
import { effectInWords, lengthInWords, momentInWords, stamp } from './in-words.ts';
import { columns, indent } from './lay-out.ts';
import { type Paint, paintOutcome } from './paint.ts';
import { rehearsalRows } from './rehearsal.ts';
import { outlookRows } from './render-outlook.ts';
import { knockInWords, waitInWords } from './render-pending.ts';
import { inOneLine } from './render-releases.ts';

export function renderExplain({ of, subject, promotion, functions, now }: Explanation, paint: Paint): string {
  const at = Date.parse(now);
  const [namespace = ''] = subject.split('/');
  const ahead =
    promotion === null
      ? [
          `There is none of this name any more, and how it went is not kept. What waits: npm run ops -- status ${namespace}`,
        ]
      : promotion && columns(inOneLineEach(outlookRows(promotion, namespace, at, paint)));
  return [
    `${paint.bold(`${of} ${subject}`)}  ${paint.dim('looked at just now; nothing was written')}`,
    ...(ahead === undefined ? [] : ['', ...indent(ahead)]),
    ...functions.flatMap((one) => ['', ...renderFunction(one, at, paint)]),
  ].join('\n');
}

function renderFunction(explained: ExplainedFunction, now: number, paint: Paint): string[] {
  const { function: name, subject, wokenBy, impact, step, waiting, knock, lease, serialKey, lastSteps } = explained;
  const holder =
    lease === undefined
      ? 'nobody'
      : `step ${lease.holder}, ${momentInWords(lease.until, now)} at the latest it ends or renews`;
  const steps = columns(
    inOneLineEach(
      lastSteps.map(({ at, outcome, reason, effects, ms }) => [
        stamp(at),
        paintOutcome(paint, outcome),
        lengthInWords(ms),
        [reason, ...effects.map(effectInWords)].filter((word) => word !== undefined).join('; '),
      ]),
    ),
  );
  return [
    `${paint.bold(name)}  ${subject}  ${paint.dim(`woken by ${wokenBy.join(', ')}`)}`,
    ...indent(
      columns(
        inOneLineEach([
          ...rehearsalRows(step, paint),
          [paint.dim('waits for'), waiting === undefined ? 'nothing' : paint.wait(waitInWords(waiting, now))],
          [paint.dim('pending'), knock === undefined ? 'no knock' : paint.wait(knockInWords(knock, now))],
          [paint.dim('at work'), `${holder} (${serialKey})`],
          [paint.dim('if down'), impact],
        ]),
      ),
    ),
    `  ${paint.dim('last steps')}`,
    ...indent(steps.length === 0 ? ['none in the log'] : steps, '    '),
  ];
}

/** A text of others with a line end in it must not look like one row more. */
function inOneLineEach(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((row) => row.map(inOneLine));
}
