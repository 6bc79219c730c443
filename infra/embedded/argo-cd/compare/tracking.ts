import { annotationOf, gvkOf, type KubeObject } from '../kube-object.ts';

const trackingAnnotation = 'argocd.argoproj.io/tracking-id';

interface TrackingId {
  readonly application: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Marks an object as belonging to an application. One without a namespace is marked with that of the destination. */
export function withTracking(object: KubeObject, application: string, namespace: string): KubeObject {
  const { group } = gvkOf(object);
  const { name } = object.metadata;
  const id = `${application}:${group}/${object.kind}:${object.metadata.namespace ?? namespace}/${name}`;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [trackingAnnotation]: id } },
  };
}

export function trackingOf(object: KubeObject): TrackingId | undefined {
  const [, application = '', group = '', kind = '', namespace = '', name = ''] =
    /^([^:]*):([^/:]*)\/([^/:]*):([^/]*)\/([^/]*)$/.exec(annotationOf(object, trackingAnnotation) ?? '') ?? [];
  return application === '' ? undefined : { application, group, kind, namespace, name };
}

/** False where the mark was copied from another object, as controllers do that make one object of another. */
export function isOwnTracking(live: KubeObject, target: KubeObject | undefined): boolean {
  const id = trackingOf(live);
  const expected =
    target === undefined
      ? id
      : { ...gvkOf(target), namespace: target.metadata.namespace ?? '', name: target.metadata.name };
  if (expected === undefined) return true;
  const namespace = live.metadata.namespace ?? '';
  return (
    (namespace === '' || namespace === expected.namespace) &&
    live.metadata.name === expected.name &&
    gvkOf(live).group === expected.group &&
    live.kind === expected.kind
  );
}
