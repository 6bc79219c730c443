import { describe, expect, it } from 'vitest';
import type { Component } from '../../../shared/domain/snapshot/component.ts';
import { decideSnapshot } from '../../../shared/domain/snapshot/decide-snapshot.ts';
import { aComponent, aFrozenSight, aRow, aSight, aSnapshot, digestOf, frozenOf, now, told } from './a-component.ts';

const web = aComponent('web');
const fresh = (but: Partial<Component> = {}) => aComponent('web', { said: [], gitops: undefined, ...but });

function saysOf(seen: Parameters<typeof decideSnapshot>[0]): string | undefined {
  const [created] = decideSnapshot(seen, { now }).conditions;
  return created && `${created.type} ${created.status} ${created.reason} ${created.message}`;
}

function tells(seen: Parameters<typeof decideSnapshot>[0]) {
  return decideSnapshot(seen, { now }).effects.find((effect) => effect.do === 'tell-user');
}

const error = 'Created False Error';
const taken = [10, 20].map((digits) => aSnapshot(`shop-${digestOf([web]).slice(0, digits)}`, []));

describe('what a Component is told', () => {
  it('is that it is created, and where it is kept', () => {
    expect(saysOf(aFrozenSight([fresh()]))).toBe('Created True OK Component has been successfully created');
    expect(tells(aFrozenSight([fresh()]))).toEqual({ do: 'tell-user', at: now, gitops: told });
  });

  it('is nothing new where it says so already', () => {
    expect(tells(aFrozenSight([web]))).toBeUndefined();
  });

  it('L10 is that nothing of it is written to Git, while its user wants it so', () => {
    const skipped = aFrozenSight([aComponent('web', { isSkipped: true })]);
    const again = aFrozenSight([aComponent('web', { gitops: { ...told, resourceGenerationSkipped: true } })]);

    expect(tells(skipped)).toMatchObject({ gitops: { ...told, resourceGenerationSkipped: true } });
    expect(tells(again)).toMatchObject({ gitops: told });
  });

  it('is nothing of a place that its Application does not have', () => {
    const seen = aFrozenSight([fresh()], { row: aRow({ repository: undefined }) });

    expect(tells(seen)).toEqual({ do: 'tell-user', at: now });
    expect(tells({ ...seen, component: web, components: [web] })).toBeUndefined();
  });

  it.each<[string, Partial<Component>, string]>([
    [
      'a variable whose value stands elsewhere',
      {
        env: [
          { name: 'A', hasValueFrom: false },
          { name: 'PASSWORD', hasValueFrom: true },
        ],
      },
      'spec.env PASSWORD has valueFrom, which is not supported: write its value out',
    ],
    [
      'L14 a variable that is there twice',
      { env: ['A', 'B', 'A'].map((name) => ({ name, hasValueFrom: false })) },
      'spec.env has A twice: keep one of them',
    ],
    [
      'white space in an image',
      { image: 'quay.io/shop/web:1 ' },
      'containerImage must not contain white space or control characters: it is left out of snapshots',
    ],
    [
      'a control character in an image',
      { image: 'quay.io/shop/web\u0007' },
      'containerImage must not contain white space or control characters: it is left out of snapshots',
    ],
    [
      'an image that is too long',
      { image: 'x'.repeat(1_025) },
      'containerImage must not be longer than 1024 characters: it is left out of snapshots',
    ],
  ])('is what to change about %s', (_what, but, message) => {
    expect(saysOf(aFrozenSight([fresh(but)]))).toBe(`${error} ${message}`);
  });

  it('S30 is which image goes on where the new one is empty or cannot be one', () => {
    const row = aRow({ sequence: 1, digest: digestOf([web]), frozen: frozenOf([web]) });
    const says = (image: string) => saysOf(aSight([fresh({ image })], { row }));

    expect(says('')).toBe(`${error} containerImage is empty: snapshots keep ${web.image}`);
    expect(says('a b')).toBe(
      `${error} containerImage must not contain white space or control characters: snapshots keep ${web.image}`,
    );
    expect(says('quay.io/shop/web:2')).toBe('Created True OK Component has been successfully created');
  });

  it('L05 S23 is that its Application is missing, and it looks again by itself', () => {
    const message = 'Application shop was not found: create it, or correct spec.application';
    const seen = aSight([fresh()], { application: { name: 'shop', uid: undefined }, row: undefined });

    expect(saysOf(seen)).toBe(`${error} ${message}`);
    expect(decideSnapshot(seen, { now }).next).toMatchObject({
      kind: 'recheck',
      afterSeconds: 15,
      wait: { reason: 'ApplicationNotFound', message },
    });
  });

  it('is why there is no Snapshot, and it tries again by itself', () => {
    const [name] = taken.map((snapshot) => snapshot.name);
    const refused = aSight([web], { refusal: 'exceeded quota' });
    const without = aSight([web], { existing: taken });

    expect(saysOf(refused)).toBe(`${error} Snapshot ${name} cannot be created: exceeded quota`);
    expect(saysOf(without)).toBe(`${error} Snapshot ${name} holds other images than these: delete it`);
    for (const seen of [refused, without])
      expect(decideSnapshot(seen, { now }).next).toMatchObject({
        kind: 'recheck',
        wait: { reason: 'SnapshotNotMade' },
      });
  });

  it('is nothing once it is gone or about to go', () => {
    expect(decideSnapshot(aSight([], { component: undefined }), { now }).conditions).toEqual([]);
  });
});
