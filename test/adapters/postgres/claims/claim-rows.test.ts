import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from '../../../../shared/domain/claim/claim.ts';
import { aTarget } from '../../../domain/target/a-target.ts';
import { type ClaimRowsScene, claim, cpu, openClaimRowsScene, target } from './claim-rows-scene.ts';

let scene: ClaimRowsScene;
beforeAll(async () => {
  scene = await openClaimRowsScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.empty());

const place = { namespace: 'team', name: 'dt' };

async function candidates(asked: Partial<Claim> = {}): Promise<string[]> {
  return (await scene.rows.observeClaim(claim('dtc', asked))).candidates.map(({ name }) => name);
}

describe('the targets that a claim could have', () => {
  it('are those of its namespace and class that nobody has, that can be reached and were never used', async () => {
    await scene.remember(
      target('free'),
      target('new', { phase: '' }),
      target('kept', { claim: { name: 'other' } }),
      target('used', { phase: 'Released' }),
      target('bound', { phase: 'Bound' }),
      target('going', { isDeleting: true }),
      target('of-a-class', { className: 'c' }),
      target('elsewhere', { namespace: 'other-team' }),
      target('unreachable', {
        access: { ...aTarget().access, defaultNamespace: '', apiURL: '', clusterCredentialsSecret: '' },
      }),
    );

    expect(await candidates()).toEqual(['free', 'new']);
    expect(await candidates({ className: 'c' })).toEqual(['of-a-class']);
  });

  it('come with the version at which they were seen', async () => {
    await scene.remember(target('free', { version: '9007199254740993' }));

    expect((await scene.rows.observeClaim(claim('dtc'))).candidates).toEqual([
      { name: 'free', version: '9007199254740993' },
    ]);
  });

  it('are of the architecture that it asks for, if it does', async () => {
    await scene.remember(target('a', { arch: 'arm64' }), target('b', { arch: 'amd64' }), target('c'));

    expect(await candidates({ arch: 'arm64' })).toEqual(['a']);
    expect(await candidates()).toEqual(['a', 'b', 'c']);
  });

  it('offer enough of everything, of what has a column and of what has none', async () => {
    await scene.remember(
      target('small', { resources: cpu('500m') }),
      target('large', { resources: { requests: { cpu: '4', memory: '8Gi' }, limits: { cpu: '8' } } }),
      target('stores', { resources: { requests: { cpu: '4', storage: '10Gi' } } }),
      target('says-nothing'),
    );

    expect(await candidates({ resources: cpu('0.5') })).toEqual(['small', 'stores', 'large']);
    expect(await candidates({ resources: cpu('501m') })).toEqual(['stores', 'large']);
    expect(await candidates({ resources: { limits: { cpu: '1' } } })).toEqual(['large']);
    expect(await candidates({ resources: { requests: { memory: '8192Mi' } } })).toEqual(['large']);
    expect(await candidates({ resources: { requests: { storage: '10240Mi' } } })).toEqual(['stores']);
    expect(await candidates({ resources: { requests: { storage: '11Gi' } } })).toEqual([]);
    expect(await candidates({ resources: { limits: { storage: '1' } } })).toEqual([]);
    expect(await candidates({ resources: { requests: { 'nvidia.com/gpu': '0' } } })).toHaveLength(4);
  });

  it('come smallest first, then the oldest, then by name, whatever the order in which they came', async () => {
    await scene.remember(
      target('z', { resources: cpu('1') }),
      target('old-large', { resources: cpu('10'), created: 1 }),
      target('young', { resources: cpu('1', '2'), created: 5_000 }),
      target('b', { resources: cpu('1'), created: 2_000 }),
      target('old', { resources: cpu('1', '2'), created: 4_000 }),
      target('a', { resources: cpu('1'), created: 2_000 }),
      target('memory', { resources: { requests: { cpu: '1', memory: '1Ki' } }, created: 1 }),
    );

    expect(await candidates()).toEqual(['z', 'a', 'b', 'old', 'young', 'memory', 'old-large']);
  });

  it('are few, however many there are', async () => {
    await scene.remember(...Array.from({ length: 20 }, (_, index) => target(`t${index + 10}`)));

    expect(await candidates()).toEqual(['t10', 't11', 't12', 't13', 't14', 't15', 't16', 't17']);
  });

  it('are found beside those that are kept for it, and the Environments that name it', async () => {
    await scene.remember(
      target('mine', { claim: { name: 'dtc', uid: 'u' } }),
      target('also', { claim: { name: 'dtc' } }),
    );
    await scene.use('staging', 'dtc');
    await scene.use('dev', 'dtc');
    await scene.use('other', 'another');

    const expected = { reserved: ['also', 'mine'], environments: ['dev', 'staging'] };
    expect(await scene.rows.observeClaim(claim('dtc'))).toEqual({ ...expected, candidates: [] });
    expect(await scene.rows.observeGoneClaim({ namespace: 'team', name: 'dtc' })).toEqual(expected);
  });
});

describe('a remembered target', () => {
  it('is not overwritten by what was seen earlier, and is by what was seen later', async () => {
    await scene.remember(target('dt', { version: '20', className: 'now' }));
    await scene.remember(target('dt', { version: '19', className: 'before' }));
    expect(await candidates({ className: 'now' })).toEqual(['dt']);

    await scene.remember(target('dt', { version: '100', className: 'later' }));

    expect(await candidates({ className: 'later' })).toEqual(['dt']);
    expect(await candidates({ className: 'now' })).toEqual([]);
  });

  it('is no longer offered from the moment that a claim has it', async () => {
    await scene.remember(target('dt'));
    await scene.write(scene.rows.claimTarget('dt-uid', { name: 'mine', uid: 'mine-uid' }));

    expect(await candidates()).toEqual([]);
    expect((await scene.rows.observeGoneClaim({ namespace: 'team', name: 'mine' })).reserved).toEqual(['dt']);
  });

  it('is told with its claim, and not any more when it was forgotten', async () => {
    await scene.remember(target('dt', { claim: { name: 'mine' } }));
    const known = { uid: 'dt-uid', version: '10', claimName: 'mine' };
    expect((await scene.rows.observeTarget(place, undefined)).known).toEqual(known);

    await scene.write(scene.rows.forgetTarget('dt-uid'));

    expect((await scene.rows.observeTarget(place, undefined)).known).toBeUndefined();
  });

  it('is the latest one of that name', async () => {
    await scene.remember(target('dt', { uid: 'b', version: '100' }), target('dt', { uid: 'a', version: '99' }));

    expect((await scene.rows.observeTarget(place, undefined)).known).toEqual({
      uid: 'b',
      version: '100',
      claimName: undefined,
    });
  });
});

describe('rows that say the same already', () => {
  it('are not written again', async () => {
    const written = [target('dt'), target('other', { claim: { name: 'c', uid: 'c-uid' } })];
    const claims = [claim('dtc', { resources: { requests: { storage: '1' } } })];
    const look = () => scene.sql`select xmin from deployment_target union all select xmin from waiting_claim`;
    await scene.remember(...written);
    await scene.wait(...claims);
    const before = await look();

    await scene.remember(...written);
    await scene.wait(...claims);
    await scene.write(scene.rows.claimTarget('other-uid', { name: 'c', uid: 'c-uid' }));

    expect(await look()).toEqual(before);
  });
});
