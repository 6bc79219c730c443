import { resetFieldsOf } from '../apply/reset-fields-of.ts';
import type { Tracking } from '../apply/track-update.ts';
import { instant } from '../clock.ts';
import { apiVersionOf } from '../kinds/served-kind.ts';
import type { Call, Machinery } from './machinery.ts';

/** What managedFields are told of a request: who writes, when, and what of the object this endpoint leaves alone. */
export function trackingOf({ clock }: Machinery, { kind, attributes, fieldManager }: Call): Tracking {
  const { subresource } = attributes;
  const builtIn = !kind.isCustom;
  return {
    manager: fieldManager,
    apiVersion: apiVersionOf(kind),
    ...(subresource === '' ? {} : { subresource }),
    time: instant(clock.now()),
    schema: kind.schema,
    builtIn,
    resetFields: resetFieldsOf({ kind: kind.kind, builtIn, hasStatus: kind.hasStatus, subresource }),
    ...(kind.scale === undefined ? {} : { replicasPath: kind.scale.specReplicasPath.split('.').filter(Boolean) }),
  };
}
