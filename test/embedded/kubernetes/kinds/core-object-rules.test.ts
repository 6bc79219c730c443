import { describe, expect, it } from 'vitest';
import { anObject, ruleBook } from './rule-book.ts';

const { created, updated, onCreate, onUpdate } = ruleBook();
const configKey = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`;

describe('a Namespace', () => {
  it('is born active, with its name as a label and the finalizer of the control plane', () => {
    expect(created({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'home' } })).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'home', labels: { 'kubernetes.io/metadata.name': 'home' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  it('keeps that label and that finalizer whatever an update says', () => {
    const old = created({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'home' } });

    const next = updated(old, { ...old, metadata: { name: 'home', labels: { a: 'b' } }, spec: { finalizers: [] } });

    expect(next.metadata.labels).toEqual({ a: 'b', 'kubernetes.io/metadata.name': 'home' });
    expect(next['spec']).toEqual({ finalizers: ['kubernetes'] });
  });
});

describe('a ConfigMap', () => {
  const aMap = (rest: Record<string, unknown>) => anObject('v1', 'ConfigMap', rest);

  it('has keys that could be file names, each once', () => {
    expect(onCreate(aMap({ data: { 'a b': 'c' } }))).toBe(
      `ConfigMap "one" is invalid: data[a b]: Invalid value: "a b": ${configKey}`,
    );
    expect(onCreate(aMap({ data: { a: 'c' }, binaryData: { a: 'eA==' } }))).toBe(
      'ConfigMap "one" is invalid: data[a]: Invalid value: "a": duplicate of key present in binaryData',
    );
    expect(onCreate(aMap({ data: { '..': 'x' } }))).toBe(
      `ConfigMap "one" is invalid: data[..]: Invalid value: "..": must not be '..'`,
    );
  });

  it('holds at most a mebibyte', () => {
    expect(onCreate(aMap({ data: { a: 'x'.repeat(1_048_576) } }))).toBe('fine');
    expect(onCreate(aMap({ data: { a: 'x'.repeat(1_048_577) } }))).toBe(
      'ConfigMap "one" is invalid: []: Too long: may not be more than 1048576 bytes',
    );
  });

  it('never changes again once it is immutable', () => {
    const fixed = aMap({ data: { a: 'b' }, immutable: true });
    const text = (field: string) =>
      `ConfigMap "one" is invalid: ${field}: Forbidden: field is immutable when \`immutable\` is set`;

    expect(onUpdate(fixed, (copy) => Object.assign(copy, { data: { a: 'c' } }))).toBe(text('data'));
    expect(onUpdate(fixed, (copy) => Object.assign(copy, { immutable: false }))).toBe(text('immutable'));
    expect(onUpdate(fixed, (copy) => Object.assign(copy.metadata, { labels: { x: 'y' } }))).toBe('fine');
  });
});

describe('a Secret', () => {
  const aSecret = (rest: Record<string, unknown>) => anObject('v1', 'Secret', rest);

  it('is opaque, and keeps what it was given as text in the form of bytes', () => {
    const { data, type, stringData } = created(aSecret({ data: { a: 'eA==', b: 'eQ==' }, stringData: { a: 'abc' } }));

    expect({ data, type, stringData }).toEqual({
      data: { a: 'YWJj', b: 'eQ==' },
      type: 'Opaque',
      stringData: undefined,
    });
  });

  it('keeps its type', () => {
    expect(onUpdate(aSecret({}), (copy) => Object.assign(copy, { type: 'foo/bar' }))).toBe(
      'Secret "one" is invalid: type: Invalid value: "foo/bar": field is immutable',
    );
    expect(onUpdate(aSecret({}), (copy) => Object.assign(copy, { type: '' }))).toBe('fine');
  });

  const needs: Record<string, string> = {
    'kubernetes.io/tls': '[data[tls.crt]: Required value, data[tls.key]: Required value]',
    'kubernetes.io/basic-auth': '[data[username]: Required value, data[password]: Required value]',
    'kubernetes.io/ssh-auth': 'data[ssh-privatekey]: Required value',
    'kubernetes.io/dockerconfigjson': 'data[.dockerconfigjson]: Required value',
    'kubernetes.io/service-account-token': 'metadata.annotations[kubernetes.io/service-account.name]: Required value',
  };

  it.each(Object.entries(needs))('of type %s holds what the type needs', (type, text) => {
    expect(onCreate(aSecret({ type }))).toBe(`Secret "one" is invalid: ${text}`);
  });
});

describe('other objects', () => {
  it('an Event belongs where the object it is about is', () => {
    const anEvent = (namespace: string) =>
      anObject('v1', 'Event', { involvedObject: { kind: 'Pod', name: 'p', namespace } });

    expect(onCreate(anEvent('home'))).toBe('fine');
    expect(onCreate(anEvent('foo'))).toBe(
      'Event "one" is invalid: involvedObject.namespace: Invalid value: "foo": does not match event.namespace',
    );
  });

  it('a ResourceQuota counts whole things, and none below zero', () => {
    const aQuota = (hard: object) => onCreate(anObject('v1', 'ResourceQuota', { spec: { hard } }));

    expect(aQuota({ pods: '10', 'requests.cpu': '500m', 'count/things.example.com': '3' })).toBe('fine');
    expect(aQuota({ pods: '-1' })).toBe(
      'ResourceQuota "one" is invalid: spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
    );
    expect(aQuota({ pods: '1.5' })).toBe(
      'ResourceQuota "one" is invalid: spec.hard[pods]: Invalid value: "1500m": must be an integer',
    );
  });

  it('a claim asks for storage, and asks once', () => {
    const aClaim = anObject('v1', 'PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
    });

    expect(created(aClaim)).toMatchObject({
      spec: { volumeMode: 'Filesystem', resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Pending' },
    });
    expect(onCreate(anObject('v1', 'PersistentVolumeClaim', { spec: {} }))).toBe(
      'PersistentVolumeClaim "one" is invalid: [spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]',
    );
    expect(
      onUpdate(aClaim, (copy) =>
        Object.assign(copy, { spec: { ...(copy['spec'] as object), accessModes: ['ReadWriteMany'] } }),
      ),
    ).toContain('spec: Forbidden: spec is immutable after creation');
  });

  it('a null is as good as nothing', () => {
    const object = created(
      anObject('v1', 'ConfigMap', { data: null, immutable: null, metadata: { labels: {}, annotations: null } }),
    );

    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'one', namespace: 'home', uid: 'u1' },
    });
  });
});
