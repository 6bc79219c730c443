import { describe, expect, it } from 'vitest';
import { openDelivery } from '../../../infra/host/watch/deliver-events.ts';
import type { ForwardedBody } from '../../../infra/host/watch/forward-target.ts';
import { forwardedObject } from '../../../infra/host/watch/forwarded-object.ts';
import { silentLog } from '../../adapters/kubernetes/follow.ts';

function event(name: string, padding = 0) {
  const metadata = {
    name,
    namespace: 'team-a',
    uid: name,
    resourceVersion: '1',
    annotations: { note: 'x'.repeat(padding) },
  };
  return {
    type: 'ADDED' as const,
    object: { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { padding: 'x'.repeat(padding) } },
  };
}

describe('what the forwarder posts', () => {
  async function deliver(
    batch: ReturnType<typeof event>[],
    limits: { maxEvents?: number; maxBytes?: number },
  ): Promise<ForwardedBody[]> {
    const posts: ForwardedBody[] = [];
    const delivery = openDelivery({
      target: async (body) => void posts.push(body),
      log: silentLog,
      onDropped() {},
      ...limits,
    });
    await delivery(batch, new AbortController().signal);
    return posts;
  }

  const names = (posts: ForwardedBody[]) => posts.map(({ events }) => events.map(({ object }) => object.metadata.name));

  it('has no more events than it may', async () => {
    const posts = await deliver(
      ['a', 'b', 'c', 'd', 'e'].map((name) => event(name)),
      { maxEvents: 2 },
    );

    expect(names(posts)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('has no more bytes than it may', async () => {
    const posts = await deliver(
      ['a', 'b', 'c', 'd', 'e'].map((name) => event(name, 400)),
      { maxBytes: 2_100 },
    );

    expect(names(posts)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    for (const post of posts) expect(Buffer.byteLength(JSON.stringify(post))).toBeLessThan(2_200);
  });

  it('has of an object that is larger than a whole post only where to look', async () => {
    const [post] = await deliver([event('large', 5_000), event('small')], { maxBytes: 2_000 });

    expect(post?.events[0]).toEqual({
      type: 'ADDED',
      object: {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: 'large', namespace: 'team-a', uid: 'large', resourceVersion: '1' },
      },
    });
    expect(post?.events[1]).toEqual(event('small'));
  });

  it('BS-15 has nothing of what only servers and kubectl need', () => {
    const { object } = event('a');
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'stagecoach.dev/reconcile-at': 'now',
    };
    const managed = { ...object.metadata, annotations, managedFields: [{ manager: 'kubectl' }] };

    const forwarded = forwardedObject({ ...object, metadata: managed });

    expect(forwarded).toEqual({
      ...object,
      metadata: { ...object.metadata, annotations: { 'stagecoach.dev/reconcile-at': 'now' } },
    });
  });

  it('BS-15 strips a Secret of the core group, and not a kind of another group that is called the same', () => {
    const secret = { kind: 'Secret', metadata: event('a').object.metadata, data: { a: 'b' }, spec: {} };

    const ours = forwardedObject({ ...secret, apiVersion: 'v1' });
    const theirs = forwardedObject({ ...secret, apiVersion: 'example.com/v1' });

    expect(Object.keys(ours)).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(Object.keys(theirs)).toContain('spec');
  });
});
