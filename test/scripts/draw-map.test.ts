import { describe, expect, it } from 'vitest';
import type { MapEntry, ServiceMap } from '../../infra/map.ts';
import { drawMap, withMap } from '../../scripts/draw-map.ts';

const map: ServiceMap = {
  service: 'fixture',
  functions: [
    anEntry({ name: 'ingest-audit', trigger: 'http', emits: ['claim.changed.v1', 'secret.changed.v1'] }),
    anEntry({ name: 'bind-claim', trigger: 'queue', consumes: ['claim.changed.v1'], emits: ['secret.changed.v1'] }),
    anEntry({ name: 'collect-garbage', trigger: 'schedule', schedule: '0 7 * * * *' }),
    anEntry({ name: 'serve-console', trigger: 'http', page: '/console' }),
  ],
  unclaimed: ['secret.changed.v1'],
};

describe('the drawing of the map', () => {
  it('shows what wakes every function, where its messages go, and which go nowhere', () => {
    expect(drawMap(map)).toBe(`\`\`\`mermaid
flowchart LR
  ingest_audit_door(["POST /ingest-audit"]) --> ingest_audit["ingest-audit"]
  bind_claim_door[("bind-claim")] --> bind_claim["bind-claim"]
  collect_garbage_door{{"0 7 * * * *"}} --> collect_garbage["collect-garbage"]
  serve_console_door(["GET /console"]) --> serve_console["serve-console"]
  ingest_audit -- "claim.changed.v1" --> bind_claim_door
  ingest_audit -. "1 type" .-> unclaimed["consumed by nobody yet"]
  bind_claim -. "1 type" .-> unclaimed["consumed by nobody yet"]
\`\`\`
`);
  });

  it('takes the place of the old one, and of nothing else', () => {
    const before = 'Before\n<!-- map:begin -->\nold\n<!-- map:end -->\nAfter\n';

    const drawn = withMap(before, map) ?? '';

    expect(drawn.startsWith('Before\n<!-- map:begin -->\n\n```mermaid\n')).toBe(true);
    expect(drawn.endsWith('```\n\n<!-- map:end -->\nAfter\n')).toBe(true);
    expect(withMap(drawn, map)).toBe(drawn);
  });

  it.each(['no markers', '<!-- map:begin --> and no end', '<!-- map:end --> before <!-- map:begin -->'])(
    'leaves a text with %s alone',
    (text) => {
      expect(withMap(text, map)).toBeUndefined();
    },
  );
});

function anEntry(entry: Pick<MapEntry, 'name' | 'trigger'> & Partial<MapEntry>): MapEntry {
  return {
    handler: '',
    description: 'A fixture',
    timeout: 10,
    impact: 'Nobody suffers',
    emits: [],
    needs: [],
    maxReceiveCount: 8,
    ...entry,
  };
}
