import { z } from 'zod';
import { text } from './absent.ts';

/** Health in the words of Argo CD, which may learn new ones; hence no closed list. */
export const Health = z.object({
  status: text('Healthy, Progressing, Degraded, Suspended, Missing or Unknown.'),
  message: text('What Argo CD says about it.'),
});
