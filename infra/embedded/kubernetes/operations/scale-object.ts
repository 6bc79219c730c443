import type { ApiObject } from '../api-object.ts';
import type { ScalePaths, ServedKind } from '../kinds/served-kind.ts';
import { applyJsonPatch } from '../patch/apply-json-patch.ts';
import { applyMergePatch } from '../patch/apply-merge-patch.ts';
import { unsupportedPatchType } from '../patch/unsupported-patch-type.ts';
import type { JsonObject } from '../schema/schema.ts';
import { badRequest, invalid, notSupported } from '../status-error.ts';
import { changeObject } from './change-object.ts';
import { parseBody } from './decode-object.ts';
import type { Call, Machinery } from './machinery.ts';

const workloadPaths: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** The number of copies of a workload, as `kubectl scale` and autoscalers see it. */
export function scaleOf(object: ApiObject, kind: ServedKind): ApiObject {
  const paths = kind.scale ?? workloadPaths;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector =
    kind.scale?.labelSelectorPath === undefined ? matchLabels(object) : read(object, kind.scale.labelSelectorPath);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: { replicas: read(object, paths.specReplicasPath) ?? 0 },
    status: { replicas: read(object, paths.statusReplicasPath) ?? 0, ...(selector ? { selector } : {}) },
  };
}

/** PUT or PATCH of the scale. */
export async function changeScale(
  machinery: Machinery,
  call: Call,
  request: { readonly mediaType: string; readonly text: string; readonly isPatch: boolean },
): Promise<ApiObject> {
  const paths = call.kind.scale ?? workloadPaths;
  const body = parseBody(request.text, 'Scale').value;
  let pinned = false;
  const changed = await changeObject(machinery, call, {
    isPinned: false,
    next: (live) => {
      const wished = request.isPatch ? patched(scaleOf(live, call.kind)) : (body as ApiObject);
      const { replicas } = (wished['spec'] ?? {}) as { readonly replicas?: unknown };
      const wanted = replicas ?? 0;
      if (typeof wanted !== 'number' || !Number.isInteger(wanted)) {
        throw badRequest('Scale in version "v1" cannot be handled as a Scale: spec.replicas must be a whole number');
      }
      if (wanted < 0) {
        const message = `Invalid value: ${wanted}: must be greater than or equal to 0`;
        throw invalid({ group: 'autoscaling', kind: 'Scale' }, call.attributes.name, [
          { reason: 'FieldValueInvalid', field: 'spec.replicas', message },
        ]);
      }
      pinned = Boolean(wished.metadata?.resourceVersion);
      const next = write(live, paths.specReplicasPath, wanted);
      if (pinned && wished.metadata.resourceVersion !== undefined)
        next.metadata.resourceVersion = wished.metadata.resourceVersion;
      return next;
    },
  });
  return scaleOf(changed, call.kind);

  function patched(scale: ApiObject): ApiObject {
    const document = scale as unknown as JsonObject;
    switch (request.mediaType) {
      case 'application/json-patch+json':
        return applyJsonPatch(document, body) as unknown as ApiObject;
      case 'application/merge-patch+json':
      case 'application/strategic-merge-patch+json':
        return applyMergePatch(document, body) as unknown as ApiObject;
      case 'application/apply-patch+yaml':
        throw notSupported('server-side apply of a scale');
      default:
        throw unsupportedPatchType(call.kind.isCustom);
    }
  }
}

function matchLabels(object: ApiObject): string {
  const { selector } = (object['spec'] ?? {}) as {
    readonly selector?: { readonly matchLabels?: Record<string, string> };
  };
  return Object.entries(selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
}

function stepsOf(path: string): string[] {
  return path.split('.').filter((step) => step !== '');
}

function read(object: ApiObject, path: string): unknown {
  let value: unknown = object;
  for (const step of stepsOf(path)) value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}

function write(object: ApiObject, path: string, value: number): ApiObject {
  const copy = structuredClone(object);
  const steps = stepsOf(path);
  let holder = copy as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) {
    holder[step] ??= {};
    holder = holder[step] as Record<string, unknown>;
  }
  holder[steps.at(-1) ?? ''] = value;
  return copy;
}
