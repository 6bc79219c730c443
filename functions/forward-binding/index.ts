/**
 * forward-binding: wakes the Bindings that are about something that has changed.
 *
 *   wakes on   application.changed.v1, environment.changed.v1, snapshot.changed.v1
 *   observes   the Bindings of the namespace, by what they name
 *   decides    shared/domain/binding/decide-bindings-to-wake.ts
 *   commits    binding.changed.v1
 *   if down    new values reach what is deployed late, with the next drift pass or change of a Binding
 */
import {
  ApplicationChanged,
  BindingChanged,
  EnvironmentChanged,
  SnapshotChanged,
} from '../../shared/contracts/knocks.ts';
import { bindings } from '../../shared/contracts/kubernetes/kinds.ts';
import { decideBindingsToWake } from '../../shared/domain/binding/decide-bindings-to-wake.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { listAll } from '../../shared/runtime/list-all.ts';

export const forwardBinding = defineFunction({
  name: 'forward-binding',
  consumes: [ApplicationChanged, EnvironmentChanged, SnapshotChanged],
  emits: [BindingChanged],
  services: ({ clusters }) => ({ clusters }),

  async observe({ namespace, name }, { clusters }, signal) {
    const found = await listAll(clusters.local, bindings, { namespace, signal });
    return { namespace, name, bindings: found.map(({ metadata, spec }) => ({ name: metadata.name, ...spec })) };
  },
  decide: decideBindingsToWake,
});
