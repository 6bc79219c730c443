import { chooseExposure } from '../overlay/choose-exposure.ts';
import { mergeValues } from '../overlay/merge-values.ts';
import { isProblem, type OverlayInput } from '../overlay/overlay.ts';
import type { Binding, BoundApplication, BoundComponent, BoundEnvironment, BoundSnapshot } from './binding.ts';

interface Sources {
  readonly namespace: string;
  readonly binding: Binding;
  readonly application: BoundApplication;
  readonly environment: BoundEnvironment;
  readonly snapshot: BoundSnapshot;
  readonly components: readonly BoundComponent[];
  /** What was wanted until now. */
  readonly before: readonly OverlayInput[];
  readonly digest: (text: string) => string;
}

/** A component that is not rendered from what is written down now, and why. It does not hold up the others. */
export interface Fault {
  readonly component: string;
  readonly reason: string;
  readonly message: string;
  /**
   * `broken`: somebody wrote down what cannot be rendered, so it stays as it was. `missing`: it is no component of the
   * application, so it goes. `unbuilt`: the Snapshot does not have it, so nobody expects it.
   */
  readonly kind: 'broken' | 'missing' | 'unbuilt';
}

export interface WantedInputs {
  readonly inputs: readonly OverlayInput[];
  readonly faults: readonly Fault[];
}

/**
 * Everything that is to be rendered for a Binding. The Snapshot says which components run and with which images; the
 * Binding, the Component, the Application and the Environment give them values. A mistake in one of these never takes away
 * what runs: a component that was rendered before is wanted as it was until the mistake is mended.
 */
export function wantedInputs(sources: Sources): WantedInputs {
  const { binding, snapshot, before } = sources;
  const inputs: OverlayInput[] = [];
  const faults: Fault[] = [];
  for (const { name, image } of snapshot.components.toSorted(byName)) {
    const came = inputFor(name, image, sources);
    if (came === undefined) continue;
    if ('kind' in came) faults.push(came);
    const input = 'kind' in came ? keptFor(came, before) : came;
    if (input !== undefined) inputs.push(input);
  }
  for (const { name } of binding.components.toSorted(byName))
    if (!snapshot.components.some((one) => one.name === name))
      faults.push({
        component: name,
        reason: 'ComponentNotInSnapshot',
        message: `Snapshot ${binding.snapshot} has no image for component ${name}: it is not deployed`,
        kind: 'unbuilt',
      });
  return { inputs, faults };
}

function keptFor({ component, kind }: Fault, before: readonly OverlayInput[]): OverlayInput | undefined {
  return kind === 'broken' ? before.find((one) => one.component === component) : undefined;
}

/** Undefined: the component wants nothing to be written for it. */
function inputFor(name: string, image: string, sources: Sources): OverlayInput | Fault | undefined {
  const { namespace, binding, application, environment, components, digest } = sources;
  const fault = (kind: Fault['kind'], reason: string, message: string): Fault => ({
    component: name,
    reason,
    message,
    kind,
  });
  const component = components.find((one) => one.name === name);
  if (component === undefined)
    return fault(
      'missing',
      'ComponentNotFound',
      `Component ${name} was not found: create it, or promote a snapshot without it`,
    );
  if (component.application !== binding.application)
    return fault(
      'missing',
      'ComponentOfOtherApplication',
      `Component ${name} belongs to application ${component.application}, not to ${binding.application}`,
    );
  if (component.isSkipped) return undefined;
  const [unsupported] = component.unsupportedEnv;
  if (unsupported !== undefined)
    return fault(
      'broken',
      'EnvNotSupported',
      `spec.env ${unsupported} of component ${name} has valueFrom, which is not supported: write its value out`,
    );
  if (image.trim() === '')
    return fault('broken', 'ImageMissing', `Snapshot ${binding.snapshot} has an empty image for component ${name}`);

  const values = mergeValues({
    binding: binding.components.find((one) => one.name === name)?.configuration,
    component,
    application: application.configuration,
    environment,
  });
  if (isProblem(values)) return fault('broken', values.reason, values.message);
  const expose = chooseExposure({
    component: name,
    namespace,
    port: component.port,
    route: component.route,
    environment,
    routeSuffix: digest(`${namespace}/${binding.environment}/${name}`).slice(0, 4),
  });
  if (expose !== undefined && isProblem(expose)) return fault('broken', expose.reason, expose.message);
  return {
    component: name,
    componentName: component.componentName,
    application: binding.application,
    environment: binding.environment,
    namespace,
    image,
    ...values,
    port: component.port,
    pullSecret: component.pullSecret,
    expose,
    kustomizeBase: component.kustomizeBase,
  };
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
