import type { User } from '../user.ts';
import { type AuditedOutcome, type AuditedRequest, auditEvent, truncated } from './audit-event.ts';
import type { AuditLevel, AuditPolicy, AuditStage } from './audit-policy.ts';
import { type BatchOptions, sendInBatches } from './send-in-batches.ts';

export type { AuditEventList } from './audit-event.ts';

/** One request that is being written down. */
export interface AuditRecord {
  readonly level: Exclude<AuditLevel, 'None'>;
  /** Whom the request acts as, once that is known. */
  impersonates(user: User): void;
  annotate(key: string, value: string): void;
  /** For a watch: the headers are out, and the end is not in sight. */
  responseStarted(code: number): void;
  /** Only the first call counts. */
  complete(outcome: AuditedOutcome): void;
}

export interface Audit {
  /** Undefined: the policy wants nothing of this request, and nothing was done for it. */
  begin(request: AuditedRequest): AuditRecord | undefined;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface AuditOptions extends BatchOptions {
  readonly policy: AuditPolicy;
}

/** Tells a webhook what was asked of the API, as the policy wants it. */
export function createAudit(options: AuditOptions): Audit {
  const { policy, clock } = options;
  const batches = sendInBatches(options);

  return {
    begin(request) {
      const decision = policy(request.attributes);
      const { level } = decision;
      if (level === 'None') return undefined;

      const annotations: Record<string, string> = {};
      let known = request;
      let isComplete = false;
      const tell = (stage: AuditStage, at: number, outcome?: AuditedOutcome) => {
        if (decision.omitStages.has(stage)) return;
        batches.add(truncated(auditEvent(known, decision, stage, at, outcome, { ...annotations })));
      };

      tell('RequestReceived', request.receivedAt);
      return {
        level,
        impersonates(user) {
          known = { ...known, impersonatedUser: user };
        },
        annotate(key, value) {
          annotations[key] = value;
        },
        responseStarted: (code) => tell('ResponseStarted', clock.now(), { code }),
        complete(outcome) {
          if (isComplete) return;
          isComplete = true;
          tell('ResponseComplete', clock.now(), outcome);
        },
      };
    },
    flush: batches.flush,
    stop: batches.stop,
  };
}
