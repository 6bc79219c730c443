import { describe, expect, it } from 'vitest';
import { type Configurations, mergeValues, type Values } from '../../../shared/domain/overlay/merge-values.ts';

const none: Configurations = {
  binding: undefined,
  component: undefined,
  application: undefined,
  environment: undefined,
};

function merged(given: Partial<Configurations>): Values {
  const values = mergeValues({ ...none, ...given });
  if ('reason' in values) throw new Error(values.message);
  return values;
}

function inWords(given: Partial<Configurations>): string[] {
  return merged(given).env.map(({ name, value }) => `${name}=${value}`);
}

const from =
  (...names: string[]) =>
  (value: string) => ({ env: names.map((name) => ({ name, value })) });

describe('variables', () => {
  it('O05 the value of the Binding goes before that of the Environment, once', () => {
    expect(inWords({ binding: from('A')('binding'), environment: from('A')('environment') })).toEqual(['A=binding']);
  });

  it('O06 those of the Environment alone come after those of the Binding', () => {
    const environment = from('C', 'B', 'A')('environment');

    expect(inWords({ binding: from('B')('binding'), environment })).toEqual([
      'B=binding',
      'C=environment',
      'A=environment',
    ]);
  });

  it('O29 the value of the Component goes before that of the Environment', () => {
    expect(inWords({ component: from('A')('component'), environment: from('A')('environment') })).toEqual([
      'A=component',
    ]);
  });

  it('the more specific place wins, and every place keeps its order', () => {
    const given = {
      environment: from('E', 'A', 'C', 'B')('environment'),
      application: from('A', 'Z', 'C', 'B')('application'),
      component: from('C', 'Y', 'B')('component'),
      binding: from('X', 'B')('binding'),
    };

    expect(inWords(given)).toEqual([
      'X=binding',
      'B=binding',
      'C=component',
      'Y=component',
      'A=application',
      'Z=application',
      'E=environment',
    ]);
  });

  it('O34 the order within a place is the only one that shows', () => {
    const [one, other] = [from('A', 'B')('1'), from('B', 'A')('1')];

    expect(inWords({ component: one })).toEqual(['A=1', 'B=1']);
    expect(inWords({ component: other })).toEqual(['B=1', 'A=1']);
  });

  it('an empty value is a value, and one without any is empty', () => {
    const binding = { env: [{ name: 'A', value: '' }, { name: 'B' }] };

    expect(inWords({ binding, component: from('A', 'B')('component') })).toEqual(['A=', 'B=']);
  });

  it.each(['binding', 'component', 'application', 'environment'] as const)(
    'O31 the same name twice in the list of one place is refused: %s',
    (place) => {
      const values = mergeValues({ ...none, [place]: from('A', 'B', 'A', 'C', 'B', 'A')('1') });

      expect(values).toMatchObject({ kind: 'problem', reason: 'VariableTwice' });
      expect('message' in values && values.message).toMatch(/^The (\w+) gives A, B more than once: keep one of them$/);
    },
  );

  it('M21 valueFrom is refused by the name of its variable', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    ];

    expect(mergeValues({ ...none, component: { env } })).toEqual({
      kind: 'problem',
      reason: 'ValueFromNotSupported',
      message: 'The Component takes SECRET from elsewhere with valueFrom, which is not supported: give a value',
    });
  });

  it.each(['007f', '0080', '0085', '009f', 'fffe', 'ffff'])(
    'a character that kustomize cannot build with is refused, and the value is not told: U+%s',
    (code) => {
      const value = `secret${String.fromCharCode(Number.parseInt(code, 16))}`;

      expect(mergeValues({ ...none, application: { env: [{ name: 'A', value }] } })).toEqual({
        kind: 'problem',
        reason: 'ValueNotUsable',
        message: 'The Application gives A a control character that kustomize cannot handle: leave it out',
      });
    },
  );

  it('a name that every object knows is a name like any other', () => {
    expect(inWords({ component: from('constructor', '__proto__')('1') })).toEqual(['constructor=1', '__proto__=1']);
  });
});

describe('replicas', () => {
  it.each<[string, Partial<Configurations>, number]>([
    ['O27 those of the Binding, also none at all', { binding: { replicas: 0 }, component: { replicas: 3 } }, 0],
    ['O28 those of the Component where the Binding gives none', { binding: {}, component: { replicas: 3 } }, 3],
    [
      'O28 none at all, where the Component wants none',
      { component: { replicas: 0 }, application: { replicas: 2 } },
      0,
    ],
    ['those of the Application where neither gives any', { application: { replicas: 2 } }, 2],
    ['O28 one, where nobody gives any', {}, 1],
  ])('%s', (_rule, given, replicas) => {
    expect(merged(given).replicas).toBe(replicas);
  });
});

describe('resources', () => {
  it('are merged amount by amount', () => {
    const { resources } = merged({
      binding: { resources: { limits: { cpu: '2' } } },
      component: { resources: { limits: { memory: '1Gi', cpu: '1' }, requests: { cpu: '100m' } } },
      application: { resources: { requests: { memory: '64Mi', cpu: '1m', 'ephemeral-storage': '1Gi' } } },
    });

    expect(resources).toEqual({
      requests: { cpu: '100m', 'ephemeral-storage': '1Gi', memory: '64Mi' },
      limits: { cpu: '2', memory: '1Gi' },
    });
  });

  it('do not show by their order who gave them', () => {
    const [one, other] = [{ limits: { memory: '1Gi', cpu: '1' } }, { limits: { cpu: '1', memory: '1Gi' } }];

    expect(JSON.stringify(merged({ binding: { resources: one } }))).toBe(
      JSON.stringify(merged({ application: { resources: other } })),
    );
  });

  it('are not given where nobody gives any', () => {
    expect(merged({}).resources).toEqual({});
    expect(merged({ component: { resources: { requests: {}, limits: { cpu: '1' } } } }).resources).toEqual({
      limits: { cpu: '1' },
    });
  });
});
