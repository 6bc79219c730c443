import { type Effect, recheck, type Step, settled } from '../../../shared/domain/core/step.ts';
import type { Subject } from '../../../shared/domain/core/subject.ts';

export interface Errand {
  readonly subject: Subject;
  /** The version of the claim, as the cluster or the knock has it. */
  readonly version: string;
  /** The last version whose errand was run. */
  readonly ranVersion: string | undefined;
  /** Names that ask for something special: `waits-…` waits, `breaks-…` is a defect. */
}

export interface ErrandEffect extends Effect {
  readonly do: 'run-errand';
  readonly version: string;
}

/** The rule of the stand-in: an errand is run once for each version of its claim. */
export function decideErrand({ subject, version, ranVersion }: Errand): Step<ErrandEffect> {
  if (subject.name.startsWith('breaks-')) throw new Error('this errand breaks');
  const next = subject.name.startsWith('waits-')
    ? recheck(3_600, {
        reason: 'RoadClosed',
        message: 'The road is closed until the snow is gone',
        deadlineSeconds: 86_400,
      })
    : settled;
  if (ranVersion !== undefined && BigInt(ranVersion) >= BigInt(version))
    return { effects: [], conditions: [], knocks: [], next };
  return {
    effects: [{ do: 'run-errand', version }],
    conditions: [{ type: 'Run', status: 'True', reason: 'ErrandRun', message: 'The errand was run' }],
    knocks: [{ type: 'environment.changed.v1', subject: { namespace: subject.namespace, name: subject.name } }],
    next,
  };
}
