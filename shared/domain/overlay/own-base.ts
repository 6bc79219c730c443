import type { Base } from './base.ts';
import type { FileContent } from './files.ts';
import { kustomizationHead } from './kustomization-file.ts';
import { instanceLabel, labelsOf } from './object-labels.ts';
import type { OverlayInput } from './overlay.ts';
import { fileHeader, isOurs } from './ownership.ts';
import { joinPath } from './repository-path.ts';
import type { Sight } from './sight.ts';
import { writeYaml } from './write-yaml.ts';

const kustomizationFile = 'kustomization.yaml';
const deploymentFile = 'deployment.yaml';

const apiVersion = 'apps/v1';
const kind = 'Deployment';

/** As in every base of HAS, so that users' patches for it still find it. */
const container = 'container-image';

export function ownBase(path: string, component: string): Base {
  return {
    path,
    isOurs: true,
    workload: {
      apiVersion,
      kind,
      name: component,
      namespace: undefined,
      container,
      hasVariables: false,
      selector: instanceLabel(component),
      namedPorts: new Map(),
    },
    objects: [],
  };
}

/**
 * The files of our own base. Every environment builds on it, so whatever stands here reaches all of them at once, without
 * any promotion: it has names that never change, and no value. The image is a name to be replaced.
 */
export function ownBaseFiles(path: string, input: OverlayInput): ReadonlyMap<string, string> {
  const { component } = input;
  const pod = { containers: [{ name: container, image: component, imagePullPolicy: 'Always' }] };
  const deployment = {
    apiVersion,
    kind,
    metadata: { name: component, labels: labelsOf(input) },
    spec: {
      revisionHistoryLimit: 0,
      selector: { matchLabels: instanceLabel(component) },
      template: { metadata: { labels: instanceLabel(component) }, spec: pod },
    },
  };
  const kustomization = { ...kustomizationHead, resources: [deploymentFile] };
  return new Map([
    [joinPath(path, deploymentFile), `${fileHeader}${writeYaml(deployment)}`],
    [joinPath(path, kustomizationFile), `${fileHeader}${writeYaml(kustomization)}`],
  ]);
}

/** The files that stand in the folder of our own base. Undefined: one of them is the user's, and so the whole base is. */
export function seeOwnBase(path: string, sight: Sight): ReadonlyMap<string, FileContent> | undefined {
  const seen = new Map<string, FileContent>();
  for (const name of sight.namesIn(path)) {
    const file = joinPath(path, name);
    if ((name !== deploymentFile && name !== kustomizationFile) || sight.kindOf(file) !== 'file') return undefined;
    const content = sight.read(file);
    if (content !== undefined && !isOurs(content)) return undefined;
    if (content !== undefined) seen.set(file, content);
  }
  return seen;
}
