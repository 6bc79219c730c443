import { momentInWords } from './in-words.ts';
import type { Paint } from './paint.ts';
import { type PromotionOutlook, whyAlone } from './promotion-outlook.ts';
import { aheadInWords, paintEnd, stepInWords, timeOf, waitingInWords } from './render-promotions.ts';

/** What a PromotionRun is for, how it stands, and what happens next, as rows of a name and a sentence. */
export function outlookRows(outlook: PromotionOutlook, namespace: string, now: number, paint: Paint): string[][] {
  const { promotion, environments } = outlook;
  return [
    [paint.dim('promotes'), goalInWords(outlook)],
    [paint.dim('state'), stateInWords(outlook, now, paint)],
    ...(promotion?.steps ?? []).map((step) => {
      const words = stepInWords(step, environments, now);
      const painted = step.status === 'success' ? paint.good : step.status === 'failed' ? paint.bad : paint.wait;
      return [step.environment, painted(words)];
    }),
    ...nextInWords(outlook, namespace).map((line) => [paint.dim('next'), line]),
  ];
}

function goalInWords({ run, promotion }: PromotionOutlook): string {
  const { snapshot = '', application = '' } = run ?? promotion ?? {};
  const isManual = run === undefined ? promotion?.isAutomated === false : run.goal.kind === 'manual';
  const names =
    run === undefined ? (promotion?.beginsIn ?? []) : run.goal.kind === 'manual' ? [run.goal.target] : run.goal.initial;
  const cause = run?.cause ?? promotion?.cause ?? '';
  const how = isManual ? 'to' : 'by itself, beginning with';
  return `snapshot ${snapshot} of application ${application} ${how} ${names.join(', ')}${cause === '' ? '' : `; started by ${cause}`}`;
}

function stateInWords({ run, promotion, before }: PromotionOutlook, now: number, paint: Paint): string {
  const gone = run === undefined ? '; the PromotionRun itself is gone' : '';
  if (promotion?.state === 'Completed')
    return `${paintEnd(promotion, paint)}, ${momentInWords(promotion.completedAt ?? promotion.createdAt, now)}${gone}`;
  const left = run?.status.conditions.find(({ type, status }) => type === 'DeploymentController' && status === 'False');
  if (promotion === undefined)
    return paint.wait(
      left?.message ??
        (run?.status.state === 'Completed'
          ? `Completed with ${run.status.completionResult}, longer ago than the rows go back`
          : 'new: nobody has looked at it yet'),
    );
  const { state, waiting, startedAt, createdAt, steps } = promotion;
  // Those that have begun say for themselves what they wait for.
  const wait = waiting === undefined || steps.length > 0 ? '' : `; ${waitingInWords(waiting, now)}`;
  if (state === 'Active') return paint.wait(`Active since ${timeOf(startedAt ?? createdAt, now)}${wait}${gone}`);
  if (before.length === 0) return paint.wait(`Waiting for its turn${wait}${gone}`);
  const line = before.map((one) => `${one.name}${one.state === 'Active' ? ' (active)' : ''}`).join(', ');
  const until = waiting === undefined ? '' : `, until ${timeOf(waiting.until, now)}`;
  return paint.wait(`Waiting for its turn behind ${line}${until}${gone}`);
}

function nextInWords(outlook: PromotionOutlook, namespace: string): readonly string[] {
  const { run, promotion, ahead, follower } = outlook;
  const state = promotion?.state ?? run?.status.state;
  const isManual = run === undefined ? promotion?.isAutomated === false : run.goal.kind === 'manual';
  const isOver = state === 'Completed';
  const { application = '', snapshot = '' } = run ?? promotion ?? {};
  const promote = `npm run ops -- promote ${namespace}/${application} --snapshot ${snapshot} --to `;
  // One that was deleted just when it ended may be followed all the same.
  if (isOver && follower !== undefined)
    return [`PromotionRun ${follower} goes on: npm run ops -- explain PromotionRun ${namespace}/${follower}`];
  if (isOver && (promotion?.result ?? run?.status.completionResult) !== 'Success') {
    const failed = promotion?.steps.find(({ status }) => status === 'failed')?.environment ?? promotion?.beginsIn[0];
    return [
      'nothing: what did not end with Success starts nothing',
      ...(failed === undefined ? [] : [`to try again: ${promote}${failed}`]),
    ];
  }
  const alone = isOver ? whyAlone(outlook) : undefined;
  if (alone !== undefined)
    return [alone, ...(ahead.next[0] ?? []).map((name) => `to go on to ${name}: ${promote}${name}`)];
  const lines = aheadInWords(ahead, isManual);
  const stop = ahead.stops.find(({ why }) => why === 'manual');
  return stop === undefined ? lines : [...lines, `to go on from there: ${promote}${stop.name}`];
}
