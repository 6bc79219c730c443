import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { publishWatchGauges, type WatchStand } from '../../../infra/host/watch/publish-watch-gauges.ts';
import { openReconciledShare } from '../../../infra/host/watch/reconciled-share.ts';
import type { WatchEvent } from '../../../shared/adapters/kubernetes/watched-object.ts';

const now = Date.parse('2026-07-01T12:00:00Z');
const recent = '2026-07-01T11:57:00Z';
const old = '2026-07-01T11:56:59Z';

function openShare() {
  const namespacesOf = (clusterId: string) => (clusterId === '' ? ['argocd', 'argocd-two'] : undefined);
  return openReconciledShare({ now: () => now, namespacesOf });
}

function application(
  name: string,
  reconciledAt?: string,
  { namespace = 'argocd', type = 'MODIFIED' }: { namespace?: string; type?: WatchEvent['type'] } = {},
): WatchEvent {
  const metadata = { name, namespace, uid: `${namespace}/${name}`, resourceVersion: '1' };
  const status = reconciledAt === undefined ? {} : { reconciledAt };
  return { type, object: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, status } };
}

const own = new Set(['']);

describe('the share of Applications that were reconciled in the last three minutes', () => {
  it.each<[string, readonly WatchEvent[], number]>([
    ['CM-01 is 0 without any', [], 0],
    ['CM-04 is 0 for one that was never reconciled', [application('a')], 0],
    ['CM-05 is 0 for one that was reconciled earlier', [application('a', old)], 0],
    ['CM-06 leaves out other namespaces', [application('a', old), application('b', recent, { namespace: 'team' })], 0],
    ['CM-07 is 100 for one that was', [application('a', recent)], 100],
    ['CM-08 is 50 for one of two', [application('a', recent), application('b', old)], 50],
    [
      'CM-09 is 100 for two beside two Argo CDs',
      [application('a', recent), application('b', recent, { namespace: 'argocd-two' })],
      100,
    ],
    ['takes what it heard last', [application('a', old), application('a', recent)], 100],
    ['does not count what is gone', [application('a', old), application('a', old, { type: 'DELETED' })], 0],
    ['does not count a time that is none', [application('a', 'yesterday')], 0],
  ])('%s', (_what, events, percent) => {
    const share = openShare();

    share.note('', events);

    expect(share.percent(own)).toBe(percent);
  });

  it('leaves out other kinds of that name', () => {
    const share = openShare();
    const { type, object } = application('a', recent);

    share.note('', [{ type, object: { ...object, apiVersion: 'appstudio.redhat.com/v1alpha1' } }]);

    expect(share.percent(own)).toBe(0);
  });

  it('counts every namespace of another engine cluster, as long as that is followed', () => {
    const share = openShare();
    share.note('', [application('a', recent)]);
    share.note('far', [application('b', old, { namespace: 'anywhere' })]);

    expect(share.percent(new Set(['', 'far']))).toBe(50);
    expect(share.percent(own)).toBe(100);
  });
});

describe('a cluster whose watch begins anew', () => {
  it('has only the Applications that it tells of now', () => {
    const share = openShare();
    share.note('far', [application('gone', old), application('there', recent)]);

    share.begin('far');
    share.note('far', [application('there', recent)]);

    expect(share.percent(new Set(['far']))).toBe(100);
  });
});

describe('the gauges of what a host watches', () => {
  const operations = { group: 'managed-gitops.redhat.com', kind: 'Operation', id: '', missing: false };
  const applications = { group: 'argoproj.io', kind: 'Application', id: '', missing: false, synced: true, known: 2 };

  async function scrape(...health: readonly WatchStand[]): Promise<string[]> {
    const registry = new Registry();
    publishWatchGauges({ registry, health: () => health, percent: (followed) => 10 * followed.size });
    return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  it('CM-03 CM-10 are the Operation objects of all clusters, and the share just now', async () => {
    const far = { ...operations, id: 'far', synced: true, known: 3 };

    expect(await scrape({ ...operations, synced: true, known: 4 }, far, applications)).toEqual([
      'number_of_operationsCR{name="total_operations_CR_on_cluster"} 7',
      'gitops_argocd_apps_reconciled_percent{gitopsArgoApps="percent-reconciled"} 10',
    ]);
  });

  it('CM-01 CM-03 are 0 objects where the cluster does not know the kind', async () => {
    expect(await scrape({ ...operations, synced: false, missing: true, known: 9 })).toEqual([
      'number_of_operationsCR{name="total_operations_CR_on_cluster"} 0',
    ]);
  });

  it('have no value where nobody watches, or nobody has a complete picture', async () => {
    expect(await scrape()).toEqual([]);
    expect(await scrape({ ...operations, synced: false, known: 4 })).toEqual([]);
  });
});
