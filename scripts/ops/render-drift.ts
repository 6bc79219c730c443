import type { FindingKind } from '../../shared/domain/upkeep/drift.ts';
import type { Drift, FindingGroup } from './drift.ts';
import { count, lengthInWords, stamp } from './in-words.ts';
import { columns, firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';

/** How many things of one kind are shown; `--json` has all of them. */
const thingsShown = 10;

/** What the words for machines mean, and who deals with it where nobody is told. */
const meanings: Readonly<Record<FindingKind, string>> = {
  ResourceGone: 'the object is gone, or another one has its name: its rows are left',
  ResourceWithoutRows: 'an object that nobody has made rows for',
  ChangeUnseen: 'an object that has changed since anybody looked at it',
  StatusDiffers: 'a deployment that does not say what Argo CD says of it',
  ArgoObjectWithoutRow: 'beside an Argo CD, and no row stands for it',
  ArgoObjectMissing: 'its row wants it beside an Argo CD, and it is not there',
  ArgoObjectDiffers: 'beside an Argo CD, and not as its row says',
  MappingDangling: 'a mapping that points to nothing',
  NamespaceGone: 'the namespace of a tenant is gone, or another one has its name',
  RepositoryNeglected: 'a repository that lags behind, or was not compared for long',
  OperationStuck: 'an operation that nobody has finished for an hour',
  OrphanDeleted: 'left of a GitOpsDeployment that is gone: the pass deletes it',
};

export function renderDrift({ asked, pass, before }: Drift, paint: Paint): string {
  if (pass === undefined) return paint.dim('No drift pass has run yet.');
  const { beganAt, askedBy, ageSeconds, workedSeconds, groups } = pass;
  const began = `began ${lengthInWords(ageSeconds * 1_000)} ago, ${stamp(beganAt)}`;
  return [
    ...(asked === undefined ? [] : [askedInWords(asked, paint), '']),
    headline(pass, paint),
    paint.dim(
      `${began}${askedBy === undefined ? '' : `, asked for by ${askedBy}`}; ${lengthInWords(workedSeconds * 1_000)} of work`,
    ),
    '',
    ...indent(partsInWords(pass.parts, paint)),
    '',
    ...groups.flatMap((group) => groupInWords(group, paint)),
    ...(before === undefined ? [] : [beforeInWords(before, paint)]),
    ...adviceAbout(groups, paint),
  ].join('\n');
}

type Pass = NonNullable<Drift['pass']>;

function headline({ endedAt, parts, groups }: Pass, paint: Paint): string {
  const state = endedAt === undefined ? paint.wait('under way') : paint.good('over');
  const found = groups.reduce((sum, group) => sum + group.count, 0);
  const again = groups.flatMap(({ things }) => things).filter((thing) => thing.again).length;
  const troubled = parts.filter(({ trouble }) => trouble !== undefined).length;
  const nothing = endedAt === undefined ? 'nothing was wrong so far' : 'nothing was wrong';
  return [
    `${paint.bold('drift pass')}  ${state}  ${found === 0 ? paint.good(nothing) : paint.bad(count(found, 'finding'))}`,
    ...(again === 0 ? [] : [paint.bad(`${again} of them found before, too`)]),
    ...(troubled === 0 ? [] : [paint.bad(`${count(troubled, 'part')} incomplete`)]),
  ].join(', ');
}

function partsInWords(parts: Pass['parts'], paint: Paint): string[] {
  const looked = parts.map((part) => (part.skipped === undefined ? String(part.looked) : '-'));
  const widest = Math.max(...looked.map((number) => number.length), 'looked at'.length);
  return columns([
    [paint.dim('part'), paint.dim('looked at'.padStart(widest)), ''],
    ...parts.map(({ part, done, trouble, skipped }, index) => [
      part,
      (looked[index] ?? '').padStart(widest),
      ...(trouble !== undefined
        ? [paint.bad(`incomplete: ${trouble}`)]
        : [skipped === undefined ? (done ? '' : paint.wait('not done yet')) : paint.dim(skipped)]),
    ]),
  ]);
}

function askedInWords(asked: NonNullable<Drift['asked']>, paint: Paint): string {
  return asked === 'begun'
    ? paint.good('A pass was begun. It works from the next minute on; look again with npm run ops -- drift.')
    : paint.wait('A pass is under way already; nothing was begun.');
}

function groupInWords({ finding, count: many, knocked, unsent, things }: FindingGroup, paint: Paint): string[] {
  const meaning = meanings[finding as FindingKind] ?? '';
  const told = knocked.length === 0 ? [] : [`knocked with ${knocked.join(', ')}`];
  const late = unsent === 0 ? [] : [paint.wait(`${count(unsent, 'knock')} not sent yet`)];
  return [
    `${paint.bad(finding)}  ${count(many, 'finding')}  ${meaning}`,
    ...indent([...told.map(paint.dim), ...late]),
    ...indent(
      firstOf(
        columns(
          things.map(({ subject, what, again }) => [again ? paint.wait('again') : paint.dim('new'), subject, what]),
        ),
        thingsShown,
      ),
    ),
    '',
  ];
}

function beforeInWords({ findings, repaired, unknown, beganAt }: NonNullable<Drift['before']>, paint: Paint): string {
  if (findings === 0) return paint.dim(`The pass before, ${stamp(beganAt)}, found nothing.`);
  const again = findings - repaired - unknown;
  const became = [
    paint.good(`${repaired} repaired since`),
    ...(again === 0 ? [] : [paint.bad(`${again} found again`)]),
    ...(unknown === 0 ? [] : [paint.wait(`${unknown} not looked at again`)]),
  ];
  return `The pass before, ${stamp(beganAt)}, had ${count(findings, 'finding')}: ${became.join(', ')}.`;
}

/** A finding that comes back is one that a knock did not repair: the story of the knock says why. */
function adviceAbout(groups: readonly FindingGroup[], paint: Paint): string[] {
  const thing = groups.flatMap(({ things }) => things).find(({ again, knocked }) => again && knocked !== undefined);
  if (thing === undefined) return [];
  return [
    paint.dim(
      `What is found again, a knock did not repair. What became of the knock: npm run ops -- trace ${thing.knocked}`,
    ),
  ];
}
