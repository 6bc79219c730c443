import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { changesOf } from '../../../../shared/contracts/audit-changes.ts';
import { AuditEvent as Contract } from '../../../../shared/contracts/kubernetes/audit-event.ts';
import type { Answer } from '../../../support/api-client.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import { sketchCrd } from '../../../support/install-crd.ts';
import { until } from '../../../support/until.ts';
import { recordings } from './audit-recordings.ts';
import { deployment, deployments, eventOf, gitops } from './audit-requests.ts';

/** What is in a value, without the values: lists by their first item. Texts stay where they are words of the protocol. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
  }
  return typeof value;
}

const words = ({ level, stage, verb, objectRef, responseStatus }: Contract) => ({
  level,
  stage,
  verb,
  group: objectRef?.apiGroup,
  apiVersion: objectRef?.apiVersion,
  resource: objectRef?.resource,
  subresource: objectRef?.subresource,
  code: responseStatus?.code,
  reason: responseStatus?.reason,
});

/** As much of Argo CD as these events need. */
async function installArgo(world: ApiWorld): Promise<void> {
  const { manifest } = sketchCrd({ kind: 'Application' });
  const spec = manifest['spec'] as { versions: readonly object[] };
  const versions = [{ ...spec.versions[0], name: 'v1alpha1' }];
  const name = 'applications.argoproj.io';
  const definition = { ...manifest, metadata: { name }, spec: { ...spec, group: 'argoproj.io', versions } };
  await world.client().create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await until(`${name} to be served`, async () => {
    return (await world.client().list('/apis/argoproj.io/v1alpha1/applications')).code === 200;
  });
}

export function describeAuditEvents(world: () => ApiWorld): void {
  beforeAll(() => installArgo(world()));

  describe('the audit event of', () => {
    it.each(recordings)('$file is as it was recorded, and is read the same', async ({ file, asked, read }) => {
      const namespace = await world().namespace();
      const recorded = JSON.parse(
        readFileSync(new URL(`../../../support/audit-events/${file}.json`, import.meta.url), 'utf8'),
      );

      let answer: Answer | undefined;
      for (const ask of asked) answer = await ask(world().client(), namespace);
      if (answer === undefined) throw new Error('nothing was asked');
      const event = await eventOf(world(), answer);

      const parsed = Contract.parse(event);
      expect(words(parsed)).toEqual(words(Contract.parse(recorded)));
      expect(shapeOf(event.objectRef)).toEqual(shapeOf(recorded.objectRef));
      expect(shapeOf(event.responseStatus)).toEqual(shapeOf(recorded.responseStatus));
      expect(Object.keys(event).filter((key) => key.endsWith('Object'))).toEqual(
        Object.keys(recorded).filter((key) => key.endsWith('Object')),
      );
      expect(event.annotations).toEqual(recorded.annotations);
      expect(shapeOf(event.responseObject)).toEqual(shapeOf(recorded.responseObject));
      const { name, resourceVersion } = (parsed.responseObject?.items?.[0] ?? parsed.responseObject)?.metadata ?? {};
      const changes = changesOf(parsed).map((change) => {
        expect([change.namespace, change.group]).toEqual([namespace, parsed.objectRef?.apiGroup]);
        return `${change.kind} ${change.name}${change.version === undefined ? '' : ` at ${change.version}`}`;
      });
      expect(changes.sort()).toEqual(
        read.map((one) => one.replace('NAME', String(name)).replace('VERSION', String(resourceVersion))),
      );
    });
  });

  describe('an audit event', () => {
    let namespace: string;

    beforeAll(async () => {
      namespace = await world().namespace();
    });

    it('tells who asked for what, and when', async () => {
      const answer = await world()
        .client()
        .request({
          method: 'POST',
          path: deployments(namespace),
          query: { fieldManager: 'contract' },
          headers: { 'user-agent': 'contract/1' },
          body: deployment('told'),
        });

      const event = await eventOf(world(), answer);

      expect(event).toMatchObject({
        user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
        userAgent: 'contract/1',
        sourceIPs: ['127.0.0.1'],
        requestURI: `${deployments(namespace)}?fieldManager=contract`,
        objectRef: { resource: 'gitopsdeployments', namespace, name: 'told', apiGroup: gitops, apiVersion: 'v1alpha1' },
        responseStatus: { metadata: {}, code: 201 },
        requestObject: { metadata: { name: 'told' } },
        responseObject: { metadata: { name: 'told', resourceVersion: answer.body.metadata.resourceVersion } },
      });
      expect(Date.parse(event.stageTimestamp)).toBeGreaterThanOrEqual(Date.parse(event.requestReceivedTimestamp));
    });

    it('comes in a list of its own kind', async () => {
      const answer = await world().client().create(deployments(namespace), deployment('listed'));
      const event = await eventOf(world(), answer);

      const list = world().audit.lists.find(({ items }) => items.includes(event));

      expect(list).toMatchObject({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1' });
    });

    it('has no managed fields', async () => {
      const answer = await world().client().create(deployments(namespace), deployment('unmanaged'));

      const event = await eventOf(world(), answer);

      expect(answer.body.metadata.managedFields).toBeDefined();
      expect(JSON.stringify(event)).not.toContain('managedFields');
    });

    it('tells what somebody was refused, and why', async () => {
      const answer = await world().client('alice-token').delete(deployments(namespace, 'box'));

      const event = await eventOf(world(), answer);

      expect(event).toMatchObject({
        verb: 'delete',
        user: { username: 'alice' },
        responseStatus: { status: 'Failure', reason: 'Forbidden', code: 403, message: answer.body.message },
        annotations: { 'authorization.k8s.io/decision': 'forbid' },
      });
      expect(changesOf(Contract.parse(event))).toEqual([]);
    });

    it('tells both who asked and who was meant', async () => {
      const headers = { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' };
      const answer = await world()
        .client()
        .request({ method: 'POST', path: deployments(namespace), headers, body: deployment('meant') });

      const event = await eventOf(world(), answer);

      expect(answer.code).toBe(201);
      expect(event).toMatchObject({ user: { username: 'admin' }, impersonatedUser: { username: 'carol' } });
    });

    it('of an invalid object tells the refusal, and no change', async () => {
      const answer = await world()
        .client()
        .create(deployments(namespace), { ...deployment('bad'), spec: {} });

      const event = await eventOf(world(), answer);

      expect(event.responseStatus).toMatchObject({ code: 422, reason: 'Invalid' });
      expect(changesOf(Contract.parse(event))).toEqual([]);
    });
  });
}
