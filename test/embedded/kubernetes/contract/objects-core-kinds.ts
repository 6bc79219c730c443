import { describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { deployment, freshPlace } from './sample-objects.ts';

export function describeObjectsCoreKinds(world: () => ApiWorld): void {
  describe('a ConfigMap', () => {
    it('has keys that could be file names', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, { metadata: { name: 'a' }, data: { 'a/b': 'x' } });

      expect(code).toBe(422);
      expect(body.message).toBe(
        `ConfigMap "a" is invalid: data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
      );
    });

    it('has texts as values', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, { metadata: { name: 'a' }, data: { a: 1 } });

      expect(code).toBe(400);
      expect(body.message).toBe(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      );
    });

    it('that is immutable stays as it is', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' }, data: { a: '1' }, immutable: true });

      const { code, body } = await client.patch(`${configMaps}/a`, 'merge', { data: { a: '2' } });

      expect([code, body.message]).toEqual([
        422,
        'ConfigMap "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
      ]);
    });
  });

  describe('a Secret', () => {
    it('takes plain texts and gives them back encoded, before the data of the same key', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.create(pathOf('v1', 'secrets', namespace), {
        metadata: { name: 'a' },
        stringData: { a: 'b' },
        data: { a: 'eA==', c: 'ZA==' },
      });

      expect(code).toBe(201);
      expect(body).toMatchObject({ type: 'Opaque', data: { a: 'Yg==', c: 'ZA==' } });
      expect(body['stringData']).toBeUndefined();
    });

    it('refuses data that is not base64', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.create(pathOf('v1', 'secrets', namespace), {
        metadata: { name: 'a' },
        data: { a: 'not base64!' },
      });

      expect([code, body.message]).toEqual([
        400,
        'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3',
      ]);
    });

    it('keeps its type', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(pathOf('v1', 'secrets', namespace), { metadata: { name: 'a' } });

      const { code, body } = await client.patch(pathOf('v1', 'secrets', namespace, 'a'), 'merge', { type: 'other' });

      expect([code, body.message]).toEqual([
        422,
        'Secret "a" is invalid: type: Invalid value: "other": field is immutable',
      ]);
    });

    it('of a known type has what the type asks for', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.create(pathOf('v1', 'secrets', namespace), {
        metadata: { name: 'a' },
        type: 'kubernetes.io/dockerconfigjson',
      });

      expect([code, body.message]).toEqual([422, 'Secret "a" is invalid: data[.dockerconfigjson]: Required value']);
    });
  });

  describe('a Service', () => {
    it('is given an address and its defaults', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.create(pathOf('v1', 'services', namespace), {
        metadata: { name: 'a' },
        spec: { selector: { app: 'a' }, ports: [{ port: 80 }] },
      });

      expect(code).toBe(201);
      expect(body).toMatchObject({
        spec: {
          type: 'ClusterIP',
          sessionAffinity: 'None',
          internalTrafficPolicy: 'Cluster',
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
        },
        status: { loadBalancer: {} },
      });
      expect(body.spec['clusterIP']).toMatch(/^10\.\d+\.\d+\.\d+$/);
      expect(body.spec['clusterIPs']).toEqual([body.spec['clusterIP']]);
    });

    it('needs ports', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.create(pathOf('v1', 'services', namespace), {
        metadata: { name: 'a' },
        spec: {},
      });

      expect([code, body.message]).toEqual([422, 'Service "a" is invalid: spec.ports: Required value']);
    });
  });

  describe('a Deployment', () => {
    it('is shown with the defaults that it will run with', async () => {
      const { client, namespace } = await freshPlace(world());
      const given = deployment('a', { ports: [{ containerPort: 80 }] });

      const { code, body } = await client.create(pathOf('apps/v1', 'deployments', namespace), given);

      expect(code).toBe(201);
      expect(body.metadata.generation).toBe(1);
      expect(body.spec).toEqual({
        replicas: 0,
        selector: { matchLabels: { app: 'a' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        template: {
          metadata: { labels: { app: 'a' } },
          spec: {
            containers: [
              {
                name: 'main',
                image: 'registry.example.com/app:1',
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                resources: {},
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
                imagePullPolicy: 'IfNotPresent',
              },
            ],
            restartPolicy: 'Always',
            terminationGracePeriodSeconds: 30,
            dnsPolicy: 'ClusterFirst',
            securityContext: {},
            schedulerName: 'default-scheduler',
          },
        },
      });
    });

    it('selects the pods of its own template', async () => {
      const { client, namespace } = await freshPlace(world());
      const given = deployment('a');

      const { code, body } = await client.create(pathOf('apps/v1', 'deployments', namespace), {
        ...given,
        spec: { ...(given['spec'] as object), selector: { matchLabels: { app: 'b' } } },
      });

      expect([code, body.message]).toEqual([
        422,
        'Deployment.apps "a" is invalid: spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ]);
    });

    it('keeps its selector', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(pathOf('apps/v1', 'deployments', namespace), deployment('a'));

      const { code, body } = await client.patch(pathOf('apps/v1', 'deployments', namespace, 'a'), 'merge', {
        spec: { selector: { matchLabels: { tier: 'x' } }, template: { metadata: { labels: { tier: 'x' } } } },
      });

      expect([code, body.message]).toEqual([
        422,
        'Deployment.apps "a" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"a","tier":"x"}}: field is immutable',
      ]);
    });

    it('needs an image', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.create(
        pathOf('apps/v1', 'deployments', namespace),
        deployment('a', { image: undefined }),
      );

      expect([code, body.message]).toEqual([
        422,
        'Deployment.apps "a" is invalid: spec.template.spec.containers[0].image: Required value',
      ]);
    });
  });
}
