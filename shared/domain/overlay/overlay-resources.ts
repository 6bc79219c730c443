import { type Fields, isFields } from '../core/fields.ts';
import type { Base, Workload } from './base.ts';
import { labelsOf } from './object-labels.ts';
import { type Exposure, type OverlayInput, type Problem, problem } from './overlay.ts';

export const serviceFile = 'service.yaml';

export const exposureFiles: Readonly<Record<Exposure['with'], string>> = {
  Route: 'route.yaml',
  Ingress: 'ingress.yaml',
  HTTPRoute: 'httproute.yaml',
};

/** The Service that leads to the component's pods. */
interface Door {
  readonly service: string;
  /** The component's. */
  readonly port: number;
  /** The number that the Service has for it. */
  readonly servicePort: number;
}

/**
 * The objects that an overlay adds to its base, by file. They follow the port, so they stand here and not in the base: a new
 * port is promoted like any other value. What the user's own base has under the same name is not added again.
 */
export function overlayResources(input: OverlayInput, base: Base): ReadonlyMap<string, Fields> | Problem {
  const { component, port, expose } = input;
  if (port === 0) return new Map();
  const theirs = base.objects.find(({ kind, name }) => kind === 'Service' && name === component);
  const files = new Map<string, Fields>();
  if (theirs === undefined) files.set(serviceFile, service(input, base));
  if (expose === undefined) return files;

  const servicePort = theirs === undefined ? port : portOf(theirs.fields, port, base.workload);
  if (servicePort === undefined)
    return problem(
      'ServiceWithoutPort',
      `Service ${component} of the base in ${base.path} does not lead to port ${port}: add the port there, or take the Service away and Stagecoach adds one`,
    );
  const exposedName = expose.with === 'Route' ? expose.name : component;
  if (base.objects.some(({ kind, builtName }) => kind === expose.with && builtName === exposedName)) return files;
  const metadata = { name: exposedName, labels: labelsOf(input) };
  const door = { service: theirs?.builtName ?? component, servicePort, port };
  return files.set(exposureFiles[expose.with], exposed(metadata, expose, door));
}

function service(input: OverlayInput, { workload }: Base): Fields {
  const { component, port } = input;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: component, labels: labelsOf(input) },
    spec: { selector: workload.selector, ports: [{ port, targetPort: port }] },
  };
}

function exposed(metadata: Fields, expose: Exposure, door: Door): Fields {
  if (expose.with === 'Route') return route(metadata, expose.host, door);
  if (expose.with === 'Ingress') return ingress(metadata, expose.host, door);
  return httpRoute(metadata, expose, door);
}

function route(metadata: Fields, host: string, { service: name, port: targetPort }: Door): Fields {
  return {
    apiVersion: 'route.openshift.io/v1',
    kind: 'Route',
    metadata,
    spec: {
      ...(host !== '' && { host }),
      port: { targetPort },
      tls: { termination: 'edge', insecureEdgeTerminationPolicy: 'Redirect' },
      to: { kind: 'Service', name, weight: 100 },
    },
  };
}

function ingress(metadata: Fields, host: string, { service: name, servicePort: number }: Door): Fields {
  const backend = { service: { name, port: { number } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: { rules: [{ host, http: { paths: [{ path: '/', pathType: 'ImplementationSpecific', backend }] } }] },
  };
}

function httpRoute(
  metadata: Fields,
  { host, gateway }: Extract<Exposure, { with: 'HTTPRoute' }>,
  { service: name, servicePort: port }: Door,
): Fields {
  const matches = [{ path: { type: 'PathPrefix', value: '/' } }];
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata,
    spec: {
      ...(gateway && { parentRefs: [{ namespace: gateway.namespace, name: gateway.name }] }),
      hostnames: [host],
      rules: [{ matches, backendRefs: [{ name, port }] }],
    },
  };
}

/** A port of a user's Service may have another number than the one that it leads to, or lead to a name. */
function portOf({ spec }: Fields, port: number, { namedPorts }: Workload): number | undefined {
  const ports = isFields(spec) && Array.isArray(spec['ports']) ? spec['ports'].filter(isFields) : [];
  const found = ports.find((one) => {
    const target = one['targetPort'] ?? one['port'];
    return (typeof target === 'string' ? namedPorts.get(target) : target) === port;
  });
  return typeof found?.['port'] === 'number' ? found['port'] : undefined;
}
