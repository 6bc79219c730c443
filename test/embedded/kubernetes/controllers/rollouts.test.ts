import { describe, expect, it } from 'vitest';
import { fieldsAt, listAt, textAt } from '../../../../infra/embedded/kubernetes/kinds/rules/fields.ts';
import { ControllerWorld } from './controller-world.ts';

interface Wish {
  readonly image?: string;
  readonly replicas?: number;
  readonly annotations?: Record<string, string>;
  readonly strategy?: object;
  readonly rest?: object;
}

function spec({ image = 'shop:1', replicas = 2, annotations, strategy, rest }: Wish = {}) {
  return {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, ...(annotations === undefined ? {} : { annotations }) },
      spec: { containers: [{ name: 'c', image }] },
    },
    ...(strategy === undefined ? {} : { strategy }),
    ...rest,
  };
}

const failing = { 'stagecoach.dev/pretend': 'fail' };

async function rollOut(world: ControllerWorld, wish: Wish): Promise<void> {
  const { template, replicas } = spec(wish);
  await world.change(world.must('Deployment', 'web'), (copy) => {
    copy['spec'] = { ...fieldsAt(copy, 'spec'), template, replicas };
  });
}

function progress(world: ControllerWorld): string {
  const conditions = listAt(world.must('Deployment', 'web'), 'status', 'conditions');
  return conditions
    .map((one) => `${textAt(one, 'type')} ${textAt(one, 'status')} ${textAt(one, 'reason')}`)
    .sort()
    .join(', ');
}

function sizes(world: ControllerWorld): Record<string, unknown> {
  const sets = world.names('ReplicaSet').map((name) => world.must('ReplicaSet', name));
  return Object.fromEntries(
    sets.map((set) => [
      set.metadata.annotations?.['deployment.kubernetes.io/revision'],
      fieldsAt(set, 'spec')['replicas'],
    ]),
  );
}

describe('a Deployment', () => {
  it('has a ReplicaSet named after its template, and as many ready pods as it wants', async () => {
    const world = new ControllerWorld().start();

    await world.create('Deployment', 'web', { spec: spec() });

    const [set = ''] = world.names('ReplicaSet');
    const hash = world.must('ReplicaSet', set).metadata.labels?.['pod-template-hash'] ?? '';
    expect(set).toBe(`web-${hash}`);
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{6,10}$/);
    expect(world.names('Pod')).toHaveLength(2);
    for (const name of world.names('Pod'))
      expect(name).toMatch(new RegExp(`^${set}-[bcdfghjklmnpqrstvwxz2456789]{5}$`));
  });

  it('says that it is available and rolled out, as clients and health checks read it', async () => {
    const world = new ControllerWorld().start();

    await world.create('Deployment', 'web', { spec: spec() });

    const deployment = world.must('Deployment', 'web');
    expect(deployment.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1');
    const { conditions: _conditions, ...counts } = fieldsAt(deployment, 'status');
    expect(counts).toEqual({
      availableReplicas: 2,
      observedGeneration: 1,
      readyReplicas: 2,
      replicas: 2,
      terminatingReplicas: 0,
      updatedReplicas: 2,
    });
    expect(progress(world)).toBe('Available True MinimumReplicasAvailable, Progressing True NewReplicaSetAvailable');
  });

  it('rolls a new template out and keeps the former ReplicaSet empty', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec() });

    await rollOut(world, { image: 'shop:2' });

    expect(sizes(world)).toEqual({ 1: 0, 2: 2 });
    const images = world
      .names('Pod')
      .map((name) => textAt(listAt(world.must('Pod', name), 'spec', 'containers')[0], 'image'));
    expect(images).toEqual(['shop:2', 'shop:2']);
  });

  it('goes back to a former template by its ReplicaSet, as a new revision', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec() });
    const [first = ''] = world.names('ReplicaSet');
    await rollOut(world, { image: 'shop:2' });

    await rollOut(world, { image: 'shop:1' });

    expect(sizes(world)).toEqual({ 2: 0, 3: 2 });
    const annotations = world.must('ReplicaSet', first).metadata.annotations;
    expect(annotations?.['deployment.kubernetes.io/revision-history']).toBe('1');
  });

  it('scales without a new revision', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec() });

    await rollOut(world, { replicas: 5 });
    expect(world.names('Pod')).toHaveLength(5);
    await rollOut(world, { replicas: 0 });

    expect(sizes(world)).toEqual({ 1: 0 });
    expect(world.names('Pod')).toEqual([]);
  });

  it('keeps the old pods while the new ones cannot start, and says so when the deadline has passed', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec({ rest: { progressDeadlineSeconds: 60 } }) });

    await rollOut(world, { image: 'broken:1', annotations: failing });

    expect(sizes(world)).toEqual({ 1: 2, 2: 1 });
    expect(progress(world)).toContain('Progressing True ReplicaSetUpdated');

    world.clock.advance(62_000);
    await world.idle();

    expect(progress(world)).toBe('Available True MinimumReplicasAvailable, Progressing False ProgressDeadlineExceeded');

    await rollOut(world, { image: 'shop:1' });

    expect(sizes(world)).toEqual({ 2: 0, 3: 2 });
    expect(progress(world)).toContain('Progressing True NewReplicaSetAvailable');
  });

  it('is not available when its first pods cannot start', async () => {
    const world = new ControllerWorld().start();

    await world.create('Deployment', 'web', { spec: spec({ annotations: failing }) });

    expect(progress(world)).toContain('Available False MinimumReplicasUnavailable');
    const [pod = ''] = world.names('Pod');
    const [container] = listAt(world.must('Pod', pod), 'status', 'containerStatuses');
    expect(textAt(container, 'state', 'waiting', 'reason')).toBe('ImagePullBackOff');
  });

  it('with Recreate never runs two templates at a time', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec({ strategy: { type: 'Recreate' } }) });
    let most = 0;
    world.api.refuse = () => {
      most = Math.max(most, world.names('Pod').length);
    };

    await rollOut(world, { image: 'shop:2' });

    expect(sizes(world)).toEqual({ 1: 0, 2: 2 });
    expect(most).toBe(2);
  });

  it('waits with a new template while it is paused', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec({ rest: { paused: true } }) });
    expect(world.names('ReplicaSet')).toEqual([]);
    expect(progress(world)).toContain('Progressing Unknown DeploymentPaused');

    await world.change(world.must('Deployment', 'web'), (copy) => {
      delete fieldsAt(copy, 'spec')['paused'];
    });

    expect(sizes(world)).toEqual({ 1: 2 });
    expect(progress(world)).toContain('Progressing True NewReplicaSetAvailable');
  });

  it('keeps no more history than it is told to', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec({ rest: { revisionHistoryLimit: 1 } }) });

    for (const image of ['shop:2', 'shop:3', 'shop:4']) await rollOut(world, { image });

    expect(sizes(world)).toEqual({ 3: 0, 4: 2 });
  });

  it('takes its ReplicaSets and pods with it, and leaves them behind when orphaned', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec() });

    await world.remove('Deployment', 'web', { propagationPolicy: 'Orphan' });
    expect(world.names('Pod')).toHaveLength(2);
    await world.create('Deployment', 'web', { spec: spec() });
    expect(world.names('ReplicaSet')).toHaveLength(1);
    await world.remove('Deployment', 'web');

    expect([...world.names('ReplicaSet'), ...world.names('Pod')]).toEqual([]);
  });

  it('replaces a pod that somebody deletes', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec() });
    const [pod = ''] = world.names('Pod');

    await world.remove('Pod', pod);

    expect(world.names('Pod')).toHaveLength(2);
    expect(world.names('Pod')).not.toContain(pod);
  });

  it('has nothing more to write once it has settled', async () => {
    const world = new ControllerWorld().start();
    await world.create('Deployment', 'web', { spec: spec() });
    const writes = world.api.writes.length;

    world.clock.advance(3_600_000);
    await world.idle();

    expect(world.api.writes.slice(writes)).toEqual([]);
  });

  it('comes out the same when it is done again', async () => {
    const run = async () => {
      const world = new ControllerWorld().start();
      await world.create('Deployment', 'web', { spec: spec() });
      await rollOut(world, { image: 'shop:2', replicas: 4 });
      return world.api.writes;
    };

    expect(await run()).toEqual(await run());
  });
});
