import { argoApplications, operations, promotionRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { whoCares } from '../../shared/domain/core/interest.ts';
import { serialKey } from '../../shared/domain/core/serial-key.ts';
import type { Knock } from '../../shared/domain/core/step.ts';
import { inWords, type Subject } from '../../shared/domain/core/subject.ts';
import type { HeldLease, LoggedStep, PendingKnock, WaitingSubject } from '../../shared/ports/step-reader.ts';
import { isTrouble } from '../../shared/ports/trouble.ts';
import type { Route } from '../../shared/runtime/machine.ts';
import { type Context, impactOf, type Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { findKind, type NamedKind } from './find-kind.ts';
import { outlookOf, type PromotionOutlook } from './promotion-outlook.ts';
import { type Rehearsed, rehearse } from './rehearsal.ts';

export interface Explanation {
  /** The kind or function that was asked about. */
  readonly of: string;
  readonly subject: string;
  /** Of a PromotionRun: how it stands, and what is ahead of it. Null: nobody knows it. */
  readonly promotion?: PromotionOutlook | null | undefined;
  readonly functions: readonly ExplainedFunction[];
  readonly now: string;
}

export interface ExplainedFunction {
  readonly function: string;
  readonly impact: string;
  readonly subject: string;
  /** The messages that would wake it for this subject. */
  readonly wokenBy: readonly string[];
  readonly step: Rehearsed;
  readonly waiting?: WaitingSubject | undefined;
  readonly knock?: PendingKnock | undefined;
  /** Who works under its serial key just now. */
  readonly lease?: HeldLease | undefined;
  readonly serialKey: string;
  /** Newest first. */
  readonly lastSteps: readonly LoggedStep[];
}

interface Question {
  readonly of: string;
  /** Undefined: a function was asked about, and no object. */
  readonly kind: NamedKind | undefined;
  readonly subject: Subject;
  /** Which knocks a change of the subject is worth. */
  readonly knocks: readonly Knock[];
}

/** Asks every function that cares about an object what it would do now, and says what it waits for. Writes nothing. */
export async function runExplain(
  context: Context,
  args: { readonly kind: string; readonly name: string; readonly limit: number },
): Promise<Result<Explanation>> {
  const { of, kind, subject, knocks } = readQuestion(context, args.kind, args.name);
  const caring = context.routes.flatMap((route) => {
    const own = knocks.filter(({ type }) => route.consumes.includes(type));
    return [...Map.groupBy(own, (knock) => inWords(knock.subject)).values()].map((group) => ({ route, knocks: group }));
  });
  if (caring.length === 0) {
    const types = knocks.map(({ type }) => type).join(', ');
    throw new Exit(
      exits.notFound,
      `No function of the map cares about ${of}${types === '' ? '' : ` (nobody consumes ${types})`}.`,
    );
  }
  const functions = await Promise.all(
    caring.map(({ route, knocks: [knock, ...others] }) =>
      explain(
        context,
        route,
        knock?.subject ?? subject,
        [knock, ...others].flatMap((one) => one?.type ?? []),
        args.limit,
      ),
    ),
  );
  const promotion = of === promotionRuns.kind ? await lookAhead(context, subject) : undefined;
  const isHeardOf = (promotion !== undefined && promotion !== null) || functions.some(isKnown);
  if (kind !== undefined && !isHeardOf && (await isMissing(context, kind, subject)))
    throw new Exit(
      exits.notFound,
      `There is no ${of} ${inWords(subject)}, and nothing is known of one. What waits: npm run ops -- status ${subject.namespace}`.trim(),
    );
  const failed = functions.some(({ step }) => step.state === 'failed');
  const value = {
    of,
    subject: inWords(subject),
    ...(promotion !== undefined && { promotion }),
    functions,
    now: new Date(context.now()).toISOString(),
  };
  return { code: failed ? exits.failed : exits.ok, value };
}

function readQuestion(context: Context, word: string, name: string): Question {
  const route = context.routes.find((known) => known.function === word);
  const kind = route === undefined ? findKind(word) : undefined;
  if (route === undefined && context.map.functions.some((entry) => entry.name === word)) {
    throw new Exit(exits.notFound, `${word} has no queue: it looks at no subject, and there is nothing to explain.`);
  }
  if (route === undefined && kind === undefined) {
    const functions = context.routes.map((known) => known.function).join(', ') || 'none';
    const kinds = [...new Set(context.interests.map((interest) => interest.kind))].join(', ');
    throw new Exit(
      exits.notFound,
      `Nothing of the map is called ${word}, and no function cares about such a kind. Kinds: ${kinds}. Functions with a queue: ${functions}.`,
    );
  }
  const subject = readSubject(name, kind?.scope === 'Cluster');
  if (route !== undefined) {
    return { of: route.function, kind, subject, knocks: route.consumes.map((type) => ({ type, subject })) };
  }
  const { group = '', kind: of = '' } = kind ?? {};
  return { of, kind, subject, knocks: whoCares([{ group, kind: of, ...subject }], context.interests) };
}

function readSubject(text: string, clusterScoped: boolean): Subject {
  const [namespace = '', name, ...rest] = text.split('/');
  if (name === undefined && clusterScoped && namespace !== '') return { namespace: '', name: namespace };
  if (name === undefined || name === '' || rest.length > 0) {
    throw new Exit(exits.wrongUsage, `Write the object as namespace/name instead of ${text}.`);
  }
  return { namespace, name };
}

/** Where the cluster is away, the functions say so. */
async function lookAhead(context: Context, key: Subject): Promise<PromotionOutlook | null | undefined> {
  try {
    return (await outlookOf(context, key)) ?? null;
  } catch (error) {
    if (!isTrouble(error)) throw error;
    return undefined;
  }
}

/** Something was done or is still to be done about it, or it cannot be told. */
function isKnown({ step, lastSteps, waiting, knock, lease }: ExplainedFunction): boolean {
  if (lastSteps.length > 0 || waiting !== undefined || knock !== undefined || lease !== undefined) return true;
  return step.state === 'failed' || (step.state === 'decided' && step.effects.length > 0);
}

/** What an Argo CD and its agent work on may stand in a cluster of theirs: that it is not here says nothing. */
async function isMissing(context: Context, { scope, ...kind }: NamedKind, key: Subject): Promise<boolean> {
  if (kind.group === argoApplications.group || kind.kind === operations.kind) return false;
  try {
    const { local } = context.world().clusters;
    return (await local.read({ ...kind, namespaced: scope === 'Namespaced' }, key)) === undefined;
  } catch {
    // It is away, or nobody said where it is, or the object is there and cannot be read.
    return false;
  }
}

async function explain(
  context: Context,
  route: Route,
  asked: Subject,
  wokenBy: readonly string[],
  most: number,
): Promise<ExplainedFunction> {
  const { reader } = context;
  const subject = inWords(asked);
  const [pending, lastSteps] = await Promise.all([
    reader.pendingOf([subject]),
    reader.ofSubject(subject, most, route.function),
  ]);
  const knock = pending.knocks.find((one) => one.function === route.function);
  const waiting = pending.waiting.find((one) => one.function === route.function);
  // Whoever knocked last knew to which application it belongs; the operator did not say.
  const application = asked.application ?? (knock?.data ?? waiting?.data ?? lastSteps[0]?.data)?.application;
  const full: Subject = application === undefined ? asked : { ...asked, application };
  const key = serialKey(route.serial, route.function, full);
  const [step, [lease]] = await Promise.all([rehearse(context, route.function, full), reader.leasesOf([key])]);
  return {
    function: route.function,
    impact: impactOf(context, route.function),
    subject,
    wokenBy,
    step,
    waiting,
    knock,
    lease,
    serialKey: key,
    lastSteps,
  };
}
