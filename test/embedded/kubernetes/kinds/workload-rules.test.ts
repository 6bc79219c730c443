import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { fieldsAt, listAt } from '../../../../infra/embedded/kubernetes/kinds/rules/fields.ts';
import { anObject, ruleBook } from './rule-book.ts';

const { created, onCreate, onUpdate } = ruleBook();

function aDeployment(spec: object = {}, container: object = {}, podSpec: object = {}): ApiObject {
  const containers = [{ name: 'c', image: 'i', ...container }];
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers, ...podSpec } };
  return anObject('apps/v1', 'Deployment', { spec: { selector: { matchLabels: { a: 'b' } }, template, ...spec } });
}

const label = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;
const containers = 'spec.template.spec.containers';

/** Texts as kube-apiserver 1.36.3 answered them. */
const refusals: Record<string, [object: ApiObject, text: string]> = {
  'a selector that does not mean its own pods': [
    aDeployment({ selector: { matchLabels: { a: 'c' } } }),
    'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
  ],
  'no selector': [
    aDeployment({ selector: undefined }),
    '[spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`]',
  ],
  'an empty selector': [
    aDeployment({ selector: {} }),
    'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ],
  'an operator that does not exist': [
    aDeployment({ selector: { matchExpressions: [{ key: 'a', operator: 'Foo' }] } }),
    '[spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator, spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Foo"}]}: invalid label selector]',
  ],
  'no template': [
    aDeployment({ template: undefined }),
    '[spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]',
  ],
  'a container without a name': [aDeployment({}, { name: undefined }), `${containers}[0].name: Required value`],
  'a container with a bad name': [
    aDeployment({}, { name: 'A_b' }),
    `${containers}[0].name: Invalid value: "A_b": ${label}`,
  ],
  'a container without an image': [aDeployment({}, { image: undefined }), `${containers}[0].image: Required value`],
  'an unknown pull policy': [
    aDeployment({}, { imagePullPolicy: 'Foo' }),
    `${containers}[0].imagePullPolicy: Unsupported value: "Foo": supported values: "Always", "IfNotPresent", "Never"`,
  ],
  'a port out of range with a bad name': [
    aDeployment({}, { ports: [{ containerPort: 70_000, name: 'Http_x' }] }),
    `[${containers}[0].ports[0].name: Invalid value: "Http_x": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), ${containers}[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive]`,
  ],
  'a request above its limit': [
    aDeployment({}, { resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
    `${containers}[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
  ],
  'a negative limit': [
    aDeployment({}, { resources: { limits: { cpu: '-1' } } }),
    `${containers}[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
  ],
  'a variable with two sources': [
    aDeployment({}, { env: [{ name: 'a', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    `${containers}[0].env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
  ],
  'a mount of a volume that is not there': [
    aDeployment({}, { volumeMounts: [{ name: 'v', mountPath: '/x' }] }),
    `${containers}[0].volumeMounts[0].name: Not found: "v"`,
  ],
  'a probe without a handler': [
    aDeployment({}, { livenessProbe: {} }),
    `${containers}[0].livenessProbe: Required value: must specify a handler type`,
  ],
  'pods that do not restart': [
    aDeployment({}, {}, { restartPolicy: 'Never' }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  'two volumes of one name': [
    aDeployment({}, {}, { volumes: [{ name: 'v' }, { name: 'v' }] }),
    'spec.template.spec.volumes[1].name: Duplicate value: "v"',
  ],
  'less than no replicas': [
    aDeployment({ replicas: -1 }),
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  'a rollout without any room': [
    aDeployment({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
  ],
  'a deadline before readiness': [
    aDeployment({ minReadySeconds: 700 }),
    'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
  ],
};

describe('a Deployment', () => {
  it.each(Object.entries(refusals))('is refused with %s', (_what, [object, text]) => {
    expect(onCreate(object)).toBe(`Deployment.apps "one" is invalid: ${text}`);
  });

  it('gets the defaults of the real server', () => {
    const container = {
      ports: [{ containerPort: 80 }],
      readinessProbe: { httpGet: { port: 80 } },
      resources: { limits: { cpu: '1000m', memory: '1.5Gi' } },
    };

    const { spec, status } = created(
      aDeployment({}, container, { volumes: [{ name: 'v', configMap: { name: 'c' } }] }),
    );

    expect(status).toEqual({});
    expect(spec).toEqual({
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [
            {
              name: 'c',
              image: 'i',
              imagePullPolicy: 'Always',
              ports: [{ containerPort: 80, protocol: 'TCP' }],
              resources: { limits: { cpu: '1', memory: '1536Mi' } },
              readinessProbe: {
                httpGet: { port: 80, path: '/', scheme: 'HTTP' },
                timeoutSeconds: 1,
                periodSeconds: 10,
                successThreshold: 1,
                failureThreshold: 3,
              },
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          securityContext: {},
          terminationGracePeriodSeconds: 30,
          volumes: [{ name: 'v', configMap: { name: 'c', defaultMode: 420 } }],
        },
      },
    });
  });

  it('keeps its selector', () => {
    const text = onUpdate(aDeployment(), (copy) => {
      const spec = fieldsAt(copy, 'spec');
      spec['selector'] = { matchLabels: { z: 'c' } };
      fieldsAt(spec, 'template', 'metadata')['labels'] = { z: 'c' };
    });

    expect(text).toBe(
      'Deployment.apps "one" is invalid: spec.selector: Invalid value: {"matchLabels":{"z":"c"}}: field is immutable',
    );
  });

  it('may lose its rolling parameters together with its strategy only', () => {
    const to = (strategy: object) =>
      onUpdate(aDeployment(), (copy) => {
        fieldsAt(copy, 'spec')['strategy'] = strategy;
      });

    expect(to({ type: 'Recreate' })).toBe('fine');
    expect(to({ type: 'Recreate', rollingUpdate: { maxSurge: 1 } })).toBe(
      'Deployment.apps "one" is invalid: spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is \'Recreate\'',
    );
  });
});

describe('an image', () => {
  const policies: Record<string, string> = {
    nginx: 'Always',
    'nginx:latest': 'Always',
    'nginx:1': 'IfNotPresent',
    'localhost:5000/nginx': 'Always',
    'localhost:5000/nginx:1': 'IfNotPresent',
    'nginx@sha256:01': 'IfNotPresent',
  };

  it.each(Object.entries(policies))('%s is pulled %s', (image, policy) => {
    const [container] = listAt(created(aDeployment({}, { image })), 'spec', 'template', 'spec', 'containers');

    expect(fieldsAt(container)['imagePullPolicy']).toBe(policy);
  });
});

describe('a StatefulSet', () => {
  it('keeps everything but what may change', () => {
    const given = { ...aDeployment({ serviceName: 'x' }), kind: 'StatefulSet' };
    const change = (name: string, value: unknown) =>
      onUpdate(given, (copy) => {
        fieldsAt(copy, 'spec')[name] = value;
      });

    expect(change('replicas', 5)).toBe('fine');
    expect(change('serviceName', 'y')).toBe(
      `StatefulSet.apps "one" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
    );
  });
});

describe('a Job', () => {
  const aJob = (spec: object) =>
    anObject('batch/v1', 'Job', { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } } } });

  it('is found by its uid, and must be able to end', () => {
    expect(onCreate(aJob({}))).toBe(
      'Job.batch "one" is invalid: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    );
    expect(created(aJob({ restartPolicy: 'Never' }))).toMatchObject({
      metadata: { labels: { 'batch.kubernetes.io/controller-uid': 'u1', 'job-name': 'one' } },
      spec: {
        completions: 1,
        backoffLimit: 6,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } },
      },
    });
  });
});
