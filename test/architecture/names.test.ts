import { basename } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { readFiles, type SourceFile } from './source-file.ts';

/** Names that say nothing of what is inside, and so attract everything. */
const empty = /^(?:common|types?|misc)$|(?:^|-)(?:utils?|helpers?|managers?|handlers?)$/;

/** Put together here, so that this file does not name them. */
const registries = [
  ['registry', 'npmjs'],
  ['registry', 'yarnpkg'],
  ['proxy', 'golang'],
  ['sum', 'golang'],
  ['pypi', 'org'],
  ['pypi', 'python'],
  ['pythonhosted', 'org'],
].map((parts) => parts.join('.'));

describe('a file is named after the one thing it holds', () => {
  it('in the whole house', () => {
    expect(readFiles('**/*').flatMap(misnomer)).toEqual([]);
  });

  it.each([
    'shared/domain/claim/types.ts',
    'shared/domain/claim/claim.types.ts',
    'shared/adapters/postgres/utils.ts',
    'test/support/helpers/builders.ts',
    'infra/host/queue-manager.ts',
    'functions/bind-claim/handler.ts',
    'shared/domain/index.ts',
    'functions/index.ts',
    'functions/serve-console/pages/index.ts',
  ])('%s says nothing', (path) => {
    expect(misnomer({ path, text: '' })).toHaveLength(1);
  });

  it.each([
    'functions/bind-claim/index.ts',
    'functions/serve-console/public/index.html',
    'shared/adapters/postgres/array-types.ts',
  ])('%s is fine', (path) => {
    expect(misnomer({ path, text: '' })).toEqual([]);
  });
});

describe('where packages come from is the business of whoever installs them', () => {
  it('no file names the host of a package registry', () => {
    expect(readFiles('**/*', '.*', '.ci/*').flatMap(namedRegistries)).toEqual([]);
  });

  it('the lockfile has no addresses', () => {
    const [lockfile] = readFiles('package-lock.json');

    expect(addresses(lockfile as SourceFile)).toEqual([]);
  });

  it.each(registries)('a file with %s in it is caught', (host) => {
    expect(namedRegistries({ path: 'README.md', text: `npm ci --registry https://${host.toUpperCase()}/` })).toEqual([
      `README.md names ${host}`,
    ]);
  });

  it('a lockfile with an address is caught', () => {
    const text = JSON.stringify({
      packages: { '': {}, 'node_modules/zod': { version: '4.6.7', resolved: 'https://127.0.0.1/zod.tgz' } },
    });

    expect(addresses({ path: 'package-lock.json', text })).toEqual(['node_modules/zod']);
  });
});

function misnomer({ path }: SourceFile): string[] {
  if (path.split(/[/.]/).some((word) => empty.test(word)))
    return [`${path}: a name that fits anything; name it after what it holds`];
  if (basename(path) === 'index.ts' && !/^functions\/[^/]+\/index\.ts$/.test(path))
    return [`${path}: only a function is called index.ts; name it after what it holds`];
  return [];
}

function namedRegistries({ path, text }: SourceFile): string[] {
  const lower = text.toLowerCase();
  return registries.filter((host) => lower.includes(host)).map((host) => `${path} names ${host}`);
}

function addresses({ text }: SourceFile): string[] {
  const { packages } = JSON.parse(text) as { packages: Record<string, { resolved?: string }> };
  return Object.entries(packages).flatMap(([name, { resolved }]) => (resolved === undefined ? [] : [name]));
}
