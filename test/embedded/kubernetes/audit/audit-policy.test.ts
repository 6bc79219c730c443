import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseAuditPolicy } from '../../../../infra/embedded/kubernetes/audit/audit-policy.ts';
import type { RequestAttributes } from '../../../../infra/embedded/kubernetes/request-attributes.ts';
import { alice, asking, askingPath } from '../auth/asking.ts';

function levelOf(rules: readonly unknown[], attributes: RequestAttributes): string {
  return parseAuditPolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules })(attributes).level;
}

function isChosen(rule: Record<string, unknown>, attributes: RequestAttributes): boolean {
  return levelOf([{ level: 'Metadata', ...rule }], attributes) === 'Metadata';
}

const pods = asking(alice, 'get', 'pods', { namespace: 'x', name: 'p' });
const logs = asking(alice, 'get', 'pods', { namespace: 'x', name: 'p', subresource: 'log' });
const path = askingPath(alice, 'get', '/healthz/etcd');

describe('an audit policy', () => {
  it('goes by the first rule that matches, and is silent where none does', () => {
    expect(levelOf([{ level: 'Request', verbs: ['get'] }, { level: 'RequestResponse' }], pods)).toBe('Request');
    expect(levelOf([{ level: 'Request', verbs: ['list'] }, { level: 'RequestResponse' }], pods)).toBe(
      'RequestResponse',
    );
    expect(levelOf([{ level: 'Request', verbs: ['list'] }], pods)).toBe('None');
  });

  it('chooses by user, group, verb and namespace', () => {
    expect(isChosen({ users: ['alice'] }, pods)).toBe(true);
    expect(isChosen({ users: ['bob'] }, pods)).toBe(false);
    expect(isChosen({ userGroups: ['ops'] }, pods)).toBe(true);
    expect(isChosen({ userGroups: ['nobody'] }, pods)).toBe(false);
    expect(isChosen({ namespaces: ['x'] }, pods)).toBe(true);
    expect(isChosen({ namespaces: [''] }, pods)).toBe(false);
    expect(isChosen({ namespaces: [''] }, asking(alice, 'list', 'nodes'))).toBe(true);
    expect(isChosen({ namespaces: [''] }, path)).toBe(false);
  });

  it.each<[Record<string, unknown>, boolean, boolean]>([
    [{ group: '' }, true, true],
    [{ group: '*' }, true, true],
    [{ group: 'apps' }, false, false],
    [{ group: '', resources: ['pods'] }, true, false],
    [{ group: '', resources: ['pods/log'] }, false, true],
    [{ group: '', resources: ['*/log'] }, false, true],
    [{ group: '', resources: ['pods/*'] }, true, true],
    [{ group: '', resources: ['*'] }, true, true],
    [{ resources: ['pods'], resourceNames: ['p'] }, true, false],
    [{ resources: ['pods'], resourceNames: ['q'] }, false, false],
  ])('takes %j for pods: %s, for their logs: %s', (resources, forPods, forLogs) => {
    expect(isChosen({ resources: [resources] }, pods)).toBe(forPods);
    expect(isChosen({ resources: [resources] }, logs)).toBe(forLogs);
    expect(isChosen({ resources: [resources] }, path)).toBe(false);
  });

  it('chooses paths', () => {
    expect(isChosen({ nonResourceURLs: ['/healthz*'] }, path)).toBe(true);
    expect(isChosen({ nonResourceURLs: ['/healthz'] }, path)).toBe(false);
    expect(isChosen({ nonResourceURLs: ['*'] }, path)).toBe(true);
    expect(isChosen({ nonResourceURLs: ['*'] }, pods)).toBe(false);
  });

  it('adds up the stages to leave out, and lets a rule overrule managedFields', () => {
    const decide = parseAuditPolicy({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        { level: 'Metadata', verbs: ['get'], omitStages: ['Panic'], omitManagedFields: false },
        { level: 'Metadata' },
      ],
    });

    expect(decide(pods)).toEqual({
      level: 'Metadata',
      omitStages: new Set(['RequestReceived', 'Panic']),
      omitManagedFields: false,
    });
    expect(decide({ ...pods, verb: 'list' })).toEqual({
      level: 'Metadata',
      omitStages: new Set(['RequestReceived']),
      omitManagedFields: true,
    });
  });

  it.each([
    [{ kind: 'Policy', rules: [{ level: 'None' }] }, 'apiVersion'],
    [{ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [] }, 'at least one rule'],
    [{ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'All' }] }, 'rules.0.level'],
    [{ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'None', verb: ['get'] }] }, 'verb'],
    [
      { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'None', nonResourceURLs: ['a'] }] },
      "must begin with a '/'",
    ],
    [
      { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'None', nonResourceURLs: ['/*/a'] }] },
      'final character',
    ],
    [
      {
        apiVersion: 'audit.k8s.io/v1',
        kind: 'Policy',
        rules: [{ level: 'None', nonResourceURLs: ['/a'], namespaces: ['x'] }],
      },
      'cannot apply to both',
    ],
    [
      {
        apiVersion: 'audit.k8s.io/v1',
        kind: 'Policy',
        rules: [{ level: 'None', resources: [{ resourceNames: ['x'] }] }],
      },
      'requires at least one resource',
    ],
    [undefined, 'the document'],
  ])('is refused where it cannot be meant: %j', (policy, fault) => {
    expect(() => parseAuditPolicy(policy)).toThrow(fault);
  });

  it('of ours tells everything of our kinds, no value of a Secret, and nothing else', () => {
    const decide = parseAuditPolicy(parse(readFileSync('infra/kubernetes/audit-policy.yaml', 'utf8')));
    const level = (verb: string, group: string, resource: string, subresource = '') =>
      decide(asking(alice, verb, resource, { group, subresource, namespace: 'x' })).level;

    expect(level('create', '', 'secrets')).toBe('Metadata');
    expect(level('get', '', 'secrets')).toBe('None');
    expect(level('patch', 'argoproj.io', 'applications', 'status')).toBe('Metadata');
    expect(level('update', 'appstudio.redhat.com', 'environments', 'status')).toBe('RequestResponse');
    expect(level('list', 'appstudio.redhat.com', 'environments')).toBe('None');
    expect(level('create', 'toolchain.dev.openshift.com', 'spacerequests')).toBe('RequestResponse');
    expect(level('create', 'apps', 'deployments')).toBe('None');
    expect(decide(path).level).toBe('None');
  });
});
