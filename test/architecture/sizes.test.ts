import { describe, expect, it } from 'vitest';
import { readFiles, type SourceFile } from './source-file.ts';

describe('a function file has at most 60 lines, any other source file 250', () => {
  it('in the whole house', () => {
    const tooLong = readFiles('{functions,shared,infra,scripts}/**/*.ts').flatMap(excess);

    expect(tooLong).toEqual([]);
  });

  it.each([
    ['functions/bind-claim/index.ts', 60, 61],
    ['functions/serve-console/pages/promotion.ts', 250, 251],
    ['shared/domain/claim/bind.ts', 250, 251],
  ])('%s may have %i lines and not %i', (path, most, more) => {
    expect(excess({ path, text: '// A line.\n'.repeat(most) })).toEqual([]);
    expect(excess({ path, text: '// A line.\n'.repeat(more) })).toEqual([expect.stringContaining(`${more} lines`)]);
  });
});

function excess({ path, text }: SourceFile): string[] {
  const most = /^functions\/[^/]+\/index\.ts$/.test(path) ? 60 : 250;
  const lines = text.trimEnd().split('\n').length;
  return lines <= most ? [] : [`${path} has ${lines} lines where ${most} are the limit: cut it along a seam`];
}
