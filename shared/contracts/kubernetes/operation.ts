import { z } from 'zod';
import { resource } from './parts/resource.ts';

/** A knock for the agent of an engine cluster that cannot be reached in another way. What changed is in the database. */
export const Operation = resource({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'Operation',
  description: 'Tells the agent beside an Argo CD that a row has changed. Internal, and gone when it was acted on.',
  spec: z.object({ operationID: z.string().describe('The key of the row.') }).describe('What to look at.'),
  status: z.object({}).describe('Nothing is reported here: the row has it.'),
});
export type Operation = z.infer<typeof Operation>;
