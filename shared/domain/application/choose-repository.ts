import { withSuffix } from '../core/object-name.ts';
import { readRepositoryUrl, repositoryUrlProblem } from '../gitops/repository-url.ts';
import { readPath } from '../overlay/repository-path.ts';
import type { Application } from './application.ts';
import { branchProblem, type RepositoryPlace } from './repository-place.ts';

export type RepositoryChoice =
  | { readonly kind: 'place'; readonly place: RepositoryPlace }
  /** Somebody else renders, and says on the Bindings where. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'problem'; readonly message: string };

/** Whose repository it is to be, and below which address the service makes any. */
interface Named {
  readonly namespace: string;
  readonly name: string;
  readonly root: string | undefined;
}

const field = 'spec.gitOpsRepository';
const usualBranch = 'main';
/** Where nobody can listen in on what is sent in the clear. */
const loopback = ['127.0.0.1', 'localhost'];
/** As much as hosts of repositories take for a name. */
const longestName = 100;

/** Chooses the repository of an Application: the one that its user named, or one of its own that the service makes. */
export function chooseRepository(application: Application, named: Named): RepositoryChoice {
  const { isRenderedByOthers, repository } = application;
  if (isRenderedByOthers) return { kind: 'elsewhere' };
  const branch = repository.branch || usualBranch;
  const wrongBranch = branchProblem(branch);
  if (wrongBranch !== undefined) return problem(`${field}.branch ${wrongBranch}`);
  const context = readPath(repository.context);
  if (context === undefined)
    return problem(`${field}.context must be a path from the root of the repository, without ".." and ".git"`);
  const isMade = repository.url === '';
  const url = isMade ? madeUrl(application, named) : givenUrl(repository.url);
  return typeof url === 'string' ? { kind: 'place', place: { url, branch, context, isMade } } : url;
}

/** With the UID in its name: an Application that is made again does not find what the first one left. */
function madeUrl({ uid }: Application, { namespace, name, root }: Named): string | RepositoryChoice {
  if (root === undefined)
    return problem(
      `${field}.url is empty and this service has no place of its own for repositories: set it to a repository that you can push to`,
    );
  const repository = withSuffix(name, `-${uid.replaceAll('-', '').slice(0, 8)}`, longestName);
  const url = `${root.replace(/\/+$/, '')}/${namespace}/${repository}.git`;
  return repositoryUrlProblem(url) === undefined
    ? url
    : problem('There can be no repositories below GIT_ROOT_URL: an operator must correct it');
}

function givenUrl(url: string): string | RepositoryChoice {
  const wrong = repositoryUrlProblem(url);
  // The words are those about every address of a repository; here it stands in a field of its own.
  if (wrong !== undefined) return problem(wrong.replace(/^repository/, `${field}.url`));
  const address = readRepositoryUrl(url);
  const isInTheClear = address?.transport === 'http' && !loopback.includes(address.host);
  return isInTheClear ? problem(`${field}.url must begin with ssh:// or https://`) : url;
}

function problem(message: string): RepositoryChoice {
  return { kind: 'problem', message };
}
