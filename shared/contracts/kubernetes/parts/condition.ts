import { z } from 'zod';
import { keyedList } from './absent.ts';
import { instant } from './instant.ts';

const status = z
  .enum(['True', 'False', 'Unknown'])
  .describe('Whether what the type names is so: True, False, or Unknown while it cannot be told.');

/** The condition that all of Kubernetes uses: a reason is always there, and it is one word. */
const Condition = z.object({
  type: z
    .string()
    .max(316)
    .regex(
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9]|[A-Za-z0-9][-A-Za-z0-9_.]*[A-Za-z0-9])$/,
    )
    .describe('What the condition is about, in CamelCase.'),
  status,
  reason: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
    .describe('One word, for programs, for why the status is what it is.'),
  message: z.string().max(32_768).describe('A sentence for people. It may be empty.'),
  lastTransitionTime: instant('When the status last became what it is.'),
  observedGeneration: z
    .int()
    .min(0)
    .optional()
    .meta({ format: 'int64', description: 'The generation of the object that was looked at.' }),
});

/** The condition of the older kinds. Its reason may be empty, and it also says when somebody last looked. */
const ProbedCondition = z.object({
  type: z.string().min(1).max(316).describe('What the condition is about, in CamelCase.'),
  status,
  reason: z.string().describe('One word, for programs, for why the status is what it is. It may be empty.'),
  message: z.string().describe('A sentence for people. It may be empty.'),
  lastProbeTime: instant('When this was last looked at.').optional(),
  lastTransitionTime: instant('When the status last became what it is.').optional(),
});

export function conditions(description: string) {
  return keyedList(description, 'type', Condition);
}

export function probedConditions(description: string) {
  return keyedList(description, 'type', ProbedCondition);
}
