import { StatusError } from '../status-error.ts';

/** What is gone already needs no deletion and no change. */
export async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 404) return;
    throw error;
  }
}
