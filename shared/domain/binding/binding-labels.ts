import { fitsLabel } from '../core/object-name.ts';
import type { Binding } from './binding.ts';

/**
 * What has to be patched so that a Binding can be found by what it is about; undefined: nothing. Others rely on these
 * labels. A name that is too long for a label gets none: the whole patch would be refused.
 */
export function bindingLabels({
  labels,
  application,
  environment,
}: Pick<Binding, 'labels' | 'application' | 'environment'>): Readonly<Record<string, string>> | undefined {
  const wanted = { 'appstudio.application': application, 'appstudio.environment': environment };
  const fresh = Object.entries(wanted).filter(([key, value]) => labels[key] !== value && fitsLabel(value));
  return fresh.length === 0 ? undefined : Object.fromEntries(fresh);
}
