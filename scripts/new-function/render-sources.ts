import type { NewFunction } from './read-name.ts';

/** A contract, and where a function imports it from. */
export interface ContractSource {
  readonly type: string;
  readonly exported: string;
  /** Relative to the root. */
  readonly file: string;
}

/** The files of a new function, by their paths. They type-check, and one test is red until somebody writes the rule. */
export function renderSources(made: NewFunction, contract: ContractSource): Map<string, string> {
  return new Map([
    [`functions/${made.name}/index.ts`, functionSource(made, contract)],
    [ruleFile(made), ruleSource(made)],
    [testFile(made), testSource(made)],
  ]);
}

function ruleFile({ noun, verb }: NewFunction): string {
  return `shared/domain/${noun}/${verb}.ts`;
}

function testFile({ noun, verb }: NewFunction): string {
  return `test/domain/${noun}/${verb}.test.ts`;
}

function functionSource(made: NewFunction, contract: ContractSource): string {
  return `/**
 * ${made.name}: looks after a changed ${made.thing}.
 *
 *   wakes on   ${contract.type}
 *   observes   where to look, and nothing there yet
 *   decides    ${ruleFile(made)}
 *   commits    what the rule decides
 *   if down    a changed ${made.thing} is not looked at
 */
import { ${contract.exported} } from '../../${contract.file}';
import { ${made.rule} } from '../../${ruleFile(made)}';
import { defineFunction } from '../../shared/runtime/define-function.ts';

export const ${made.exported} = defineFunction({
  name: '${made.name}',
  consumes: [${contract.exported}],
  emits: [],
  services: () => undefined,
  observe: async (subject) => ({ subject }),
  decide: ${made.rule},
});
`;
}

function ruleSource(made: NewFunction): string {
  return `import { type Step, settled } from '../core/step.ts';
import type { Subject } from '../core/subject.ts';

export interface Observed {
  readonly subject: Subject;
}

/**
 * Decides what ${made.name} does about what it observed.
 *
 * It finds everything in order until ${testFile(made)} says what must be done.
 */
export function ${made.rule}(_observed: Observed): Step {
  return { effects: [], conditions: [], knocks: [], next: settled };
}
`;
}

function testSource(made: NewFunction): string {
  const first = `${made.name} has no rule yet. Write here, as a sentence, the first thing that it must do; then make ${ruleFile(made)} do it.`;
  return `import { describe, expect, it } from 'vitest';
import { ${made.rule} } from '../../../${ruleFile(made)}';

describe('${made.name}', () => {
  it('does the first thing that its rule is for', () => {
    const step = ${made.rule}({ subject: { namespace: 'team-a', name: 'web' } });

    expect(step.effects, '${first}').not.toEqual([]);
  });
});
`;
}
