import { z } from 'zod';
import { keyedList, text } from './absent.ts';

/** A variable with its value written out. */
export const EnvVar = z.object({
  name: z.string().min(1).describe('The name of the variable.'),
  value: text('Its value, exactly as written. Empty where it is left out.'),
});
export type EnvVar = z.infer<typeof EnvVar>;

/** Two variables of one name in one list have no meaning; the API server refuses them. */
export function envVars(description: string) {
  return keyedList(description, 'name', EnvVar);
}
