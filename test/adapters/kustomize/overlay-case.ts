import { parse } from 'yaml';
import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { anInput, rendered, rendering, type Tree } from '../../domain/overlay/a-repository.ts';
import type { Buildable } from './build-tree.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into objects of any kind.
export type BuiltObject = any;

/** An overlay that we rendered, and what a build of it has to show. */
export interface OverlayCase extends Buildable {
  sees(built: Built): void;
}

export interface Built {
  readonly objects: readonly BuiltObject[];
  readonly workload: BuiltObject;
  readonly containers: readonly BuiltObject[];
}

export const workloads = ['Deployment', 'StatefulSet', 'DaemonSet'];
export const folder = 'components/web/overlays/dev';
export const image = 'quay.io/team/web:v1@sha256:0a1b';
export const port = 8080;

export const full = anInput({
  image,
  replicas: 3,
  env: [
    { name: 'Z', value: '1' },
    { name: 'A', value: '$(Z)' },
    { name: 'EMPTY', value: '' },
  ],
  resources: { requests: { cpu: '10m' }, limits: { memory: '1Gi' } },
  port,
  pullSecret: 'opener',
});
export const own = { ...full, kustomizeBase: 'apps/base' };

export function viewOf(documents: readonly string[]): Built {
  const objects = documents.map((document): BuiltObject => parse(document));
  const workload = objects.find(({ kind }) => workloads.includes(kind));
  return { objects, workload, containers: workload.spec.template.spec.containers };
}

export function aCase(sees: OverlayCase['sees'], input: OverlayInput, before: Tree = {}, context = ''): OverlayCase {
  return { tree: rendered(input, before, context), path: rendering(input, before, context).path, sees };
}
