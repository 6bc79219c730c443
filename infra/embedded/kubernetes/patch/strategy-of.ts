import type { Schema } from '../schema/schema.ts';

interface Strategy {
  /** How a list is patched: item by item, or as a whole. */
  readonly merges: boolean;
  readonly replacesMap: boolean;
  readonly mergeKey: string;
  /** The schema of the member, or of the items of a list. */
  readonly below: Schema | undefined;
}

function shapeOf(schema: Schema | undefined): Schema | undefined {
  const only = schema?.allOf?.length === 1 ? schema.allOf[0] : undefined;
  return schema?.properties === undefined && schema?.type === undefined && only !== undefined ? only : schema;
}

/** How a strategic merge patch treats a member of an object of this schema. */
export function strategyOf(schema: Schema | undefined, name: string): Strategy {
  const shape = shapeOf(schema);
  const properties = shape?.properties;
  const additional = typeof shape?.additionalProperties === 'object' ? shape.additionalProperties : undefined;
  const member = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additional;
  const strategies = (member?.['x-kubernetes-patch-strategy'] ?? '').split(',');
  return {
    merges: strategies.includes('merge'),
    replacesMap: strategies.includes('replace'),
    mergeKey: member?.['x-kubernetes-patch-merge-key'] ?? '',
    below: shapeOf(member)?.items ?? member,
  };
}
