import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mapFile } from '../../infra/map.ts';
import { placeOnMap } from '../../scripts/new-function/place-on-map.ts';
import { readName } from '../../scripts/new-function/read-name.ts';

const reclaimTarget = readName('reclaim-target', undefined);
/** A name that the map does not have. */
const collectTarget = readName('collect-target', undefined);

describe('a new function on the map', () => {
  it('leaves every other line of serverless.yml as it was', () => {
    const before = readFileSync(mapFile, 'utf8')
      .replace(/\n {2}unclaimed: .*/s, '')
      .split('\n');

    const after = placeOnMap(readFileSync(mapFile, 'utf8'), collectTarget).split('\n');

    expect(inOrder(before, after)).toEqual([]);
  });

  it('has an entry for the framework and one for us, at the ends of the two lists', () => {
    const placed = parse(placeOnMap(aMapFile('[]'), reclaimTarget)) as Record<string, Record<string, object>>;

    expect(Object.keys(placed['functions'] ?? {})).toEqual(['ingest-audit', 'reclaim-target']);
    expect(Object.keys(placed['custom']?.['map'] ?? {})).toEqual(['ingest-audit', 'reclaim-target']);
    expect(placed['custom']?.['map']).toMatchObject({
      'reclaim-target': { consumes: ['target.changed.v1'], emits: [], serial: 'target:{namespace}/{name}' },
    });
  });

  it.each([
    ['a list', '[target.changed.v1, claim.changed.v1]'],
    ['a reference to another list', '*changes'],
  ])('claims what it consumes from %s, and whoever emits it goes on', (_what, unclaimed) => {
    const { custom } = parse(placeOnMap(aMapFile(unclaimed), reclaimTarget)) as { custom: Record<string, unknown> };

    expect(custom['unclaimed']).toEqual(['claim.changed.v1']);
    expect(custom['map']).toMatchObject({ 'ingest-audit': { emits: ['target.changed.v1', 'claim.changed.v1'] } });
  });
});

function aMapFile(unclaimed: string): string {
  return `service: fixture
functions:
  ingest-audit: {handler: functions/ingest-audit/index.ingestAudit}
custom:
  map:
    ingest-audit:
      emits: &changes [target.changed.v1, claim.changed.v1]
  unclaimed: ${unclaimed}
`;
}

/** The lines of `wanted` that do not come in `all`, in the order in which they stand. */
function inOrder(wanted: readonly string[], all: readonly string[]): string[] {
  let from = 0;
  return wanted.filter((line) => {
    const found = all.indexOf(line, from);
    if (found >= 0) from = found + 1;
    return found < 0;
  });
}
