import type { ApiObject } from '../../api-object.ts';
import { StatusError } from '../../status-error.ts';
import { listAt, numberAt, textAt } from './fields.ts';

/** The range that the real control plane of infra/real is started with, too. */
const range = '10.0.0.0/24';
const prefix = '10.0.0.';
/** Below this lie addresses that people choose themselves; the first one belongs to the API server. */
const firstFree = 17;
const last = 254;
const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** What Services already hold, read from the store each time: there are at most a few hundred. */
export class ClusterAddresses {
  private readonly services: () => readonly ApiObject[];

  constructor(services: () => readonly ApiObject[]) {
    this.services = services;
  }

  nextAddress(): string {
    const taken = this.takenAddresses();
    for (let number = firstFree; number <= last; number += 1) {
      if (!taken.has(`${prefix}${number}`)) return `${prefix}${number}`;
    }
    for (let number = 2; number < firstFree; number += 1) {
      if (!taken.has(`${prefix}${number}`)) return `${prefix}${number}`;
    }
    throw new StatusError(
      500,
      'InternalError',
      'Internal error occurred: failed to allocate a serviceIP: range is full',
    );
  }

  nextNodePort(also: ReadonlySet<number>): number {
    const taken = new Set(also);
    for (const service of this.services()) {
      for (const port of listAt(service, 'spec', 'ports')) taken.add(numberAt(port, 'nodePort'));
    }
    for (let port = firstNodePort; port <= lastNodePort; port += 1) if (!taken.has(port)) return port;
    throw new StatusError(
      500,
      'InternalError',
      'Internal error occurred: failed to allocate a nodePort: range is full',
    );
  }

  /** Why an address cannot be given to a Service, or undefined. */
  refusal(address: string): string | undefined {
    if (!address.startsWith(prefix)) {
      return `failed to allocate IP ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range}`;
    }
    if (this.takenAddresses().has(address)) return `failed to allocate IP ${address}: provided IP is already allocated`;
    return undefined;
  }

  private takenAddresses(): Set<string> {
    return new Set(this.services().map((service) => textAt(service, 'spec', 'clusterIP')));
  }
}
