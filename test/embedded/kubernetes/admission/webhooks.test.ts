import { beforeEach, describe, expect, it } from 'vitest';
import { AdmissionDenied } from '../../../../infra/embedded/kubernetes/admission/denial.ts';
import { answer, type Behaviour, configMap, createWebhookWorld, refusal, writing } from './webhook-world.ts';

let world: ReturnType<typeof createWebhookWorld>;

beforeEach(() => {
  world = createWebhookWorld();
});

function validating(behaviour: Behaviour, more: Record<string, unknown> = {}): void {
  world.configure('Validating', 't', [world.webhook(behaviour, more)]);
}

function validate(attributes = writing(), object = configMap()) {
  return world.admission.validate(attributes, object, undefined);
}

describe('a validating webhook', () => {
  it('is sent the review that a real server sends', async () => {
    validating(answer({}));

    await validate();

    const [review] = world.seen;
    const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
    expect(review?.call.url).toBe('https://hooks.example/0?timeout=10s');
    expect(JSON.parse(review?.call.body ?? '')).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: configMaps,
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: configMaps,
        name: 'c1',
        namespace: 'w',
        operation: 'CREATE',
        userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
        object: configMap(),
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      },
    });
  });

  it('sees of a subresource the kind of its objects, and of a deletion the old object', async () => {
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    validating(answer({}), { rules });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd', namespace: 'w' } };
    const scaling = writing({
      operation: 'UPDATE',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      name: 'd',
    });

    await world.admission.validate(scaling, scale, scale);
    await world.admission.validate(writing({ operation: 'DELETE' }), undefined, configMap());

    expect(world.seen[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      subResource: 'scale',
      requestSubResource: 'scale',
      options: { kind: 'UpdateOptions' },
    });
    expect(world.seen[1]?.request).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: configMap(),
      options: { kind: 'DeleteOptions' },
    });
  });

  it('may warn and annotate', async () => {
    validating(answer({ warnings: ['first', 7, 'second'], auditAnnotations: { k: 'v' } }));

    expect(await validate()).toEqual({ warnings: ['first', 'second'], annotations: { 'a.b.c/k': 'v' } });
  });

  it.each([
    [{}, 400, '', 'admission webhook "a.b.c" denied the request without explanation'],
    [{ message: 'just message' }, 400, '', 'admission webhook "a.b.c" denied the request: just message'],
    [
      { message: 'no way', code: 418, reason: 'Teapot' },
      418,
      'Teapot',
      'admission webhook "a.b.c" denied the request: no way',
    ],
    [{ reason: 'Invalid', code: 200 }, 400, 'Invalid', 'admission webhook "a.b.c" denied the request: Invalid'],
    [{ code: 9999, message: {} }, 400, '', 'admission webhook "a.b.c" denied the request without explanation'],
  ])('denies with %j', async (status, code, reason, message) => {
    validating(answer({ allowed: false, status, warnings: ['w'] }), { failurePolicy: 'Ignore' });

    const denied = await refusal(validate());

    expect(denied.status).toMatchObject({ status: 'Failure', message, code });
    expect(denied.status.reason ?? '').toBe(reason);
    expect(denied instanceof AdmissionDenied && denied.warnings).toEqual(['w']);
  });

  it('passes on the details of its refusal', async () => {
    const details = { name: 'a', causes: [{ field: 'f' }] };
    validating(answer({ allowed: false, status: { code: 422, details } }));

    expect((await refusal(validate())).status.details).toEqual(details);
  });

  it('is asked together with the others, and the first refusal in order counts', async () => {
    world.configure('Validating', 'b', [
      world.webhook(answer({ allowed: false, status: { message: 'b' } }), { name: 'b.b.b' }),
    ]);
    world.configure('Validating', 'a', [
      world.webhook(answer({ warnings: ['w1'] }), { name: 'a.a.a' }),
      world.webhook(answer({ allowed: false, status: { message: 'a2' }, warnings: ['w2'] }), { name: 'a.a.b' }),
    ]);

    const denied = await refusal(validate());

    expect(denied.message).toBe('admission webhook "a.a.b" denied the request: a2');
    expect(world.seen).toHaveLength(3);
    expect((denied as AdmissionDenied).warnings).toEqual(['w1', 'w2']);
  });
});

const unknownShape =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

describe('a webhook that answers', () => {
  it.each<[string, unknown, string]>([
    [
      'with HTML',
      '<html>',
      `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${unknownShape}`,
    ],
    [
      'with a list',
      '[]',
      `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${unknownShape}`,
    ],
    [
      'with nothing',
      '',
      'failed to call webhook: 0-length response with status code: 200 and content type: application/json',
    ],
    [
      'with no response',
      { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      'received invalid webhook response: webhook response was absent',
    ],
    [
      'with no kind',
      { response: { allowed: true } },
      'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
    ],
    [
      'with an old version',
      { apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview' },
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'with a Pod',
      { apiVersion: 'v1', kind: 'Pod' },
      'failed to call webhook: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '500 and text',
      { code: 500, contentType: 'text/plain', body: 'some text' },
      'failed to call webhook: an error on the server ("some text") has prevented the request from succeeding',
    ],
    [
      '500 and bad JSON',
      { code: 500, body: 'boom' },
      'failed to call webhook: an error on the server ("unknown") has prevented the request from succeeding',
    ],
    ['500 and a Status', { code: 500, body: '{"kind":"Status","message":"sad"}' }, 'failed to call webhook: sad'],
    ['403', { code: 403, contentType: 'text/plain', body: 'some text' }, 'failed to call webhook: some text'],
    ['404', { code: 404, body: 'x' }, 'failed to call webhook: the server could not find the requested resource'],
    ['503', { code: 503, body: 'x' }, 'failed to call webhook: the server is currently unable to handle the request'],
    [
      '302',
      { code: 302, body: '' },
      'failed to call webhook: the server responded with the status code 302 but did not return more information',
    ],
  ])('%s is an error, or ignored where its policy says so', async (_, result, text) => {
    const message = `failed calling webhook "a.b.c": ${text}`;

    validating(() => result);
    expect((await refusal(validate())).status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    });
    validating(() => result, { failurePolicy: 'Ignore' });
    expect((await validate()).annotations).toEqual({
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'a.b.c',
    });
    expect(world.lines).toEqual([`${message}; ignored, because its failurePolicy says so`]);
  });

  it('for another review is not believed', async () => {
    validating(answer({ uid: 'other' }));

    const { message } = await refusal(validate());

    expect(message).toContain(`expected response.uid="${world.seen[0]?.request.uid}", got "other"`);
  });

  it('with a patch although it only validates is an error', async () => {
    validating(answer({ patch: 'W10=', patchType: 'JSONPatch' }));

    expect((await refusal(validate())).message).toContain('validating webhook may not return response.patch');
  });

  it('too late, or not at all, is not waited for', async () => {
    let gone: AbortSignal | undefined;
    validating(
      ({ call }) => {
        gone = call.signal;
        return new Promise(() => {});
      },
      { timeoutSeconds: 1 },
    );

    const outcome = refusal(validate());
    await world.clock.step(1_000);

    expect((await outcome).message).toBe(
      'Internal error occurred: failed calling webhook "a.b.c": failed to call webhook: Post "https://hooks.example/0?timeout=1s": context deadline exceeded',
    );
    expect(gone?.aborted).toBe(true);
    expect(world.clock.pending).toBe(0);
  });
});
