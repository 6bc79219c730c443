import type { ApiClient } from '../../../support/api-client.ts';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import type { CrdSketch, InstalledCrd } from '../../../support/install-crd.ts';

/** A custom resource with what most contract tests ask for: a status subresource and the three kinds of lists. */
export const widgetSketch: CrdSketch = {
  kind: 'Widget',
  status: true,
  schema: {
    type: 'object',
    description: 'A thing that tests are made of.',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', description: 'How big it is.' },
          color: { type: 'string' },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string' }, value: { type: 'string' } },
            },
          },
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          steps: { type: 'array', items: { type: 'string' } },
        },
      },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  },
};

const installed = new WeakMap<ApiWorld, Map<CrdSketch, Promise<InstalledCrd>>>();

/**
 * The CRD of this sketch, registered once in a world and shared by all who ask for it: the real server lets the first
 * writer of a new kind wait for two seconds.
 */
export function sharedCrd(world: ApiWorld, sketch: CrdSketch): Promise<InstalledCrd> {
  const known = installed.get(world) ?? new Map<CrdSketch, Promise<InstalledCrd>>();
  installed.set(world, known);
  const crd = known.get(sketch) ?? world.install(sketch);
  known.set(sketch, crd);
  return crd;
}

export function deployment(name: string, container: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      // None, so that no controller makes anything of it.
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1', ...container }] },
      },
    },
  };
}

export interface Place {
  readonly client: ApiClient;
  readonly namespace: string;
  /** The collection of ConfigMaps of the namespace. */
  readonly configMaps: string;
}

/** A namespace of its own for one test, and the admin to work in it. */
export async function freshPlace(world: ApiWorld): Promise<Place> {
  const namespace = await world.namespace();
  return { client: world.client(), namespace, configMaps: pathOf('v1', 'configmaps', namespace) };
}

/** The rule for names of most kinds, as the API server words it. */
export const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
