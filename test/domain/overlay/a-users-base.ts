import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { renderOverlay } from '../../../shared/domain/overlay/render-overlay.ts';
import { anInput, at, filesOf, problemOf, rendered, type Tree, yamlAt } from './a-repository.ts';

export const own = anInput({ kustomizeBase: '/apps/web/base' });

export function workload(kind: string, name = 'web', container = '{ name: main, image: old }'): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [${container}] }
`;
}

export function aBase(files: Tree, kustomization = `resources: [${Object.keys(files).join(', ')}]\n`): Tree {
  const all = Object.entries({ 'kustomization.yaml': kustomization, ...files });
  return Object.fromEntries(all.map(([name, text]) => [`apps/web/base/${name}`, text]));
}

export function patchOn(base: Tree, input: OverlayInput = own, path: string = at.patch) {
  return yamlAt(rendered(input, base), path);
}

export function told(base: Tree, input: OverlayInput = own): string {
  return problemOf(renderOverlay(input, '', filesOf(base)));
}
