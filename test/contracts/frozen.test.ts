import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareContracts, frozenFolder, renderContracts } from '../../scripts/freeze-contracts.ts';

describe('a published contract never changes; a change is a new version', () => {
  const contracts = renderContracts();

  it.each([...contracts])('%s', (file, text) => {
    expect(compareContracts(new Map([[file, text]]))).toEqual({ missing: [], changed: [] });
  });

  it('and what is frozen is published', () => {
    expect(readdirSync(frozenFolder).sort()).toEqual([...contracts.keys()].sort());
  });
});
