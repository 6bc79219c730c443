import { UnexpectedAnswer } from '../../../../shared/adapters/kubernetes/translate-kubernetes.ts';
import { Refused } from '../../../../shared/ports/trouble.ts';

/** What the API server itself said, as kubectl would print it. */
export function saidByServer(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof UnexpectedAnswer) return one.message;
    if (one instanceof Refused) return one.forUser;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The status it said it with; undefined where it said nothing. */
export function statusOf(error: unknown): number | undefined {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof UnexpectedAnswer) return one.status;
  return undefined;
}
