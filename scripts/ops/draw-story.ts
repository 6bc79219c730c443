import { count, effectInWords, fieldsInWords, lengthInWords, momentInWords, nextInWords, stamp } from './in-words.ts';
import { columns } from './lay-out.ts';
import { type Paint, paintOutcome } from './paint.ts';
import type { Story, StoryKnock, StoryNode } from './story.ts';

export function drawStory({ story, began, steps, roots }: Story, now: number, paint: Paint): string[] {
  const when = began === '' ? 'not begun' : `began ${stamp(began)}, ${momentInWords(began, now)}`;
  return [
    `${paint.bold(`Story ${story}`)}  ${paint.dim(`${count(steps, 'step')}, ${when}`)}`,
    ...drawAll(roots, paint),
  ];
}

/** A branch for each node; everything that belongs to a node stands between its branch and the next. */
function drawAll(nodes: readonly StoryNode[], paint: Paint): string[] {
  return nodes.flatMap((node, index) => {
    const last = index === nodes.length - 1;
    const below = last ? '   ' : '│  ';
    const [head = '', ...facts] = drawNode(node, paint);
    const stem = node.children.length > 0 ? '│  ' : '   ';
    return [
      `${paint.dim(last ? '└─ ' : '├─ ')}${head}`,
      ...facts.map((fact) => `${paint.dim(below + stem)}${fact}`),
      ...drawAll(node.children, paint).map((line) => `${paint.dim(below)}${line}`),
    ];
  });
}

function drawNode(node: StoryNode, paint: Paint): string[] {
  const { attempts, knocks, ledger } = node;
  const head = [
    paint.bold(node.function),
    node.subject,
    paintOutcome(paint, node.outcome),
    paint.dim(stamp(attempts[0]?.at ?? '')),
  ];
  const rows = [
    [
      'woken by',
      `${node.type}${node.version === undefined ? '' : ` at revision ${node.version}`}, message ${node.message}${causeInWords(node)}`,
    ],
    ...attempts.flatMap((tried, index) => {
      const { outcome, reason, effects, next, covered, waitedMs, ms } = tried;
      const time = `${waitedMs === undefined ? '' : `waited ${lengthInWords(waitedMs)}, `}took ${lengthInWords(ms)}`;
      const along = covered === 0 ? '' : `, served ${count(covered, 'more message')} along with it`;
      // The reason of a wait is part of what comes next.
      const why = next?.kind === undefined || next.kind === 'settled' ? reason : undefined;
      return [
        [
          attempts.length === 1 ? 'step' : `attempt ${index + 1}`,
          `${paintOutcome(paint, outcome)}${why === undefined ? '' : `: ${why}`}, ${time}${along}`,
        ],
        ...effects.map((effect) => ['decided', effectInWords(effect)]),
        ...(effects.length === 0 && outcome === 'stepped' ? [['decided', 'to do nothing']] : []),
        ...(next === undefined ? [] : [['next', next.kind === 'settled' ? 'settled' : paint.wait(nextInWords(next))]]),
      ];
    }),
    ...knocks.map((knock) => ['told', `${knock.function} ${knock.type} ${knock.subject}${knockInWords(knock)}`]),
    ...ledger.map(({ actor, action, details, step }) => [
      'ledger',
      `${[action, ...fieldsInWords(details)].join(' ')}${step === undefined ? `, by ${actor}` : ''}`,
    ]),
  ];
  return [head.join('  '), ...columns(rows.map(([name = '', ...rest]) => [paint.dim(name), ...rest]))];
}

function causeInWords({ cause, again }: StoryNode): string {
  if (cause === undefined) return '';
  return again ? `, again after ${cause}` : `, caused by ${cause}`;
}

function knockInWords({ state }: StoryKnock): string {
  if (state === 'pending') return ', which waits to be served';
  return state === 'joined' ? ', which joined a knock that already waited there' : '';
}
