import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { privateFolder } from '../../../shared/adapters/git/private-folder.ts';

const user = process.getuid?.() ?? -1;
const somebodyElse = 12_345;

describe('a folder of our own where everybody may write', () => {
  let above: string;
  let usual: string;
  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), 'stagecoach-private-'));
    usual = join(above, `clones-${user}`);
  });
  afterEach(() => rmSync(above, { recursive: true, force: true }));

  const modeOf = (folder: string) => statSync(folder).mode & 0o777;

  it('is open to nobody else, and found again by the next process', () => {
    const folder = privateFolder(above, 'clones');
    writeFileSync(join(folder, 'clone'), '');

    expect(folder).toBe(usual);
    expect([modeOf(folder), statSync(folder).uid]).toEqual([0o700, user]);
    expect(readdirSync(privateFolder(above, 'clones'))).toEqual(['clone']);
  });

  it('is made where nothing is yet', () => {
    expect(existsSync(privateFolder(join(above, 'not', 'there'), 'clones'))).toBe(true);
  });

  const traps: Record<string, () => void> = {
    'a folder that others may write to': () => {
      mkdirSync(usual);
      chmodSync(usual, 0o777);
    },
    'a folder that others may read': () => {
      mkdirSync(usual);
      chmodSync(usual, 0o750);
    },
    'a link to a folder of ours': () => {
      mkdirSync(join(above, 'elsewhere'), { mode: 0o700 });
      symlinkSync(join(above, 'elsewhere'), usual);
    },
    'a link to nowhere': () => symlinkSync(join(above, 'nowhere'), usual),
    'a file': () => writeFileSync(usual, ''),
    // Only root can give a folder away.
    ...(user === 0 && {
      "a folder of somebody else's": () => {
        mkdirSync(usual, { mode: 0o700 });
        chownSync(usual, somebodyElse, somebodyElse);
      },
    }),
  };

  it.each(Object.entries(traps))('is another one where somebody has laid %s in the way', (_trap, lay) => {
    lay();

    const [one, other] = [privateFolder(above, 'clones'), privateFolder(above, 'clones')];

    for (const folder of [one, other]) {
      expect(folder.startsWith(join(above, 'clones-'))).toBe(true);
      expect(folder).not.toBe(usual);
      expect([modeOf(folder), statSync(folder).uid, readdirSync(folder)]).toEqual([0o700, user, []]);
    }
    expect(one).not.toBe(other);
    expect(existsSync(join(above, 'nowhere'))).toBe(false);
  });
});
