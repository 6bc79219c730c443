import type { Schema } from '../../../../../infra/embedded/kubernetes/schema/schema.ts';
import { objectWith, type Scenario } from '../play-scenario.ts';
import { ruled } from './rules.ts';

const text: Schema = { type: 'string', maxLength: 100 };
const whole: Schema = { type: 'integer' };
const list: Schema = { type: 'array', maxItems: 5, items: text };

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

const keyed: Schema = {
  type: 'array',
  maxItems: 5,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: object({ k: text, v: text }),
};
const keyedItems = { ...keyed.items, required: ['k'] };
const fixed = { rule: 'self == oldSelf', message: 'fixed' };

const spec: Schema = object({
  same: ruled(text, fixed),
  growing: ruled(whole, 'self >= oldSelf'),
  maybe: ruled(text, {
    rule: "oldSelf.hasValue() ? self == oldSelf.value() : self.startsWith('n')",
    optionalOldSelf: true,
  }),
  other: ruled(text, { rule: "oldSelf.orValue('first') != self", optionalOldSelf: true }),
  parts: {
    ...keyed,
    items: { ...keyedItems, ...ruled(keyedItems, "self.k != 'bad'"), properties: { k: text, v: ruled(text, fixed) } },
  },
  keyed: ruled({ ...keyed, items: keyedItems }, fixed),
  set: ruled({ ...list, 'x-kubernetes-list-type': 'set' }, fixed),
  list: ruled(list, fixed),
});

const both = [
  { k: 'a', v: '1' },
  { k: 'b', v: '2' },
];

export const transitions: readonly Scenario[] = [
  {
    name: 'rules about changes',
    schema: objectWith(
      spec,
      { type: 'object' },
      {
        'x-kubernetes-validations': [
          { rule: "self.metadata.name == 'try' && self.apiVersion == 'try.example.com/v1'" },
        ],
      },
    ),
    steps: [
      ...[{ maybe: 'x' }, { other: 'first' }, { parts: [{ k: 'bad' }] }].map((create) => ({ create })),
      {
        create: {
          same: 'a',
          growing: 3,
          maybe: 'n1',
          other: 'z',
          parts: both,
          keyed: both,
          set: ['a', 'b'],
          list: ['a', 'b'],
        },
      },
      // Only steps that leave `other` as it is fail for its rule, so it is taken away first.
      { update: { other: 'y' } },
      { update: { other: null } },
      ...[{ same: 'b' }, { growing: 4 }, { growing: 2 }, { maybe: 'n2' }, { other: 'first' }].map((update) => ({
        update,
      })),
      ...[
        { parts: [...both].reverse() },
        { parts: [{ k: 'a', v: '9' }] },
        {
          parts: [
            { k: 'c', v: '9' },
            { k: 'a', v: '1' },
          ],
        },
      ].map((update) => ({ update })),
      ...[{ parts: [{ k: 'bad', v: '1' }] }, { keyed: [...both].reverse() }, { keyed: [{ k: 'a', v: '1' }] }].map(
        (update) => ({ update }),
      ),
      ...[{ set: ['b', 'a'] }, { set: ['b', 'c'] }, { list: ['b', 'a'] }, { same: null }, { same: 'new' }].map(
        (update) => ({ update }),
      ),
    ],
  },
];
