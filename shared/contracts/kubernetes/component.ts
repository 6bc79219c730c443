import { z } from 'zod';
import { keyedList, list, text } from './parts/absent.ts';
import { ComputeResources } from './parts/compute-resources.ts';
import { conditions } from './parts/condition.ts';
import { replicas } from './parts/configuration.ts';
import { ComponentSource, sourceUrlStays } from './parts/git-source.ts';
import { resource } from './parts/resource.ts';
import { onlyOne } from './parts/spelling.ts';
import { anyOf, immutableText, validated } from './parts/validation.ts';

const EnvVar = z.object({
  name: z.string().min(1).describe('The name of the variable.'),
  value: text('Its value, exactly as written.'),
  // Let in so that it can be answered: pruned silently, the user would wait for a variable that never comes.
  valueFrom: z.unknown().optional().describe('Not supported: a condition says so. Write the value out.'),
});

const fields = z.object({
  componentName: immutableText(
    'componentName',
    z
      .string()
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
  ).describe('The name of the component inside its application. It cannot change.'),
  application: immutableText('application', z.string().max(253)).describe(
    'The application that it belongs to. It cannot change.',
  ),
  source: ComponentSource.optional().describe('What it is built from.'),
  containerImage: text('The image to run, if none was built yet. The image that was built last is in the status.'),
  build: z
    .object({ containerImage: text('Another spelling of spec.containerImage.') })
    .optional()
    .describe('Another place for containerImage, understood and never written.'),
  secret: text('A Secret of the same namespace, with which the source or the image is read.'),
  replicas: replicas('How many copies run, where the Binding does not say.'),
  targetPort: z
    .int()
    .min(0)
    .max(65_535)
    .meta({ format: 'int32' })
    .optional()
    .describe('The port that it listens on. Zero or absent: none, and it gets no Service.'),
  route: text('The host name under which it is reachable.'),
  env: keyedList('Environment variables, where the Binding does not set the same name.', 'name', EnvVar),
  resources: ComputeResources.optional().describe('CPU, memory and the like for each copy.'),
  skipGitOpsResourceGeneration: z
    .boolean()
    .default(false)
    .describe('True: nothing of this component is written to the GitOps repository.'),
  'build-nudges-ref': list('The components to build again after this one.', z.string()),
  kustomizeBase: text(
    "A path inside the GitOps repository to the user's own kustomize base. Only overlays are then written for this component.",
  ),
});

const image = "has(self.containerImage) && self.containerImage != ''";
const buildImage = "has(self.build) && has(self.build.containerImage) && self.build.containerImage != ''";
const needsOrigin = 'a component needs source.git.url or containerImage';

const Spec = validated(
  fields,
  {
    rule: anyOf(`!(${image})`, `!(${buildImage})`),
    message: onlyOne('containerImage', 'build.containerImage'),
    reason: 'FieldValueForbidden',
    fieldPath: '.build.containerImage',
  },
  {
    rule: anyOf(
      "(has(self.source) && has(self.source.git) && self.source.git.url != '')",
      `(${image})`,
      `(${buildImage})`,
    ),
    message: needsOrigin,
    reason: 'FieldValueRequired',
    fieldPath: '.containerImage',
  },
  sourceUrlStays,
)
  .check(({ value, issues }) => {
    const built = value.build?.containerImage;
    if (value.containerImage && built) {
      const message = onlyOne('containerImage', 'build.containerImage');
      issues.push({ code: 'custom', message, path: ['build', 'containerImage'], input: value });
    }
    if (!value.source?.git?.url && !value.containerImage && !built) {
      issues.push({ code: 'custom', message: needsOrigin, path: ['containerImage'], input: value });
    }
  })
  .transform(({ build, ...spec }) => ({ ...spec, containerImage: spec.containerImage || build?.containerImage || '' }));

const GitOps = z.object({
  repositoryURL: text('The repository that holds what is deployed.'),
  branch: text('Its branch.'),
  context: text('The directory inside it.'),
  resourceGenerationSkipped: z.boolean().optional().describe('True while skipGitOpsResourceGeneration is honoured.'),
  commitID: text('The commit that last wrote this component.'),
});

const Status = z.object({
  conditions: conditions('How the component is doing: Created, Updated, GitOpsResourcesGenerated and others.'),
  containerImage: text('The image that was built last. It goes before the one in the spec.'),
  devfile: text('The model of the component, as YAML.'),
  gitops: GitOps.optional().describe('Where what is deployed is kept.'),
  lastBuiltCommit: text('The commit of the source that the last image was built from.'),
  'build-nudged-by': list('The components whose build makes this one build again.', z.string()),
  webhook: text('Where the source repository reports its changes.'),
});

/** One image of an application, and how to run it. */
export const Component = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'Component',
  description: 'One part of an application: what it is built from and how it runs.',
  spec: Spec.describe('What the component should be.'),
  status: Status.describe('What is known about it.'),
});
export type Component = z.infer<typeof Component>;
