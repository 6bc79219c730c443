import { z } from 'zod';

// Kubernetes does not tell a text that is empty from one that is not there, nor an empty list from none. These
// fields may be left out of an object, and whoever reads it finds the empty value and asks one question less.
// Nothing of this is a default of the API server: what a user left out stays out of the stored object.

/** Bounded where a rule of the API server looks at it: the cost of such a rule is counted with the longest text. */
export function text(description: string, maxLength?: number) {
  const value = maxLength === undefined ? z.string() : z.string().max(maxLength);
  return value
    .optional()
    .transform((given) => given ?? '')
    .describe(description);
}

export function list<Item extends z.ZodType>(description: string, item: Item) {
  return z.array(item).optional().transform(orEmptyList).describe(description);
}

/** A list in which one field names the entry: the API server refuses a second one of the same name and merges by it. */
export function keyedList<Item extends z.ZodType>(description: string, key: string, item: Item, maxItems?: number) {
  const items = maxItems === undefined ? z.array(item) : z.array(item).max(maxItems);
  return items
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] })
    .optional()
    .transform(orEmptyList)
    .describe(description);
}

function orEmptyList<Item>(value: Item[] | undefined): Item[] {
  return value ?? [];
}
