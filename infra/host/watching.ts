import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import type { RecentObjects } from '../../shared/adapters/kubernetes/recent-objects.ts';
import { foreignKinds, ourKinds } from '../../shared/contracts/kubernetes/catalogue.ts';
import { secretTypes } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { StagecoachWebhook } from '../../shared/runtime/define-webhook.ts';
import { type Machine, routesTo } from '../../shared/runtime/machine.ts';
import type { Check } from './health.ts';
import { EventsRefused, type ForwardedBody } from './watch/forward-target.ts';
import { publishWatchGauges } from './watch/publish-watch-gauges.ts';
import { openReconciledShare } from './watch/reconciled-share.ts';
import { type ForwardedKind, startForwarding } from './watch/start-forwarding.ts';
import { watchEngines } from './watch/watch-engines.ts';

export interface WatchingSettings {
  /** The tenants' cluster; undefined where none is configured. */
  readonly connection: ClusterConnection | undefined;
  /** Takes what the watch brings, for functions that look at it a moment later. */
  readonly recent: RecentObjects;
  readonly machine: Machine;
  /** The door that the events go through. */
  readonly forwardEvent: StagecoachWebhook | undefined;
}

/** Watches every kind that some function of the map cares about, where a cluster is configured. */
export function startWatching({ connection, recent, machine, forwardEvent }: WatchingSettings) {
  const kinds = wantedKinds(machine);
  if (connection === undefined || forwardEvent === undefined || kinds.length === 0) return unwatched;

  const { clock, log, world } = machine;
  // Beside an Argo CD of another cluster, only what is ours is watched at all.
  const share = openReconciledShare({
    now: clock.now,
    namespacesOf: (clusterId) => (clusterId === '' ? world.argoCdNamespaces : undefined),
  });
  const forwarding = startForwarding({
    connection,
    kinds,
    pace: { now: clock.now },
    log,
    async target(body) {
      for (const event of body.events) recent.note(event);
      share.note('', body.events);
      await forward(body);
    },
  });
  // Of a cluster that only runs Argo CDs, we hear what those say. What an agent there is asked to do is its own business.
  const beside = kinds.filter(({ group }) => group === 'argoproj.io');
  const engines = watchEngines({
    engines: world.engineClusters,
    kinds: beside,
    target(clusterId) {
      share.begin(clusterId);
      return async (body) => {
        share.note(clusterId, body.events);
        await forward(body);
      };
    },
    clock,
    log,
  });
  publishWatchGauges({ registry: machine.metrics.registry, health, percent: share.percent });
  const startedAt = clock.now();

  async function forward(body: ForwardedBody): Promise<void> {
    const answer = await (forwardEvent as StagecoachWebhook).handle(body, machine);
    if (answer.status === 400) throw new EventsRefused(`forward-event answered ${JSON.stringify(answer.body)}`);
    if (answer.status !== 200) throw new Error(`forward-event answered ${answer.status}`);
  }

  function health() {
    return [...forwarding.health().map((one) => ({ id: '', ...one })), ...engines.health()];
  }

  return {
    checks(limitMs: number): Check[] {
      const since = clock.now() - limitMs;
      return health().map(({ id, kind, missing, lastContactAt, pendingSince, lastError, restarts }) => {
        machine.metrics.watchRestarts.set({ kind }, restarts);
        const part = id === '' ? `watch ${kind}` : `watch ${kind} of engine cluster ${id}`;
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
      await Promise.all([forwarding.stop(), engines.stop()]);
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
  // Only the Secrets that resources of ours may name, and nothing of them but their metadata. A target may name an
  // Opaque one, which is what provisioners make.
  const secrets = [...Object.values(secretTypes), 'Opaque'].map(
    (type): ForwardedKind => ({
      group: '',
      version: 'v1',
      plural: 'secrets',
      kind: 'Secret',
      namespaced: true,
      fieldSelector: `type=${type}`,
      metadataOnly: true,
    }),
  );
  return [...known, ...secrets].filter(({ group, kind }) =>
    wanted.some((interest) => interest.group === group && interest.kind === kind),
  );
}
