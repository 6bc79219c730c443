import type { RepositoryVerdict } from '../../domain/gitops/repo-credential.ts';

const listed: RepositoryVerdict = { kind: 'listed' };
/** The words that clients of the original service see behind "Repository does not exist". */
export const notFound: RepositoryVerdict = { kind: 'missing', detail: 'repository not found' };
export const notGit: RepositoryVerdict = {
  kind: 'missing',
  detail: 'there is no Git repository at this address',
};

/** As much of an answer as is looked at. The list of branches of a large repository has megabytes. */
export const mostBytes = 8_192;

const service = /^[\da-f]{4}# service=git-upload-pack\n0000/;
// A branch, the capabilities of a repository without any, or nothing at all.
const firstLine = /^(?:[\da-f]{4}(?:version \d|(?:[\da-f]{40}|[\da-f]{64}) )|0000)/;
const error = /^[\da-f]{4}ERR (?<text>[^\n]*)/;
/** What a plain web server answers that has a repository as files. */
const fromFiles = /^(?:[\da-f]{40}|[\da-f]{64})\t/;

/** What git says first over HTTP (gitprotocol-http): the name of the service, then the branches. */
export function readHttpAdvertisement(text: string): RepositoryVerdict {
  if (fromFiles.test(text)) return listed;
  return service.test(text) ? readAdvertisement(text.replace(service, '')) : notGit;
}

/** What git says first where it is run (gitprotocol-pack): the branches, or what is wrong. */
export function readAdvertisement(text: string): RepositoryVerdict {
  const problem = error.exec(text)?.groups?.['text'];
  if (problem !== undefined) return saysNotFound(problem) ? notFound : { kind: 'denied' };
  return firstLine.test(text) ? listed : notGit;
}

export function saysNotFound(text: string): boolean {
  return /not found|does not appear to be a git repository/i.test(text);
}
