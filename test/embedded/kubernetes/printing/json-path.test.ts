import { describe, expect, it } from 'vitest';
import { compileJsonPath, JsonPathError } from '../../../../infra/embedded/kubernetes/printing/json-path.ts';

const object = {
  metadata: { name: 'one', labels: { 'x.y/z': 'lab' } },
  spec: {
    text: 'words',
    list: ['p', 'q', 3],
    conditions: [
      { type: 'Synced', status: 'False', weight: 1 },
      { type: 'Ready', status: 'True', weight: 2 },
      { type: 'Late' },
    ],
    'a-b': 'dash',
    nothing: null,
  },
};

const paths: Record<string, unknown[]> = {
  '.spec.text': ['words'],
  '.spec.missing.deeper': [],
  '.spec.a-b': ['dash'],
  '.spec.nothing': [null],
  '.spec.list[1]': ['q'],
  '.spec.list[-1]': [3],
  '.spec.list[9]': [],
  '.spec.list[0:2]': ['p', 'q'],
  '.spec.list[*]': ['p', 'q', 3],
  '.spec.conditions[*].type': ['Synced', 'Ready', 'Late'],
  '.spec.conditions[?(@.type=="Ready")].status': ['True'],
  ".spec.conditions[?(@.type=='Ready')].status": ['True'],
  '.spec.conditions[?(@.type == "Absent")].status': [],
  '.spec.conditions[?(@.weight>1)].type': ['Ready'],
  '.spec.conditions[?(@.type!="Synced")].type': ['Ready', 'Late'],
  '.spec.conditions[?(@.status)].type': ['Synced', 'Ready'],
  ".metadata.labels['x\\.y/z']": ['lab'],
  '.metadata.labels.x\\.y/z': ['lab'],
  ".spec['text','a-b']": ['words', 'dash'],
  '..status': ['False', 'True'],
};

describe('a column path', () => {
  it.each(Object.entries(paths))('%s selects what the real server selects', (path, found) => {
    expect(compileJsonPath(path)(object)).toEqual(found);
  });

  it.each(['spec', '.spec[', '.spec[abc]', '.spec[?(@.a==x)]'])('%s is refused', (path) => {
    expect(() => compileJsonPath(path)).toThrow(JsonPathError);
  });
});
