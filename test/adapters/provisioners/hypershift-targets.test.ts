import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import type { Provisioner } from '../../../shared/ports/provisioner.ts';
import {
  type HypershiftStage,
  openHypershiftStage,
  noHurry as signal,
  smallCluster,
} from '../../support/hypershift-stage.ts';

let stage: HypershiftStage;
let provisioner: Provisioner;

beforeAll(async () => {
  stage = await openHypershiftStage();
  provisioner = stage.open();
});
afterAll(() => stage.close());

describe('a hosted cluster and its target', () => {
  it('find each other: the cluster names the target, and the target owns the Secret', async () => {
    const wanted = await stage.wanted();
    await stage.made(wanted);
    const target = await stage.makeTarget(wanted, 'small-dtc-dt');

    await provisioner.attach({ ...wanted, target: 'small-dtc-dt' }, signal);

    expect(await provisioner.observe(wanted, signal)).toMatchObject({ state: 'ready', target: 'small-dtc-dt' });
    expect((await stage.secretOf(wanted))?.metadata.ownerReferences).toMatchObject([
      { kind: 'DeploymentTarget', name: 'small-dtc-dt', uid: target.metadata.uid },
    ]);
    const orphan = { className: smallCluster.name, claimUid: wanted.claim.uid, target: 'small-dtc-dt' };
    expect(await provisioner.made({ ...wanted.claim, namespace: wanted.namespace }, signal)).toMatchObject([orphan]);
  });

  it('are found by the target alone, and by that rather than by the claim that has the target now', async () => {
    const first = await stage.wanted();
    await stage.made(first);
    await stage.makeTarget(first, 'kept-dt');
    await provisioner.attach({ ...first, target: 'kept-dt' }, signal);
    const second = { ...(await stage.wanted()), namespace: first.namespace };
    await provisioner.provision(second, signal);

    const byTarget = { ...first, claim: undefined, class: undefined, target: 'kept-dt' };
    expect(await provisioner.observe(byTarget, signal)).toMatchObject({ what: `HostedCluster ${stage.nameOf(first)}` });
    await provisioner.release({ ...second, target: 'kept-dt' }, signal);

    expect(await provisioner.observe(byTarget, signal)).toMatchObject({ state: 'leaving' });
    expect(await provisioner.observe(second, signal)).toMatchObject({ state: 'underway' });
  });

  it('are found by the name of the claim where nobody knows its UID', async () => {
    const wanted = await stage.wanted();
    await stage.made(wanted);

    const byName = { ...wanted, claim: { name: 'small-dtc', uid: undefined } };

    expect(await provisioner.observe(byName, signal)).toMatchObject({ state: 'ready' });
    expect(await provisioner.observe({ ...byName, claim: { name: 'other', uid: undefined } }, signal)).toMatchObject({
      state: 'absent',
    });
  });
});

describe('taking a hosted cluster away', () => {
  it('takes the Secret at once, waits for HyperShift, and leaves nothing', async () => {
    const wanted = await stage.wanted();
    await stage.made(wanted);

    await provisioner.release(wanted, signal);
    const going = await provisioner.observe(wanted, signal);
    await stage.hypershift.finishDeletions();

    expect(going).toMatchObject({ state: 'leaving', isStuck: false, complaint: '' });
    expect(await stage.secretOf(wanted)).toBeUndefined();
    expect(await provisioner.observe({ ...wanted, class: undefined }, signal)).toEqual({ state: 'absent' });
    const left = [...(await stage.hypershift.clusters()), ...(await stage.hypershift.pools())];
    expect(left.filter(({ metadata }) => metadata.name === stage.nameOf(wanted))).toEqual([]);
  });

  it('does not touch the cluster of another tenant whose claim happens to have the same name and half the UID', async () => {
    const mine = await stage.wanted();
    const uid = `${mine.claim.uid.slice(0, 8)}-0000-4000-8000-000000000000`;
    const theirs = await stage.wanted({ claim: { name: 'small-dtc', uid, created: Date.now() } });
    await stage.made(mine);

    const seen = await provisioner.observe(theirs, signal);
    await provisioner.provision(theirs, signal);
    await provisioner.attach({ ...theirs, target: 'x' }, signal);
    await provisioner.release(theirs, signal);

    expect(stage.nameOf(theirs)).toBe(stage.nameOf(mine));
    expect(seen).toMatchObject({ state: 'refused', reason: 'HostedClusterTaken' });
    expect(await provisioner.observe({ ...theirs, class: undefined }, signal)).toEqual({ state: 'absent' });
    expect(await provisioner.observe(mine, signal)).toMatchObject({ state: 'ready', target: undefined });
  });

  it('discards what was made for a claim that is gone, and only if it still is that', async () => {
    const wanted = await stage.wanted();
    await stage.made(wanted);
    const [orphan] = await provisioner.made({ ...wanted.claim, namespace: wanted.namespace }, signal);
    if (orphan === undefined) throw new Error('nothing was made');

    await provisioner.discard({ ...orphan, claimUid: 'another' }, signal);
    const before = await provisioner.observe(wanted, signal);
    await provisioner.discard(orphan, signal);

    expect(before).toMatchObject({ state: 'ready' });
    expect(await provisioner.observe(wanted, signal)).toMatchObject({ state: 'leaving' });
    expect(await provisioner.made({ ...wanted.claim, namespace: wanted.namespace }, signal)).toEqual([]);
  });
});

describe('where HyperShift’s kinds are not installed', () => {
  it('nothing stands, and nothing is left', async () => {
    const local = openCluster({ connection: { request: async () => ({ status: 404, headers: {}, body: {} }) } });
    const bare = stage.open({ local });
    const wanted = await stage.wanted({ class: undefined, target: 'x' });

    expect(await bare.observe(wanted, signal)).toEqual({ state: 'absent' });
    expect(await bare.made({ namespace: 'x', name: 'y' }, signal)).toEqual([]);
    await bare.release(wanted, signal);
  });
});
