import { z } from 'zod';
import { keyedList, list, text } from './parts/absent.ts';
import { conditions } from './parts/condition.ts';
import { Configuration } from './parts/configuration.ts';
import { resource } from './parts/resource.ts';
import { onlyOne } from './parts/spelling.ts';
import { immutableText, validated } from './parts/validation.ts';

const Spec = z.object({
  application: immutableText('application', z.string().max(253)).describe('The application. It cannot change.'),
  environment: immutableText('environment', z.string().max(253)).describe('The environment. It cannot change.'),
  snapshot: z.string().describe('The snapshot that should run there. A promotion changes this field.'),
  components: keyedList(
    'Values for single components in this environment. The snapshot says which components run, not this list.',
    'name',
    z.object({
      name: z.string().min(1).describe('The Component.'),
      configuration: Configuration.optional().describe('Its values here. They go before those of all other places.'),
    }),
  ),
});

const GitOpsRepository = z.object({
  url: text('The address of the repository.'),
  branch: text('Its branch.'),
  path: text('The directory with the kustomization.yaml of this component in this environment.'),
  generatedResources: list('The files in it that were written for it.', z.string()),
  commitID: text('The commit that holds what should run.'),
});

const ComponentStatus = validated(
  z.object({
    name: z.string().max(253).describe('The Component.'),
    generatedRouteName: text('The name of its Route, kept so that it does not change.'),
    gitOpsRepository: GitOpsRepository.optional().describe('Where its resources are written.'),
    gitopsRepository: GitOpsRepository.optional().describe(
      'Another spelling of gitOpsRepository, understood from controllers that render in our place and never written.',
    ),
    conditions: conditions('How this one component is doing, so that it need not hold up the others.'),
  }),
  {
    rule: '!has(self.gitOpsRepository) || !has(self.gitopsRepository)',
    message: onlyOne('gitOpsRepository', 'gitopsRepository'),
    reason: 'FieldValueForbidden',
    fieldPath: '.gitopsRepository',
  },
)
  .check(({ value, issues }) => {
    if (value.gitOpsRepository && value.gitopsRepository) {
      const message = onlyOne('gitOpsRepository', 'gitopsRepository');
      issues.push({ code: 'custom', message, path: ['gitopsRepository'], input: value });
    }
  })
  .transform(({ gitopsRepository, ...component }) => ({
    ...component,
    gitOpsRepository: component.gitOpsRepository ?? gitopsRepository,
  }));

const Deployment = z.object({
  componentName: z.string().describe('The Component.'),
  gitopsDeployment: text('The GitOpsDeployment that deploys it.'),
  syncStatus: text('Whether the cluster is as Git says: Synced, OutOfSync or Unknown.'),
  health: text('Healthy, Progressing, Degraded, Suspended, Missing or Unknown.'),
  commitID: text('The commit that Argo CD last compared with.'),
});

const Status = z.object({
  // Not keyed: two entries for one component are answered by a condition, which only works if they are let in.
  components: z
    .array(ComponentStatus)
    .max(500)
    .optional()
    .transform((given) => given ?? [])
    .describe('Where the resources of each component are written.'),
  gitopsRepoConditions: conditions('How the GitOps repository is doing: Refreshed.'),
  gitopsDeployments: list('The GitOpsDeployment of each component, and how it is doing.', Deployment),
  bindingConditions: conditions('How the Binding is doing: Reconciled, and ErrorOccurred for older clients.'),
  componentDeploymentConditions: conditions('Whether all of it is deployed: AllComponentsDeployed.'),
});

/** What one environment should run of one application. */
export const SnapshotEnvironmentBinding = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'SnapshotEnvironmentBinding',
  description: 'Says which snapshot of an application runs in an environment, and with which values.',
  spec: Spec.describe('What should run, and where.'),
  status: Status.describe('What is known about it.'),
});
export type SnapshotEnvironmentBinding = z.infer<typeof SnapshotEnvironmentBinding>;
