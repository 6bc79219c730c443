import type { Effect, Next } from '../domain/core/step.ts';
import type { Subject } from '../domain/core/subject.ts';

/** A line of the step log: one handling of one message. */
export interface LoggedStep {
  readonly step: string;
  readonly at: string;
  readonly function: string;
  readonly subject: string;
  readonly type: string;
  readonly data: Subject;
  readonly message: string;
  readonly cause?: string | undefined;
  readonly correlation?: string | undefined;
  readonly traceparent?: string | undefined;
  /** How often a step for this message had been put off before. */
  readonly attempt: number;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly next?: Next | undefined;
  readonly effects: readonly Effect[];
  readonly emitted: readonly Emitted[];
  /** Messages for the same subject that this step served along with its own. */
  readonly covered: number;
  readonly waitedMs?: number | undefined;
  readonly ms: number;
}

/** A knock that a step sent on. It keeps this id unless it joined one that already waited at the same door. */
export interface Emitted {
  readonly id: string;
  readonly function: string;
  readonly type: string;
  readonly subject: string;
}

export interface LedgerLine {
  readonly at: string;
  /** Absent where a person acted. */
  readonly step?: string | undefined;
  readonly actor: string;
  readonly subject: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cause?: string | undefined;
  readonly correlation?: string | undefined;
}

export interface PendingKnock {
  readonly function: string;
  readonly subject: string;
  readonly id: string;
  readonly state: 'sent' | 'marked' | 'aside';
  readonly type: string;
  readonly data: Subject;
  readonly serialKey: string;
  readonly cause?: string | undefined;
  readonly correlation?: string | undefined;
  readonly since: string;
  /** When the sweeper sends it (again) if nobody has served it by then. */
  readonly due: string;
  readonly sends: number;
}

export interface WaitingSubject {
  readonly function: string;
  readonly subject: string;
  readonly type: string;
  readonly data: Subject;
  readonly serialKey: string;
  readonly reason: string;
  readonly message: string;
  readonly blockedOn?: string | undefined;
  readonly since: string;
  readonly due: string;
  readonly deadline: string;
  readonly cause?: string | undefined;
  readonly correlation?: string | undefined;
}

/** What has been asked for and not been done, or was done and waits for something. */
export interface Pending {
  readonly knocks: readonly PendingKnock[];
  readonly waiting: readonly WaitingSubject[];
}

export interface HeldLease {
  readonly key: string;
  /** The step that works under the key just now. */
  readonly holder: string;
  readonly until: string;
}

export interface Found {
  readonly steps: readonly LoggedStep[];
  /** There were more than were asked for. */
  readonly more: boolean;
}

/**
 * The memory of the machine, for people: the command line and the console ask the same questions.
 *
 * A story is a first message and everything that followed from it. It is named by the correlation of its messages,
 * which is the id of the first.
 */
export interface StepReader {
  /** Every handling of these messages, oldest first. */
  ofMessages(messages: readonly string[]): Promise<readonly LoggedStep[]>;
  /** The last steps of a subject, newest first; of one function, where it is named. */
  ofSubject(subject: string, most: number, functionName?: string): Promise<readonly LoggedStep[]>;
  /** The stories that touched a subject, newest first. */
  storiesOfSubject(subject: string, most: number): Promise<readonly string[]>;
  /** The stories a message is part of, or that are called so. Messages that still wait count. */
  storiesOfMessage(id: string): Promise<readonly string[]>;
  /** All steps of these stories, oldest first; the newest of them where there are more than `most`. */
  ofStories(stories: readonly string[], most: number): Promise<Found>;
  /** The latest message of each subject that a function handled between two moments, newest first. */
  latestOfSubjects(question: LatestQuestion): Promise<Found>;
  /** What the ledger says about these stories, oldest first. */
  ledgerOf(stories: readonly string[], steps: readonly string[]): Promise<readonly LedgerLine[]>;
  /** What is pending of these subjects, and of these stories. */
  pendingOf(subjects: readonly string[], stories?: readonly string[]): Promise<Pending>;
  /** Who works under these serial keys just now. */
  leasesOf(keys: readonly string[]): Promise<readonly HeldLease[]>;
}

export interface LatestQuestion {
  readonly function: string;
  readonly since: number;
  readonly until: number;
  readonly most: number;
}
