import type { Fields } from '../core/fields.ts';
import type { Base, WorkloadKind } from './base.ts';
import { withDefaults } from './default-resources.ts';
import type { OverlayInput } from './overlay.ts';

export const patchFiles: Readonly<Record<WorkloadKind, string>> = {
  Deployment: 'deployment-patch.yaml',
  StatefulSet: 'statefulset-patch.yaml',
  DaemonSet: 'daemonset-patch.yaml',
};

/**
 * What the container of the workload gets beyond its image. All values are merged before, so kustomize has nothing to
 * decide: over our own base, which has none, they are simply added. Those of a user's base are replaced, or a variable that
 * nobody sets any more would stay. What nobody gives a value for is left to it: its resources, and its probes, of which two
 * kinds could not be merged.
 */
export function overlayPatch(input: OverlayInput, { workload, isOurs }: Base): Fields {
  const { apiVersion, kind, name, namespace } = workload;
  const container = {
    name: workload.container,
    image: isOurs ? undefined : input.component,
    env: variables(input, workload.hasVariables),
    resources: resources(input, isOurs),
    ports: input.port === 0 ? undefined : [{ containerPort: input.port }],
    ...(isOurs && input.port !== 0 ? probes(input.port) : {}),
  };
  const imagePullSecrets = input.pullSecret === '' ? undefined : [{ name: input.pullSecret }];
  const metadata = { name, namespace };
  return { apiVersion, kind, metadata, spec: { template: { spec: { containers: [container], imagePullSecrets } } } };
}

/** In the order in which they came: one may refer to another that stands before it. */
function variables({ env }: OverlayInput, areReplaced: boolean): readonly Fields[] | undefined {
  const list = [...(areReplaced ? [{ $patch: 'replace' }] : []), ...env.map(({ name, value }) => ({ name, value }))];
  return list.length === 0 ? undefined : list;
}

function resources({ resources: given }: OverlayInput, isOurs: boolean): Fields | undefined {
  const { requests, limits } = isOurs ? withDefaults(given) : given;
  if (requests === undefined && limits === undefined) return undefined;
  return { ...(isOurs ? {} : { $patch: 'replace' }), requests, limits };
}

function probes(port: number): Fields {
  const pace = { initialDelaySeconds: 10, periodSeconds: 10 };
  return {
    readinessProbe: { tcpSocket: { port }, ...pace },
    livenessProbe: { httpGet: { path: '/', port }, ...pace },
  };
}
