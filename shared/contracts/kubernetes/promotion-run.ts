import { z } from 'zod';
import { keyedList, list, text } from './parts/absent.ts';
import { probedConditions } from './parts/condition.ts';
import { instant } from './parts/instant.ts';
import { exactlyOneOf } from './parts/one-of.ts';
import { resource } from './parts/resource.ts';
import { validated } from './parts/validation.ts';

const AutomatedPromotion = exactlyOneOf(
  z.object({
    initialEnvironment: z.string().max(253).optional().describe('The environment to start in.'),
    initialEnvironments: z
      .array(z.string().max(253))
      .min(1)
      .max(100)
      .optional()
      .describe('The environments to start in, where there are several.'),
  }),
  'initialEnvironment',
  'initialEnvironments',
).transform(({ initialEnvironment, initialEnvironments }) => ({
  initialEnvironments: initialEnvironments ?? (initialEnvironment === undefined ? [] : [initialEnvironment]),
}));

const fields = z.object({
  snapshot: z.string().max(253).describe('The snapshot to promote.'),
  application: z.string().max(253).describe('The application that it belongs to.'),
  manualPromotion: z
    .object({ targetEnvironment: text('The environment to promote to.', 253) })
    .optional()
    .describe('Promote to one environment.'),
  automatedPromotion: AutomatedPromotion.optional().describe(
    'Promote along the graph of environments, for as long as they are automated.',
  ),
});

const Spec = validated(exactlyOneOf(fields, 'manualPromotion', 'automatedPromotion'), {
  rule: 'self == oldSelf',
  message: 'spec cannot be updated',
  messageExpression: "'spec cannot be updated to snapshot ' + self.snapshot + ' of application ' + self.application",
});

const Evidence = z.object({
  name: z.string().describe('The Component.'),
  revision: text('The commit that Argo CD compared with.'),
  sync: text('What Argo CD said: Synced, OutOfSync or Unknown.'),
  health: text('What Argo CD said: Healthy, Progressing, Degraded, Suspended, Missing or Unknown.'),
  observedAt: instant('When it said so.').optional(),
});

const waiting = (what: string) =>
  z
    .object({
      reason: z.string().describe('One word, for programs, for what it waits for.'),
      message: text('The same in a sentence for people.'),
      since: instant('Since when it waits.').optional(),
      until: instant('When it stops waiting and fails.').optional(),
    })
    .optional()
    .describe(what);

const EnvironmentStatus = z.object({
  step: z.int().min(1).meta({ format: 'int32' }).describe('The number of the step, from 1.'),
  environmentName: z.string().describe('The environment.'),
  status: z.enum(['in-progress', 'success', 'failed']).describe('How far it is.'),
  displayStatus: text('The same in a sentence for people.'),
  reason: text('One word, for programs, for why it is where it is.'),
  startTime: instant('When the step began.').optional(),
  endTime: instant('When the step ended.').optional(),
  waiting: waiting('What the environment waits for. Absent once its step has ended.'),
  commit: text('The commit that was written for this environment.'),
  components: keyedList(
    'What was seen of each component: why the step counts as a success, or why not.',
    'name',
    Evidence,
  ),
});

const Status = z.object({
  state: z
    .enum(['Waiting', 'Active', 'Completed'])
    .optional()
    .describe('Waiting for its turn, Active, or Completed with a result.'),
  completionResult: z.enum(['Success', 'Failure']).optional().describe('How it ended. Absent until it is Completed.'),
  environmentStatus: keyedList(
    'One entry for each environment that a step was begun for.',
    'environmentName',
    EnvironmentStatus,
  ),
  activeBindings: list('The Bindings that are being changed or watched at the moment.', z.string()),
  waiting: waiting('What it waits for: of several waits the one that ends first. Absent while it does not wait.'),
  promotionStartTime: instant('When its turn came.').optional(),
  completionTime: instant('When it ended.').optional(),
  conditions: probedConditions('How it is doing: ErrorOccurred and others.'),
});

/** One journey of a snapshot. */
export const PromotionRun = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'PromotionRun',
  description:
    'Moves a snapshot to one environment, or along the automated environments. One at a time for an application.',
  spec: Spec.describe('What to promote, and where to. It cannot change.'),
  status: Status.describe('How far it is.'),
});
export type PromotionRun = z.infer<typeof PromotionRun>;
