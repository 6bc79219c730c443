import { describe, expect, it } from 'vitest';
import { fieldsAt, listAt, textAt } from '../../../../infra/embedded/kubernetes/kinds/rules/fields.ts';
import { ControllerWorld } from './controller-world.ts';

function spec(image = 'db:1', replicas = 3, rest: object = {}) {
  return {
    replicas,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'c', image }] } },
    ...rest,
  };
}

function images(world: ControllerWorld): string[] {
  return world.names('Pod').map((name) => textAt(listAt(world.must('Pod', name), 'spec', 'containers')[0], 'image'));
}

describe('a StatefulSet', () => {
  it('makes pods with lasting names, in order', async () => {
    const world = new ControllerWorld().start();

    await world.create('StatefulSet', 'db', { spec: spec() });

    expect(world.api.writes.filter((line) => line.startsWith('create Pod'))).toEqual([
      'create Pod db-0',
      'create Pod db-1',
      'create Pod db-2',
    ]);
    const status = fieldsAt(world.must('StatefulSet', 'db'), 'status');
    expect(status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
    });
    expect(status['currentRevision']).toBe(status['updateRevision']);
  });

  it('replaces pods from the last to the first when its template changes', async () => {
    const world = new ControllerWorld().start();
    await world.create('StatefulSet', 'db', { spec: spec() });

    await world.change(world.must('StatefulSet', 'db'), (copy) => {
      copy['spec'] = { ...fieldsAt(copy, 'spec'), template: spec('db:2').template };
    });

    expect(images(world)).toEqual(['db:2', 'db:2', 'db:2']);
    expect(world.api.writes.filter((line) => line.startsWith('remove Pod'))).toEqual([
      'remove Pod db-2',
      'remove Pod db-1',
      'remove Pod db-0',
    ]);
  });

  it('stops a rollout at the pod that cannot start', async () => {
    const world = new ControllerWorld().start();
    await world.create('StatefulSet', 'db', { spec: spec() });
    const broken = spec('broken:1').template;
    const metadata = { ...broken.metadata, annotations: { 'stagecoach.dev/pretend': 'fail' } };

    await world.change(world.must('StatefulSet', 'db'), (copy) => {
      copy['spec'] = { ...fieldsAt(copy, 'spec'), template: { ...broken, metadata } };
    });

    expect(images(world)).toEqual(['db:1', 'db:1', 'broken:1']);

    await world.change(world.must('StatefulSet', 'db'), (copy) => {
      copy['spec'] = { ...fieldsAt(copy, 'spec'), template: spec('db:3').template };
    });

    expect(images(world)).toEqual(['db:3', 'db:3', 'db:3']);
  });

  it('takes the last pods away when it shrinks', async () => {
    const world = new ControllerWorld().start();
    await world.create('StatefulSet', 'db', { spec: spec() });

    await world.change(world.must('StatefulSet', 'db'), (copy) => {
      copy['spec'] = { ...fieldsAt(copy, 'spec'), replicas: 1 };
    });

    expect(world.names('Pod')).toEqual(['db-0']);
  });

  it('gives each pod a claim of its own, which outlives it', async () => {
    const world = new ControllerWorld().start();
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await world.create('StatefulSet', 'db', { spec: spec('db:1', 2, { volumeClaimTemplates: [claim] }) });

    expect(world.names('PersistentVolumeClaim')).toEqual(['data-db-0', 'data-db-1']);
    expect(textAt(world.must('PersistentVolumeClaim', 'data-db-0'), 'status', 'phase')).toBe('Bound');

    await world.remove('StatefulSet', 'db');

    expect(world.names('Pod')).toEqual([]);
    expect(world.names('PersistentVolumeClaim')).toEqual(['data-db-0', 'data-db-1']);
  });
});
