import { describe, expect, it } from 'vitest';
import { decideClaim } from '../../../shared/domain/claim/decide-claim.ts';
import { wakesAfterSeconds } from '../../../shared/domain/core/step.ts';
import {
  aBoundClaim,
  aBoundTarget,
  aClaim,
  aClaimSight,
  conditionOf,
  does,
  now,
  said,
  today,
  waitsFor,
} from './claim-sight.ts';

const hour = 3_600;
const living = (timeToLive: string | undefined, created = now) => aBoundClaim({ timeToLive, created });
const look = (claim: ReturnType<typeof living>, moment = today) =>
  decideClaim(aClaimSight({ claim, targets: [aBoundTarget({ created: 0 })] }), moment);

describe('the time to live of a claim', () => {
  it('wakes it when it is over', () => {
    const step = look(living('2h', now - 1_800_000));

    expect(step.next).toMatchObject({
      kind: 'recheck',
      afterSeconds: 1.5 * hour,
      wait: { reason: 'LivesUntil', deadlineSeconds: 1.5 * hour },
    });
    expect(does(step)).toEqual([]);
  });

  it('wakes it every six hours at the latest', () => {
    expect(wakesAfterSeconds(look(living('72h')).next)).toBe(6 * hour);
  });

  it('keeps its deadline at the end of the life, whenever somebody looks', () => {
    const later = {
      now: now + 10 * hour * 1_000,
      waiting: { reason: 'LivesUntil', since: now, deadline: now + 72 * hour * 1_000 },
    };

    expect(look(living('72h'), later).next).toMatchObject({ wait: { deadlineSeconds: 72 * hour } });
  });

  it('deletes it when it is over, this one and none that is made later under its name', () => {
    const step = look(living('2h', now - 2 * hour * 1_000));

    expect(step.effects).toEqual([{ do: 'delete-claim', uid: 'web-uid' }]);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('does not delete it a second earlier', () => {
    expect(does(look(living('2h', now - 2 * hour * 1_000 + 1_000)))).toEqual([]);
  });

  it('does not delete twice what is being deleted', () => {
    const claim = aBoundClaim({ timeToLive: '1s', created: 0, isDeleting: true });

    expect(does(decideClaim(aClaimSight({ claim }), today))).toEqual(['let-claim-go']);
  });

  it('ends a wait earlier than it would end by itself, and leaves it its reason', () => {
    const claim = aClaim({ timeToLive: '10s', created: now });
    const step = decideClaim(aClaimSight({ claim }), today);

    expect(waitsFor(step)).toBe('WaitingForTarget');
    expect(wakesAfterSeconds(step.next)).toBe(10);
  });

  it('leaves a shorter wait as it is', () => {
    const claim = aClaim({ timeToLive: '10m', created: now, className: 'missing' });

    expect(wakesAfterSeconds(decideClaim(aClaimSight({ claim }), today).next)).toBe(15);
  });

  it.each(['', '3d', '1', 'h', '1h ', '-5m', '0s', '9999999999h', '1e9h'])(
    'written as "%s" is a mistake that is told, and the claim lives on',
    (timeToLive) => {
      const step = look(living(timeToLive, 0));

      expect(does(step)).toEqual(['tell-claim Bound']);
      expect(conditionOf(step, 'TimeToLive')).toMatchObject({ status: 'False', reason: 'Malformed' });
      expect(step.next).toEqual({ kind: 'settled' });
    },
  );

  it('is said to be understood only where it was not', () => {
    const mended = { ...living('1h'), said: [...living('1h').said, said('TimeToLive', 'False', 'Malformed', '')] };

    expect(conditionOf(look(living('1h')), 'TimeToLive')).toBeUndefined();
    expect(conditionOf(look(mended), 'TimeToLive')).toMatchObject({ status: 'True', reason: 'Understood' });
  });
});
