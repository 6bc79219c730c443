import { Refused } from '../ports/trouble.ts';

/**
 * What the API server has against a write, by a quota or a policy, in words for the user: looking again does not help then.
 * Undefined: it was written.
 */
export async function refusalOf(written: Promise<unknown>): Promise<string | undefined> {
  try {
    await written;
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.forUser;
  }
}
