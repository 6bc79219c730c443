import { z } from 'zod';
import { text } from './parts/absent.ts';
import { conditions } from './parts/condition.ts';
import { Configuration } from './parts/configuration.ts';
import { resource } from './parts/resource.ts';
import { anyOf, type Validation, validated } from './parts/validation.ts';

const repository = {
  url: text(
    'The address of the repository. Empty: the service makes one, where it has a place for repositories.',
    2048,
  ),
  branch: text('The branch that is written to. Empty: main.', 1024),
  context: text('The directory inside the repository under which everything is written. Empty: its root.', 1024),
};

const GitOpsRepository = z.object({
  ...repository,
  renderedBy: z
    .enum(['Stagecoach', 'External'])
    .default('Stagecoach')
    .describe(
      'Who writes what is deployed into the repository. External: we write nothing to Git, another controller fills status.components of the Bindings, and deployments and promotion follow it.',
    ),
});

const AppModelRepository = z.object(repository);

const Spec = validated(
  z.object({
    displayName: z.string().describe('The name that people see.'),
    description: text('What the application is, for people.'),
    gitOpsRepository: GitOpsRepository.optional()
      .transform((given) => given ?? GitOpsRepository.parse({}))
      .describe('The repository that holds what is deployed. Once its url is set, only renderedBy may change.'),
    appModelRepository: AppModelRepository.optional()
      .transform((given) => given ?? AppModelRepository.parse({}))
      .describe('The repository that holds the model of the application. Once its url is set, it stays.'),
    configuration: Configuration.optional().describe(
      'Values for every component of the application. A Component and a Binding go before them, they go before an Environment.',
    ),
    deploymentController: text(
      'Who promotes. Empty or appstudio: this service. Anything else: a controller of that name; this service then changes no Binding of the application and starts no promotion of it.',
    ),
  }),
  repositoryStays('gitOpsRepository'),
  repositoryStays('appModelRepository'),
);

const Status = z.object({
  conditions: conditions('How the application is doing: Created, Updated.'),
  devfile: text('The model of the application, as YAML.'),
  gitops: z
    .object({
      repositoryURL: text('The repository in use, whether it was given or made.'),
      branch: text('The branch in use.'),
      context: text('The directory in use.'),
    })
    .optional()
    .describe('Where what is deployed is kept.'),
});

/** What a tenant builds and deploys together. */
export const Application = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'Application',
  description: 'A set of components that are built, deployed and promoted together.',
  spec: Spec.describe('What the application should be.'),
  status: Status.describe('What is known about it.'),
});
export type Application = z.infer<typeof Application>;

/**
 * A repository without an address may still get one: a condition asks for it where the service has no place to make
 * one. The address that was once given stays, with its branch and directory.
 */
function repositoryStays(field: 'gitOpsRepository' | 'appModelRepository'): Validation {
  const same = ['url', 'branch', 'context'].map((part) => {
    const now = `self.${field}.${part}`;
    const before = `oldSelf.${field}.${part}`;
    return `(has(${now}) ? ${now} : '') == (has(${before}) ? ${before} : '')`;
  });
  const wasUnset = `!has(oldSelf.${field}) || !has(oldSelf.${field}.url) || oldSelf.${field}.url == ''`;
  return {
    rule: anyOf(wasUnset, `(has(self.${field}) &&\n  ${same.join(' &&\n  ')})`),
    message: `${field} cannot be updated once its url is set`,
    fieldPath: `.${field}`,
  };
}
