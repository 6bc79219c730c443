export type Environment = Readonly<Record<string, string>>;
export type Setting = readonly [name: string, value: string];

/**
 * All that git gets to know of this machine: the repository it works on, and where programs are. No configuration, no
 * credential helper, no proxy, no agent; and nothing that a repository brings along is ever acted upon.
 */
export function gitEnvironment(clone: string, searchPath: string): Environment {
  return {
    PATH: searchPath,
    HOME: clone,
    LC_ALL: 'C',
    GIT_DIR: clone,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** What holds for every git that reads a stream or leaves the machine, whatever else it is told. */
const always: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  // A clone that a power failure broke is thrown away like any other broken one.
  ['core.fsync', 'none'],
  // Clean-up would be a process that outlives us. A clone that has grown is thrown away.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // A few small files: threads cost more than they save.
  ['pack.threads', '1'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['credential.helper', ''],
  // A credential is for the host that it was given for, and for no other that this one names.
  ['http.followRedirects', 'false'],
];

/** Settings are handed over in the environment: arguments can be read by everybody on the machine. */
export function withSettings(environment: Environment, settings: readonly Setting[] = []): Environment {
  const all = [...always, ...settings];
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
