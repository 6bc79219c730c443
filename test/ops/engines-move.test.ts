import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runEnginesMove } from '../../scripts/ops/engines-move.ts';
import { type EngineWorld, openEngineWorld } from './engines-world.ts';

describe('engines', () => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await openEngineWorld();
  });
  afterAll(() => world?.close());

  it('SL-04 take a tenant over that has nothing beside the other', async () => {
    const { value: target } = await world.add();
    const { name, uid } = await world.tenant();
    const { value } = await runEnginesMove(world.context, { namespace: name, id: target.id });

    expect(value).toEqual({ namespace: name, from: 'own-argo', to: target.id });
    expect(await world.engineOf(uid)).toBe(target.id);
    expect(await world.sql`select gitops_engine_instance_id as id from cluster_access where user_id = ${uid}`).toEqual([
      { id: target.id },
    ]);
    expect(world.plans.at(-1)).toContain('deployments into the own namespace will not reach it');
  });

  it('do not take a tenant over that has anything there, and say what', async () => {
    const { value: target } = await world.add();
    const { name, uid } = await world.tenant();
    await world.sql`insert into application (id, name, spec_field, engine_instance_id) values (${`app-${uid}`}, 'web', '{}', 'own-argo')`;
    await world.sql`insert into application_owner (application_id, user_id) values (${`app-${uid}`}, ${uid})`;
    await world.giveCredential(uid);
    await world.sql`insert into operation (id, instance_id, resource_id, resource_type, owner_user_id)
      values (${`op-${uid}`}, 'own-argo', ${uid}, 'Application', ${uid})`;

    const refused = await runEnginesMove(world.context, { namespace: name, id: target.id }).catch(
      (error: unknown) => error,
    );

    expect(refused).toMatchObject({ code: 1 });
    expect((refused as Error).message.split('\n').slice(1)).toEqual([
      '  1 application: web',
      '  1 repository credential: https://git.example.com/r',
      '  1 operation that has not ended',
    ]);
    expect(await world.engineOf(uid)).toBe('own-argo');
  });

  it('do not take a tenant over that got something while the operator thought about it', async () => {
    const { value: target } = await world.add();
    const { name, uid } = await world.tenant();
    const approve = async () => {
      await world.giveCredential(uid);
    };

    await expect(
      runEnginesMove({ ...world.context, approve }, { namespace: name, id: target.id }),
    ).rejects.toMatchObject({
      code: 1,
    });
    expect(await world.engineOf(uid)).toBe('own-argo');
  });

  it.each([
    ['a tenant that nobody knows', { namespace: 'nobody', id: 'own-argo' }, 3],
    ['SL-04 an Argo CD that nobody knows', { namespace: '', id: 'nothing' }, 3],
  ])('do not take over %s', async (_what, { namespace, id }, code) => {
    const { name } = await world.tenant();

    await expect(runEnginesMove(world.context, { namespace: namespace || name, id })).rejects.toMatchObject({ code });
  });
});
