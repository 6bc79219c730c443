import { z } from 'zod';
import { text } from './absent.ts';
import { anyOf, type Validation } from './validation.ts';

/** Where the source code of a component lives. */
const GitSource = z.object({
  url: z.string().describe('The address of the repository.'),
  revision: text('A branch, a tag or a commit. Empty: the default branch.'),
  context: text('The directory inside the repository. Empty: its root.'),
  devfileUrl: text('Where the devfile is read from, if not from the repository.'),
  dockerfileUrl: text('Where the Dockerfile is read from, if not from the repository.'),
});

/** Optional at both levels, as clients send `source: {}` too. */
export const ComponentSource = z.object({
  git: GitSource.optional().describe('The Git repository that it is built from.'),
});

/** Code moves by making another component, never by pointing an existing one at another repository. */
export const sourceUrlStays: Validation = {
  rule: anyOf(
    "!has(oldSelf.source) || !has(oldSelf.source.git) || oldSelf.source.git.url == ''",
    '(has(self.source) && has(self.source.git) && self.source.git.url == oldSelf.source.git.url)',
  ),
  message: 'source.git.url cannot be updated once it is set',
  fieldPath: '.source.git.url',
};
