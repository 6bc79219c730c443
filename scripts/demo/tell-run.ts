import type { PromotionRun } from '../../shared/contracts/kubernetes/promotion-run.ts';
import type { Paint } from '../ops/paint.ts';

type Told = NonNullable<PromotionRun['status']>['environmentStatus'][number];

interface Line {
  /** What it is about: an environment, or the run. */
  readonly about: string;
  readonly text: string;
  /** Said with it, and no news if it alone is another. */
  readonly aside?: string;
}

/** As many digits of a commit as people read. */
const digits = 10;

/**
 * Everything that there is to say of a run as it stands, in the order in which it happens. Whoever follows it says what it
 * has not said yet: what comes and goes between two looks is left out, and nothing is said twice.
 */
export function tellRun({ spec, status }: PromotionRun, paint: Paint): readonly Line[] {
  const way = (status?.environmentStatus ?? []).toSorted((one, other) => one.step - other.step);
  const waiting = waitOf(status?.waiting, way, paint);
  const lines = way.flatMap((one) => [
    ...evidenceOf(one, paint),
    ...(waiting?.about === one.environmentName ? [waiting] : []),
    ...endOf(one, paint),
  ]);
  // It waits for its turn, or for what its first step needs.
  if (waiting !== undefined && !way.some(({ environmentName }) => environmentName === waiting.about))
    lines.push(waiting);
  if (status?.state !== 'Completed') return lines;
  if (status.completionResult === 'Success') return [...lines, { about: '', text: paint.good('✓ Success') }];
  const why = status.conditions.find(({ type }) => type === 'Promoted')?.message ?? '';
  return [...lines, { about: '', text: `${paint.bad('✗ Failure')} of snapshot ${spec.snapshot}: ${why}` }];
}

function evidenceOf({ environmentName: about, commit, components }: Told, paint: Paint): Line[] {
  if (commit === '') return [];
  return [
    { about, text: `commit ${commit.slice(0, digits)} holds it` },
    ...components
      // What Argo CD says of another commit is no evidence for this one.
      .filter(({ sync, health, revision }) => sync === 'Synced' && health === 'Healthy' && revision === commit)
      .map(({ name, sync, health, revision }) => ({
        about,
        text: `${paint.good('✓')} ${name} is ${sync} and ${health} at ${revision.slice(0, digits)}`,
      })),
  ];
}

function endOf({ environmentName: about, status, displayStatus }: Told, paint: Paint): Line[] {
  if (status === 'in-progress') return [];
  return [{ about, text: `${status === 'success' ? paint.good('✓') : paint.bad('✗')} ${displayStatus}` }];
}

/** Which environment it waits for stands before the message, where it is one. */
function waitOf(
  wait: NonNullable<PromotionRun['status']>['waiting'],
  way: readonly Told[],
  paint: Paint,
): Line | undefined {
  if (wait === undefined) return undefined;
  const at = way.find(({ environmentName }) => wait.message.startsWith(`${environmentName}: `));
  const about = at?.environmentName ?? '';
  const message = about === '' ? wait.message : wait.message.slice(about.length + 2);
  const aside = wait.until === undefined ? '' : paint.dim(`, until ${wait.until.slice(11)}`);
  return { about, text: `${paint.wait(`… ${wait.reason}`)} ${message}`, aside };
}
