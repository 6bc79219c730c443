import type { z } from 'zod';
import type { Validation } from './parts/validation.ts';

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
}

/** A kind of Kubernetes objects: how it is called on the wire, and what its objects look like. */
export interface Kind<Schema extends z.ZodType = z.ZodType> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly Schema: Schema;
  readonly printerColumns: readonly PrinterColumn[];
  /** Rules about the object as a whole. Those about a part of it stand with that part. */
  readonly validations: readonly Validation[];
}
