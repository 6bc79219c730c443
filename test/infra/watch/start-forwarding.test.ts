import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventsRefused, type ForwardedBody } from '../../../infra/host/watch/forward-target.ts';
import {
  type Forwarding,
  type ForwardingSettings,
  startForwarding,
} from '../../../infra/host/watch/start-forwarding.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { openStepClock, silentLog } from '../../adapters/kubernetes/follow.ts';
import { type FakeWatchServer, startFakeWatchServer } from '../../support/fake-watch-server.ts';
import { startReceiver } from './receiver.ts';

const environments = {
  group: 'appstudio.redhat.com',
  version: 'v1alpha1',
  plural: 'environments',
  kind: 'Environment',
  namespaced: true,
};
const secrets = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const classes = {
  group: 'appstudio.redhat.com',
  version: 'v1alpha1',
  plural: 'deploymenttargetclasses',
  kind: 'DeploymentTargetClass',
  namespaced: false,
};
const atEnvironments = '/apis/appstudio.redhat.com/v1alpha1/environments';
const atSecrets = '/api/v1/secrets';
const atClasses = '/apis/appstudio.redhat.com/v1alpha1/deploymenttargetclasses';

function environment(name: string, spec: object = {}, namespace = 'team-a') {
  return { apiVersion: 'appstudio.redhat.com/v1alpha1', kind: 'Environment', metadata: { name, namespace }, spec };
}

describe('the forwarder of watch events', () => {
  let cluster: FakeWatchServer;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let connection: ClusterConnection;
  let forwarding: Forwarding;
  const errors: object[] = [];

  beforeEach(async () => {
    cluster = await startFakeWatchServer();
    receiver = await startReceiver();
    connection = connectCluster({ server: cluster.url, now: Date.now });
    errors.length = 0;
  });
  afterEach(async () => {
    await forwarding.stop();
    await connection.close();
    await receiver.stop();
    await cluster.stop();
  });

  function start(settings: Partial<ForwardingSettings> = {}): void {
    forwarding = startForwarding({
      connection,
      kinds: [environments],
      target: { url: receiver.url, token: 'hush' },
      log: { ...silentLog, error: (_msg, fields) => errors.push(fields ?? {}) },
      pace: openStepClock().pace,
      ...settings,
    });
  }

  it('posts the changes of every kind, with its token', async () => {
    cluster.put(atEnvironments, environment('staging', { displayName: 'Staging' }));
    cluster.put(atClasses, { metadata: { name: 'sandbox' } });

    start({ kinds: [environments, classes] });
    await receiver.until(() => receiver.told().length === 2);
    await cluster.watching(atEnvironments);
    cluster.remove(atEnvironments, { name: 'staging', namespace: 'team-a' });
    await receiver.until(() => receiver.told().length === 3);

    expect(receiver.told().sort()).toEqual([
      'ADDED DeploymentTargetClass sandbox',
      'ADDED Environment staging',
      'DELETED Environment staging',
    ]);
    expect(receiver.posts.map(({ authorization }) => authorization)).toEqual(Array(3).fill('Bearer hush'));
    expect(receiver.posts.find(({ text }) => text.includes('Staging'))?.body).toEqual({
      source: 'watch',
      events: [
        {
          type: 'ADDED',
          object: {
            apiVersion: 'appstudio.redhat.com/v1alpha1',
            kind: 'Environment',
            metadata: expect.objectContaining({
              name: 'staging',
              namespace: 'team-a',
              uid: expect.any(String),
              resourceVersion: '101',
              generation: 1,
            }),
            spec: { displayName: 'Staging' },
          },
        },
      ],
    });
  });

  it('sends of a Secret its name and type, and never a value', async () => {
    cluster.put(atSecrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: {
        name: 'key',
        namespace: 'team-a',
        labels: { tier: 'one' },
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{"stringData":{"password":"NEVER"}}',
          note: 'NEVER',
        },
      },
      data: { password: 'NEVER' },
      stringData: { password: 'NEVER' },
    });

    start({ kinds: [secrets] });
    await receiver.until(() => receiver.told().length === 1);

    expect(receiver.posts.map(({ text }) => text).join()).not.toContain('NEVER');
    expect(receiver.posts[0]?.body.events[0]?.object).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: {
        name: 'key',
        namespace: 'team-a',
        labels: { tier: 'one' },
        uid: expect.any(String),
        resourceVersion: '101',
        generation: 1,
      },
    });
  });

  it.each([500, 503, 429, 408, 401, 403, 404])('keeps everything while the receiver answers %d', async (status) => {
    let answers = 0;
    receiver.control.answer = () => (++answers <= 8 ? status : 200);
    cluster.put(atEnvironments, environment('a'));

    start();
    await cluster.watching(atEnvironments);
    cluster.put(atEnvironments, environment('b'));
    await receiver.until(() => receiver.told().length === 2);

    expect(receiver.told()).toEqual(['ADDED Environment a', 'ADDED Environment b']);
    expect(forwarding.health()).toMatchObject([
      { dropped: 0, lastError: { message: expect.stringContaining(`answered ${status}`) } },
    ]);
  });

  it('gives up on a post that is not answered, and sends it again', async () => {
    receiver.control.answer = () => (receiver.posts.length === 1 ? undefined : 200);
    cluster.put(atEnvironments, environment('a'));

    start({ target: { url: receiver.url, token: 'hush', timeoutMs: 20 } });
    await receiver.until(() => receiver.told().length === 1);

    expect(receiver.posts).toHaveLength(2);
  });

  it.each([400, 413, 422])(
    'finds the one event that is answered with %d, says so, and brings the others',
    async (status) => {
      receiver.control.answer = ({ text }) => (text.includes('"bad"') ? status : 200);
      for (const name of ['a', 'b', 'bad', 'c', 'd']) cluster.put(atEnvironments, environment(name));

      start();
      await receiver.until(() => receiver.told().length === 4);

      expect(receiver.told()).toEqual(['a', 'b', 'c', 'd'].map((name) => `ADDED Environment ${name}`));
      expect(forwarding.health()).toMatchObject([{ kind: 'Environment', dropped: 1 }]);
      expect(errors).toEqual([
        { kind: 'Environment', namespace: 'team-a', name: 'bad', error: expect.stringContaining(String(status)) },
      ]);
    },
  );

  it('tells after a restart all that is there, and what changed meanwhile with it', async () => {
    cluster.put(atEnvironments, environment('a'));
    start();
    await receiver.until(() => receiver.told().length === 1);
    await forwarding.stop();

    cluster.put(atEnvironments, environment('b'));
    start();
    await receiver.until(() => receiver.told().length === 3);

    expect(receiver.told()).toEqual(['ADDED Environment a', 'ADDED Environment a', 'ADDED Environment b']);
  });

  it('follows one namespace where it is told to, and kinds without a namespace all the same', async () => {
    cluster.put(atEnvironments, environment('ours', {}, 'team-a'));
    cluster.put(atEnvironments, environment('theirs', {}, 'team-b'));
    cluster.put(atClasses, { metadata: { name: 'sandbox' } });

    start({ kinds: [environments, classes], namespace: 'team-a' });
    await receiver.until(() => receiver.told().length === 2);

    expect(receiver.told().sort()).toEqual(['ADDED DeploymentTargetClass sandbox', 'ADDED Environment ours']);
  });

  it('calls a function of the same process instead, and drops what that refuses', async () => {
    const bodies: ForwardedBody[] = [];
    cluster.put(atEnvironments, environment('bad'));
    cluster.put(atEnvironments, environment('good'));
    const { promise, resolve } = Promise.withResolvers<void>();

    start({
      async target(body) {
        if (body.events.some(({ object }) => object.metadata.name === 'bad')) throw new EventsRefused('no');
        bodies.push(body);
        resolve();
      },
    });
    await promise;

    expect(bodies.map(({ events }) => events.map(({ object }) => object.metadata.name))).toEqual([['good']]);
  });

  it('says of every kind how it stands: one is followed, the other is not known to the cluster', async () => {
    cluster.put(atEnvironments, environment('a'));

    start({ kinds: [environments, classes] });
    await receiver.until(() => receiver.told().length === 1);
    await cluster.watching(atEnvironments);
    await cluster.until(() => cluster.requests.filter(({ path }) => path === atClasses).length > 2);

    expect(forwarding.health()).toMatchObject([
      { kind: 'Environment', synced: true, missing: false, known: 1, restarts: 0 },
      {
        kind: 'DeploymentTargetClass',
        synced: false,
        missing: true,
        connected: false,
        lastError: { message: expect.stringContaining('install its CRD') },
      },
    ]);
  });
});
