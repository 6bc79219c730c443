import { describe, expect, it } from 'vitest';
import type { ObjectMeta } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { generateName, nameRuleOf } from '../../../../infra/embedded/kubernetes/kinds/rules/name-rules.ts';
import { canonicalQuantity, parseQuantity } from '../../../../infra/embedded/kubernetes/kinds/rules/quantity.ts';
import { validateMetadata } from '../../../../infra/embedded/kubernetes/kinds/rules/validate-metadata.ts';

const nameRule = nameRuleOf({ group: '', kind: 'ConfigMap' });

function said(metadata: ObjectMeta, old?: ObjectMeta, rules = { namespaced: true, nameRule }): string[] {
  const full = { name: 'one', namespace: 'home', ...metadata };
  const before = old === undefined ? {} : { old: { name: 'one', namespace: 'home', ...old } };
  return validateMetadata(full, { ...rules, ...before }).map(({ field, message }) => `${field}: ${message}`);
}

const subdomain = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
const namePart = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;

describe('metadata', () => {
  it('is fine as people write it', () => {
    const metadata = {
      labels: { 'app.kubernetes.io/name': 'web', empty: '' },
      annotations: { 'Example.com/Note': 'anything at all' },
      finalizers: ['example.com/hold'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'x', uid: 'u' }],
    };

    expect(said(metadata)).toEqual([]);
  });

  const refusals: Record<string, [ObjectMeta, string[]]> = {
    'a bad name': [{ name: 'B_x' }, [`metadata.name: Invalid value: "B_x": ${subdomain}`]],
    'no name': [{ name: '' }, ['metadata.name: Required value: name or generateName is required']],
    'a name that is too long': [
      { name: 'x'.repeat(254) },
      [`metadata.name: Invalid value: "${'x'.repeat(254)}": must be no more than 253 characters`],
    ],
    'a bad key of a label': [{ labels: { 'a b': 'x' } }, [`metadata.labels: Invalid value: "a b": ${namePart}`]],
    'a key with an empty prefix': [
      { labels: { '/a': 'x' } },
      ['metadata.labels: Invalid value: "/a": prefix part must be non-empty'],
    ],
    'a label that is too long': [
      { labels: { a: 'x'.repeat(64) } },
      [`metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
    ],
    'annotations that are too big': [
      { annotations: { a: 'x'.repeat(262_144) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    'an owner without name and uid': [
      { ownerReferences: [{ apiVersion: 'v1', kind: 'x' } as never] },
      [
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    ],
    'a bad finalizer': [{ finalizers: ['a b'] }, [`metadata.finalizers: Invalid value: "a b": ${namePart}`]],
    'finalizers that contradict': [
      { finalizers: ['orphan', 'foregroundDeletion'] },
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
  };

  it.each(Object.entries(refusals))('is refused with %s', (_what, [metadata, texts]) => {
    expect(said(metadata)).toEqual(texts);
  });

  it('of a built-in kind has finalizers with a domain, or those of the control plane', () => {
    const texts = (finalizers: string[]) =>
      validateMetadata(
        { name: 'one', namespace: 'home', finalizers },
        { namespaced: true, nameRule, isBuiltIn: true },
      ).map(({ field, message }) => `${field}: ${message}`);

    expect(texts(['orphan', 'kubernetes', 'example.com/hold'])).toEqual([]);
    expect(texts(['nodomain'])).toEqual([
      'metadata.finalizers[0]: Invalid value: "nodomain": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  it('names one manager at most', () => {
    const owner = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', name, uid: name, controller: true });

    expect(said({ ownerReferences: [owner('a'), owner('b')] })[0]).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for Secret/a and Secret/b',
    );
  });

  it('has a namespace where the kind has, and only there', () => {
    expect(said({ namespace: '' })).toEqual(['metadata.namespace: Required value']);
    expect(said({}, undefined, { namespaced: false, nameRule })).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
  });

  it('gets no new finalizers once it is being deleted', () => {
    const old = { deletionTimestamp: '2026-11-16T10:00:00Z', finalizers: ['example.com/a'] };

    expect(said({ ...old, finalizers: [] }, old)).toEqual([]);
    expect(said({ ...old, finalizers: ['example.com/a', 'example.com/b'] }, old)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/b"}',
    ]);
  });

  it('keeps who it is', () => {
    expect(said({ uid: 'x' }, { uid: 'u' })).toEqual(['metadata.uid: Invalid value: "x": field is immutable']);
  });
});

describe('names', () => {
  it('follow the rule of their kind', () => {
    const wrong = (kind: string, group: string, name: string) => nameRuleOf({ group, kind })(name, false);

    expect(wrong('Namespace', '', 'a.b')).toEqual(['must not contain dots']);
    expect(wrong('Role', 'rbac.authorization.k8s.io', 'system:Any_thing')).toEqual([]);
    expect(wrong('Role', 'rbac.authorization.k8s.io', 'a%b')).toEqual(["may not contain '%'"]);
    expect(wrong('CronJob', 'batch', 'x'.repeat(53))).toEqual(['must be no more than 52 characters']);
    expect(wrong('Anything', 'example.com', 'a.b-c')).toEqual([]);
  });

  it('may end in a dash where more follows', () => {
    expect(nameRule('web-', true)).toEqual([]);
    expect(nameRule('web-', false)).toHaveLength(1);
  });

  it('are made from a prefix and five letters, and stay short enough', () => {
    expect(generateName('web-', () => 0)).toBe('web-bbbbb');
    expect(generateName('x'.repeat(80), () => 0.999)).toBe(`${'x'.repeat(58)}99999`);
  });
});

describe('quantities', () => {
  const same: Record<string, string> = {
    '1000m': '1',
    '0.5': '500m',
    '1.5Gi': '1536Mi',
    '1024Mi': '1Gi',
    '1024': '1024',
    '1000': '1k',
    '0': '0',
    '-1': '-1',
    '1e3': '1e3',
    '0.1Gi': '107374182400m',
    '512Ki': '512Ki',
    '100': '100',
  };

  it.each(Object.entries(same))('%s is kept as %s', (given, kept) => {
    expect(canonicalQuantity(given)).toBe(kept);
  });

  it('are told from other texts', () => {
    expect(parseQuantity('abc')).toBeUndefined();
    expect(canonicalQuantity('1 Gi')).toBe('1 Gi');
  });
});
