import { describe, expect, it } from 'vitest';
import { anInput, at, rendered, rendering, yamlAt } from './a-repository.ts';

const labels = {
  'app.kubernetes.io/name': 'web',
  'app.kubernetes.io/instance': 'web',
  'app.kubernetes.io/part-of': 'shop',
  'app.kubernetes.io/managed-by': 'kustomize',
  'app.kubernetes.io/created-by': 'stagecoach',
};

describe('the Service of an overlay', () => {
  it('R05 R06 has the port, the instance selector and our labels', () => {
    const tree = rendered(anInput({ port: 8080 }));

    expect(yamlAt(tree, at.service)).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', labels },
      spec: { selector: { 'app.kubernetes.io/instance': 'web' }, ports: [{ port: 8080, targetPort: 8080 }] },
    });
    expect(yamlAt(tree, at.kustomization).resources).toEqual(['../../base', 'service.yaml']);
  });

  it('R17 O14 is not there without a port, and neither is a way in', () => {
    const tree = rendered(anInput({ port: 0, expose: { with: 'Ingress', host: 'a.example.com' } }));

    expect(Object.keys(tree)).not.toContain(at.service);
    expect(Object.keys(tree)).not.toContain(at.ingress);
  });

  it('is promoted with the port: another environment keeps its own', () => {
    const before = rendered(anInput({ environment: 'prod', port: 80 }));
    const after = rendered(anInput({ port: 8080 }), before);

    expect(after['components/web/overlays/prod/service.yaml']).toBe(
      before['components/web/overlays/prod/service.yaml'],
    );
  });
});

describe('the way in of an overlay', () => {
  const port = 8080;

  it('O15 O16 O17 is a Route with TLS, redirect, weight, number of the port, name and host', () => {
    const tree = rendered(anInput({ port, expose: { with: 'Route', name: 'web-0a1b', host: 'shop.example.com' } }));

    expect(yamlAt(tree, at.route)).toEqual({
      apiVersion: 'route.openshift.io/v1',
      kind: 'Route',
      metadata: { name: 'web-0a1b', labels },
      spec: {
        host: 'shop.example.com',
        port: { targetPort: 8080 },
        tls: { termination: 'edge', insecureEdgeTerminationPolicy: 'Redirect' },
        to: { kind: 'Service', name: 'web', weight: 100 },
      },
    });
    expect(yamlAt(tree, at.kustomization).resources).toEqual(['../../base', 'route.yaml', 'service.yaml']);
  });

  it('O10 is a Route without a host, where OpenShift gives one', () => {
    const tree = rendered(anInput({ port, expose: { with: 'Route', name: 'web-0a1b', host: '' } }));

    expect(yamlAt(tree, at.route).spec).not.toHaveProperty('host');
  });

  it('O19 is an Ingress with one rule', () => {
    const tree = rendered(anInput({ port, expose: { with: 'Ingress', host: 'web-team.example.com' } }));
    const backend = { service: { name: 'web', port: { number: 8080 } } };

    expect(yamlAt(tree, at.ingress)).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', labels },
      spec: {
        rules: [
          {
            host: 'web-team.example.com',
            http: { paths: [{ path: '/', pathType: 'ImplementationSpecific', backend }] },
          },
        ],
      },
    });
  });

  it.each([
    [
      'with the gateway that was given',
      { namespace: 'infra', name: 'public' },
      [{ namespace: 'infra', name: 'public' }],
    ],
    ['without any', undefined, undefined],
  ])('is an HTTPRoute %s', (_what, gateway, parentRefs) => {
    const tree = rendered(anInput({ port, expose: { with: 'HTTPRoute', host: 'web-team.example.com', gateway } }));

    expect(yamlAt(tree, at.httpRoute)).toEqual({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'web', labels },
      spec: {
        ...(parentRefs && { parentRefs }),
        hostnames: ['web-team.example.com'],
        rules: [
          { matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ name: 'web', port: 8080 }] },
        ],
      },
    });
  });

  it('O13 O26 is only ever one: the one of before goes with its entry', () => {
    const before = rendered(anInput({ port, expose: { with: 'Route', name: 'web-0a1b', host: '' } }));
    const input = anInput({ port, expose: { with: 'Ingress', host: 'web-team.example.com' } });

    expect(rendering(input, before).changes.get(at.route)).toBeUndefined();
    expect(rendering(input, before).changes.has(at.route)).toBe(true);
    expect(yamlAt(rendered(input, before), at.kustomization).resources).toEqual([
      '../../base',
      'ingress.yaml',
      'service.yaml',
    ]);
  });

  it('O26 goes with the port, and so does the Service', () => {
    const before = rendered(anInput({ port, expose: { with: 'Ingress', host: 'web-team.example.com' } }));

    expect(rendered(anInput(), before)).toEqual(rendered(anInput()));
  });
});
