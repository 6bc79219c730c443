import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Target } from '../../../../shared/domain/target/target.ts';
import { type ClaimRowsScene, claim, cpu, openClaimRowsScene, target } from './claim-rows-scene.ts';

let scene: ClaimRowsScene;
beforeAll(async () => {
  scene = await openClaimRowsScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.empty());

const place = { namespace: 'team', name: 'dt' };

describe('the claims that a target is a chance for', () => {
  const waiting = async (given: Target | undefined) => (await scene.rows.observeTarget(place, given)).waiting;

  it('are those that it would do for, the oldest first, while it is free', async () => {
    await scene.wait(
      claim('young', { created: 9_000 }),
      claim('old', { created: 1 }),
      claim('of-a-class', { className: 'c' }),
      claim('elsewhere', { namespace: 'other-team' }),
      claim('of-another-kind', { arch: 'arm64' }),
      claim('large', { resources: cpu('10') }),
      claim('stores', { resources: { limits: { storage: '1Gi' } } }),
      claim('small', { created: 5_000, resources: cpu('1') }),
      claim('wants-another', { targetName: 'other' }),
    );

    expect(await waiting(target('dt', { resources: cpu('2') }))).toEqual(['old', 'small', 'young']);
    expect(await waiting(target('dt', { resources: { limits: { storage: '2Gi' } } }))).toContain('stores');
    expect(await waiting(target('dt', { phase: 'Released' }))).toEqual([]);
    expect(await waiting(undefined)).toEqual([]);
  });

  it('are always those that name it, whatever it is', async () => {
    await scene.wait(
      claim('wants-it', { targetName: 'dt', className: 'c' }),
      claim('wants-another', { targetName: 'x' }),
    );

    expect(await waiting(target('dt', { phase: 'Released' }))).toEqual(['wants-it']);
    expect(await waiting(target('dt'))).toEqual(['wants-it']);
    expect(await waiting(undefined)).toEqual(['wants-it']);
  });

  it('are those that another free one would do for, when it is taken', async () => {
    await scene.remember(target('free', { resources: cpu('1'), arch: 'arm64' }));
    await scene.wait(
      claim('fits', { resources: cpu('1') }),
      claim('too-large', { resources: cpu('2') }),
      claim('other-kind', { arch: 'amd64' }),
      claim('stores', { resources: { requests: { storage: '1' } } }),
    );

    expect(await waiting(target('dt', { claim: { name: 'mine' }, phase: 'Bound' }))).toEqual(['fits']);
    expect(await waiting(target('dt', { claim: { name: 'mine' }, className: 'c' }))).toEqual([]);
  });

  it('are few, however many there are', async () => {
    await scene.wait(...Array.from({ length: 20 }, (_, index) => claim(`c${index + 10}`)));

    expect(await waiting(target('dt'))).toEqual(['c10', 'c11', 'c12', 'c13', 'c14']);
  });

  it('are none any more when they wait no longer, whichever claim of that name did', async () => {
    await scene.wait(claim('dtc', { uid: 'before' }), claim('dtc', { uid: 'now' }));
    expect(await waiting(target('dt'))).toEqual(['dtc']);

    await scene.write(scene.rows.forgetWaiting({ namespace: 'team', name: 'dtc' }));

    expect(await waiting(target('dt'))).toEqual([]);
  });

  it('are known by what they ask for now', async () => {
    await scene.wait(claim('dtc', { resources: cpu('4') }));
    await scene.wait(claim('dtc', { resources: cpu('1') }));

    expect(await waiting(target('dt', { resources: cpu('2') }))).toEqual(['dtc']);
  });

  it('come with the Environments of the claim that has it, and of the one that had it', async () => {
    await scene.remember(target('dt', { claim: { name: 'before' } }));
    await scene.use('a', 'now');
    await scene.use('b', 'before');
    await scene.use('c', undefined);

    const { environments } = await scene.rows.observeTarget(place, target('dt', { claim: { name: 'now' } }));
    expect(environments).toEqual(['a', 'b']);
    expect((await scene.rows.observeTarget(place, undefined)).environments).toEqual(['b']);
  });
});
