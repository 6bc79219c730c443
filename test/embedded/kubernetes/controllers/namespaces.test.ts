import { describe, expect, it } from 'vitest';
import { aKind } from '../../../support/fake-internal-api.ts';
import { ControllerWorld } from './controller-world.ts';

function hold(copy: { metadata: { finalizers?: string[] } }): void {
  copy.metadata.finalizers = [];
}

describe('a namespace that is deleted', () => {
  it('goes with everything in it, custom objects among it', async () => {
    const world = new ControllerWorld().start();
    world.serve(aKind('example.com/v1', 'Thing', 'things'));
    await world.create('Namespace', 'home');
    await world.create('Secret', 'one');
    await world.create('Thing', 'two');

    await world.remove('Namespace', 'home');

    expect(world.get('Namespace', 'home')).toBeUndefined();
    expect([...world.names('Secret'), ...world.names('Thing'), ...world.names('ServiceAccount')]).toEqual([]);
  });

  it('says what still holds it, and goes when that is let go', async () => {
    const world = new ControllerWorld().start();
    await world.create('Namespace', 'home');
    await world.create('Secret', 'held', { metadata: { finalizers: ['example.com/hold', 'example.com/two'] } });
    await world.create('Secret', 'too', { metadata: { finalizers: ['example.com/hold'] } });

    await world.remove('Namespace', 'home');

    const { phase, conditions } = world.must('Namespace', 'home')['status'] as {
      phase: string;
      conditions: { type: string; status: string; reason: string; message: string }[];
    };
    expect(phase).toBe('Terminating');
    expect(conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions',
      'NamespaceDeletionContentFailure False ContentDeleted',
      'NamespaceContentRemaining True SomeResourcesRemain',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain',
    ]);
    expect(conditions[3]?.message).toBe('Some resources are remaining: secrets. has 2 resource instances');
    expect(conditions[4]?.message).toBe(
      'Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances, example.com/two in 1 resource instances',
    );

    await world.change(world.must('Secret', 'held'), hold);
    await world.change(world.must('Secret', 'too'), hold);

    expect(world.get('Namespace', 'home')).toBeUndefined();
  });

  it('is finished after a restart in the middle', async () => {
    const world = new ControllerWorld();
    await world.create('Namespace', 'home');
    await world.create('Secret', 'one');
    await world.remove('Namespace', 'home');
    expect(world.get('Namespace', 'home')).toBeDefined();

    world.start();
    await world.idle();

    expect(world.get('Namespace', 'home')).toBeUndefined();
  });
});

describe('a definition that is deleted', () => {
  const finalizer = 'customresourcecleanup.apiextensions.k8s.io';
  const spec = { group: 'example.com', names: { plural: 'things' } };

  function terminating(world: ControllerWorld): unknown {
    const { conditions = [] } = (world.must('CustomResourceDefinition', 'things.example.com')['status'] ?? {}) as {
      conditions?: { type: string; reason: string }[];
    };
    return conditions.find(({ type }) => type === 'Terminating')?.reason;
  }

  it('goes after its objects, and waits for those that are held', async () => {
    const world = new ControllerWorld().start();
    world.serve(aKind('example.com/v1', 'Thing', 'things'));
    await world.create('CustomResourceDefinition', 'things.example.com', {
      spec,
      metadata: { finalizers: [finalizer] },
    });
    await world.create('Thing', 'free');
    await world.create('Thing', 'held', { metadata: { finalizers: ['example.com/hold'] } });

    await world.remove('CustomResourceDefinition', 'things.example.com');

    expect(world.names('Thing')).toEqual(['held']);
    expect(terminating(world)).toBe('InstanceDeletionInProgress');

    await world.change(world.must('Thing', 'held'), hold);

    expect(world.get('CustomResourceDefinition', 'things.example.com')).toBeUndefined();
    expect(world.api.writes.filter((line) => line.includes('CustomResourceDefinition')).slice(-2)).toEqual([
      'update status CustomResourceDefinition things.example.com',
      'update CustomResourceDefinition things.example.com',
    ]);
  });
});
