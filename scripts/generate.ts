/** npm run generate: writes what is made from something else. With --check it only says what is stale. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mapInReadme } from './draw-map.ts';
import { compareContracts, freezeContracts, renderContracts, sayChanged } from './freeze-contracts.ts';
import { renderCrds } from './generate/crds.ts';

/** Something generated: where it differs from what it would be now, and how to bring it up to date. */
interface Product {
  stale(): string[];
  /** Returns the files it wrote or took away. */
  write(): string[];
}

/** The generated files of a project. */
export function productsOf(root: string): Product[] {
  return [crds(join(root, 'infra/crds')), contracts(join(root, 'test/contracts/frozen')), map(root)];
}

function crds(folder: string): Product {
  const files = renderCrds();
  const stale = () => {
    const there = existsSync(folder) ? readdirSync(folder) : [];
    return [...new Set([...files.keys(), ...there])].filter(
      (file) => !there.includes(file) || readFileSync(join(folder, file), 'utf8') !== files.get(file),
    );
  };
  return {
    stale: () => stale().map((file) => `infra/crds/${file} is not what shared/contracts/kubernetes says`),
    write() {
      const written = stale();
      mkdirSync(folder, { recursive: true });
      for (const file of written) {
        const text = files.get(file);
        if (text === undefined) rmSync(join(folder, file));
        else writeFileSync(join(folder, file), text);
      }
      return written.map((file) => `infra/crds/${file}`);
    },
  };
}

function contracts(folder: string): Product {
  const files = renderContracts();
  return {
    stale() {
      const { missing, changed } = compareContracts(files, folder);
      return [...missing.map((file) => `${file} is not frozen yet`), ...changed.map(sayChanged)];
    },
    write: () => freezeContracts(files, folder).map((file) => `test/contracts/frozen/${file}`),
  };
}

function map(root: string): Product {
  const { text, drawn } = mapInReadme(root);
  return {
    stale: () => (drawn === text ? [] : ['README.md shows another map than serverless.yml']),
    write() {
      if (drawn === text) return [];
      writeFileSync(join(root, 'README.md'), drawn);
      return ['README.md'];
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const products = productsOf(fileURLToPath(new URL('..', import.meta.url)));
  const stale = products.flatMap((product) => product.stale());
  if (values.check) {
    for (const line of stale) console.error(line);
    if (stale.length > 0) console.error('Run `npm run generate`, and look at what it changed.');
    process.exit(stale.length > 0 ? 1 : 0);
  }
  try {
    const written = products.flatMap((product) => product.write());
    console.log(written.length === 0 ? 'Everything is up to date.' : written.join('\n'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
