import { describe, expect, it } from 'vitest';
import { rendered, type Tree, yamlAt } from './a-repository.ts';
import { seedInputs, seedVariables } from './seed-inputs.ts';

describe("O38 the seed's example of precedence", () => {
  it.each(Object.entries(seedVariables))('%s has exactly these variables', (place, expected) => {
    const tree = seedInputs().reduce<Tree>((before, input) => rendered(input, before), {});
    const [component, environment] = place.split(' on ');
    const patch = yamlAt(tree, `components/${component}/overlays/${environment}/deployment-patch.yaml`);
    const [container] = patch.spec.template.spec.containers;

    expect(Object.fromEntries(container.env.map(({ name, value }: Record<string, string>) => [name, value]))).toEqual(
      expected,
    );
  });

  it('a variable of production is nowhere else', () => {
    const tree = seedInputs().reduce<Tree>((before, input) => rendered(input, before), {});
    const holding = Object.entries(tree).filter(([, text]) => text.includes('Hello from component 1'));

    expect(holding.map(([path]) => path)).toEqual(['components/component1/overlays/prod/deployment-patch.yaml']);
  });
});
