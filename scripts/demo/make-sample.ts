import {
  type AnySchema,
  applications,
  claims,
  components,
  environments,
  namespaces,
  type ObjectKind,
  type ObjectOf,
} from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster, NewObject } from '../../shared/ports/cluster.ts';
import * as sample from './sample.ts';

export interface Made {
  /** The sample was not there before. */
  readonly isNew: boolean;
  /** The image of every component, by its name: the Snapshot that holds them all is the one to follow. */
  readonly images: Readonly<Record<string, string>>;
  /** The components that were built. */
  readonly built: readonly string[];
}

/**
 * Makes what is missing of the sample and leaves what is there as it is. Where all of it is there, one component gets a new
 * image, so that something travels again.
 */
export async function makeSample(cluster: Cluster, signal: AbortSignal): Promise<Made> {
  await ensure(namespaces, { metadata: { name: sample.namespace } });
  for (const environment of sample.environments) {
    await ensure(claims, sample.claimOf(environment));
    await ensure(environments, sample.environmentOf(environment));
  }
  const isThere = await read(applications, sample.application);
  const images: Record<string, string> = {};
  for (const component of sample.components) {
    const { status, spec } = await ensure(components, sample.componentOf(component, 1));
    images[component.name] = status?.containerImage || spec.containerImage;
  }
  // The last: while it is not there nothing is frozen, so that the first Snapshot has all the components.
  await ensure(applications, sample.applicationObject);
  if (isThere === undefined) return { isNew: true, images, built: Object.keys(images) };

  const build = Math.max(...Object.values(images).map(sample.buildOf)) + 1;
  const { name = '' } = sample.components[build % sample.components.length] ?? {};
  const image = sample.imageOf(name, build);
  const key = { namespace: sample.namespace, name };
  await cluster.patch(components, key, { spec: { containerImage: image } }, { signal });
  return { isNew: false, images: { ...images, [name]: image }, built: [name] };

  async function ensure<Schema extends AnySchema>(
    kind: ObjectKind<Schema>,
    object: NewObject,
  ): Promise<ObjectOf<Schema>> {
    const { namespace = '', name: called = '' } = object.metadata;
    const found = await read(kind, called, namespace);
    if (isGoing(found))
      throw new Error(`${kind.kind} ${called} is being deleted: start the demo again when it is gone`);
    return found ?? cluster.create(kind, object, { signal });
  }

  function read<Schema extends AnySchema>(kind: ObjectKind<Schema>, called: string, namespace = sample.namespace) {
    return cluster.read(kind, { namespace, name: called }, { signal });
  }
}

function isGoing(found: unknown): boolean {
  return (found as { metadata: { deletionTimestamp?: string } } | undefined)?.metadata.deletionTimestamp !== undefined;
}
