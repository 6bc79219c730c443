import { describe, expect, it } from 'vitest';
import { ControllerWorld } from './controller-world.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const tokenType = 'kubernetes.io/service-account-token';
const forRobot = { annotations: { 'kubernetes.io/service-account.name': 'robot' } };

describe('every namespace', () => {
  it('has a default account and the certificate of the server', async () => {
    const world = new ControllerWorld().start();

    await world.create('Namespace', 'home');

    expect(world.names('ServiceAccount')).toEqual(['default']);
    expect(world.must('ConfigMap', 'kube-root-ca.crt')['data']).toEqual({ 'ca.crt': 'the root certificate' });
  });

  it('gets them back when they are deleted or changed', async () => {
    const world = new ControllerWorld().start();
    await world.create('Namespace', 'home');

    await world.remove('ServiceAccount', 'default');
    await world.change(world.must('ConfigMap', 'kube-root-ca.crt'), (copy) => {
      copy['data'] = { 'ca.crt': 'forged' };
    });

    expect(world.names('ServiceAccount')).toEqual(['default']);
    expect(world.must('ConfigMap', 'kube-root-ca.crt')['data']).toEqual({ 'ca.crt': 'the root certificate' });
  });
});

describe('a Secret that asks for a token', () => {
  it('is filled with the token of its account', async () => {
    const world = new ControllerWorld().start();
    const account = await world.create('ServiceAccount', 'robot');

    await world.create('Secret', 'robot-token', { type: tokenType, metadata: forRobot });

    const secret = world.must('Secret', 'robot-token');
    expect(secret['data']).toEqual({
      token: base64('token of home/robot'),
      'ca.crt': base64('the root certificate'),
      namespace: base64('home'),
    });
    expect(secret.metadata.annotations?.['kubernetes.io/service-account.uid']).toBe(account.metadata.uid);
  });

  it('is deleted when its account goes, and never serves a later account of that name', async () => {
    const world = new ControllerWorld().start();
    await world.create('ServiceAccount', 'robot');
    await world.create('Secret', 'robot-token', { type: tokenType, metadata: forRobot });

    await world.remove('ServiceAccount', 'robot');

    expect(world.get('Secret', 'robot-token')).toBeUndefined();

    await world.create('ServiceAccount', 'robot');
    const annotations = { ...forRobot.annotations, 'kubernetes.io/service-account.uid': 'of the former robot' };
    await world.create('Secret', 'stale', { type: tokenType, metadata: { annotations } });

    expect(world.get('Secret', 'stale')).toBeUndefined();
  });

  it('is deleted at once when there is no such account', async () => {
    const world = new ControllerWorld().start();

    await world.create('Secret', 'nobody-token', { type: tokenType, metadata: forRobot });

    expect(world.get('Secret', 'nobody-token')).toBeUndefined();
  });

  it('is left alone when it is of another type', async () => {
    const world = new ControllerWorld().start();

    await world.create('Secret', 'plain', { stringData: { a: 'b' }, metadata: forRobot });

    expect(world.must('Secret', 'plain')['data']).toEqual({ a: base64('b') });
  });
});
