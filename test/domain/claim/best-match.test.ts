import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseTarget, compareTargets, fits } from '../../../shared/domain/claim/choose-target.ts';
import type { Target } from '../../../shared/domain/target/target.ts';
import { aClaim, aTarget, now } from './claim-sight.ts';

function resources(cpu: string, memory = '1Gi') {
  return { requests: { cpu, memory } };
}

function best(claim: ReturnType<typeof aClaim>, targets: readonly Target[]): string | undefined {
  const choice = chooseTarget(claim, targets);
  return choice.kind === 'bind' ? choice.target.name : undefined;
}

describe('the best match', () => {
  it('is the smallest that is enough: requests before limits, cpu before memory', () => {
    const claim = aClaim({ resources: resources('1') });
    const targets = [
      aTarget('large', { resources: resources('4') }),
      aTarget('right', { resources: resources('1500m') }),
      aTarget('roomy', { resources: resources('1500m', '2Gi') }),
      aTarget('small', { resources: resources('900m') }),
      aTarget('limited', { resources: { ...resources('1500m'), limits: { cpu: '1' } } }),
    ];

    expect(best(claim, targets)).toBe('right');
  });

  it('is the oldest of those of one size', () => {
    const targets = [
      aTarget('a', { created: now }),
      aTarget('b', { created: now - 5 }),
      aTarget('c', { created: now }),
    ];

    expect(best(aClaim(), targets)).toBe('b');
  });

  it('is the first by name where nothing else tells them apart, by code unit and not by language', () => {
    expect(best(aClaim(), [aTarget('b'), aTarget('a'), aTarget('a-1')])).toBe('a');
  });

  it.each([
    ['another class', { className: 'other' }],
    ['another arch', { arch: 'arm64' }],
    ['no arch', { arch: '' }],
    ['less cpu', { resources: resources('500m') }],
    ['less of something else', { resources: { requests: { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' } } }],
    ['nothing said about resources', { resources: undefined }],
    ['a phase after use', { phase: 'Released' as const }],
    ['an owner', { claim: { name: 'api' } }],
  ])('AC-14 AC-23 AC-24 is none with %s', (_why, but) => {
    const wanted = { requests: { cpu: '1', memory: '1Gi', 'example.com/gpu': '2' } };
    const claim = aClaim({ className: 'sandbox', arch: 'amd64', resources: wanted });
    const right = { className: 'sandbox', arch: 'amd64', resources: wanted };

    expect(best(claim, [aTarget('right', right)])).toBe('right');
    expect(best(claim, [aTarget('wrong', { ...right, ...but })])).toBeUndefined();
  });

  it.each(['', 'Pending', 'Available'] as const)('AC-14 may be in phase "%s"', (phase) => {
    expect(best(aClaim(), [aTarget('t1', { phase })])).toBe('t1');
  });

  it('is the same in whatever order they come, and nothing that fits is smaller', () => {
    const amount = fc.constantFrom('1', '2', '3', '1500m', '2000m');
    const target = fc
      .record({
        name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        cpu: amount,
        memory: fc.constantFrom('1Gi', '1024Mi', '2Gi'),
        created: fc.nat(3),
      })
      .map(({ name, cpu, memory, created }) => aTarget(name, { created, resources: resources(cpu, memory) }));
    const targets = fc.uniqueArray(target, { selector: ({ name }) => name, maxLength: 5 });

    fc.assert(
      fc.property(targets, amount, fc.infiniteStream(fc.nat()), (all, cpu, order) => {
        const claim = aClaim({ resources: resources(cpu) });
        const shuffled = all
          .map((one) => ({ one, at: order.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one);

        const name = best(claim, shuffled);

        expect(name).toBe(best(claim, all));
        const chosen = all.find((one) => one.name === name);
        for (const other of all.filter((one) => fits(one, claim)))
          expect(chosen === undefined ? 1 : compareTargets(chosen, other)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
