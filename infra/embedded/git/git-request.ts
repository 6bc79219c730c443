import { type RepositoryName, readRepositoryName } from './repository-name.ts';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

export type GitRequest =
  | { readonly ask: 'refs' | 'pack'; readonly repository: RepositoryName; readonly service: GitService }
  | { readonly ask: 'create'; readonly repository: RepositoryName };

/** Why a request is not one of ours, with the status that says so. */
export interface NotGit {
  readonly status: 400 | 404 | 405;
  readonly reason: string;
}

/**
 * Reads a request line. The path is never decoded: every name we serve is written in plain letters, so a percent sign, a
 * backslash or a second slash is already an attempt at something else.
 */
export function readGitRequest(method: string, target: string): GitRequest | NotGit {
  const [path = '', query = '', ...more] = target.split('?');
  if (more.length > 0) return { status: 400, reason: 'The address has more than one question mark.' };
  const parts = /^\/([^/]+\/[^/]+)\.git(?:\/(info\/refs|git-upload-pack|git-receive-pack))?$/.exec(path);
  const repository = readRepositoryName(parts?.[1] ?? '');
  if (repository === undefined) return { status: 404, reason: 'Addresses here are /<owner>/<name>.git.' };

  switch (parts?.[2]) {
    case undefined:
      if (method !== 'PUT')
        return { status: 405, reason: 'Use git for this address, or PUT to create the repository.' };
      return { ask: 'create', repository };
    case 'info/refs': {
      if (method !== 'GET') return { status: 405, reason: 'Refs are asked for with GET.' };
      const service = readService(query);
      // Without a service this is the dumb protocol, which would hand out files of the repository one by one.
      if (service === undefined)
        return { status: 400, reason: 'Only the smart protocol is served: use a git of this decade.' };
      return { ask: 'refs', repository, service };
    }
    default:
      if (method !== 'POST') return { status: 405, reason: 'Packs are asked for with POST.' };
      return { ask: 'pack', repository, service: parts?.[2] as GitService };
  }
}

function readService(query: string): GitService | undefined {
  const service = new URLSearchParams(query).get('service');
  return service === 'git-upload-pack' || service === 'git-receive-pack' ? service : undefined;
}
