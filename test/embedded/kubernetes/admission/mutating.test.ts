import { beforeEach, describe, expect, it } from 'vitest';
import { answer, type Behaviour, configMap, createWebhookWorld, patching, refusal, writing } from './webhook-world.ts';

let world: ReturnType<typeof createWebhookWorld>;

beforeEach(() => {
  world = createWebhookWorld();
});

const label = [{ op: 'add', path: '/metadata/labels', value: { patched: 'yes' } }];

function mutating(behaviour: Behaviour, more: Record<string, unknown> = {}): void {
  world.configure('Mutating', 't', [world.webhook(behaviour, more)]);
}

function mutate(object = configMap(), more = {}) {
  return world.admission.mutate(writing(more), object, undefined);
}

describe('a mutating webhook', () => {
  it('changes the object, and leaves the one it was given alone', async () => {
    mutating(patching(label));
    const given = configMap();

    const { object, annotations } = await mutate(given);

    expect(object?.metadata.labels).toEqual({ patched: 'yes' });
    expect(given).toEqual(configMap());
    expect(annotations).toEqual({
      'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"t","webhook":"a.b.c","mutated":true}',
      'patch.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"t","webhook":"a.b.c","patch":[{"op":"add","path":"/metadata/labels","value":{"patched":"yes"}}],"patchType":"JSONPatch"}',
    });
  });

  it('that changes nothing gives back the very same object', async () => {
    const given = configMap({ metadata: { name: 'c1', labels: { patched: 'yes' } } });

    for (const behaviour of [answer({}), patching([]), patching([], 'Merge'), patching(label)]) {
      mutating(behaviour);
      expect((await mutate(given)).object).toBe(given);
    }
  });

  it('is asked by name of configuration and then in order, each seeing what came before', async () => {
    const count: Behaviour = (review) => {
      const { data } = review.request['object'] as { readonly data: Record<string, string> };
      return patching([{ op: 'add', path: `/data/n${Object.keys(data).length}`, value: review.path }])(review);
    };
    world.configure('Mutating', 'b', [world.webhook(count, { name: 'b.b.b' })]);
    world.configure('Mutating', 'a', [
      world.webhook(count, { name: 'a.a.a' }),
      world.webhook(count, { name: 'a.a.b' }),
    ]);

    const { object } = await mutate();

    expect(object?.['data']).toEqual({ a: 'b', n1: '/1', n2: '/2', n3: '/0' });
  });

  it('denies before the ones after it are asked', async () => {
    world.configure('Mutating', 't', [
      world.webhook(answer({ allowed: false, status: { message: 'no' }, patch: 'W10=', patchType: 'JSONPatch' })),
      world.webhook(answer({}), { name: 'b.b.b' }),
    ]);

    expect((await refusal(mutate())).message).toBe('admission webhook "a.b.c" denied the request: no');
    expect(world.seen).toHaveLength(1);
  });

  it('with side effects refuses a dry run', async () => {
    mutating(answer({}), { sideEffects: 'Some' });

    expect((await refusal(mutate(configMap(), { dryRun: true }))).status).toMatchObject({
      message: 'admission webhook "a.b.c" does not support dry run',
      code: 400,
    });
    expect(world.seen).toHaveLength(0);
  });
});

describe('a patch that cannot be', () => {
  it.each([
    [
      'applied: remove',
      [{ op: 'remove', path: '/data/nope' }],
      "error in remove for path: '/data/nope': Unable to remove nonexistent key: nope: missing value",
    ],
    [
      'applied: test',
      [{ op: 'test', path: '/metadata/name', value: 'zzz' }],
      'testing value /metadata/name failed: test failed',
    ],
    [
      'applied: add',
      [{ op: 'add', path: '/foo/bar', value: 1 }],
      'add operation does not apply: doc is missing path: "/foo/bar": missing value',
    ],
    [
      'applied: move',
      [{ op: 'move', from: '/data/q', path: '/data/z' }],
      "error in move for path: 'q': Unable to remove nonexistent key: q: missing value",
    ],
    ['understood', [{ op: 'frob', path: '/a' }], 'Unexpected kind: frob'],
    ['placed', [{ op: 'add', value: 1 }], 'add operation failed to decode path: missing value'],
  ])('%s fails the write, whatever the failure policy', async (_, operations, message) => {
    mutating(patching(operations), { failurePolicy: 'Ignore' });

    expect((await refusal(mutate())).status).toMatchObject({
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
      code: 500,
    });
  });

  it.each<[Behaviour, string]>([
    [
      patching({ a: 1 }),
      'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    ],
    [
      patching(label, ''),
      'received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
    [
      answer({ patchType: 'JSONPatch' }),
      'received invalid webhook response: webhook returned response.patchType but not response.patch',
    ],
    [answer({ patch: 'e3t7', patchType: 'JSONPatch' }), 'received undecodable patch in webhook response: '],
  ])('read is the failure of the webhook', async (behaviour, text) => {
    mutating(behaviour);
    expect((await refusal(mutate())).message).toContain(`failed calling webhook "a.b.c": ${text}`);

    mutating(behaviour, { failurePolicy: 'Ignore' });
    const given = configMap();
    expect((await mutate(given)).object).toBe(given);
  });

  it('reaches nothing outside the object', async () => {
    mutating(patching([{ op: 'add', path: '/__proto__/polluted', value: 'yes' }]));

    await refusal(mutate()).catch(() => undefined);

    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    [
      { op: 'replace', path: '/kind', value: 'Secret' },
      500,
      'converting (v1.Secret) to (v1.ConfigMap): unknown conversion',
    ],
    [
      { op: 'replace', path: '/metadata/namespace', value: 'other' },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      { op: 'add', path: '/metadata/resourceVersion', value: '7' },
      500,
      'resourceVersion should not be set on objects to be created',
    ],
  ])('meant, because it makes another object: %j', async (operation, code, message) => {
    mutating(patching([operation]));

    expect((await refusal(mutate())).status).toMatchObject({ code, message });
  });

  it('meant, because it goes back to an older version', async () => {
    const stored = configMap({ metadata: { name: 'c1', namespace: 'w', resourceVersion: '9' } });
    mutating(patching([{ op: 'replace', path: '/metadata/resourceVersion', value: '7' }]));

    const update = world.admission.mutate(writing({ operation: 'UPDATE' }), stored, stored);

    expect((await refusal(update)).status).toMatchObject({ reason: 'Conflict', code: 409 });
  });

  it('gives itself what only the server gives', async () => {
    const made = configMap({ metadata: { name: 'c1', namespace: 'w', uid: 'u', creationTimestamp: 't' } });
    const operations = ['uid', 'creationTimestamp', 'deletionTimestamp'].map((field) => ({
      op: 'add',
      path: `/metadata/${field}`,
      value: 'mine',
    }));
    mutating(patching(operations));

    expect((await mutate(made)).object).toBe(made);
  });

  it('may not take the metadata away', async () => {
    mutating(patching([{ op: 'remove', path: '/metadata' }]));

    expect((await refusal(mutate())).status.code).toBe(500);
  });
});

describe('a webhook that asked to be asked again', () => {
  const again = { reinvocationPolicy: 'IfNeeded' };
  const paths = () => world.seen.map(({ path }) => path);
  const counting = (): Behaviour => (review) =>
    patching([{ op: 'add', path: '/data/n', value: String(world.seen.length) }])(review);

  it('is asked once more where the object changed after its turn, and no more than that', async () => {
    world.configure('Mutating', 't', [
      world.webhook(patching(label), { name: 'a.a.a', ...again }),
      world.webhook(counting(), { name: 'b.b.b', ...again }),
    ]);

    await mutate();

    expect(paths()).toEqual(['/0', '/1', '/0']);
  });

  it('is not asked again about its own change, nor where nothing changed', async () => {
    world.configure('Mutating', 't', [
      world.webhook(answer({}), { name: 'a.a.a', ...again }),
      world.webhook(answer({}), { name: 'b.b.b' }),
      world.webhook(patching(label), { name: 'c.c.c', ...again }),
    ]);

    await mutate(configMap({ metadata: { name: 'c1', labels: { patched: 'yes' } } }));
    expect(paths()).toEqual(['/0', '/1', '/2']);

    world.seen.length = 0;
    await mutate();
    expect(paths()).toEqual(['/0', '/1', '/2', '/0']);
  });

  it('is otherwise asked once', async () => {
    world.configure('Mutating', 't', [
      world.webhook(answer({}), { name: 'a.a.a', reinvocationPolicy: 'Never' }),
      world.webhook(patching(label), { name: 'b.b.b' }),
    ]);

    await mutate();

    expect(paths()).toEqual(['/0', '/1']);
  });
});
