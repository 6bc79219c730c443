import { z } from 'zod';
import { ComputeResources } from './compute-resources.ts';
import { envVars } from './env-var.ts';

export function replicas(description: string) {
  return z.int().min(0).meta({ format: 'int32' }).optional().describe(description);
}

/** The values that a Binding or an Application may set for what it deploys. */
export const Configuration = z.object({
  replicas: replicas('How many copies run. Zero is a number like any other: nothing runs.'),
  resources: ComputeResources.optional().describe('CPU, memory and the like for each copy.'),
  env: envVars('Environment variables.'),
});
