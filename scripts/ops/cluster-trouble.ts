import { Conflict, isTrouble, Refused } from '../../shared/ports/trouble.ts';

/** Why the API server did not do it, for an operator. What is no trouble is a defect, and thrown on. */
export function clusterTrouble(error: unknown): string {
  if (!isTrouble(error)) throw error;
  if (error instanceof Refused) return error.forUser;
  if (error instanceof Conflict) return `somebody else wrote it at the same time (${error.message})`;
  return error.message;
}
