import { withSuffix } from '../core/object-name.ts';
import { type Exposure, type Gateway, type Problem, problem } from './overlay.ts';

/** What a component and its environment say about the way in from outside. */
export interface WayIn {
  readonly component: string;
  readonly namespace: string;
  /** 0: there is nothing to reach. */
  readonly port: number;
  /** The host that the Component asks for. Empty: any will do. */
  readonly route: string;
  /** Four characters that make the name of a Route one of a kind, and always the same. */
  readonly routeSuffix: string;
  readonly environment: {
    /** Undefined: as is usual for the type of cluster. */
    readonly exposeWith: Exposure['with'] | undefined;
    /** Undefined means Kubernetes. */
    readonly clusterType: 'Kubernetes' | 'OpenShift' | undefined;
    /** Empty: the cluster has none. */
    readonly ingressDomain: string;
    readonly gateway: Gateway | undefined;
  };
}

const label = /^[a-z\d]([-a-z\d]{0,61}[a-z\d])?$/;

/** How a component is reached from outside. Undefined: not at all. */
export function chooseExposure(way: WayIn): Exposure | Problem | undefined {
  const kind = way.environment.exposeWith ?? usualFor(way);
  if (way.port === 0 || kind === undefined) return undefined;
  const host = kind === 'Route' ? way.route : hostOf(way);
  if (host === undefined)
    return problem(
      'HostMissing',
      `An ${kind} needs a host, and ${way.component} has none: give the Environment an ingressDomain, or the Component a route`,
    );
  if (host !== '' && !isHost(host))
    return problem(
      'HostNotUsable',
      `${way.component} cannot be reached as ${JSON.stringify(host)}: every part between dots must consist of at most 63 lower case letters, digits and dashes, and the whole of at most 253 characters`,
    );
  if (kind === 'Route') return { with: kind, name: routeName(way.component, way.routeSuffix), host };
  return kind === 'Ingress' ? { with: kind, host } : { with: kind, host, gateway: way.environment.gateway };
}

/** Short, because OpenShift makes a host of it and the namespace, which has to fit between two dots. */
export function routeName(component: string, fourHex: string): string {
  return withSuffix(component, `-${fourHex}`, 30);
}

function usualFor({ environment }: WayIn): Exposure['with'] | undefined {
  if (environment.clusterType === 'OpenShift') return 'Route';
  return environment.ingressDomain === '' ? undefined : 'Ingress';
}

function hostOf({ component, namespace, route, environment }: WayIn): string | undefined {
  if (route !== '') return route;
  return environment.ingressDomain === '' ? undefined : `${component}-${namespace}.${environment.ingressDomain}`;
}

function isHost(host: string): boolean {
  return host.length <= 253 && host.split('.').every((part) => label.test(part));
}
