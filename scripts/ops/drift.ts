import { driftParts } from '../../shared/domain/upkeep/drift.ts';
import type { PartState } from '../../shared/domain/upkeep/pass.ts';
import type { PassReport, ReportedFinding } from '../../shared/ports/drift-passes.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';

export interface Drift {
  /** With --now: whether a pass was begun, or one is under way already. */
  readonly asked?: 'begun' | 'under way' | undefined;
  readonly pass?: DriftPass | undefined;
  /** The pass before it, where this one is over: what of its findings was not found again. */
  readonly before?:
    | {
        readonly beganAt: string;
        readonly findings: number;
        readonly repaired: number;
        /** Their part did not look, or not at everything: nobody knows. */
        readonly unknown: number;
      }
    | undefined;
}

interface DriftPass {
  readonly beganAt: string;
  readonly endedAt: string | undefined;
  readonly askedBy: string | undefined;
  readonly ageSeconds: number;
  /** Seconds that ticks worked on it. */
  readonly workedSeconds: number;
  readonly parts: readonly {
    readonly part: string;
    readonly looked: number;
    readonly done: boolean;
    readonly trouble?: string | undefined;
    /** Why it did not look in this pass. */
    readonly skipped?: string | undefined;
  }[];
  readonly groups: readonly FindingGroup[];
}

export interface FindingGroup {
  readonly finding: string;
  readonly count: number;
  /** Whom it was told to, by the type of the message; nobody where whoever clears up finds it. */
  readonly knocked: readonly string[];
  /** Knocks that are still to be sent. */
  readonly unsent: number;
  readonly things: readonly {
    readonly subject: string;
    readonly what: string;
    /** The pass before found it, too: the knock of then did not help. */
    readonly again: boolean;
    /** What the knock was about, where there was one: the subject to trace. */
    readonly knocked?: string | undefined;
  }[];
}

/** The last drift pass, and what came of the findings of the one before. With `now`, asks for one. */
export async function runDrift(
  context: Context,
  args: { readonly now?: boolean | undefined; readonly why?: string | undefined },
): Promise<Result<Drift>> {
  const { driftPasses } = context.world();
  const asked = args.now === true ? await askForPass(context, args.why ?? '') : undefined;
  const [last, before] = await driftPasses.latest(2);
  if (last === undefined)
    throw new Exit(
      exits.notFound,
      'No drift pass has run yet. Begin one with npm run ops -- drift --now, or set DRIFT_INTERVAL_MINUTES.',
    );
  return {
    code: exits.ok,
    value: {
      ...(asked !== undefined && { asked }),
      pass: toPass(context, last, before),
      ...(before !== undefined && last.endedAt !== undefined && { before: compare(before, last) }),
    },
  };
}

async function askForPass(context: Context, why: string): Promise<'begun' | 'under way'> {
  await context.approve(
    `Will begin a drift pass, as ${context.who}: everything is compared with its rows, and whoever can repair what is wrong is told.`,
  );
  if (!(await context.world().driftPasses.begin(context.who))) return 'under way';
  await context.ledger.record([
    {
      who: context.who,
      action: 'begin-drift-pass',
      subject: 'drift/pass',
      tenant: '',
      details: { why },
      cause: context.newId(),
      correlation: undefined,
    },
  ]);
  return 'begun';
}

function toPass(context: Context, pass: PassReport, before: PassReport | undefined): DriftPass {
  const known = new Set(before?.findings.map(keyOf));
  return {
    beganAt: pass.beganAt,
    endedAt: pass.endedAt,
    askedBy: pass.askedBy,
    ageSeconds: Math.max(0, Math.round((context.now() - Date.parse(pass.beganAt)) / 1_000)),
    workedSeconds: pass.workedSeconds,
    parts: driftParts.map((part) => {
      const { looked, done, trouble, skipped } = pass.state.parts[part];
      return {
        part,
        looked,
        done,
        ...(trouble !== undefined && { trouble }),
        ...(skipped !== undefined && { skipped }),
      };
    }),
    groups: [...Map.groupBy(pass.findings, ({ finding }) => finding)]
      .map(([finding, found]) => toGroup(finding, found, known))
      .toSorted((one, other) => other.count - one.count || (one.finding < other.finding ? -1 : 1)),
  };
}

function toGroup(finding: string, found: readonly ReportedFinding[], known: ReadonlySet<string>): FindingGroup {
  return {
    finding,
    count: found.length,
    knocked: [...new Set(found.flatMap(({ knockType }) => knockType ?? []))].toSorted(),
    unsent: found.filter(({ knockType, knockedAt }) => knockType !== undefined && knockedAt === undefined).length,
    things: found
      .map((one) => ({
        subject: one.subject,
        what: one.what,
        again: known.has(keyOf(one)),
        ...(one.knockSubject !== undefined && { knocked: one.knockSubject }),
      }))
      // What did not get better is what an operator came for; the rest stays in its order.
      .toSorted((one, other) => Number(other.again) - Number(one.again)),
  };
}

function compare(before: PassReport, last: PassReport): Drift['before'] {
  const found = new Set(last.findings.map(keyOf));
  const missed = before.findings.filter((finding) => !found.has(keyOf(finding)));
  const parts: Readonly<Record<string, PartState>> = last.state.parts;
  const unknown = missed.filter(({ part }) => parts[part]?.trouble !== undefined || parts[part]?.skipped !== undefined);
  const repaired = missed.length - unknown.length;
  return { beganAt: before.beganAt, findings: before.findings.length, repaired, unknown: unknown.length };
}

function keyOf({ finding, subject }: ReportedFinding): string {
  return `${finding} ${subject}`;
}
