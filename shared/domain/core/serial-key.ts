import type { Subject } from './subject.ts';

/**
 * The key under which work is done one step at a time, from the template the map gives a function,
 * for example `application:{namespace}/{application}`. Functions with the same template share their keys.
 *
 * A subject whose application nobody knew is serial with itself only; the store's own version
 * check still lets just one of two writers win.
 */
export function serialKey(template: string, functionName: string, subject: Subject): string {
  return fillTemplate(template, subject) ?? `${functionName}:${subject.namespace}/${subject.name}`;
}

/** Undefined where the template asks for something that nobody knows of the subject. */
export function fillTemplate(template: string, subject: Subject): string | undefined {
  let known = true;
  const filled = template.replace(/\{(namespace|name|application)\}/g, (_whole, field: 'namespace') => {
    const value = subject[field];
    if (value === undefined) known = false;
    return value ?? '';
  });
  return known ? filled : undefined;
}
