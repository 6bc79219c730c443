import { describe, expect, it } from 'vitest';
import type { Values } from '../../../shared/domain/binding/binding.ts';
import { wantedInputs } from '../../../shared/domain/binding/wanted-inputs.ts';
import { aBinding, aComponent, anApplication, anEnvironment, aSnapshot, digest } from './a-binding.ts';

type Sources = Parameters<typeof wantedInputs>[0];

function inputsOf(but: Partial<Sources> = {}) {
  return wantedInputs({
    namespace: 'team',
    binding: aBinding(),
    application: anApplication(),
    environment: anEnvironment(),
    snapshot: aSnapshot('web'),
    components: [aComponent('web')],
    before: [],
    digest,
    ...but,
  });
}

const values = (replicas: number, env: Record<string, string>): Values => ({
  replicas,
  env: Object.entries(env).map(([name, value]) => ({ name, value })),
});

describe('what is rendered of a component', () => {
  it('has the image of the Snapshot, and everything that its places say of it', () => {
    const web = aComponent('web', {
      componentName: 'front',
      port: 80,
      pullSecret: 'pull',
      kustomizeBase: 'mine',
      route: 'w.example',
    });

    expect(inputsOf({ components: [web], environment: anEnvironment({ exposeWith: 'Ingress' }) }).inputs).toMatchObject(
      [
        {
          component: 'web',
          componentName: 'front',
          application: 'shop',
          environment: 'dev',
          namespace: 'team',
          image: 'quay.io/team/web:1',
          replicas: 1,
          env: [],
          port: 80,
          pullSecret: 'pull',
          expose: { with: 'Ingress', host: 'w.example' },
          kustomizeBase: 'mine',
        },
      ],
    );
  });

  it('has the values of the Binding before those of the Component, the Application and the Environment', () => {
    const [web] = inputsOf({
      binding: aBinding({ components: [{ name: 'web', configuration: values(4, { A: 'binding' }) }] }),
      components: [aComponent('web', values(3, { A: 'component', B: 'component' }))],
      application: anApplication({ configuration: values(2, { B: 'application', C: 'application' }) }),
      environment: anEnvironment(values(9, { C: 'environment', D: 'environment' })),
    }).inputs;

    expect(web?.replicas).toBe(4);
    expect(Object.fromEntries(web?.env.map(({ name, value }) => [name, value]) ?? [])).toEqual({
      A: 'binding',
      B: 'component',
      C: 'application',
      D: 'environment',
    });
  });

  it('is for every component of the Snapshot, whether the Binding names it or not, in the order of their names', () => {
    const { inputs, faults } = inputsOf({
      snapshot: aSnapshot('web', 'api'),
      components: [aComponent('web'), aComponent('api'), aComponent('unused')],
      binding: aBinding({ components: [{ name: 'web', configuration: undefined }] }),
    });

    expect(inputs.map(({ component }) => component)).toEqual(['api', 'web']);
    expect(faults).toEqual([]);
  });

  it('B02 has a Route that depends on where it is, and on nothing else', () => {
    const route = (but: Partial<Sources> = {}) => {
      const openShift = {
        environment: anEnvironment({ clusterType: 'OpenShift' }),
        components: [aComponent('web', { port: 80 })],
      };
      const expose = inputsOf({ ...openShift, ...but }).inputs[0]?.expose;
      return expose?.with === 'Route' ? expose.name : undefined;
    };

    expect(route({ binding: aBinding({ uid: 'other', generation: 9, snapshot: 'v9' }) })).toBe(route());
    expect(route({ namespace: 'other' })).not.toBe(route());
  });

  it('is told in the names of the components that are not there, those of the Snapshot first', () => {
    const named = ['old', 'gone'].map((name) => ({ name, configuration: undefined }));

    expect(
      inputsOf({
        snapshot: aSnapshot('web', 'api'),
        components: [],
        binding: aBinding({ components: named }),
      }).faults.map(({ component, kind }) => `${component} ${kind}`),
    ).toEqual(['api missing', 'web missing', 'gone unbuilt', 'old unbuilt']);
  });

  it('is what it was before while it is broken, and nothing where it was not there before', () => {
    const before = inputsOf().inputs;
    const broken = { components: [aComponent('web', { unsupportedEnv: ['A'], replicas: 5 })] };

    expect(inputsOf({ ...broken, before })).toMatchObject({
      inputs: before,
      faults: [{ component: 'web', kind: 'broken' }],
    });
    expect(inputsOf(broken).inputs).toEqual([]);
    expect(inputsOf({ components: [], before }).inputs).toEqual([]);
  });
});
