import { describe, expect, it } from 'vitest';
import {
  type PlannedComponent,
  type PlannedOverlay,
  planRepository,
  type RepositoryPlan,
} from '../../../shared/domain/binding/plan-repository.ts';
import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { anInput, applied, filesOf, type Tree } from '../overlay/a-repository.ts';

function inputs(environment: string, ...components: readonly string[]): OverlayInput[] {
  return components.map((component) => anInput({ component, componentName: component, environment }));
}

/** What the Binding of an environment wants, where nothing stands yet. */
function anOverlay(
  environment: string,
  components: readonly string[],
  but: Partial<PlannedOverlay> = {},
): PlannedOverlay {
  return {
    uid: `uid-of-${environment}`,
    environment,
    context: '',
    isGone: false,
    inputs: inputs(environment, ...components),
    rendered: [],
    renderedContext: '',
    ...but,
  };
}

function aComponent(name: string, ...holders: readonly string[]): PlannedComponent {
  return { name, context: '', holders };
}

type Plan = RepositoryPlan<PlannedOverlay, PlannedComponent>;

function plan(overlays: readonly PlannedOverlay[], leaving: readonly PlannedComponent[] = [], tree: Tree = {}): Plan {
  const answer = planRepository(overlays, leaving, filesOf(tree));
  if (answer.kind === 'needs') throw new Error(`It needs ${answer.paths.join(', ')}`);
  return answer;
}

/** The repository after everything was done that is wanted. */
function written(
  overlays: readonly PlannedOverlay[],
  leaving: readonly PlannedComponent[] = [],
  tree: Tree = {},
): Tree {
  return applied(tree, plan(overlays, leaving, tree).changes);
}

function foldersIn(tree: Tree): string[] {
  return [...new Set(Object.keys(tree).map((path) => path.split('/').slice(0, -1).join('/')))].toSorted();
}

const [apiBase, webBase] = ['components/api/base', 'components/web/base'];
const [apiDev, webDev, webProd] = [
  'components/api/overlays/dev',
  'components/web/overlays/dev',
  'components/web/overlays/prod',
];

describe('a plan for a repository', () => {
  it('B01 B29 renders everything that is wanted at once, and says where', () => {
    const { overlays, changes } = plan([anOverlay('dev', ['api', 'web'])]);

    expect(foldersIn(applied({}, changes))).toEqual([apiBase, apiDev, webBase, webDev]);
    expect(overlays).toMatchObject([
      {
        isChanged: true,
        paths: [apiDev, webDev],
        results: [
          { component: 'api', path: apiDev, generatedResources: ['deployment-patch.yaml'] },
          { component: 'web', path: webDev, generatedResources: ['deployment-patch.yaml'] },
        ],
      },
    ]);
  });

  it('changes nothing upon its own output, and tells the same', () => {
    const overlays = [anOverlay('dev', ['api', 'web']), anOverlay('prod', ['web'])];
    const again = plan(overlays, [], written(overlays));

    expect(again.changes.size).toBe(0);
    expect(again.overlays.map(({ isChanged, results }) => [isChanged, results.length])).toEqual([
      [false, 2],
      [false, 1],
    ]);
  });

  it('is the same whatever the order of the Bindings', () => {
    const overlays = [anOverlay('dev', ['api', 'web']), anOverlay('prod', ['web'])];

    expect(written(overlays.toReversed())).toEqual(written(overlays));
  });

  it('asks for all files that it has to read before it decides', () => {
    const tree = written([anOverlay('dev', ['api', 'web'])]);
    const overlay = anOverlay('dev', ['web'], { rendered: inputs('dev', 'api', 'web') });
    const answer = planRepository(
      [overlay],
      [aComponent('api')],
      filesOf(tree, { unread: new Set(Object.keys(tree)) }),
    );

    expect(answer).toEqual({ kind: 'needs', paths: Object.keys(tree).toSorted() });
  });

  it('B30 leaves a component as it is that cannot be rendered, and renders the others', () => {
    const before = written([anOverlay('dev', ['api', 'web'])]);
    const spoilt = { ...before, [`${apiDev}/deployment-patch.yaml`]: 'mine: true\n' };
    const next = [anOverlay('dev', ['api', 'web'], { rendered: inputs('dev', 'api', 'web') })].map((one) => ({
      ...one,
      inputs: one.inputs.map((input) => ({ ...input, replicas: 4 })),
    }));
    const { overlays, changes } = plan(next, [], spoilt);

    expect([...changes.keys()]).toEqual([`${webDev}/kustomization.yaml`]);
    expect(overlays[0]?.paths).toEqual([webDev]);
    expect(overlays[0]?.results).toMatchObject([
      { component: 'api', reason: 'FileNotOurs' },
      { component: 'web', path: webDev },
    ]);
  });
});

describe('what is not wanted any more', () => {
  const both = inputs('dev', 'api', 'web');
  const tree = written([anOverlay('dev', ['api', 'web']), anOverlay('prod', ['web'])]);

  it('B26 a component of an environment leaves it, and its base stays', () => {
    const { changes, overlays } = plan([anOverlay('dev', ['web'], { rendered: both })], [], tree);

    expect(foldersIn(applied(tree, changes))).toEqual([apiBase, webBase, webDev, webProd]);
    expect(overlays[0]?.isChanged).toBe(true);
  });

  it('B27 all of an environment leaves with its Binding, and no other environment changes', () => {
    const gone = anOverlay('dev', [], { rendered: both, isGone: true });
    const { changes, overlays } = plan([gone], [], tree);

    expect(foldersIn(applied(tree, changes))).toEqual([apiBase, webBase, webProd]);
    expect(overlays).toMatchObject([{ results: [], paths: [], isChanged: true }]);
  });

  it('stays where another Binding wants it, whichever is looked at first', () => {
    const gone = anOverlay('dev', [], { uid: 'old', rendered: both, isGone: true });
    const successor = anOverlay('dev', ['web'], { uid: 'new' });

    for (const order of [
      [gone, successor],
      [successor, gone],
    ])
      expect(foldersIn(written(order, [], tree))).toEqual([apiBase, webBase, webDev, webProd]);
    expect(plan([gone, successor], [], tree).overlays.map(({ isChanged }) => isChanged)).toEqual([true, false]);
  });

  it('of a Binding that wants nothing any more is not rendered, whatever it wanted last', () => {
    const gone = anOverlay('dev', ['api', 'web'], { rendered: both, isGone: true });

    expect(foldersIn(written([gone], [], tree))).toEqual([apiBase, webBase, webProd]);
  });

  it('G23 moves with the context: the old place is emptied, the new one filled, in one change', () => {
    const moved = anOverlay('dev', ['web'], { context: 'deep/down', rendered: inputs('dev', 'web') });
    const start = written([anOverlay('dev', ['web'])]);

    expect(foldersIn(written([moved], [], start))).toEqual([
      webBase,
      'deep/down/components/web/base',
      'deep/down/components/web/overlays/dev',
    ]);
  });

  it('leaves what a user added to it', () => {
    const mine = { ...tree, [`${webDev}/mine.yaml`]: 'kind: Mine\n', 'README.md': 'mine' };
    const gone = anOverlay('dev', [], { rendered: both, isGone: true });

    expect(Object.keys(written([gone], [], mine))).toEqual(
      expect.arrayContaining([`${webDev}/mine.yaml`, 'README.md']),
    );
  });
});

describe('the base of a Component that is no more', () => {
  const dev = 'uid-of-dev';
  const tree = written([anOverlay('dev', ['api', 'web']), anOverlay('prod', ['web'])]);
  const without = anOverlay('dev', ['web'], { rendered: inputs('dev', 'api', 'web') });

  it('goes when nobody stands on it', () => {
    const { changes, pruned } = plan([], [aComponent('api')], { ...tree, 'other.txt': '' });

    expect([...changes.keys()].every((path) => path.startsWith(apiBase))).toBe(true);
    expect(pruned).toEqual([aComponent('api')]);
  });

  it('goes together with the last overlay on it', () => {
    const { changes, pruned } = plan([without], [aComponent('api', dev)], tree);

    expect(foldersIn(applied(tree, changes))).toEqual([webBase, webDev, webProd]);
    expect(pruned).toHaveLength(1);
  });

  it.each<[string, PlannedOverlay[], PlannedComponent]>([
    ['an overlay stands on it that is not looked at now', [without], aComponent('api', dev, 'uid-of-prod')],
    ['an overlay wants it that does not stand yet', [without, anOverlay('prod', ['api'])], aComponent('api', dev)],
    ['an overlay on it is wanted as it is', [anOverlay('dev', ['api', 'web'])], aComponent('api', dev)],
  ])('stays while %s', (_what, overlays, component) => {
    const { pruned, changes } = plan(overlays, [component], tree);

    expect(pruned).toEqual([]);
    expect(foldersIn(applied(tree, changes))).toContain(apiBase);
  });

  it('goes from the context that its Bindings have left', () => {
    const moved = anOverlay('dev', ['api'], { context: 'deep', rendered: inputs('dev', 'api') });
    const start = written([anOverlay('dev', ['api'])]);

    expect(foldersIn(written([moved], [aComponent('api', dev)], start))).toEqual([
      'deep/components/api/base',
      'deep/components/api/overlays/dev',
    ]);
  });
});
