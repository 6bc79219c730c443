import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeValues } from '../../../shared/domain/overlay/merge-values.ts';
import type { Exposure, OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { pruneOverlay } from '../../../shared/domain/overlay/prune.ts';
import { anInput, applied, at, filesOf, rendered, rendering, type Tree, yamlAt } from './a-repository.ts';

const usersBase: Tree = {
  'apps/base/kustomization.yaml': 'resources: [web.yaml]\nnamePrefix: my-\n',
  'apps/base/web.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: front }
spec: { template: { spec: { containers: [{ name: main, env: [{ name: OLD, value: x }] }] } } }
`,
};

const exposures: fc.Arbitrary<Exposure | undefined> = fc.constantFrom(
  undefined,
  { with: 'Route', name: 'web-0a1b', host: '' },
  { with: 'Ingress', host: 'a.example.com' },
  { with: 'HTTPRoute', host: 'a.example.com', gateway: { namespace: 'infra', name: 'public' } },
);

const amounts = fc.option(fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '50Mi', '0.5')), {
  nil: undefined,
});

function inputs(but: Partial<OverlayInput> = {}): fc.Arbitrary<OverlayInput> {
  const variable = fc.record({
    name: fc.string({ minLength: 1, maxLength: 4 }),
    value: fc.string({ unit: 'grapheme', maxLength: 6 }),
  });
  return fc
    .record({
      component: fc.constantFrom('web', 'api', 'db'),
      environment: fc.constantFrom('dev', 'prod'),
      image: fc.constantFrom('web', 'quay.io/team/web:v1', 'registry:5000/web:v1@sha256:0a1b'),
      replicas: fc.nat(3),
      env: fc.uniqueArray(variable, { selector: ({ name }) => name, maxLength: 3 }),
      resources: fc.record({ requests: amounts, limits: amounts }),
      port: fc.constantFrom(0, 80, 8080),
      pullSecret: fc.constantFrom('', 'opener'),
      expose: exposures,
      kustomizeBase: fc.constantFrom('', 'apps/base'),
    })
    .map((some) => anInput({ ...some, ...but }));
}

describe('rendering', () => {
  it('O33 the same again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(inputs(), { minLength: 1, maxLength: 3 }), (all) => {
        const tree = all.reduce<Tree>((before, input) => rendered(input, before), usersBase);
        const last = all.at(-1) as OverlayInput;

        expect(rendering(last, tree).changes).toEqual(new Map());
      }),
      { numRuns: 40 },
    );
  });

  it('leaves no trace of what was rendered before', () => {
    fc.assert(
      fc.property(
        inputs({ component: 'web', environment: 'dev' }),
        inputs({ component: 'web', environment: 'dev', kustomizeBase: '' }),
        (before, after) => {
          const once = rendered(after, usersBase);

          expect(rendered(after, rendered(before, usersBase))).toEqual(once);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('O34 components in any order give the same tree', () => {
    const three = fc.tuple(inputs({ component: 'web' }), inputs({ component: 'api' }), inputs({ component: 'db' }));
    const shuffled = three.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: 3 })));

    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const [here, there] = [one, other].map((all) =>
          all.reduce<Tree>((before, input) => rendered(input, before), usersBase),
        );

        expect(here).toEqual(there);
      }),
      { numRuns: 30 },
    );
  });

  it('O25 what a user added survives a hundred renderings and the end of the overlay', () => {
    const users = {
      resources: ['mine.yaml'],
      patches: [{ path: 'mine-patch.yaml' }, { patch: '- op: remove\n  path: /a\n', target: { kind: 'Service' } }],
      images: [{ name: 'redis', newTag: '007' }],
      replicas: [{ name: 'worker', count: 2 }],
      labels: [{ pairs: { yes: 'no' } }],
      components: ['../../../../shared'],
    };
    const hundred = fc.array(inputs({ component: 'web', environment: 'dev' }), { minLength: 100, maxLength: 100 });

    fc.assert(
      fc.property(hundred, (all) => {
        const mine = { ...usersBase, [at.kustomization]: JSON.stringify(users) };
        const tree = all.reduce<Tree>((before, input) => rendered(input, before), mine);
        const kept = yamlAt(tree, at.kustomization);
        const answer = pruneOverlay('web', 'dev', '', filesOf(tree));

        expect(kept.resources.at(-1)).toBe('mine.yaml');
        expect(kept.patches.slice(1)).toEqual(users.patches);
        expect(kept).toMatchObject({ labels: users.labels, components: users.components });
        expect(answer.kind === 'pruned' && yamlAt(applied(tree, answer.changes), at.kustomization)).toEqual({
          apiVersion: 'kustomize.config.k8s.io/v1beta1',
          kind: 'Kustomization',
          ...users,
        });
      }),
      { numRuns: 1 },
    );
  });

  it('O34 values that come from another place are rendered alike', () => {
    const values = { env: [{ name: 'A', value: '1' }], replicas: 2, resources: { limits: { cpu: '1' } } };
    const none = { binding: undefined, component: undefined, application: undefined, environment: undefined };
    const [one, other] = [{ binding: values }, { application: values }].map((some) => {
      const merged = mergeValues({ ...none, ...some });
      return rendered(anInput('reason' in merged ? {} : merged));
    });

    expect(one).toEqual(other);
    expect(one?.[at.patch]).toContain('name: A');
  });
});
