import type { Schema } from '../../../../../infra/embedded/kubernetes/schema/schema.ts';
import { objectWith, type Scenario } from '../play-scenario.ts';
import { fieldWith } from './types-and-limits.ts';

const text: Schema = { type: 'string' };

const defaults: Schema = {
  type: 'object',
  default: {},
  properties: {
    a: { ...text, default: 'x' },
    o: {
      type: 'object',
      default: {},
      properties: {
        p: { type: 'integer', default: 3 },
        q: { type: 'object', properties: { r: { ...text, default: 'r' } } },
      },
    },
    l: {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { ...text, default: 'kk' }, n: { ...text, nullable: true, default: 'nn' } },
      },
    },
    li: { type: 'array', items: { ...text, default: 'dd' } },
    lin: { type: 'array', items: { ...text, nullable: true } },
    m: { type: 'object', additionalProperties: { ...text, default: 'mm' } },
    mo: { type: 'object', additionalProperties: { type: 'object', properties: { z: { ...text, default: 'zz' } } } },
    n: { ...text, nullable: true, default: 'n' },
    plain: text,
    deep: { type: 'object', properties: { x: text } },
    nul: { ...text, nullable: true },
  },
};

const given: readonly Readonly<Record<string, unknown>>[] = [
  ...[{}, { a: null }, { a: 'y' }, { o: null }, { o: { q: {} } }, { o: { p: null, q: null } }],
  ...[{ l: [{}, { k: null }, { n: null }] }, { l: [null] }, { li: [null, 'x'] }, { lin: [null] }, { m: { a: null } }],
  ...[{ mo: { a: {}, b: null } }, { n: null }, { plain: null }, { deep: { x: null } }, { nul: null }, { l: null }],
  ...[{ unknown: null, a: 'z' }],
];

export const fields: readonly Scenario[] = [
  { name: 'defaults are filled in', schema: objectWith(defaults), steps: given.map((create) => ({ create })) },
  fieldWith(
    'unknown fields go',
    {
      type: 'object',
      properties: {
        known: { type: 'object', properties: { x: text } },
        list: { type: 'array', items: { type: 'object', properties: { x: text } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { x: text } } },
        open: { type: 'object', additionalProperties: true },
      },
    },
    [
      { unknown: 1, known: { x: 'a', y: 1 } },
      { list: [{ x: 'a', y: 1 }, { y: 2 }] },
      { map: { any: { x: 'a', y: 1 } } },
      { open: { any: 1, more: { x: 1 } } },
    ],
  ),
  fieldWith(
    'unknown fields stay where they are preserved, but not in what is known',
    {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'object', properties: { x: text } } },
    },
    [{ other: { deep: [{ a: 1 }] }, known: { x: 'a', y: 1 } }],
  ),
  fieldWith(
    'a whole resource inside',
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    [
      {},
      { apiVersion: 'v1' },
      { apiVersion: '', kind: 'X' },
      { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', labels: { a: 'b' }, unknown: 1 }, spec: { a: 1 } },
    ],
  ),
  {
    name: 'required fields and several faults at once',
    schema: objectWith({
      type: 'object',
      required: ['must'],
      properties: { must: text, n: { type: 'integer', maximum: 5 }, e: { ...text, enum: ['a'] } },
    }),
    steps: [{ create: {} }, { create: { must: null } }, { create: { must: 1, n: 9, e: 'z' } }],
  },
];
