import { type Application, type ApplicationStatus, instant } from './application.ts';
import type { ApplicationStore } from './application-store.ts';
import type { Clusters } from './cluster/clusters.ts';
import { type CompareSettings, compareApplication } from './compare/compare-application.ts';
import { setConditions } from './compare/conditions.ts';
import { levels, type Refresh } from './needs-refresh.ts';
import type { AppProject } from './project/app-project.ts';
import { checkSpec } from './project/check-spec.ts';
import { decideAutoSync } from './sync/decide-auto-sync.ts';

export interface World {
  readonly namespace: string;
  readonly applications: ApplicationStore;
  readonly clusters: Clusters;
  readonly compare: CompareSettings;
  readonly projectOf: (app: Application) => AppProject | undefined;
  readonly now: () => number;
}

const specTypes = ['InvalidSpecError', 'UnknownError'];
const comparisonTypes = [
  'ComparisonError',
  'SharedResourceWarning',
  'RepeatedResourceWarning',
  'ExcludedResourceWarning',
];

export interface Refreshed {
  /** As it stands now; undefined where it is gone. */
  readonly app: Application | undefined;
  /** Look again after so long. */
  readonly againInMs: number | undefined;
}

/** Compares an application, starts a sync where it is due, and writes down what was found. */
export async function refreshApplication(world: World, app: Application, refresh: Refresh): Promise<Refreshed> {
  const { applications, clusters, now } = world;
  const before = app.status ?? {};
  const project = world.projectOf(app);
  const spec = checkSpec(app, project, () => clusters.find(app.spec.destination));
  let conditions = setConditions(before.conditions ?? [], spec.conditions, specTypes, now());
  if (
    project === undefined ||
    spec.cluster === undefined ||
    spec.conditions.length > 0 ||
    app.spec.source === undefined
  ) {
    const status = withHealth(
      { ...before, sync: { ...before.sync, status: 'Unknown' }, conditions: conditions },
      'Unknown',
      before,
      now(),
    );
    return { app: await applications.writeStatus(app, status), againInMs: undefined };
  }

  const recent = refresh.level === levels.recent;
  const comparison = await compareApplication(world.compare, clusters.open(spec.cluster), project, {
    app,
    source: app.spec.source,
    revision: recent ? (before.sync?.revision ?? '') : '',
    resolveAnew: refresh.level === levels.resolve,
    renderAnew: refresh.hard,
  });
  conditions = setConditions(conditions, comparison.conditions, comparisonTypes, now());

  const auto = decideAutoSync(app, comparison.sync, comparison.resources, now());
  const syncErrors = auto.do === 'nothing' && auto.condition !== undefined ? [auto.condition] : [];
  conditions = setConditions(conditions, syncErrors, ['SyncError'], now());
  const status = withHealth(
    {
      ...before,
      sync: comparison.sync,
      resources: comparison.resources,
      conditions,
      ...(comparison.images.length > 0 && { summary: { images: comparison.images } }),
      ...(comparison.images.length === 0 && before.summary !== undefined && { summary: {} }),
      controllerNamespace: world.namespace,
      ...(comparison.sourceType !== undefined && { sourceType: comparison.sourceType }),
      reconciledAt: recent && before.reconciledAt !== undefined ? before.reconciledAt : instant(now()),
    },
    comparison.health,
    before,
    now(),
  );
  const written = await applications.writeStatus(app, status);
  if (written === undefined || auto.do === 'nothing') return { app: written, againInMs: undefined };
  if (auto.do === 'wait') return { app: written, againInMs: auto.ms };
  return { app: (await applications.startOperation(written, auto.operation)) ?? written, againInMs: undefined };
}

/** The time of the last change of health stays as long as the health does. Empty lists are left out. */
function withHealth(
  status: ApplicationStatus,
  health: NonNullable<ApplicationStatus['health']>['status'],
  before: ApplicationStatus,
  now: number,
): ApplicationStatus {
  const same = before.health?.status === health;
  const since = same ? before.health?.lastTransitionTime : instant(now);
  const { conditions, resources, ...rest } = status;
  return {
    ...rest,
    ...(resources !== undefined && resources.length > 0 && { resources }),
    ...(conditions !== undefined && conditions.length > 0 && { conditions }),
    health: { status: health, ...(since !== undefined && { lastTransitionTime: since }) },
  };
}
