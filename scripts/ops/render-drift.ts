import type { Drift, FindingGroup } from './drift.ts';
import { count, lengthInWords, stamp } from './in-words.ts';
import { columns, firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';

/** How many things of one kind are shown; `--json` has all of them. */
const thingsShown = 10;

export function renderDrift({ asked, pass, before }: Drift, paint: Paint): string {
  if (pass === undefined) return paint.dim('No drift pass has run yet.');
  const { beganAt, endedAt, askedBy, ageSeconds, workedSeconds, parts, groups } = pass;
  const state = endedAt === undefined ? paint.wait('under way') : paint.good('over');
  const found = groups.reduce((sum, group) => sum + group.count, 0);
  return [
    ...(asked === undefined ? [] : [askedInWords(asked, paint), '']),
    `${paint.bold('drift pass')}  ${state}  ${paint.dim(`began ${lengthInWords(ageSeconds * 1_000)} ago, ${stamp(beganAt)}${askedBy === undefined ? '' : `, asked for by ${askedBy}`}; ${lengthInWords(workedSeconds * 1_000)} of work`)}`,
    ...indent(
      columns(
        parts.map(({ part, looked, done, trouble }) => [
          part,
          `${looked} looked at`,
          trouble === undefined
            ? done
              ? ''
              : paint.wait('not done yet')
            : paint.bad(`could not look at all: ${trouble}`),
        ]),
      ),
    ),
    '',
    ...(found === 0 ? [paint.good('Nothing was wrong.')] : groups.flatMap((group) => groupInWords(group, paint))),
    ...(before === undefined ? [] : [beforeInWords(before, paint)]),
  ].join('\n');
}

function askedInWords(asked: NonNullable<Drift['asked']>, paint: Paint): string {
  return asked === 'begun'
    ? paint.good('A pass was begun. It works from the next minute on; look again with npm run ops -- drift.')
    : paint.wait('A pass is under way already; nothing was begun.');
}

function groupInWords({ finding, count: many, knocked, unsent, things }: FindingGroup, paint: Paint): string[] {
  const told = knocked.length === 0 ? 'nobody is told: it is cleared up' : `told by ${knocked.join(', ')}`;
  return [
    `${paint.bad(finding)}  ${count(many, 'finding')}  ${paint.dim(unsent === 0 ? told : `${told}; ${unsent} not sent yet`)}`,
    ...indent(
      firstOf(
        columns(
          things.map(({ subject, what, again }) => [
            subject,
            again ? `${what}  ${paint.wait('found before, too')}` : what,
          ]),
        ),
        thingsShown,
      ),
    ),
    '',
  ];
}

function beforeInWords({ findings, repaired, beganAt }: NonNullable<Drift['before']>, paint: Paint): string {
  if (findings === 0) return paint.dim(`The pass before, ${stamp(beganAt)}, found nothing.`);
  return `The pass before, ${stamp(beganAt)}, had ${count(findings, 'finding')}: ${paint.good(`${repaired} repaired since`)}${findings > repaired ? `, ${paint.bad(`${findings - repaired} found again`)}` : ''}.`;
}
