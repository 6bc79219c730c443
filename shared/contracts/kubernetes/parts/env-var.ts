import { z } from 'zod';
import { keyedList, text } from './absent.ts';

/** A variable with its value written out. */
const EnvVar = z.object({
  name: z.string().min(1).describe('The name of the variable.'),
  value: text('Its value, exactly as written. Empty where it is left out.'),
});

/** Two variables of one name in one list have no meaning; the API server refuses them. */
export function envVars(description: string) {
  return keyedList(description, 'name', EnvVar);
}
