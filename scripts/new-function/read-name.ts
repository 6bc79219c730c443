import { functionName } from '../../infra/map.ts';

/** A function that is to be, and the words its files are made of. */
export interface NewFunction {
  readonly name: string;
  readonly verb: string;
  readonly noun: string;
  /** The noun as people write it. */
  readonly thing: string;
  /** What its file exports: the name in camel case. */
  readonly exported: string;
  /** What the file of its rule exports. */
  readonly rule: string;
  /** The type of the message that wakes it. */
  readonly consumes: string;
}

/** Takes a name apart, or says why it is none. */
export function readName(name: string, consumes: string | undefined): NewFunction {
  const parsed = functionName.safeParse(name);
  if (!parsed.success)
    throw new Error(`"${name}" cannot be the name of a function. ${parsed.error.issues[0]?.message}.`);
  const [verb = '', ...rest] = name.split('-');
  const noun = rest.join('-');
  const pascal = name.replace(/(?:^|-)([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
  return {
    name,
    verb,
    noun,
    thing: rest.join(' '),
    exported: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`,
    rule: `decide${pascal}`,
    consumes: consumes ?? `${noun}.changed.v1`,
  };
}
