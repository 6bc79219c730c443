import type { ApiObject } from '../api-object.ts';
import type { InternalApi } from '../internal-api.ts';
import { StatusError } from '../status-error.ts';
import type { User } from '../user.ts';

/** Creates an object, unless somebody else did meanwhile or its namespace is going, in which case nobody wants it. */
export async function makeObject(api: InternalApi, user: User, object: ApiObject): Promise<void> {
  try {
    await api.create(user, object);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const home = api.read.get({ storage: 'namespaces', namespace: '', name: object.metadata.namespace ?? '' });
    const isGoing = error.status.code === 403 && home?.metadata.deletionTimestamp !== undefined;
    // A generated name that was taken already is another matter: the next attempt finds a free one.
    const isThere = error.status.reason === 'AlreadyExists' && object.metadata.name !== undefined;
    if (!isThere && !isGoing) throw error;
  }
}
