import type { Validation } from './validation.ts';

const atMost63 = 'self.metadata.name.size() <= 63';

/** The name becomes a label, a directory and the name of a Service, so it has to fit all three. */
export function hasLabelName(what: 'application' | 'component'): Validation {
  const must = `the name of ${what === 'application' ? 'an application' : 'a component'} must start with a lower case letter, have at most 63 characters, and consist of lower case letters, digits or '-'`;
  return {
    rule: `${atMost63} && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')`,
    message: must,
    fieldPath: '.metadata.name',
    messageExpression: `'invalid ${what} name: ' + self.metadata.name + ', ${must.replaceAll("'", "\\'")}'`,
  };
}

/** In the words of the original's webhook, which also lets a name begin with a digit. */
const mustBeEnvironmentName =
  "an environment resource name must start with a lower case alphabetical character, be under 63 characters, and can only consist of lower case alphanumeric characters or '-'";

export const hasEnvironmentName: Validation = {
  rule: `${atMost63} && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')`,
  message: mustBeEnvironmentName,
  fieldPath: '.metadata.name',
  messageExpression: `'invalid environment name: ' + self.metadata.name + ', ${mustBeEnvironmentName.replaceAll("'", "\\'")}'`,
};
