import type { Config } from '../../shared/runtime/config.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import type { Check } from './health.ts';

export function startWatching(_: { readonly config: Config<'cluster'>['cluster']; readonly machine: Machine }) {
  return {
    checks: (_limitMs: number): Check[] => [],
    async stop(): Promise<void> {},
  };
}
