import { describe, expect, it } from 'vitest';
import { openQuestions, withAnswer } from '../../../shared/domain/promotion/open-questions.ts';
import type { SeenPromotion } from '../../../shared/domain/promotion/promotion.ts';
import {
  aBinding,
  anActiveSight,
  anAutomatedRun,
  anEndedStep,
  anEnvironment,
  aRun,
  aSight,
  aStored,
  aWaitingSight,
  now,
  someEvidence,
} from './a-promotion.ts';

function asks(seen: SeenPromotion): string[] {
  return openQuestions(seen, seen.run ?? aRun(), aStored()).map((one) =>
    'name' in one ? `${one.ask} ${one.name}` : one.ask,
  );
}

describe('a run that waits', () => {
  it('asks nothing', () => {
    expect(asks(aWaitingSight())).toEqual([]);
  });

  it('asks for the Components when it misses one, once', () => {
    const half = { snapshot: { uid: 'v1-uid', application: 'shop', components: ['web', 'api'] }, skipped: undefined };

    expect(asks(aWaitingSight({}, half))).toEqual(['components']);
    expect(asks(aWaitingSight({}, { ...half, skipped: ['api'] }))).toEqual([]);
  });
});

describe('a run that begins to wait for a deployment', () => {
  const fresh = aWaitingSight({ evidence: [], commit: '' });

  it('asks what Argo CD has said of it before, once', () => {
    const [question, ...more] = openQuestions(fresh, aRun(), aStored());
    const { deployment } = someEvidence('web');

    expect(question).toMatchObject({
      ask: 'deployments',
      environment: 'dev',
      awaited: [{ component: 'web', deployment }],
    });
    expect(more).toEqual([]);
    const answered = withAnswer(fresh, { ask: 'deployments', found: new Map([[deployment, { report: undefined }]]) });
    expect(asks(answered)).toEqual([]);
  });
});

describe('a run that is about to promote', () => {
  const seen = anActiveSight({ bindings: [aBinding('dev')] });

  it('looks at the Environment and its Binding as they are now', () => {
    expect(asks(seen)).toEqual(['environment dev', 'binding shop-dev-binding']);
  });

  it('does not go where it may not go any more', () => {
    const run = anAutomatedRun(['dev'], { cause: 'Snapshot' });
    const taken = withAnswer(
      { ...seen, run },
      { ask: 'environment', name: 'dev', found: anEnvironment('dev', { isAutomated: false }) },
    );

    expect(asks(taken)).not.toContain('binding shop-dev-binding');
  });

  it('asks for all Environments where one that it was to begin in is not listed: lists may lag behind', () => {
    const run = anAutomatedRun(['dev', 'poc']);

    expect(asks({ ...seen, run })).toContain('environments');
    expect(asks({ ...seen, run, environments: [anEnvironment('dev'), anEnvironment('poc')] })).not.toContain(
      'environments',
    );
  });

  it('asks for what it makes beside a Binding that hangs in its deletion, too', () => {
    const held = {
      ...seen,
      run: anAutomatedRun(['dev', 'poc']),
      environments: [anEnvironment('dev'), anEnvironment('poc')],
      bindings: [aBinding('dev', { isDeleting: true })],
    };
    const open = aStored({ waiting: { reason: 'BindingLeaving', since: now } });
    const questions = openQuestions(held, held.run, open).map((one) => ('name' in one ? one.name : one.ask));

    expect(questions).toEqual(expect.arrayContaining(['components', 'poc', 'shop-poc-binding']));
  });

  it('makes a Binding only where nobody has made one meanwhile, under a name that nobody has', () => {
    expect(asks(anActiveSight())).toEqual(['bindings', 'components', 'environment dev', 'binding shop-dev-binding']);

    const taken = withAnswer(anActiveSight(), {
      ask: 'binding',
      name: 'shop-dev-binding',
      isTaken: true,
      found: undefined,
    });

    expect(asks(taken).at(-1)).toMatch(/^binding shop-dev-binding-[0-9a-f]+$/);
  });
});

describe('a run with nothing left to do', () => {
  const steps = [anEndedStep('dev')];
  const seen = aSight({ ...anActiveSight(), run: anAutomatedRun(), steps });

  it('looks at the whole graph before it ends, for what has come to it meanwhile', () => {
    expect(asks(seen)).toEqual(['environments']);

    const found = [...seen.environments, anEnvironment('new', { parent: 'dev', isAutomated: true })];

    expect(asks(withAnswer(seen, { ask: 'environments', found }))).toContain('environment new');
  });
});
