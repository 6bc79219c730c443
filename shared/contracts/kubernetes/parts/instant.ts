import { z } from 'zod';

/** A moment as Kubernetes writes it, `2022-06-09T21:56:19Z`. The API server checks the form; whoever reads trusts it. */
export function instant(description: string) {
  return z.string().meta({ format: 'date-time', description });
}
