import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { redact } from '../../../shared/adapters/telemetry/redact.ts';
import { type Application, instant, type ResourceStatus } from './application.ts';
import { setConditions } from './compare/conditions.ts';
import { trackingOf } from './compare/tracking.ts';
import { deletionError, finalizeApplication } from './finalize-application.ts';
import { gvkOf, type KubeObject } from './kube-object.ts';
import { type Level, levels, needsRefresh } from './needs-refresh.ts';
import { refreshApplication, type World } from './refresh-application.ts';
import { operate } from './sync/operate.ts';
import { openWorkQueue, type SetTimer } from './work-queue.ts';

export interface Controller {
  readonly onApplication: (name: string, gone: boolean) => void;
  readonly onLiveObject: (object: KubeObject) => void;
  /** A project or a Secret changed: what was refused may be allowed now. */
  readonly onSettings: () => void;
  start(): void;
  stop(): Promise<void>;
}

export interface ControllerSettings {
  readonly world: World;
  readonly log: Logger;
  readonly refreshEveryMs: number;
  readonly setTimer: SetTimer;
}

const atOnce = 4;
const retryMs = { first: 1_000, most: 60_000 };

/** Works on each application whenever something about it changes, one step at a time, and never on one twice at once. */
export function openController({ world, log, refreshEveryMs, setTimer }: ControllerSettings): Controller {
  const { applications, now } = world;
  const asked = new Map<string, Level>();
  /** Which objects each application has reported, so that a change of one without our mark finds it, too. */
  const reported = new Map<string, ReadonlySet<string>>();
  /** Those with something to complain of: a project or a Secret that changes may have mended it. */
  const troubled = new Set<string>();
  const automation = new Map<string, { on: boolean; heals: boolean }>();
  let started = false;
  const early = new Set<string>();

  const queue = openWorkQueue({
    atOnce,
    work,
    setTimer,
    onError(name, error, failures) {
      const retry = Math.min(retryMs.most, retryMs.first * 2 ** (failures - 1));
      log.warn('argo application not reconciled', {
        name,
        error: redact(String(error)),
        attempt: failures,
        retry: retry / 1_000,
      });
      return retry;
    },
  });

  function ask(name: string, level: Level): void {
    asked.set(name, Math.max(asked.get(name) ?? 0, level) as Level);
    if (started) queue.add(name);
    else early.add(name);
  }

  async function work(name: string): Promise<void> {
    const level = asked.get(name) ?? levels.none;
    asked.delete(name);
    try {
      await reconcile(name, level);
    } catch (error) {
      asked.set(name, Math.max(asked.get(name) ?? 0, level) as Level);
      throw error;
    }
  }

  async function reconcile(name: string, level: Level): Promise<void> {
    let app = await applications.read(name);
    if (app === undefined) return forget(name);
    if (app.metadata.deletionTimestamp !== undefined) {
      try {
        const wait = await finalizeApplication(world, app);
        if (wait !== undefined) queue.addAfter(name, wait);
      } catch (error) {
        const before = app.status?.conditions ?? [];
        const conditions = setConditions(before, [deletionError(error)], ['DeletionError'], now());
        await applications.writeStatus(app, { ...app.status, conditions });
        throw error;
      }
      return;
    }
    const refresh = needsRefresh(app, becameAutomated(app) ? levels.latest : level, now(), refreshEveryMs);
    if (refresh !== undefined) {
      const after = await refreshApplication(world, app, refresh);
      app = after.app;
      if (after.againInMs !== undefined) {
        const wait = after.againInMs;
        asked.set(name, levels.latest);
        queue.addAfter(name, wait);
      }
    }
    if (app === undefined) return;
    reported.set(name, new Set((app.status?.resources ?? []).map(keyOfStatus)));
    if ((app.status?.conditions ?? []).length > 0) troubled.add(name);
    else troubled.delete(name);
    if (app.operation !== undefined) {
      const { ended, againInMs } = await operate(world, app);
      if (ended) ask(name, levels.latest);
      else if (againInMs !== undefined) queue.addAfter(name, againInMs);
    }
    const age = now() - Date.parse(app.status?.reconciledAt ?? instant(now()));
    queue.addAfter(name, Math.max(1_000, refreshEveryMs - age));
  }

  /** Whoever switches automation on expects it to act, though nothing else changed. */
  function becameAutomated({ metadata, spec }: Application): boolean {
    const { automated } = spec.syncPolicy ?? {};
    const on = automated !== undefined && automated.enabled !== false;
    const now = { on, heals: on && automated.selfHeal === true };
    const before = automation.get(metadata.name);
    automation.set(metadata.name, now);
    return before !== undefined && ((now.on && !before.on) || (now.heals && !before.heals));
  }

  function forget(name: string): void {
    reported.delete(name);
    troubled.delete(name);
    automation.delete(name);
  }

  return {
    onApplication(name, gone) {
      if (gone) forget(name);
      else ask(name, levels.none);
    },
    onLiveObject(object) {
      const owner = trackingOf(object)?.application;
      if (owner !== undefined) ask(owner, levels.recent);
      const key = [gvkOf(object).group, object.kind, object.metadata.namespace ?? '', object.metadata.name].join('/');
      for (const [name, keys] of reported) if (name !== owner && keys.has(key)) ask(name, levels.recent);
    },
    onSettings() {
      for (const name of troubled) ask(name, levels.latest);
    },
    start() {
      started = true;
      for (const name of early) queue.add(name);
      early.clear();
    },
    stop: () => queue.stop(),
  };
}

function keyOfStatus({ group = '', kind, namespace = '', name }: ResourceStatus): string {
  return [group, kind, namespace, name].join('/');
}
