import { dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { at, readFiles, type SourceFile, syntaxOf } from './source-file.ts';

const forInfra = ['shared/contracts', 'shared/ports', 'shared/runtime', 'shared/adapters', 'shared/domain/core'];

/** Small things that servers of our own are started with, real ones and stand-ins. */
const toolsOfInfra = ['infra/poll.ts', 'infra/free-port.ts', 'infra/find-program.ts'];

const sharedByStandIns = [
  'infra/embedded/journal.ts',
  'infra/embedded/folder-lock.ts',
  'infra/embedded/make-certificate.ts',
  'infra/embedded/on-kept-port.ts',
  'infra/embedded/serve-parent.ts',
  'infra/embedded/spawn-server.ts',
];

/** The files of the embedded API server that the rest of the house may open. */
const doorsOfTheApiServer = [
  'infra/embedded/kubernetes/spawn-embedded-kubernetes.ts',
  'infra/embedded/kubernetes/start-embedded-kubernetes.ts',
  'infra/embedded/kubernetes/create-api-server.ts',
  'infra/embedded/kubernetes/serve/exchange.ts',
];

/**
 * Who may know whom. What is not on the right is out of bounds; of two rooms that hold a file, the smaller one decides.
 * `own` is the room's folder that the file is in: a function's, or an adapter's. `packages` is all that npm and Node have.
 */
const mayImport: Record<string, readonly string[]> = {
  functions: ['own', 'shared/domain', 'shared/contracts', 'shared/ports', 'shared/runtime'],
  'shared/domain/core': ['shared/domain/core'],
  'shared/domain': ['shared/domain'],
  'shared/contracts': ['shared/contracts', 'shared/domain', 'zod'],
  'shared/ports': ['shared/ports', 'shared/domain', 'shared/contracts'],
  'shared/adapters': [
    'own',
    'shared/adapters/telemetry',
    'shared/ports',
    'shared/domain',
    'shared/contracts',
    'packages',
  ],
  'shared/runtime': ['shared', 'packages'],
  infra: ['infra/map.ts', 'infra/queues.ts', ...toolsOfInfra, ...forInfra, 'packages'],
  // The product's process does not know the stand-ins; scripts introduce them.
  'infra/host': ['infra/host', 'infra/map.ts', 'infra/queues.ts', ...forInfra, 'packages'],
  'infra/embedded': ['infra/embedded', 'infra/kubernetes', ...toolsOfInfra, ...forInfra, 'packages'],
  // A server in one folder that knows nothing of the product, and of which the product knows the doors alone.
  'infra/embedded/kubernetes': ['infra/embedded/kubernetes', ...sharedByStandIns, 'packages'],
  'infra/real': ['infra/real', 'infra/kubernetes', ...toolsOfInfra, ...forInfra, 'packages'],
  scripts: ['scripts', 'infra', 'shared', 'packages'],
  // A rule is proved without a world.
  'test/domain': ['test/domain', 'test/support', 'shared/domain', 'packages'],
};

/** The one place that imports by a name it computes: the map's handlers. */
const importsByName = 'infra/host/load-functions.ts';

const house = readFiles('{functions,shared,infra,scripts,test}/**/*.ts');

describe('a file imports only from the rooms that its own room may know', () => {
  it.each(Object.keys(mayImport))('%s', (room) => {
    const strays = house.filter(({ path }) => roomOf(path) === room).flatMap(strayImports);

    expect(strays).toEqual([]);
  });

  it('the embedded API server is entered by its doors alone', () => {
    const folder = 'infra/embedded/kubernetes/';
    const outside = house.filter(({ path }) => !path.startsWith(folder) && !path.startsWith('test/'));
    const entered = outside.flatMap((file) => importsOf(file).filter(({ target }) => target?.startsWith(folder)));

    expect(entered.filter(({ target }) => !doorsOfTheApiServer.includes(target ?? ''))).toEqual([]);
    expect(entered).not.toEqual([]);
  });

  it('every file of the product stands in a room', () => {
    const homeless = house.filter(({ path }) => roomOf(path) === '' && !path.startsWith('test/'));

    expect(homeless).toEqual([]);
  });

  it.each([
    ['a rule that parses', 'shared/domain/claim/bind.ts', `import { z } from 'zod';`],
    [
      'a word of the core that knows a rule',
      'shared/domain/core/step.ts',
      `import type { Claim } from '../claim/claim.ts';`,
    ],
    ['a contract with a driver', 'shared/contracts/claim.ts', `import postgres from 'postgres';`],
    ['a contract that reads files', 'shared/contracts/claim.ts', `import { readFileSync } from 'node:fs';`],
    ['a port that knows its adapter', 'shared/ports/queue.ts', `import type { Wire } from '../adapters/sqs/wire.ts';`],
    [
      'an adapter that knows another',
      'shared/adapters/sqs/queue.ts',
      `import { connect } from '../postgres/connect.ts';`,
    ],
    [
      'an adapter that knows the runtime',
      'shared/adapters/sqs/queue.ts',
      `import { readConfig } from '../../runtime/config.ts';`,
    ],
    [
      'a function that opens an adapter',
      'functions/bind-claim/index.ts',
      `import { connect } from '../../shared/adapters/postgres/connect.ts';`,
    ],
    ['a function with an SDK', 'functions/bind-claim/index.ts', `import { SQSClient } from '@aws-sdk/client-sqs';`],
    [
      'a door that opens on another',
      'functions/bind-claim/index.ts',
      `import { runSync } from '../run-sync/index.ts';`,
    ],
    ['a host that knows a rule', 'infra/host/host.ts', `import { decide } from '../../shared/domain/claim/bind.ts';`],
    [
      'a host that knows a stand-in',
      'infra/host/host.ts',
      `import { startEmbedded } from '../embedded/start-embedded.ts';`,
    ],
    ['a product that knows its scripts', 'infra/queues.ts', `import { setUp } from '../scripts/setup.ts';`],
    [
      'a product that knows its tests',
      'shared/runtime/services.ts',
      `import { fake } from '../../test/support/fake.ts';`,
    ],
    ['an import of a type', 'shared/domain/claim/bind.ts', `import type { ZodType } from 'zod';`],
    ['a passing on', 'shared/domain/claim/bind.ts', `export { z } from 'zod';`],
    ['a passing on of everything', 'shared/domain/claim/bind.ts', `export * from 'zod';`],
    [
      'an import at run time',
      'functions/bind-claim/index.ts',
      `const { runSync } = await import('../run-sync/index.ts');`,
    ],
    ['a type named by its file', 'shared/domain/claim/bind.ts', `let schema: import('zod').ZodType;`],
    ['an import by a computed name', 'functions/bind-claim/index.ts', `const door = await import(name);`],
  ])('%s is caught', (_what, path, text) => {
    expect(strayImports({ path, text })).toEqual([expect.stringContaining(`${path}:1 imports `)]);
  });

  it.each([
    ['its own folder', 'functions/serve-console/index.ts', `import { page } from './pages/promotion.ts';`],
    [
      'its own adapter, and telemetry',
      'shared/adapters/sqs/queue.ts',
      `import { wire } from './wire.ts'; import { keys } from '../telemetry/keys.ts';`,
    ],
    [
      'what only looks like an import',
      'shared/domain/claim/bind.ts',
      `// import { z } from 'zod';\nconst text = "import { z } from 'zod'";`,
    ],
  ])('%s is let through', (_what, path, text) => {
    expect(strayImports({ path, text })).toEqual([]);
  });
});

function strayImports(file: SourceFile): string[] {
  const room = roomOf(file.path);
  const own = file.path
    .split('/')
    .slice(0, room.split('/').length + 1)
    .join('/');
  const allowed = (mayImport[room] ?? []).map((name) => (name === 'own' ? own : name));
  return importsOf(file).flatMap(({ target, place }) => {
    if (target === undefined ? file.path === importsByName : allowed.some((name) => isIn(name, target))) return [];
    return [`${place} imports ${target ?? 'by a computed name'}; ${room} may know ${allowed.join(', ')}`];
  });
}

function roomOf(path: string): string {
  const rooms = Object.keys(mayImport).filter((room) => path.startsWith(`${room}/`));
  return rooms.reduce((smaller, room) => (room.length > smaller.length ? room : smaller), '');
}

/** What a file imports, relative to the root where it is a file. Undefined: the name is computed when it runs. */
function importsOf(file: SourceFile): { target: string | undefined; place: string }[] {
  return syntaxOf(file).flatMap(({ node, parent, as }) => {
    if (as !== 'source' || !/^(?:Import|Export|TSImport)/.test(parent.type)) return [];
    return [{ target: targetOf(file.path, node['value']), place: at(file, node) }];
  });
}

function targetOf(path: string, name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  return name.startsWith('.') ? join(dirname(path), name) : name;
}

function isIn(name: string, target: string): boolean {
  if (name === 'packages') return !/^(?:\.|functions\/|shared\/|infra\/|scripts\/|test\/)/.test(target);
  return target === name || target.startsWith(`${name}/`);
}
