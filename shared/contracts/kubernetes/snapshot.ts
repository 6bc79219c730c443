import { z } from 'zod';
import { keyedList, text } from './parts/absent.ts';
import { conditions } from './parts/condition.ts';
import { ComponentSource } from './parts/git-source.ts';
import { resource } from './parts/resource.ts';
import { validated } from './parts/validation.ts';

const SnapshotComponent = z.object({
  name: z.string().min(1).max(253).describe('The Component.'),
  containerImage: z.string().max(1024).describe('The image that belongs to it, best with its digest.'),
  source: ComponentSource.optional().describe('What the image was built from.'),
});

const Spec = validated(
  z.object({
    // The documents show a snapshot without it. Such a snapshot can be bound and promoted by hand.
    application: text('The application whose state this is. It cannot change.', 253),
    displayName: text('The name that people see.'),
    displayDescription: text('What is special about it, for people.'),
    components: keyedList(
      'The images that belong together, one for each component. They cannot change.',
      'name',
      SnapshotComponent,
      500,
    ),
    artifacts: z
      .object({
        unstableFields: z
          .unknown()
          .optional()
          .describe('Anything, in any form. Kept and passed on, never interpreted.'),
      })
      .optional()
      .describe('What else is known about the images: where they come from, what they passed.'),
  }),
  {
    rule: "(has(self.application) ? self.application : '') == (has(oldSelf.application) ? oldSelf.application : '')",
    message: 'application field cannot be updated',
    messageExpression: "'application field cannot be updated to ' + (has(self.application) ? self.application : '')",
    fieldPath: '.application',
  },
  {
    rule: 'has(self.components) == has(oldSelf.components) &&\n(!has(self.components) || self.components == oldSelf.components)',
    // To list the new ones costs more than the API server lets a message cost.
    message: 'components cannot be updated',
    fieldPath: '.components',
  },
);

/** A set of images that were found to belong together. It has a maker and no editor. */
export const Snapshot = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'Snapshot',
  description: 'One state of an application: an image for each of its components, for ever the same.',
  spec: Spec.describe('What belongs together.'),
  status: z
    .object({ conditions: conditions('What tests and other controllers found out about it.') })
    .describe('What is known about it.'),
});
export type Snapshot = z.infer<typeof Snapshot>;
