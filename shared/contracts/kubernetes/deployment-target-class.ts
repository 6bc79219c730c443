import { z } from 'zod';
import { resource } from './parts/resource.ts';
import { validated } from './parts/validation.ts';

const Spec = validated(
  z.object({
    provisioner: z.string().describe('Who makes targets of this class, for example appstudio.redhat.com/devsandbox.'),
    parameters: z
      .looseObject({})
      .optional()
      .transform((given): Readonly<Record<string, unknown>> => given ?? {})
      .describe('What the provisioner needs to know. Its own affair.'),
    // No closed list: another value is answered by a condition on the targets of the class.
    reclaimPolicy: z
      .string()
      .describe(
        'What happens to a target when its claim goes. Delete: it goes too, with all behind it. Retain: it stays.',
      ),
    allowTargetResourceExpansion: z
      .boolean()
      .default(false)
      .describe('True: the provisioner can give a target more resources when its claim asks for more.'),
  }),
  {
    rule: 'self == oldSelf',
    message: 'spec of a DeploymentTargetClass cannot be updated: create another class',
  },
);

/** A way to make places to deploy to. It belongs to the cluster, not to a tenant. */
export const DeploymentTargetClass = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'DeploymentTargetClass',
  description: 'A way in which deployment targets are made and disposed of.',
  spec: Spec.describe('How targets are made. It cannot change.'),
  status: z.object({}).describe('Nothing is reported.'),
});
export type DeploymentTargetClass = z.infer<typeof DeploymentTargetClass>;
