import { translatePostgres } from '../../../shared/adapters/postgres/translate.ts';

/** What an adapter would throw for the failure of this call. */
export async function troubleOf(promise: PromiseLike<unknown>, sent: 'read' | 'write'): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return translatePostgres(error, { sent });
  }
  throw new Error('the call did not fail');
}
