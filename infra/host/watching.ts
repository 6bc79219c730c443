import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { foreignKinds, ourKinds } from '../../shared/contracts/kubernetes/catalogue.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { StagecoachWebhook } from '../../shared/runtime/define-webhook.ts';
import { type Machine, routesTo } from '../../shared/runtime/machine.ts';
import type { Check } from './health.ts';
import { EventsRefused } from './watch/forward-target.ts';
import { type ForwardedKind, startForwarding } from './watch/start-forwarding.ts';

export interface WatchingSettings {
  readonly config: Config<'cluster'>['cluster'];
  readonly machine: Machine;
  /** The door that the events go through. */
  readonly forwardEvent: StagecoachWebhook | undefined;
}

/** Watches every kind that some function of the map cares about, where a cluster is configured. */
export function startWatching({ config, machine, forwardEvent }: WatchingSettings) {
  const inCluster = config.KUBECONFIG === undefined && config.KUBERNETES_SERVICE_HOST !== undefined;
  const kinds = wantedKinds(machine);
  if ((config.KUBECONFIG === undefined && !inCluster) || forwardEvent === undefined || kinds.length === 0)
    return unwatched;

  const connection = connectCluster({
    kubeconfigPath: config.KUBECONFIG,
    context: config.KUBE_CONTEXT,
    inCluster,
    now: machine.clock.now,
  });
  const forwarding = startForwarding({
    connection,
    kinds,
    pace: { now: machine.clock.now },
    log: machine.log,
    async target(body) {
      const answer = await forwardEvent.handle(body, machine);
      if (answer.status === 400) throw new EventsRefused(`forward-event answered ${JSON.stringify(answer.body)}`);
      if (answer.status !== 200) throw new Error(`forward-event answered ${answer.status}`);
    },
  });
  const startedAt = machine.clock.now();
  return {
    checks(limitMs: number): Check[] {
      const since = machine.clock.now() - limitMs;
      return forwarding.health().map(({ kind, missing, lastContactAt, pendingSince, lastError, restarts }) => {
        machine.metrics.watchRestarts.set({ kind }, restarts);
        const part = `watch ${kind}`;
        // A kind whose CRD is not installed is nobody's failure; it is looked for again and again.
        if (missing) return { part, ok: true, says: 'is not installed on the cluster' };
        if ((lastContactAt ?? startedAt) < since)
          return { part, ok: false, says: `does not follow the cluster: ${lastError?.message ?? 'no contact yet'}` };
        if ((pendingSince ?? Number.POSITIVE_INFINITY) < since)
          return { part, ok: false, says: 'its events are not taken' };
        return { part, ok: true, says: 'follows the cluster' };
      });
    },
    async stop(): Promise<void> {
      await forwarding.stop();
      await connection.close();
    },
  };
}

const unwatched = { checks: (_limitMs: number): Check[] => [], stop: async (): Promise<void> => {} };

function wantedKinds(machine: Machine): ForwardedKind[] {
  const wanted = machine.interests.filter(({ wakes }) => routesTo(machine, wakes).length > 0);
  const known = [...ourKinds, ...foreignKinds].map(({ group, version, plural, kind, scope }) => ({
    group,
    version,
    plural,
    kind,
    namespaced: scope === 'Namespaced',
  }));
  const secret: ForwardedKind = {
    group: '',
    version: 'v1',
    plural: 'secrets',
    kind: 'Secret',
    namespaced: true,
    metadataOnly: true,
  };
  return [...known, secret].filter(({ group, kind }) =>
    wanted.some((interest) => interest.group === group && interest.kind === kind),
  );
}
