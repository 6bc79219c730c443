import type { Cluster } from '../../ports/cluster.ts';
import type { Provisioner, Provisioners } from '../../ports/provisioner.ts';
import { openDevsandbox } from './devsandbox.ts';
import { type HypershiftSettings, openHypershift } from './hypershift.ts';

interface ProvisionersSettings {
  /** The cluster of the tenants. */
  readonly local: Cluster;
  /** True: the certificates of the clusters that the sandbox gives are not checked. For development only. */
  readonly isInsecure?: boolean | undefined;
  /** Undefined: no hosted clusters are made here. */
  readonly hosted?: Omit<HypershiftSettings, 'local'> | undefined;
}

/** Everybody who makes targets. A new one is one more line here. */
export function openProvisioners(settings: ProvisionersSettings): Provisioners {
  const all: readonly Provisioner[] = [
    openDevsandbox(settings),
    ...(settings.hosted === undefined ? [] : [openHypershift({ local: settings.local, ...settings.hosted })]),
  ];
  return Object.assign((name: string) => all.find((provisioner) => provisioner.name === name), { all });
}
