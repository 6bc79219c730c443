import type { PlannedOverlay } from '../../../shared/domain/binding/plan-repository.ts';
import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { planOnTree } from '../../../shared/runtime/plan-on-tree.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { type Measure, quantile, round } from '../measure.ts';

const components = 10;
const turns = 300;
const most = 5;

export const overlayRender: Measure = {
  name: 'overlay-render',
  asks: 'How long does it take to render a Binding of ten components over what stands in its repository?',
  async run(tell) {
    const files = new Map<string, string>();
    const fresh: number[] = [];
    const again: number[] = [];
    await render(overlay('first'), files);
    for (let turn = 0; turn < scaled(turns) + 30; turn += 1) {
      if (turn % 50 === 0) tell(String(turn));
      const empty = await time(overlay(`build-${turn}`), new Map());
      const standing = await time(overlay(`build-${turn}`), files);
      if (turn < 30) continue;
      fresh.push(empty);
      again.push(standing);
    }
    const ours = quantile(again, 0.5);
    return {
      name: 'overlay-render',
      unit: 'ms',
      ours: round(ours),
      p99: round(quantile(again, 0.99)),
      floor: null,
      ratio: null,
      target: `< ${most}`,
      ok: ours < most,
      note: `ten components, each read, parsed and rendered anew over what stands there; into an empty repository ${round(quantile(fresh, 0.5))} ms${scaleNote()}`,
    };
  },
};

async function time(planned: PlannedOverlay, files: Map<string, string>): Promise<number> {
  const from = performance.now();
  await render(planned, files);
  return performance.now() - from;
}

/** As functions/render-overlay does it, on a repository in memory. */
async function render(planned: PlannedOverlay, files: Map<string, string>): Promise<void> {
  const { changes } = await planOnTree(
    {
      head: undefined,
      entries: [...files.keys()].toSorted().map((path) => ({ path, kind: 'file' })),
      async read(paths) {
        return new Map([...paths].map((path) => [path, { text: files.get(path) ?? '' }]));
      },
      async lastCommitOf() {
        return undefined;
      },
    },
    [planned],
    [],
  );
  for (const [path, text] of changes) {
    if (text === undefined) files.delete(path);
    else files.set(path, text);
  }
}

function overlay(build: string): PlannedOverlay {
  return {
    uid: 'binding',
    environment: 'production',
    context: '',
    isGone: false,
    inputs: Array.from({ length: components }, (_each, at) => input(`component-${at}`, build)),
    rendered: [],
    renderedContext: '',
  };
}

function input(component: string, build: string): OverlayInput {
  return {
    component,
    componentName: component,
    application: 'shop',
    environment: 'production',
    namespace: 'team',
    image: `registry.example.com/shop/${component}:${build}`,
    replicas: 3,
    env: Array.from({ length: 10 }, (_each, at) => ({ name: `VARIABLE_${at}`, value: `a value of ${build}` })),
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    port: 8080,
    pullSecret: '',
    expose: { with: 'Ingress', host: `${component}-team.apps.example.com` },
    kustomizeBase: '',
  };
}
