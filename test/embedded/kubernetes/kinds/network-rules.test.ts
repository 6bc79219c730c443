import { describe, expect, it } from 'vitest';
import { fieldsAt } from '../../../../infra/embedded/kubernetes/kinds/rules/fields.ts';
import { anObject, ruleBook } from './rule-book.ts';

const aService = (spec: object) => anObject('v1', 'Service', { spec });
const onePort = { ports: [{ port: 80 }] };

describe('a Service', () => {
  it('gets the first free address, and the defaults of the real server', () => {
    const taken = ['10.0.0.17', '10.0.0.18'].map((clusterIP) => aService({ clusterIP }));

    const { spec, status } = ruleBook(taken).created(aService(onePort));

    expect(status).toEqual({ loadBalancer: {} });
    expect(spec).toEqual({
      clusterIP: '10.0.0.19',
      clusterIPs: ['10.0.0.19'],
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    });
  });

  it('has no address when it is headless or a name only', () => {
    const { created } = ruleBook();

    expect(fieldsAt(created(aService({ clusterIP: 'None' })), 'spec')['clusterIPs']).toEqual(['None']);
    expect(fieldsAt(created(aService({ type: 'ExternalName', externalName: 'a.b' })), 'spec')).toEqual({
      externalName: 'a.b',
      sessionAffinity: 'None',
      type: 'ExternalName',
    });
  });

  it('keeps its address, and its ports on the nodes', () => {
    const { created, updated } = ruleBook();
    const old = created(aService({ ...onePort, type: 'NodePort' }));

    const next = updated(old, aService({ ...onePort, type: 'NodePort' }));

    expect(next['spec']).toEqual(old['spec']);
    expect(fieldsAt(next, 'spec')['ports']).toEqual([{ port: 80, protocol: 'TCP', targetPort: 80, nodePort: 30_000 }]);
  });

  it('says that all addresses are taken when they are', () => {
    const taken = Array.from({ length: 254 }, (_, index) => aService({ clusterIP: `10.0.0.${index + 1}` }));

    expect(() => ruleBook(taken).created(aService(onePort))).toThrow('failed to allocate a serviceIP: range is full');
  });

  const refusals: Record<string, [spec: object, text: string]> = {
    'no ports': [{}, 'spec.ports: Required value'],
    'a port of zero': [
      { ports: [{ port: 0 }] },
      '[spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive]',
    ],
    'two ports without names': [
      { ports: [{ port: 80 }, { port: 81 }] },
      '[spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
    ],
    'two ports of one name': [
      {
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'a' },
        ],
      },
      'spec.ports[1].name: Duplicate value: "a"',
    ],
    'an unknown protocol': [
      { ports: [{ port: 80, protocol: 'X' }] },
      'spec.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    ],
    'an unknown type': [
      { ...onePort, type: 'Foo' },
      'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    'a name that it does not tell': [{ type: 'ExternalName' }, 'spec.externalName: Required value'],
    'an address that is none': [
      { ...onePort, clusterIP: '1.2.3' },
      'spec.clusterIPs[0]: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    'an address from elsewhere': [
      { ...onePort, clusterIP: '1.2.3.4' },
      'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
    ],
  };

  it.each(Object.entries(refusals))('is refused with %s', (_what, [spec, text]) => {
    expect(ruleBook().onCreate(aService(spec))).toBe(`Service "one" is invalid: ${text}`);
  });

  it('is refused when it wants another address later', () => {
    const text = ruleBook().onUpdate(aService(onePort), (copy) => {
      fieldsAt(copy, 'spec')['clusterIP'] = '10.0.0.99';
    });

    expect(text).toBe(
      'Service "one" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.99"]: may not change once set',
    );
  });
});

describe('an Ingress', () => {
  const backend = { service: { name: 'x', port: { number: 80 } } };
  const withPath = (path: object) => ({
    rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...path }] } }],
  });
  const at = 'spec.rules[0].http.paths[0]';

  const answers: Record<string, [spec: object, text: string]> = {
    'neither rules nor a backend': [
      {},
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ],
    'no path type': [withPath({ pathType: undefined }), `${at}.pathType: Required value: pathType must be specified`],
    'a path that is not absolute': [
      withPath({ path: 'x' }),
      `${at}.path: Invalid value: "x": must be an absolute path`,
    ],
    'no backend': [
      withPath({ backend: {} }),
      `${at}.backend: Invalid value: "": resource or service backend is required`,
    ],
    'an address for a host': [
      { rules: [{ host: '1.2.3.4' }] },
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ],
  };

  it.each(Object.entries(answers))('is refused with %s', (_what, [spec, text]) => {
    const said = ruleBook().onCreate(anObject('networking.k8s.io/v1', 'Ingress', { spec }));

    expect(said).toBe(`Ingress.networking.k8s.io "one" is invalid: ${text}`);
  });

  it('is let in with a path of its own and a wildcard', () => {
    const spec = { rules: [{ host: '*.a.b', ...withPath({}).rules[0] }] };

    expect(ruleBook().onCreate(anObject('networking.k8s.io/v1', 'Ingress', { spec }))).toBe('fine');
  });
});

describe('policies', () => {
  it('an autoscaler needs a target and a maximum', () => {
    const said = ruleBook().onCreate(anObject('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: {} }));

    expect(said).toBe(
      'HorizontalPodAutoscaler.autoscaling "one" is invalid: [spec.maxReplicas: Required value: must be set and greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`, spec.scaleTargetRef.kind: Required value, spec.scaleTargetRef.name: Required value, spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group]',
    );
  });

  it('a disruption budget says one thing only', () => {
    const said = ruleBook().onCreate(
      anObject('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: 1, maxUnavailable: 1 } }),
    );

    expect(said).toContain('minAvailable and maxUnavailable cannot be both set');
  });

  it('a lease lasts', () => {
    const said = ruleBook().onCreate(
      anObject('coordination.k8s.io/v1', 'Lease', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
    );

    expect(said).toBe(
      'Lease.coordination.k8s.io "one" is invalid: [spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]',
    );
  });
});
