import type { Base } from './base.ts';
import type { Entries } from './keep-kustomization.ts';
import { isProblem, type OverlayInput, type Problem, problem } from './overlay.ts';
import { overlayPatch, patchFiles } from './overlay-patch.ts';
import { overlayResources } from './overlay-resources.ts';
import { fileHeader, memoryLine } from './ownership.ts';
import { joinPath, relativePath } from './repository-path.ts';
import { splitImage } from './split-image.ts';
import { writeYaml } from './write-yaml.ts';

/** An overlay as it should be, whatever stands there. */
export interface ComposedOverlay {
  readonly patchFile: string;
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
  /** What its kustomization has to list. */
  readonly entries: Entries;
}

export function composeOverlay(input: OverlayInput, base: Base, folder: string): ComposedOverlay | Problem {
  const { component, replicas } = input;
  const { kind, name } = base.workload;
  const image = splitImage(input.image);
  if (image === undefined)
    return problem(
      'ImageNotUsable',
      `The Snapshot gives ${component} what is no image: ${JSON.stringify(input.image)}`,
    );
  const resources = overlayResources(input, base);
  if (isProblem(resources)) return resources;

  const wayToBase = relativePath(folder, base.path);
  const patchFile = patchFiles[kind];
  const memory = memoryLine(kind, { workload: name, base: wayToBase });
  const texts = [
    [patchFile, `${memory}${writeYaml(overlayPatch(input, base))}`] as const,
    ...[...resources].map(([file, object]) => [file, writeYaml(object)] as const),
  ];
  return {
    patchFile,
    files: new Map(texts.map(([file, text]) => [joinPath(folder, file), `${fileHeader}${text}`])),
    entries: {
      resources: [wayToBase, ...[...resources.keys()].toSorted()],
      patches: [{ path: patchFile }],
      images: [{ name: component, ...image }],
      // Every node has one pod of a DaemonSet, and kustomize fails where it finds nothing to count.
      replicas: kind === 'DaemonSet' ? [] : [{ name, count: replicas }],
    },
  };
}
