import { type Fields, isFields } from '../core/fields.ts';
import type { FileContent } from './files.ts';
import { joinPath } from './repository-path.ts';
import type { Sight } from './sight.ts';

/** How every kustomization of ours begins. */
export const kustomizationHead = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' } as const;

/** The names that kustomize looks for in a folder. More than one at once it refuses. */
const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/** The kustomizations that stand in a folder; the path of a first one, where there is none. */
export function kustomizationsIn(folder: string, sight: Sight): readonly [string, ...string[]] {
  const [first = joinPath(folder, names[0]), ...others] = names
    .map((name) => joinPath(folder, name))
    .filter((path) => sight.kindOf(path) !== undefined);
  return [first, ...others];
}

/** What a kustomization says. Undefined: it is none. */
export function readKustomization({ documents }: FileContent): Fields | undefined {
  if (documents === undefined || documents.length > 1) return undefined;
  const fields = documents[0] ?? {};
  return isFields(fields) && (fields['kind'] ?? kustomizationHead.kind) === kustomizationHead.kind ? fields : undefined;
}
