import type { ApiObject } from '../api-object.ts';

const texts = new WeakMap<ApiObject, string>();

/**
 * An object as JSON. What lies in the store never changes, so it is turned into text once, for the journal, every
 * watch and every read.
 */
export function objectText(object: ApiObject): string {
  let text = texts.get(object);
  if (text === undefined) {
    text = JSON.stringify(object);
    texts.set(object, text);
  }
  return text;
}
