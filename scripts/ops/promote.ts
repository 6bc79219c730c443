import { promotionRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import type { PromotionRun } from '../../shared/contracts/kubernetes/promotion-run.ts';
import { wayAhead } from '../../shared/domain/promotion/way-ahead.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import type { ToldPromotion } from '../../shared/ports/promotion-reader.ts';
import { isTrouble, Uncertain } from '../../shared/ports/trouble.ts';
import { clusterTrouble } from './cluster-trouble.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { indent } from './lay-out.ts';
import type { Patience } from './onboard-wait.ts';
import type { Paint } from './paint.ts';
import { checkPromotion, chooseRunName } from './promote-check.ts';
import { followPromotion } from './promote-wait.ts';
import type { KnownRun } from './promotion-outlook.ts';
import { readKey } from './read-names.ts';
import { aheadInWords, paintEnd, stepInWords } from './render-promotions.ts';
import { inOneLine } from './render-releases.ts';

export interface Promote {
  readonly namespace: string;
  readonly application: string;
  readonly snapshot: string;
  readonly environment: string;
  /** The PromotionRun. */
  readonly promotion: string;
  /** Promotions of the application that go first. */
  readonly before: readonly string[];
  /** With --wait. */
  readonly followed?:
    | {
        readonly result: 'Success' | 'Failure' | 'TimeIsUp';
        /** The one that the result and the trouble are about. */
        readonly promotion: string;
        /** It, and the automated one that followed it. */
        readonly runs: readonly ToldPromotion[];
        readonly trouble?: string | undefined;
      }
    | undefined;
}

interface PromoteArguments {
  readonly application: string;
  readonly snapshot: string;
  readonly to: string;
  readonly name?: string | undefined;
  readonly why?: string | undefined;
  /** Given: follows it to the end. */
  readonly wait?: Patience | undefined;
}

/** Makes a manual PromotionRun, and follows it where that is asked for. */
export async function runPromote(context: Context, args: PromoteArguments): Promise<Result<Promote>> {
  const { snapshot, to: environment, why = '' } = args;
  const application = readKey('application', args.application);
  const { namespace } = application;
  const graph = await checkPromotion(context, application, snapshot, environment);
  const name = await chooseRunName(context, { namespace, name: args.name }, snapshot, environment);
  const open = await context.promotions.open(namespace);
  const before = open.filter((one) => one.application === application.name).map((one) => one.name);
  await context.approve(
    [
      `Will promote snapshot ${snapshot} of ${namespace}/${application.name} to ${environment}, as ${context.who}, with the PromotionRun ${name}.`,
      ...indent([
        ...(before.length === 0 ? [] : [`Before it: ${before.join(', ')}`]),
        inOneLine(`After it: ${aheadInWords(wayAhead([environment], graph), true).join('; ')}`),
      ]),
    ].join('\n'),
  );
  await context.ledger.record([
    {
      who: context.who,
      action: 'promote',
      subject: `${namespace}/${name}`,
      tenant: namespace,
      details: { why, application: application.name, snapshot, environment },
      cause: context.newId(),
    },
  ]);
  const run = await make(context, { namespace, name }, application.name, snapshot, environment);
  const made = { namespace, application: application.name, snapshot, environment, promotion: name, before };
  if (args.wait === undefined) return { code: exits.ok, value: made };
  const { code, trouble, ...followed } = await followPromotion(context, run, graph, args.wait);
  const result = code === exits.ok ? 'Success' : code === exits.timeIsUp ? 'TimeIsUp' : 'Failure';
  return { code, value: { ...made, followed: { result, ...followed, ...(trouble !== undefined && { trouble }) } } };
}

export function renderPromote({ namespace, promotion, before, followed }: Promote, paint: Paint): string {
  const explain = `npm run ops -- explain PromotionRun ${namespace}/`;
  if (followed === undefined)
    return [
      `PromotionRun ${namespace}/${promotion}: ${paint.good('made')}${before.length === 0 ? '' : `; ${before.join(', ')} ${before.length === 1 ? 'goes' : 'go'} first`}`,
      paint.dim(`What it does and waits for: ${explain}${promotion}`),
    ].join('\n');
  const { result, promotion: last, runs, trouble } = followed;
  return [
    ...runs.flatMap((run) => [
      inOneLine(
        `PromotionRun ${namespace}/${run.name} ${run.state === 'Completed' ? paintEnd(run, paint) : paint.wait('is under way')}`,
      ),
      ...indent(run.steps.map((step) => inOneLine(`${step.environment}: ${stepInWords(step, [], 0)}`))),
    ]),
    trouble === undefined ? '' : inOneLine(`PromotionRun ${namespace}/${last}: ${paint.bad(trouble)}`),
    result === 'TimeIsUp' ? paint.wait('Time is up. It goes on without you.') : '',
    result === 'Success' ? '' : paint.dim(`Why: ${explain}${last}`),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

async function make(
  context: Context,
  key: ObjectKey,
  application: string,
  snapshot: string,
  targetEnvironment: string,
): Promise<KnownRun> {
  const what = `PromotionRun ${key.namespace}/${key.name}`;
  try {
    const { metadata } = await context.world().clusters.local.create(promotionRuns, {
      metadata: { ...key },
      spec: { application, snapshot, manualPromotion: { targetEnvironment } },
    });
    return { ...key, id: metadata.uid };
  } catch (error) {
    if (!(error instanceof Uncertain))
      throw new Exit(exits.failed, `${what} could not be made: ${clusterTrouble(error)}`, { cause: error });
    const found = await lookFor(context, key);
    if (found === undefined)
      throw new Exit(
        exits.failed,
        `${what} may have been made: ${clusterTrouble(error)}. Whether it is there: npm run ops -- explain ${what}`,
        { cause: error },
      );
    const { spec, metadata } = found;
    const isIt =
      spec.application === application &&
      spec.snapshot === snapshot &&
      spec.manualPromotion?.targetEnvironment === targetEnvironment;
    if (isIt) return { ...key, id: metadata.uid };
    throw new Exit(
      exits.failed,
      `${what} could not be made: there is another one of that name by now. Choose another --name, or leave it out.`,
      { cause: error },
    );
  }
}

/** Undefined: it is not there yet, or nobody can tell. */
async function lookFor({ world }: Context, key: ObjectKey): Promise<PromotionRun | undefined> {
  try {
    return await world().clusters.local.read(promotionRuns, key);
  } catch (error) {
    if (!isTrouble(error)) throw error;
    return undefined;
  }
}
