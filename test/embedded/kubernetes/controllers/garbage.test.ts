import { describe, expect, it } from 'vitest';
import { aKind } from '../../../support/fake-internal-api.ts';
import { ControllerWorld, ownedBy } from './controller-world.ts';

describe('the garbage collector', () => {
  it('deletes what an object owned once the object is gone, and what that owned', async () => {
    const world = new ControllerWorld().start();
    const owner = await world.create('ConfigMap', 'owner');
    const middle = await world.create('ConfigMap', 'middle', { metadata: { ownerReferences: [ownedBy(owner)] } });
    await world.create('Secret', 'leaf', { metadata: { ownerReferences: [ownedBy(middle)] } });

    await world.remove('ConfigMap', 'owner');

    expect(world.get('ConfigMap', 'middle')).toBeUndefined();
    expect(world.get('Secret', 'leaf')).toBeUndefined();
  });

  it('keeps what another owner still holds, and takes the gone one off its list', async () => {
    const world = new ControllerWorld().start();
    const one = await world.create('ConfigMap', 'one');
    const other = await world.create('ConfigMap', 'other');
    const ownerReferences = [ownedBy(one), ownedBy(other)];
    await world.create('Secret', 'shared', { metadata: { ownerReferences } });

    await world.remove('ConfigMap', 'one');

    expect(world.must('Secret', 'shared').metadata.ownerReferences).toEqual([ownedBy(other)]);
  });

  it('deletes a newcomer whose owner is gone already, be there another object of that name', async () => {
    const world = new ControllerWorld().start();
    await world.create('ConfigMap', 'owner');
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'an-older-one' };

    await world.create('Secret', 'late', { metadata: { ownerReferences: [reference] } });

    expect(world.get('Secret', 'late')).toBeUndefined();
  });

  it('looks for an owner in the namespace of the dependant only', async () => {
    const world = new ControllerWorld().start();
    const elsewhere = await world.create('ConfigMap', 'owner', { metadata: { namespace: 'elsewhere' } });

    await world.create('Secret', 'misled', { metadata: { ownerReferences: [ownedBy(elsewhere)] } });

    expect(world.get('Secret', 'misled')).toBeUndefined();
  });

  it('leaves alone what names an owner of a kind that is not served, until it is', async () => {
    const world = new ControllerWorld().start();
    const reference = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'gone', uid: 'x' };
    await world.create('Secret', 'waiting', { metadata: { ownerReferences: [reference] } });
    expect(world.get('Secret', 'waiting')).toBeDefined();

    world.serve(aKind('example.com/v1', 'Thing', 'things'));
    await world.create('CustomResourceDefinition', 'things.example.com');

    expect(world.get('Secret', 'waiting')).toBeUndefined();
  });

  it('leaves alone a cluster-wide object that names an owner inside a namespace', async () => {
    const world = new ControllerWorld().start();
    const owner = await world.create('ConfigMap', 'owner');

    await world.create('Node', 'machine', { metadata: { ownerReferences: [ownedBy(owner)] } });
    await world.remove('ConfigMap', 'owner');

    expect(world.get('Node', 'machine')).toBeDefined();
  });

  it('with foreground deletion lets the owner go after the dependants that block it', async () => {
    const world = new ControllerWorld().start();
    const owner = await world.create('ConfigMap', 'owner');
    const blocking = {
      ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })],
      finalizers: ['example.com/hold'],
    };
    await world.create('Secret', 'held', { metadata: blocking });

    await world.remove('ConfigMap', 'owner', { propagationPolicy: 'Foreground' });

    expect(world.must('ConfigMap', 'owner').metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(world.must('Secret', 'held').metadata.deletionTimestamp).toBe('2026-11-16T10:00:00Z');

    await world.change(world.must('Secret', 'held'), (copy) => {
      copy.metadata.finalizers = [];
    });

    expect(world.get('Secret', 'held')).toBeUndefined();
    expect(world.get('ConfigMap', 'owner')).toBeUndefined();
  });

  it('with foreground deletion does not wait for dependants that do not block, and deletes them all the same', async () => {
    const world = new ControllerWorld().start();
    const owner = await world.create('ConfigMap', 'owner');
    await world.create('Secret', 'loose', { metadata: { ownerReferences: [ownedBy(owner)] } });

    await world.remove('ConfigMap', 'owner', { propagationPolicy: 'Foreground' });

    expect(world.get('ConfigMap', 'owner')).toBeUndefined();
    expect(world.get('Secret', 'loose')).toBeUndefined();
  });

  it('with orphan deletion sets the dependants free and then lets the owner go', async () => {
    const world = new ControllerWorld().start();
    const owner = await world.create('ConfigMap', 'owner');
    await world.create('Secret', 'free', { metadata: { ownerReferences: [ownedBy(owner)] } });

    await world.remove('ConfigMap', 'owner', { propagationPolicy: 'Orphan' });

    expect(world.get('ConfigMap', 'owner')).toBeUndefined();
    expect(world.must('Secret', 'free').metadata.ownerReferences).toBeUndefined();
  });

  it('finds what was orphaned while it was not running', async () => {
    const world = new ControllerWorld();
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone' };
    await world.create('Secret', 'left', { metadata: { ownerReferences: [reference] } });

    world.start();
    await world.idle();

    expect(world.get('Secret', 'left')).toBeUndefined();
  });
});
