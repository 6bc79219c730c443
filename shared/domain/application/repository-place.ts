/** Where what is deployed of an Application is kept. */
export interface RepositoryPlace {
  readonly url: string;
  readonly branch: string;
  /** The directory inside it, without slashes around it; empty: its root. */
  readonly context: string;
  /** The service made it, and opens it with its own credential. */
  readonly isMade: boolean;
}

export function isSamePlace(one: RepositoryPlace | undefined, other: RepositoryPlace | undefined): boolean {
  return (
    one?.url === other?.url &&
    one?.branch === other?.branch &&
    one?.context === other?.context &&
    one?.isMade === other?.isMade
  );
}

/** A place as the status of an Application or a Component tells it. */
export interface ToldPlace {
  readonly repositoryURL: string;
  readonly branch: string;
  readonly context: string;
}

export function toldPlace(place: RepositoryPlace | undefined): ToldPlace | undefined {
  return place && { repositoryURL: place.url, branch: place.branch, context: place.context };
}

export function isSameTold(one: ToldPlace | undefined, other: ToldPlace | undefined): boolean {
  return (
    one?.repositoryURL === other?.repositoryURL && one?.branch === other?.branch && one?.context === other?.context
  );
}

/** With what stands before it, it is the name of a file on most hosts. */
const longestBranch = 200;

/** What is wrong with the name of a branch, behind the name of its field; undefined where git takes it (git-check-ref-format). */
export function branchProblem(branch: string): string | undefined {
  if (new TextEncoder().encode(branch).length > longestBranch) return `must not be longer than ${longestBranch} bytes`;
  if (/[\s\p{Cc}\p{Cs}~^:?*[\\]/u.test(branch))
    return 'must not contain white space or any of the characters ~ ^ : ? * [ \\';
  if (branch.startsWith('-')) return 'must not begin with a dash';
  if (branch === '@' || branch === 'HEAD') return `must not be ${branch}`;
  if (branch.includes('..') || branch.includes('@{')) return 'must not contain .. or @{';
  const parts = branch.split('/');
  if (parts.some((part) => part === '' || part.startsWith('.') || part.endsWith('.') || part.endsWith('.lock')))
    return 'must not have a part between its slashes that is empty, begins or ends with a dot, or ends with .lock';
  return undefined;
}
