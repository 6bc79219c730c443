import { describe, expect, it } from 'vitest';
import { scenarios } from './cases/scenarios.ts';
import { localServer } from './local-server.ts';
import { playScenario } from './play-scenario.ts';
import { readAnswers } from './read-answers.ts';

const { played } = readAnswers();

describe('our schemas answer what kube-apiserver 1.36.3 answered', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    const answers = await playScenario(scenario, localServer(scenario));

    expect(answers).toEqual(played[name]);
  });
});
