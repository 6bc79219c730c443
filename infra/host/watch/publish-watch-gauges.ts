import type { Registry } from 'prom-client';
import { publishGauge } from '../../../shared/adapters/telemetry/publish-gauge.ts';
import type { ForwardingHealth } from './start-forwarding.ts';

/** How a watch stands, and of which cluster it is: the empty id is the tenants' own. */
export type WatchStand = Pick<ForwardingHealth, 'group' | 'kind' | 'synced' | 'missing' | 'known'> & {
  readonly id: string;
};

interface WatchGaugesSettings {
  readonly registry: Registry;
  readonly health: () => readonly WatchStand[];
  /** Of the Applications in these clusters. */
  readonly percent: (followed: ReadonlySet<string>) => number;
}

/**
 * The gauges of the original service that count objects, from what this host's watches know: nobody is asked. They have
 * no value while the watch of the tenants' cluster has no complete picture.
 */
export function publishWatchGauges({ registry, health, percent }: WatchGaugesSettings): void {
  const following = (group: string, kind: string): readonly WatchStand[] | undefined => {
    const watches = health().filter((one) => one.group === group && one.kind === kind);
    const own = watches.find(({ id }) => id === '');
    return own?.synced === true || own?.missing === true ? watches : undefined;
  };
  publishGauge(registry, {
    name: 'number_of_operationsCR',
    help: 'Operation objects in the clusters that this host follows',
    labels: { name: 'total_operations_CR_on_cluster' },
    read: () =>
      following('managed-gitops.redhat.com', 'Operation')
        ?.filter(({ missing }) => !missing)
        .reduce((sum, { known }) => sum + known, 0),
  });
  publishGauge(registry, {
    name: 'gitops_argocd_apps_reconciled_percent',
    help: 'Share of the Applications beside Argo CDs that were reconciled in the last three minutes, of 100',
    labels: { gitopsArgoApps: 'percent-reconciled' },
    read() {
      const watches = following('argoproj.io', 'Application');
      return watches === undefined ? undefined : percent(new Set(watches.map(({ id }) => id)));
    },
  });
}
