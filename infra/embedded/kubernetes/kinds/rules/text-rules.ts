/** What is wrong with a text, in the words of the API; nothing when it is well formed. */
export type TextRule = (text: string) => readonly string[];

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

const isLabel = whole(label);
const isSubdomain = whole(subdomain);
const isQualified = whole(qualified);
const isLabelValue = whole(`(${qualified})?`);
const isConfigKey = whole('[-._a-zA-Z0-9]+');

function tooLong(length: number): string {
  return `must be no more than ${length} characters`;
}

function notMatching(text: string, pattern: string, ...examples: readonly string[]): string {
  return `${text} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}

const alphanumericEnds = 'must start and end with an alphanumeric character';

export function dnsSubdomain(text: string): readonly string[] {
  const said: string[] = [];
  if (text.length > 253) said.push(tooLong(253));
  if (!isSubdomain.test(text)) {
    const rule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and ${alphanumericEnds}`;
    said.push(notMatching(rule, subdomain, 'example.com'));
  }
  return said;
}

export function dnsLabel(text: string): readonly string[] {
  const said: string[] = [];
  if (text.length > 63) said.push(tooLong(63));
  if (isLabel.test(text)) return said;
  if (isSubdomain.test(text)) return [...said, 'must not contain dots'];
  const rule = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and ${alphanumericEnds}`;
  return [...said, notMatching(rule, label, 'my-name', '123-abc')];
}

export function pathSegment(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((character) => text.includes(character)).map((one) => `may not contain '${one}'`);
}

const nameRule = `must consist of alphanumeric characters, '-', '_' or '.', and ${alphanumericEnds}`;

/** Keys of labels and annotations, names of finalizers: a name, with or without a DNS prefix. */
export function qualifiedName(text: string): readonly string[] {
  const parts = text.split('/');
  const wrong = notMatching(nameRule, qualified, 'MyName', 'my.name', '123-abc');
  if (parts.length > 2) {
    return [`a valid label key ${wrong} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const said: string[] = [];
  const [prefix] = parts.length === 2 ? parts : [];
  if (prefix === '') said.push('prefix part must be non-empty');
  else if (prefix !== undefined) said.push(...dnsSubdomain(prefix).map((words) => `prefix part ${words}`));
  const name = parts.at(-1) ?? '';
  if (name === '') said.push('name part must be non-empty');
  else if (name.length > 63) said.push('name part must be no more than 63 bytes');
  if (!isQualified.test(name)) said.push(`name part ${wrong}`);
  return said;
}

export function labelValue(text: string): readonly string[] {
  const said: string[] = [];
  if (text.length > 63) said.push('must be no more than 63 bytes');
  if (!isLabelValue.test(text)) {
    const rule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and ${alphanumericEnds}`;
    said.push(notMatching(rule, `(${qualified})?`, 'MyValue', 'my_value', '12345'));
  }
  return said;
}

/** Keys of ConfigMaps and Secrets become file names. */
export function configKey(text: string): readonly string[] {
  const said: string[] = [];
  if (text.length > 253) said.push(tooLong(253));
  if (!isConfigKey.test(text)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    said.push(notMatching(rule, '[-._a-zA-Z0-9]+', 'key.name', 'KEY_NAME', 'key-name'));
  }
  if (text === '.' || text === '..') said.push(`must not be '${text}'`);
  else if (text.startsWith('..')) said.push("must not start with '..'");
  return said;
}

export function portName(text: string): readonly string[] {
  const said: string[] = [];
  if (text.length > 15) said.push(tooLong(15));
  if (!/^[-a-z0-9]+$/.test(text)) {
    said.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(text)) said.push('must contain at least one letter (a-z)');
  if (text.includes('--')) said.push('must not contain consecutive hyphens');
  if (text.startsWith('-') || text.endsWith('-')) said.push('must not begin or end with a hyphen');
  return said;
}
