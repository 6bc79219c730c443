import { beforeEach, describe, expect, it } from 'vitest';
import { checkNamespaceLifecycle } from '../../../../infra/embedded/kubernetes/admission/namespace-lifecycle.ts';
import { warningHeader } from '../../../../infra/embedded/kubernetes/admission/warning-header.ts';
import { refusalOf } from '../auth/asking.ts';
import { createMemoryStore, type MemoryStore } from '../auth/memory-store.ts';
import { configMap, writing } from './webhook-world.ts';

let store: MemoryStore;

beforeEach(() => {
  store = createMemoryStore();
  const namespace = { apiVersion: 'v1', kind: 'Namespace' };
  store.put('namespaces', { ...namespace, metadata: { name: 'w' }, status: { phase: 'Active' } });
  store.put('namespaces', { ...namespace, metadata: { name: 'term' }, status: { phase: 'Terminating' } });
});

describe('the life of a namespace', () => {
  it('begins before anything is made in it', () => {
    const refusal = refusalOf(() => checkNamespaceLifecycle(store, writing({ namespace: 'nonesuch' }), configMap()));

    expect(refusal).toMatchObject({
      message: 'namespaces "nonesuch" not found',
      details: { name: 'nonesuch', kind: 'namespaces' },
      code: 404,
    });
    checkNamespaceLifecycle(store, writing(), configMap());
    checkNamespaceLifecycle(store, writing({ resource: 'nodes', namespace: '' }), undefined);
  });

  it('ends without anything new in it, but what is there may be changed and deleted', () => {
    const named = refusalOf(() =>
      checkNamespaceLifecycle(store, writing({ namespace: 'term', name: 'b' }), configMap()),
    );
    const generated = configMap({ metadata: { name: 'b-x7k2p', generateName: 'b-' } });
    const attributes = writing({ namespace: 'term', name: 'b-x7k2p', group: 'apps', resource: 'deployments' });

    expect(named).toMatchObject({
      message:
        'configmaps "b" is forbidden: unable to create new content in namespace term because it is being terminated',
      reason: 'Forbidden',
      details: {
        name: 'b',
        kind: 'configmaps',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace term is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
      code: 403,
    });
    expect(refusalOf(() => checkNamespaceLifecycle(store, attributes, generated)).message).toMatch(
      /^deployments\.apps "b-" is forbidden/,
    );
    checkNamespaceLifecycle(store, writing({ namespace: 'term', operation: 'UPDATE' }), configMap());
    checkNamespaceLifecycle(store, writing({ namespace: 'term', operation: 'DELETE' }), undefined);
  });

  it('does not end for the ones that every cluster has', () => {
    const deleting = (name: string) => writing({ operation: 'DELETE', resource: 'namespaces', namespace: name, name });

    for (const name of ['default', 'kube-system', 'kube-public']) {
      expect(refusalOf(() => checkNamespaceLifecycle(store, deleting(name), undefined)).message).toBe(
        `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      );
    }
    checkNamespaceLifecycle(store, deleting('kube-node-lease'), undefined);
  });

  it('is of no interest to a question about access', () => {
    const attributes = writing({
      group: 'authorization.k8s.io',
      resource: 'localsubjectaccessreviews',
      namespace: 'no',
    });

    expect(checkNamespaceLifecycle(store, attributes, undefined)).toBeUndefined();
  });
});

describe('a warning', () => {
  it('becomes a header where a header can carry it', () => {
    expect(warningHeader('second "q" \\')).toBe('299 - "second \\"q\\" \\\\"');
    expect(warningHeader('line\nbreak')).toBeUndefined();
    expect(warningHeader('')).toBeUndefined();
  });
});
