import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderClaimsRecycle, runClaimsRecycle } from '../../scripts/ops/claims-recycle.ts';
import { targets } from '../../shared/contracts/kubernetes/kinds.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { type ClaimsWorld, openClaimsWorld } from './claims-world.ts';
import { plain } from './world.ts';

describe('claims recycle', () => {
  let world: ClaimsWorld;

  beforeAll(async () => {
    world = await openClaimsWorld();
  });
  afterAll(() => world.close());

  const stored = (namespace: string, name: string) => world.cluster.read(targets, { namespace, name });

  it('makes a Released target Available, asks before, tells the binder, and leaves a line in the ledger', async () => {
    const { name: namespace } = await world.namespace();
    await world.aTarget(namespace, 'dt', { phase: 'Released' });
    world.queue.sent.length = 0;

    const { code, value } = await runClaimsRecycle(world.context, { target: `${namespace}/dt`, why: 'cleaned up' });

    expect({ code, value }).toMatchObject({ code: 0, value: { target: `${namespace}/dt`, changed: true } });
    expect((await stored(namespace, 'dt'))?.status?.phase).toBe('Available');
    expect(world.plans.at(-1)).toContain(`Will make ${namespace}/dt Available, as olga`);
    expect(world.plans.at(-1)).toContain('namespace behind');
    expect(await world.ledgerOf('recycle-target')).toMatchObject([
      { actor: 'olga', subject: `${namespace}/dt`, tenant: namespace, details: { why: 'cleaned up' } },
    ]);
    const consumers = world.machine.routes.filter(({ consumes }) => consumes.includes('target.changed.v1'));
    const knocks = world.queue.sent.filter(({ from }) => from === 'ops');
    expect(knocks.map(({ message }) => message)).toMatchObject(
      consumers.map((route) => ({
        function: route.function,
        type: 'target.changed.v1',
        subject: { namespace, name: 'dt' },
        tenant: namespace,
      })),
    );
    expect(renderClaimsRecycle(value, plain)).toContain('is Available');
  });

  it('takes away the reference to a claim that is gone, or that only has the name of the one that went', async () => {
    const { name: namespace } = await world.namespace();
    await world.aClaim(namespace, 'again');
    await world.aTarget(namespace, 'one', { phase: 'Released', spec: { claimRef: { name: 'gone' } } });
    await world.aTarget(namespace, 'two', { phase: 'Released', spec: { claimRef: { name: 'again', uid: 'of-old' } } });

    for (const name of ['one', 'two']) await runClaimsRecycle(world.context, { target: `${namespace}/${name}` });

    for (const name of ['one', 'two']) {
      const found = await stored(namespace, name);
      expect([found?.spec.claimRef, found?.status?.phase]).toEqual([undefined, 'Available']);
    }
  });

  it('looks again where somebody wrote at the same time', async () => {
    const { name: namespace } = await world.namespace();
    await world.aTarget(namespace, 'dt', { phase: 'Released' });
    let first = true;
    const context = world.withCluster({
      async patch(kind, key, patch, options) {
        if (first) {
          first = false;
          throw new Conflict('somebody was faster');
        }
        return world.cluster.patch(kind, key, patch, options);
      },
    });

    expect(await runClaimsRecycle(context, { target: `${namespace}/dt` })).toMatchObject({ code: 0 });
    expect((await stored(namespace, 'dt'))?.status?.phase).toBe('Available');
  });

  it('asks nobody and writes nothing where the target is free already', async () => {
    const { name: namespace } = await world.namespace();
    await world.aTarget(namespace, 'dt', { phase: 'Available' });
    const before = await stored(namespace, 'dt');
    const asked = world.plans.length;

    const { code, value } = await runClaimsRecycle(world.context, { target: `${namespace}/dt` });

    expect({ code, changed: value.changed }).toEqual({ code: 0, changed: false });
    expect(world.plans).toHaveLength(asked);
    expect(await stored(namespace, 'dt')).toEqual(before);
    expect(renderClaimsRecycle(value, plain)).toContain('Available already');
  });

  it('refuses one whose claim is still there', async () => {
    const { name: namespace } = await world.namespace();
    const { metadata } = await world.aClaim(namespace, 'dtc');
    const spec = { claimRef: { name: 'dtc', uid: metadata.uid } };
    await world.aTarget(namespace, 'dt', { phase: 'Released', spec });

    await expect(runClaimsRecycle(world.context, { target: `${namespace}/dt` })).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining(`kubectl delete -n ${namespace} deploymenttargetclaim/dtc`),
    });
    expect((await stored(namespace, 'dt'))?.status?.phase).toBe('Released');
  });

  it.each([
    ['Failed', {}, 'could not be freed'],
    ['Bound', { claimRef: { name: 'dtc' } }, 'is Bound, for claim dtc: only a Released target'],
    ['Pending', {}, 'is Pending: only a Released target'],
    [undefined, {}, 'is not looked at yet'],
  ])('refuses one that is %s', async (phase, spec, sentence) => {
    const { name: namespace } = await world.namespace();
    await world.aTarget(namespace, 'dt', { spec, ...(phase !== undefined && { phase }) });
    const before = await stored(namespace, 'dt');

    await expect(runClaimsRecycle(world.context, { target: `${namespace}/dt` })).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining(sentence),
    });
    expect(await stored(namespace, 'dt')).toEqual(before);
  });

  it('refuses one that is being deleted', async () => {
    const { name: namespace } = await world.namespace();
    await world.aTarget(namespace, 'dt', { phase: 'Released' });
    const held = { metadata: { finalizers: ['dt.appstudio.redhat.com/finalizer'] } };
    await world.cluster.patch(targets, { namespace, name: 'dt' }, held);
    await world.cluster.remove(targets, { namespace, name: 'dt' });

    await expect(runClaimsRecycle(world.context, { target: `${namespace}/dt` })).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining('is being deleted'),
    });
  });

  it.each([
    [3, 'team-a/none', 'There is no DeploymentTarget team-a/none'],
    [2, 'none', 'namespace/name'],
    [2, 'a/b/c', 'namespace/name'],
    [2, '/b', 'namespace/name'],
  ])('ends with %i for the target %s', async (code, target, sentence) => {
    await expect(runClaimsRecycle(world.context, { target })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(sentence),
    });
  });
});
