import { describe, expect, it } from 'vitest';
import { type Reach, reaches } from './reaches.ts';
import { at, readFiles, type SourceFile, syntaxOf } from './source-file.ts';

interface Rule {
  readonly never: readonly Reach[];
  /** Folders end in a slash. */
  readonly within: readonly string[];
  /** An exception that nothing needs any more is one to take away. */
  readonly except: Readonly<Record<string, string>>;
}

const rules: Record<string, Rule> = {
  'nothing reads the clock outside its room': {
    never: ['the clock'],
    within: ['functions/', 'shared/', 'infra/'],
    except: {
      'shared/runtime/services.ts': 'makes the one clock that everything else is given',
      'infra/embedded/': 'is servers of their own, with clocks of their own',
      'infra/real/': 'starts servers of their own, and waits for them',
    },
  },
  'nothing reads the environment outside its room': {
    never: ['the environment'],
    within: ['functions/', 'shared/', 'infra/'],
    except: {
      'shared/runtime/config.ts': 'reads every setting, once',
      'infra/host/front.ts': 'sets NODE_ENV, the only way to keep the framework from answering with stacks',
    },
  },
  'rules and contracts are pure': {
    never: ['the clock', 'the environment', 'chance', 'the network', 'the console', 'the process', 'a later moment'],
    within: ['shared/domain/', 'shared/contracts/'],
    except: {},
  },
  'a function reaches the world through its services only': {
    never: ['the clock', 'the environment', 'chance', 'the network', 'the console', 'the process'],
    within: ['functions/'],
    except: {},
  },
};

const house = readFiles('{functions,shared,infra}/**/*.ts');

describe.each(Object.entries(rules))('%s', (_name, rule) => {
  it('in the whole house', () => {
    expect(house.flatMap((file) => breaches(rule, file))).toEqual([]);
  });

  it.each(Object.entries(rule.except))('but in %s, which %s', (exception) => {
    const excused = house.filter(({ path }) => path.startsWith(exception));

    expect(excused.flatMap((file) => breaches({ ...rule, except: {} }, file))).not.toEqual([]);
  });
});

describe('what reaches out is seen', () => {
  it.each<[Reach, string]>([
    ['the clock', 'const t = Date.now();'],
    ['the clock', 'const now = Date.now;'],
    ['the clock', 'const t = new Date();'],
    ['the clock', 'const t = Date();'],
    ['the clock', "const t = Date['now']();"],
    ['the clock', 'const t = performance.now();'],
    ['the clock', 'const t = globalThis.performance.now();'],
    ['the environment', "const url = process.env['URL'];"],
    ['the environment', 'const { env } = process;'],
    ['the environment', "const url = (process as Other).env['URL'];"],
    ['the environment', "import { env } from 'node:process';"],
    ['the environment', "import hidden from 'node:process';"],
    ['chance', 'const luck = Math.random();'],
    ['chance', 'const id = crypto.randomUUID();'],
    ['the network', "fetch('http://127.0.0.1');"],
    ['the console', "console.log('here');"],
    ['the process', 'process.exit(1);'],
    ['a later moment', 'async function later() {}'],
    ['a later moment', 'const later = async () => 1;'],
    ['a later moment', 'const parts = { async later() {} };'],
    ['a later moment', 'await nothing;'],
    ['a later moment', 'setTimeout(look, 1);'],
  ])('%s: %s', (reach, text) => {
    const path = 'shared/domain/claim/bind.ts';
    const everything: Rule = { never: [reach], within: ['shared/domain/'], except: {} };

    expect(breaches(everything, { path, text })[0]).toBe(`${path}:1 reaches for ${reach}`);
  });

  it.each([
    ['a time that it was given', 'const t = new Date(now).toISOString();'],
    ['a comment', '// Date.now() and process.env are out of bounds, and so is fetch().'],
    ['a text', "const text = 'console.log(Date.now())';"],
    ['a part that is called like it', 'const reader = { fetch: 1, process: 2 }; reader.fetch; reader.process;'],
    ['a shape with such a part', 'interface Reader { fetch(): string; readonly console: string }'],
  ])('%s is nothing to see', (_what, text) => {
    expect(
      breaches(rules['rules and contracts are pure'] as Rule, { path: 'shared/domain/claim/bind.ts', text }),
    ).toEqual([]);
  });
});

it('the rest of the process is not the environment', () => {
  const text = "import process from 'node:process';\nconst [folder] = process.argv;\nprocess.exit(0);";

  expect(
    breaches({ never: ['the environment'], within: ['infra/'], except: {} }, { path: 'infra/main.ts', text }),
  ).toEqual([]);
});

function breaches({ never, within, except }: Rule, file: SourceFile): string[] {
  const isBound =
    within.some((room) => file.path.startsWith(room)) &&
    !Object.keys(except).some((room) => file.path.startsWith(room));
  if (!isBound) return [];
  return syntaxOf(file).flatMap((place) =>
    never.filter((reach) => reaches[reach](place)).map((reach) => `${at(file, place.node)} reaches for ${reach}`),
  );
}
