import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { compareContracts, freezeContracts, renderContracts } from '../../scripts/freeze-contracts.ts';
import { contract } from '../../shared/contracts/envelope.ts';

const published = renderContracts([contract('claim.changed.v1', z.strictObject({ name: z.string() }))]);
const altered = renderContracts([
  contract('claim.changed.v1', z.strictObject({ name: z.string(), class: z.string() })),
]);

describe('freezing contracts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-frozen-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  });

  it('writes those that are new, the envelope among them', () => {
    const written = freezeContracts(published, folder);

    expect(written).toEqual(['envelope.v1.json', 'claim.changed.v1.json']);
    expect(readdirSync(folder).sort()).toEqual(written.toSorted());
    expect(compareContracts(published, folder)).toEqual({ missing: [], changed: [] });
  });

  it('does nothing the second time', () => {
    freezeContracts(published, folder);

    expect(freezeContracts(published, folder)).toEqual([]);
  });

  it('refuses to write over one that has changed, and says to make a new version', () => {
    freezeContracts(published, folder);

    expect(() => freezeContracts(altered, folder)).toThrow(/claim\.changed\.v1\.json is frozen .* next version/);
    expect(readFileSync(join(folder, 'claim.changed.v1.json'), 'utf8')).toBe(published.get('claim.changed.v1.json'));
  });

  it('tells what is missing from what has changed', () => {
    freezeContracts(new Map([...published].slice(1)), folder);

    expect(compareContracts(altered, folder)).toEqual({
      missing: ['envelope.v1.json'],
      changed: ['claim.changed.v1.json'],
    });
  });
});
