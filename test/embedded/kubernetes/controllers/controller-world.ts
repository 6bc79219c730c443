import { onTestFinished } from 'vitest';
import type { ApiObject, OwnerReference } from '../../../../infra/embedded/kubernetes/api-object.ts';
import {
  type Controllers,
  startControllers,
} from '../../../../infra/embedded/kubernetes/controllers/start-controllers.ts';
import type { ControllerLine } from '../../../../infra/embedded/kubernetes/controllers/work-queue.ts';
import type { DeleteOptions } from '../../../../infra/embedded/kubernetes/internal-api.ts';
import type { ServedKind } from '../../../../infra/embedded/kubernetes/kinds/served-kind.ts';
import type { User } from '../../../../infra/embedded/kubernetes/user.ts';
import { FakeInternalApi } from '../../../support/fake-internal-api.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';

const person: User = { name: 'somebody', groups: [] };

/** A cluster in memory with its controllers at work, and a person who asks for things. */
export class ControllerWorld {
  readonly clock = new SteppedClock('2026-11-16T10:00:00Z');
  readonly api = new FakeInternalApi(this.clock);
  readonly lines: ControllerLine[] = [];
  private controllers: Controllers | undefined;

  start(): this {
    const started = startControllers({
      api: this.api,
      clock: this.clock,
      kinds: () => this.api.kinds,
      rootCa: 'the root certificate',
      signToken: ({ namespace, serviceAccount }) => `token of ${namespace}/${serviceAccount}`,
      log: (line) => this.lines.push(line),
    });
    this.controllers = started;
    onTestFinished(() => started.stop());
    return this;
  }

  serve(kind: ServedKind): void {
    this.api.kinds = [...this.api.kinds, kind];
  }

  idle(): Promise<void> {
    return this.controllers?.idle() ?? Promise.resolve();
  }

  /** Creates an object and lets the controllers finish with it. */
  async create(
    kind: string,
    name: string,
    rest: Record<string, unknown> & { metadata?: object } = {},
  ): Promise<ApiObject> {
    const found = this.api.kinds.find((one) => one.kind === kind);
    if (found === undefined) throw new Error(`The fake does not serve ${kind}`);
    const apiVersion = found.group === '' ? found.version : `${found.group}/${found.version}`;
    const namespace = found.namespaced ? { namespace: 'home' } : {};
    const metadata = { name, ...namespace, ...rest.metadata };
    const made = await this.api.create(person, { ...rest, apiVersion, kind, metadata });
    await this.idle();
    return made;
  }

  get(kind: string, name: string, namespace = 'home'): ApiObject | undefined {
    const found = this.api.kinds.find((one) => one.kind === kind);
    return this.api.read.get({ storage: found?.storage ?? '', namespace: found?.namespaced ? namespace : '', name });
  }

  must(kind: string, name: string, namespace = 'home'): ApiObject {
    const found = this.get(kind, name, namespace);
    if (found === undefined) throw new Error(`${kind} ${name} is not there`);
    return found;
  }

  names(kind: string, namespace = 'home'): string[] {
    const storage = this.api.kinds.find((one) => one.kind === kind)?.storage ?? '';
    return this.api.read.list(storage, namespace).map(({ metadata }) => metadata.name ?? '');
  }

  async remove(kind: string, name: string, options?: DeleteOptions): Promise<void> {
    const found = this.api.kinds.find((one) => one.kind === kind);
    const namespace = found?.namespaced ? 'home' : '';
    await this.api.remove(person, { storage: found?.storage ?? '', namespace, name }, options);
    await this.idle();
  }

  /** Writes an object in a new state, and lets the controllers finish. */
  async change(object: ApiObject, with_: (copy: ApiObject) => void, subresource?: 'status'): Promise<void> {
    const copy = structuredClone(object);
    with_(copy);
    await this.api.update(person, copy, subresource);
    await this.idle();
  }
}

export function ownedBy({ apiVersion, kind, metadata }: ApiObject, rest: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...rest };
}
