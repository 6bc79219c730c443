import type { DriftPart, Finding } from '../domain/upkeep/drift.ts';
import type { PassState } from '../domain/upkeep/pass.ts';
import type { Message } from './journal.ts';

/** A pass that is under way, in the hands of one worker. */
export interface HeldPass {
  readonly id: number;
  readonly state: PassState;
}

/** A knock that a finding is worth. */
export type DriftKnock = Pick<Message, 'type' | 'subject'> & {
  readonly finding: string;
  readonly about: string;
};

/** A pass as the report tells it. Times are ISO 8601. */
export interface PassReport {
  readonly id: number;
  readonly beganAt: string;
  readonly endedAt: string | undefined;
  readonly askedBy: string | undefined;
  readonly workedSeconds: number;
  readonly state: PassState;
  readonly findings: readonly ReportedFinding[];
}

export interface ReportedFinding {
  readonly finding: string;
  readonly part: string;
  readonly subject: string;
  readonly what: string;
  readonly foundAt: string;
  readonly knockType: string | undefined;
  /** What the knock was about, `namespace/name`: its story can be traced by it. */
  readonly knockSubject: string | undefined;
  readonly knockedAt: string | undefined;
}

/** The memory of drift passes. All of it throws Transient where the database is away. */
export interface DriftPasses {
  /** Takes the pass that is under way; begins one where it is time. Undefined: nothing to do, or somebody else does it. */
  take(worker: Worker): Promise<HeldPass | undefined>;
  /** Begins a pass that the next tick works on. False: one is under way already. */
  begin(askedBy: string): Promise<boolean>;
  /** Is it time for a part that does not look in every pass? Always where an operator asked for the pass. */
  isDue(pass: number, part: DriftPart, everySeconds: number): Promise<boolean>;
  /** Keeps what was found, with the operations that go before their knocks. Said twice in one pass, it is one finding. */
  report(pass: number, part: DriftPart, findings: readonly Finding[]): Promise<void>;
  /** Knocks of this pass that were not sent yet. */
  unsent(pass: number, most: number): Promise<readonly DriftKnock[]>;
  sent(pass: number, knocks: readonly DriftKnock[]): Promise<void>;
  /** Gives the pass back, as far as it has got. False: it was lost to another worker meanwhile, and nothing was kept. */
  give(
    pass: HeldPass,
    done: { readonly holder: string; readonly over: boolean; readonly seconds: number },
  ): Promise<boolean>;
  /** The latest passes, the newest first. */
  latest(most: number): Promise<readonly PassReport[]>;
}

export interface Worker {
  readonly holder: string;
  /** How long it may take before somebody else takes over. */
  readonly seconds: number;
  /** 0: passes begin only when an operator asks. */
  readonly intervalMinutes: number;
}
