import { describe, expect, it } from 'vitest';
import { decideTarget, type SeenTarget } from '../../../shared/domain/target/decide-target.ts';
import type { TargetPhase } from '../../../shared/domain/target/target.ts';
import { aBoundClaim, aClaim, aTarget, nowhere, seen } from './a-target.ts';

const ours = { name: 'dtc', uid: 'dtc-uid' };
const byName = { name: 'dtc' };
const moment = { now: Date.parse('2026-03-01T00:00:00Z') };

/** What happens to the target: its phase where it is told one, and whether it lets go of its claim. */
function doesTo(given: SeenTarget): string[] {
  return decideTarget(given, moment).effects.map((effect) =>
    effect.do === 'tell-target' ? `is ${effect.phase}` : `lets go of ${effect.claim}`,
  );
}

const rules: Record<string, { readonly seen: SeenTarget; readonly does: readonly string[] }> = {
  'is Available from the start where something says how to reach it': { seen: seen(), does: ['is Available'] },
  'is Pending while nothing says how to reach it': {
    seen: seen({ target: aTarget({ access: nowhere }) }),
    does: ['is Pending'],
  },
  'becomes Available when something says it at last': {
    seen: seen({ target: aTarget({ phase: 'Pending' }) }),
    does: ['is Available'],
  },
  'is Pending again when nothing says it any more': {
    seen: seen({ target: aTarget({ phase: 'Available', access: nowhere }) }),
    does: ['is Pending'],
  },
  'AC-02 AC-09 is Bound when its claim names it and the binder is done': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Available' }), claim: aBoundClaim() }),
    does: ['is Bound'],
  },
  'AC-02 is Bound although the claim has not said so yet: the binder wrote down that it is done': {
    seen: seen({ target: aTarget({ claim: ours }), claim: aBoundClaim({ phase: 'Pending' }) }),
    does: ['is Bound'],
  },
  'is Bound to the claim of the name that a person wrote': {
    seen: seen({ target: aTarget({ claim: byName }), claim: aBoundClaim() }),
    does: ['is Bound'],
  },
  'is not Bound by a claim that is not done, even if both name each other': {
    seen: seen({ target: aTarget({ claim: ours }), claim: aClaim({ targetName: 'dt' }) }),
    does: ['is Available'],
  },
  'is not Bound by a claim that is done with another target, and what a person kept stays kept': {
    seen: seen({ target: aTarget({ claim: byName }), claim: aBoundClaim({ targetName: 'other' }) }),
    does: ['is Available'],
  },
  'stays Available and kept while the claim that a person wrote is not there yet': {
    seen: seen({ target: aTarget({ claim: byName }) }),
    does: ['is Available'],
  },
  'stays Bound while its claim is there, though somebody took the marks off that': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound' }), claim: aClaim() }),
    does: [],
  },
  'stays Bound while its claim is there, though somebody pointed that where it has nothing': {
    seen: seen({
      target: aTarget({ claim: ours, phase: 'Bound' }),
      claim: aBoundClaim({ targetName: 'other', phase: 'Lost' }),
    }),
    does: [],
  },
  'is Released and lets go when its claim has another target by now': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound' }), claim: aBoundClaim({ targetName: 'other' }) }),
    does: ['is Released', 'lets go of dtc'],
  },
  'is Released when somebody pointed it to a claim that does not take it': {
    seen: seen({
      target: aTarget({ claim: byName, phase: 'Bound', className: 'a' }),
      claim: aClaim({ className: 'b' }),
      policy: 'Retain',
    }),
    does: ['is Released', 'lets go of dtc'],
  },
  'is free again when the claim that the binder kept it for wants another one by now': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Available' }), claim: aClaim({ targetName: 'other' }) }),
    does: ['lets go of dtc'],
  },
  'stays Bound while its claim is being deleted: the claim lets it go': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound' }), claim: aBoundClaim({ isDeleting: true }) }),
    does: [],
  },
  'case A is Released when its claim is gone, and case C AT-03 lets go of it where it has no class': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound' }) }),
    does: ['is Released', 'lets go of dtc'],
  },
  'case A is Released when another claim of the same name stands there': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound' }), claim: aBoundClaim({ uid: 'another' }) }),
    does: ['is Released', 'lets go of dtc'],
  },
  'case C AT-03 lets go of its claim where the class says Retain': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound', className: 'keeps' }), policy: 'Retain' }),
    does: ['is Released', 'lets go of dtc'],
  },
  'case A is Released and goes on naming its claim where the class says Delete': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound', className: 'deletes' }), policy: 'Delete' }),
    does: ['is Released'],
  },
  'is Released, and goes on naming its claim, while its class does not exist': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Bound', className: 'lost' }), policy: 'missing' }),
    does: ['is Released'],
  },
  'is Released when it was Bound and names nobody any more, never Available': {
    seen: seen({ target: aTarget({ phase: 'Bound' }) }),
    does: ['is Released'],
  },
  'AC-02 stays Bound though it names nobody, where a claim says that it has it: the claim writes its name again': {
    seen: seen({ target: aTarget({ phase: 'Bound' }), claim: aBoundClaim() }),
    does: [],
  },
  'is Released where it names nobody and the claim that says that it has it is being deleted': {
    seen: seen({ target: aTarget({ phase: 'Bound' }), claim: aBoundClaim({ isDeleting: true }) }),
    does: ['is Released'],
  },
  'is Released where it names nobody and the claim of its name has lost one before': {
    seen: seen({ target: aTarget({ phase: 'Bound' }), claim: aBoundClaim({ phase: 'Lost' }) }),
    does: ['is Released'],
  },
  'AT-03 Released, lets go of a claim that is gone, where the class says Retain': {
    seen: seen({ target: aReleased({ claim: ours, className: 'keeps' }), policy: 'Retain' }),
    does: ['lets go of dtc'],
  },
  'AT-03 Released, lets go of a claim that a person wrote and that is gone': {
    seen: seen({ target: aReleased({ claim: byName }) }),
    does: ['lets go of dtc'],
  },
  'Released, goes on naming its claim where the class says Delete': {
    seen: seen({ target: aReleased({ claim: ours, className: 'deletes' }), policy: 'Delete' }),
    does: [],
  },
  'Released, stays so whoever names it': { seen: seen({ target: aReleased() }), does: [] },
  'Released, stays so though its claim is still there and says that it has it': {
    seen: seen({ target: aReleased({ claim: ours }), claim: aBoundClaim() }),
    does: [],
  },
  'Failed, stays so and keeps its claim': {
    seen: seen({ target: aTarget({ phase: 'Failed', claim: ours }) }),
    does: [],
  },
  'is left alone while it is being deleted': {
    seen: seen({ target: aTarget({ phase: 'Bound', claim: ours, isDeleting: true }) }),
    does: [],
  },
  'is free again when the claim that the binder kept it for is gone before it took it': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Available' }) }),
    does: ['lets go of dtc'],
  },
  'is free again though its class says Delete, because a person made it and nobody used it': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Available', className: 'deletes' }), policy: 'Delete' }),
    does: ['lets go of dtc'],
  },
  'is free again when the claim that the binder kept it for has another target': {
    seen: seen({ target: aTarget({ claim: ours, phase: 'Available' }), claim: aBoundClaim({ targetName: 'other' }) }),
    does: ['lets go of dtc'],
  },
  'is Released when it was made for a claim that went before it was bound, and the class says Delete': {
    seen: seen({ target: aMade({ claim: ours, phase: 'Available' }), policy: 'Delete' }),
    does: ['is Released'],
  },
  'is free again when it was made for a claim that went before it was bound, and the class says Retain': {
    seen: seen({ target: aMade({ claim: ours, phase: 'Available' }), policy: 'Retain' }),
    does: ['lets go of dtc'],
  },
  'made for a claim, waits for its class to say what becomes of it': {
    seen: seen({ target: aMade({ claim: ours, phase: 'Available' }), policy: 'missing' }),
    does: [],
  },
  'made for a claim that has another target, is not given to a third': {
    seen: seen({ target: aMade({ claim: ours, phase: 'Available' }), claim: aBoundClaim({ targetName: 'other' }) }),
    does: ['is Available'],
  },
};

function aReleased(given: Parameters<typeof aTarget>[0] = {}) {
  const message = 'The claim that had it is gone; it is not given to another one by itself';
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const said = [{ type: 'Available', status: 'False', reason: 'Released', message, lastTransitionTime } as const];
  return aTarget({ phase: 'Released', said, ...given });
}

function aMade(given: Parameters<typeof aTarget>[0] = {}) {
  return aTarget({ provisionedBy: 'appstudio.redhat.com/devsandbox', className: 'made', isHeld: true, ...given });
}

describe('a target', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen: given, does }) => {
    expect(doesTo(given)).toEqual(does);
  });

  it.each(Object.entries(rules))('settles: %s', (_rule, { seen: given }) => {
    const { target, settled } = comeToRest(given);

    expect(settled).toBe(true);
    expect(target.phase).not.toBe('');
  });

  it('never becomes free from Bound, Released or Failed, whatever it is asked', () => {
    const phases: readonly TargetPhase[] = ['Bound', 'Released', 'Failed'];
    const claims = [
      undefined,
      aClaim(),
      aBoundClaim(),
      aBoundClaim({ uid: 'another' }),
      aBoundClaim({ targetName: 'x' }),
    ];
    const policies = [undefined, 'Delete', 'Retain', 'missing', 'unexpected'] as const;
    const references = [undefined, ours, byName];
    const made = [undefined, 'somebody'];
    for (const phase of phases)
      for (const claim of claims)
        for (const policy of policies)
          for (const reference of references)
            for (const provisionedBy of made) {
              const target = aTarget({
                phase,
                claim: reference,
                provisionedBy,
                className: policy === undefined ? '' : 'class',
              });
              const { target: end } = comeToRest(seen({ target, claim, policy }));

              expect(['Bound', 'Released', 'Failed']).toContain(end.phase);
            }
  });
});

/** Does what the rule says, as the API server would, until it says nothing more. */
function comeToRest(given: SeenTarget) {
  let target = given.target ?? aTarget();
  for (let look = 0; look < 5; look += 1) {
    const step = decideTarget({ ...given, target }, moment);
    if (step.effects.length === 0) return { target, settled: true };
    for (const effect of step.effects) {
      if (effect.do === 'let-go-of-claim') target = { ...target, claim: undefined };
      else
        target = {
          ...target,
          phase: effect.phase,
          said: step.conditions.map((one) => ({ ...one, lastTransitionTime: '2026-03-01T00:00:00Z' })),
        };
    }
  }
  return { target, settled: false };
}
