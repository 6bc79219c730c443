import { saidByServer } from './api-error.ts';

/** The cluster cannot be read at all: it is away, or does not let us look. Nothing can be said about what is on it. */
export class ClusterTrouble extends Error {
  override readonly name = 'ClusterTrouble';
}

/** In the words of Argo CD, whose cache of the whole cluster fails as one. */
export function troubleWith(server: string, error: unknown, kind?: string): ClusterTrouble {
  const said = saidByServer(error);
  const [, host] = /^https?:\/\/([^/?]+)/.exec(server) ?? [];
  if (/ECONNREFUSED/.test(said)) {
    const dial = `Get "https://${host}/version?timeout=32s": dial tcp ${host}: connect: connection refused`;
    return new ClusterTrouble(`failed to get server version: failed to get server version: ${dial}`);
  }
  const reason = said.replace(/^Forbidden: /, '');
  if (kind === undefined) return new ClusterTrouble(`failed to get server version: ${reason}`);
  return new ClusterTrouble(
    `failed to sync cluster ${server}: failed to load initial state of resource ${kind}: failed to list resources: ${reason}`,
  );
}
