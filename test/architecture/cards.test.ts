import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMap } from '../../infra/map.ts';
import { readFiles, root, type SourceFile } from './source-file.ts';

const { functions } = readMap();

describe('every function opens with its card', () => {
  it.each(readFiles('functions/*/index.ts').map((file) => [file.path, file] as const))('%s', (_path, file) => {
    const name = file.path.split('/')[1];
    const { consumes = [] } = functions.find((entry) => entry.name === name) ?? {};

    expect(complaints(file, consumes)).toEqual([]);
  });

  const card = `/**
 * bind-claim: gives a claim the one target it will keep.
 *
 *   wakes on   claim.changed.v1
 *   observes   the claim and every target of its namespace
 *   decides    shared/domain/core/step.ts
 *   commits    both pointers
 *   if down    new environments stay Pending
 */
`;
  it('a whole card passes', () => {
    expect(complaintsAbout(card)).toEqual([]);
  });

  it.each([
    ['no card', ''],
    ['another function', card.replace('bind-claim:', 'run-sync:')],
    ['nothing after the name', card.replace(/bind-claim: .*/, 'bind-claim:')],
    ['a line missing', card.replace(/.*observes.*\n/, '')],
    ['an empty line', card.replace('both pointers', '')],
    ['lines in another order', card.replace('observes', 'decides ').replace(/decides {4}shared/, 'observes   shared')],
    ['a sixth line', card.replace(' */', ' *   owns       nothing\n */')],
    ['an import before it', `import { z } from 'zod';\n${card}`],
    ['a message that does not wake it', card.replace('claim.changed.v1', 'class.changed.v1')],
    ['a rule that is not there', card.replace('core/step.ts', 'claim/nowhere.ts')],
  ])('%s is caught', (_what, text) => {
    expect(complaintsAbout(text)).toHaveLength(1);
  });

  function complaintsAbout(text: string): string[] {
    return complaints({ path: 'functions/bind-claim/index.ts', text }, ['claim.changed.v1']);
  }
});

const lines = ['wakes on', 'observes', 'decides', 'commits', 'if down'];
const shape = new RegExp(
  `^/\\*\\*\\n \\* (?<name>[a-z-]+): \\S.*\\n(?: \\* \\S.*\\n)* \\*\\n${lines.map((line) => ` \\* {3}${line.padEnd(11)}(?<${line.replace(' ', '')}>\\S.*)\\n`).join('')} \\*/\\n`,
);

function complaints({ path, text }: SourceFile, consumes: readonly string[]): string[] {
  const { name, wakeson = '', decides = '' } = shape.exec(text)?.groups ?? {};
  if (name === undefined) return [`${path} does not open with a card: its name, and ${lines.join(', ')}`];
  const rules = decides.split(/,? /).filter((word) => word.endsWith('.ts'));
  return [
    path !== `functions/${name}/index.ts` && `${path} has the card of ${name}`,
    ...consumes.map((type) => !wakeson.includes(type) && `${path} does not say that it wakes on ${type}`),
    ...rules.map((rule) => !existsSync(join(root, rule)) && `${path} decides by ${rule}, which is not there`),
  ].filter((complaint) => complaint !== false);
}
