import { describe, expect, it } from 'vitest';
import { decideEnvironment } from '../../../shared/domain/environment/decide-environment.ts';
import type { Environment, SeenEnvironment, Sibling } from '../../../shared/domain/environment/environment.ts';
import { aBoundView, aCopy, aManaged, anEnvironment, aSibling, aView, said, works } from './an-environment.ts';

const moment = { now: Date.parse('2026-01-02T00:00:00Z') };

function among(environment: Partial<Environment>, others: readonly Sibling[], more: Partial<SeenEnvironment> = {}) {
  const whole = anEnvironment(environment);
  return decideEnvironment(aView({ environment: whole, siblings: [...others, whole], ...more }), moment);
}

function does(step: ReturnType<typeof among>): string[] {
  return step.effects.map((effect) => effect.do);
}

function told(step: ReturnType<typeof among>, type: string): string | undefined {
  const found = step.conditions.find((one) => one.type === type);
  return found && `${found.status}/${found.reason}/${found.message}`;
}

function wakes(step: ReturnType<typeof among>): string[] {
  return step.knocks.map(({ type, subject }) => `${type} ${subject.namespace}/${subject.name}`);
}

describe('an Environment that is a parent', () => {
  it('is held while another one has it as its parent', () => {
    expect(does(among({}, [aSibling('stage', { parent: 'dev' })]))).toContain('hold-environment');
    expect(does(among({ isHeld: true }, [aSibling('stage', { parent: 'dev' })]))).not.toContain('hold-environment');
  });

  it('is let go when nobody has it as its parent any more, or only one that goes', () => {
    expect(does(among({ isHeld: true }, [aSibling('stage')]))).toContain('let-environment-go');
    expect(does(among({ isHeld: true }, [aSibling('stage', { parent: 'dev', isDeleting: true })]))).toContain(
      'let-environment-go',
    );
    expect(does(among({}, []))).not.toContain('let-environment-go');
  });

  it('stays while it is being deleted, names its children and says what to do', () => {
    const children = [aSibling('stage', { parent: 'dev' }), aSibling('lab', { parent: 'dev' })];
    const step = among({ isHeld: true, isDeleting: true }, children);

    expect(does(step)).toEqual(['tell-user']);
    expect(told(step, 'Deletable')).toBe(
      'False/HasChildren/It is the parentEnvironment of lab, stage: give them another parent or delete them, then this Environment goes',
    );
  });

  it('names a few of many children', () => {
    const children = Array.from({ length: 12 }, (_none, at) => aSibling(`c${10 + at}`, { parent: 'dev' }));

    expect(told(among({ isHeld: true, isDeleting: true }, children), 'Deletable')).toContain(
      'of c10, c11, c12, c13, c14, c15, c16, c17, c18, c19 and 2 more:',
    );
  });

  it('goes when it is being deleted and the last child has left', () => {
    expect(does(among({ isHeld: true, isDeleting: true }, [aSibling('stage')]))).toEqual(['let-environment-go']);
  });

  it('keeps what it has while it is being deleted, and makes nothing new', () => {
    const child = aSibling('stage', { parent: 'dev' });
    const leaving = { claimName: 'dev-dtc', isHeld: true, isDeleting: true };
    const view = (more: Partial<SeenEnvironment>) => {
      const seen = aBoundView(more, leaving);
      return does(decideEnvironment({ ...seen, siblings: [...seen.siblings, child] }, moment));
    };

    expect(view({})).toEqual(['tell-user']);
    expect(view({ managed: aManaged({ connection: works }), copy: aCopy({ isSame: false }) })).toEqual([
      'update-copied-secret',
      'tell-user',
    ]);
    expect(view({ managed: aManaged({ connection: works }) })).toEqual(['tell-user']);
  });

  it('does not keep a namespace from going, and nothing is begun there', () => {
    const child = aSibling('stage', { parent: 'dev' });

    expect(among({ isHeld: true, parent: 'lost' }, [child], { isNamespaceGoing: true })).toEqual({
      effects: [{ do: 'let-environment-go' }],
      conditions: [],
      knocks: [],
      next: { kind: 'settled' },
    });
    expect(does(among({}, [child], { isNamespaceGoing: true }))).toEqual([]);
  });

  it('cannot be held any more once it is on its way out', () => {
    expect(does(among({ isDeleting: true }, [aSibling('stage', { parent: 'dev' })]))).toEqual(['tell-user']);
  });
});

describe('Environments whose parents form a circle', () => {
  const others = [aSibling('stage', { parent: 'dev' }), aSibling('prod', { parent: 'stage' })];
  const circle =
    'Each of these Environments names the next one as its parent, so no promotion ever gets there: dev → prod → stage → dev. Give one of them another parentEnvironment';

  it('take no part and say so', () => {
    const seen = aBoundView({}, { parent: 'prod' });
    const step = decideEnvironment({ ...seen, siblings: [...seen.siblings, ...others] }, moment);

    expect(does(step)).toEqual(['hold-environment', 'tell-user']);
    expect(told(step, 'ParentsValid')).toBe(`False/ParentCycle/${circle}`);
    expect(told(step, 'TargetReady')).toBe(`False/ParentCycle/${circle}`);
    expect(step.next).toMatchObject({ kind: 'blocked', on: 'Environment prod', wait: { reason: 'ParentCycle' } });
  });

  it('count one that is its own parent, and it holds itself not', () => {
    const step = among({ parent: 'dev' }, []);

    expect(told(step, 'ParentsValid')).toContain('dev → dev');
    expect(does(step)).toEqual(['tell-user']);
  });

  it('take part again when the circle is broken', () => {
    const step = among({ said: [said('ParentsValid', 'False', 'ParentCycle', circle)] }, others);

    expect(told(step, 'ParentsValid')).toBe('True/NoCycle/');
    expect(told(step, 'TargetReady')).toContain('True/OwnNamespace');
  });

  it('are told in few words where they are many', () => {
    const many = Array.from({ length: 5_000 }, (_none, at) =>
      aSibling(`e${at}`, { parent: at === 0 ? 'dev' : `e${at - 1}` }),
    );
    const message = told(among({ parent: 'e4999' }, many), 'ParentsValid') ?? '';

    expect(message).toContain('dev → e4999 → e4998');
    expect(message).toContain('→ … → dev.');
    expect(message.length).toBeLessThan(400);
  });

  it('do not pull in whoever stands behind them', () => {
    const step = among({ parent: 'a' }, [aSibling('a', { parent: 'b' }), aSibling('b', { parent: 'a' })]);

    expect(told(step, 'ParentsValid')).toBeUndefined();
  });
});

describe('an Environment whose parent is not there', () => {
  it('is told, and works all the same', () => {
    const step = among({ parent: 'lost' }, []);

    expect(told(step, 'ParentFound')).toBe(
      'False/ParentNotFound/The parent environment lost does not exist: until it does, no Snapshot comes here by itself',
    );
    expect(told(step, 'TargetReady')).toContain('True/OwnNamespace');
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('is told when the parent has come', () => {
    const before = said('ParentFound', 'False', 'ParentNotFound', 'x');

    expect(told(among({ parent: 'lost', said: [before] }, [aSibling('lost')]), 'ParentFound')).toBe(
      'True/ParentFound/',
    );
    expect(told(among({ parent: 'lost' }, [aSibling('lost')]), 'ParentFound')).toBeUndefined();
  });
});

describe('a step of one Environment wakes', () => {
  it('its parent, when that does not know yet that it is one', () => {
    expect(wakes(among({ parent: 'base' }, [aSibling('base')]))).toEqual(['environment.changed.v1 team/base']);
    expect(wakes(among({ parent: 'base' }, [aSibling('base', { isHeld: true })]))).toEqual([]);
  });

  it('the parent of before, when that is held for nothing', () => {
    expect(wakes(among({}, [aSibling('base', { isHeld: true })]))).toEqual(['environment.changed.v1 team/base']);
  });

  it('one that is being deleted, when it waits for others than it says', () => {
    const message = (children: string) =>
      `It is the parentEnvironment of ${children}: give it another parent or delete it, then this Environment goes`;
    const base = (children: string) =>
      aSibling('base', {
        isDeleting: true,
        isHeld: true,
        said: [said('Deletable', 'False', 'HasChildren', message(children))],
      });

    expect(wakes(among({ parent: 'base' }, [base('lab')]))).toEqual(['environment.changed.v1 team/base']);
    expect(wakes(among({ parent: 'base' }, [base('dev')]))).toEqual([]);
    expect(wakes(among({ parent: 'base' }, [{ ...base('dev'), isHeld: false }]))).toEqual([]);
  });

  it('the others of a circle that it closes or breaks', () => {
    const stage = aSibling('stage', { parent: 'dev', isHeld: true });
    const saying = aSibling('stage', { parent: 'dev', said: [said('ParentsValid', 'False', 'ParentCycle', 'x')] });

    expect(wakes(among({ parent: 'stage' }, [stage]))).toEqual(['environment.changed.v1 team/stage']);
    expect(wakes(among({}, [saying]))).toEqual(['environment.changed.v1 team/stage']);
  });

  it('those that wait for it as their parent, and those that lose it', () => {
    const waiting = aSibling('stage', { parent: 'dev', said: [said('ParentFound', 'False', 'ParentNotFound', 'x')] });
    const gone = decideEnvironment(
      aView({ environment: undefined, siblings: [aSibling('stage', { parent: 'dev' })] }),
      moment,
    );

    expect(wakes(among({}, [waiting]))).toEqual(['environment.changed.v1 team/stage']);
    expect(wakes(gone)).toEqual(['environment.changed.v1 team/stage']);
  });
});

describe('an Environment that is gone', () => {
  it('AE-03 leaves nothing to do', () => {
    expect(decideEnvironment(aView({ environment: undefined }), moment)).toEqual({
      effects: [],
      conditions: [],
      knocks: [],
      next: { kind: 'settled' },
    });
  });

  it('AE-08 takes what it left with it, and nothing of others', () => {
    const left = { managed: aManaged({ owner: 'predecessor' }), copy: aCopy({ owner: 'predecessor' }) };
    const strange = { managed: aManaged({ owner: 'stranger' }), copy: aCopy({ owner: 'stranger' }) };

    expect(does(decideEnvironment(aView({ environment: undefined, ...left }), moment))).toEqual([
      'remove-managed-environment',
      'remove-copied-secret',
    ]);
    expect(does(decideEnvironment(aView({ environment: undefined, ...strange }), moment))).toEqual([]);
  });
});
