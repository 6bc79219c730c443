import type { ApiObject } from '../api-object.ts';
import { type Clock, instant } from '../clock.ts';
import type { InternalApi, StoreEvent } from '../internal-api.ts';
import { sameJson } from '../same-json.ts';
import { StatusError } from '../status-error.ts';
import { controllerUser } from '../user.ts';
import type { CrdNames, CrdSpec } from './custom-kinds.ts';
import { crdStorage, type KindCatalogue } from './kind-catalogue.ts';

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

interface CrdStatus {
  readonly conditions?: readonly Condition[] | null;
  readonly acceptedNames?: Partial<CrdNames>;
  readonly storedVersions?: readonly string[];
}

const registrar = controllerUser('customresourcedefinition-registrar');

/** Accepts the names of every new CRD, or says which of them are taken, and serves what is accepted. Returns what ends it. */
export function registerCrds(api: InternalApi, kinds: KindCatalogue, clock: Clock): () => void {
  for (const crd of api.read.list(crdStorage)) void judge(crd);
  return api.read.subscribe(follow, crdStorage);

  function follow({ type, object }: StoreEvent): void {
    if (type === 'DELETED') {
      kinds.remove(object);
      // A name that it held may be what another waits for.
      for (const other of api.read.list(crdStorage)) void judge(other);
    } else {
      kinds.place(object);
      void judge(object);
    }
  }

  async function judge(crd: ApiObject): Promise<void> {
    const status = (crd['status'] ?? {}) as CrdStatus;
    const next = judgeStatus(crd, status);
    if (sameJson(next, status)) return;
    try {
      await api.update(registrar, { ...crd, status: next }, 'status');
    } catch (error) {
      // Somebody wrote it meanwhile: their event brings us back. Gone is gone.
      if (!(error instanceof StatusError)) throw error;
    }
  }

  function judgeStatus(crd: ApiObject, status: CrdStatus): CrdStatus {
    if (crd.metadata.deletionTimestamp !== undefined) return status;
    const { names } = crd['spec'] as CrdSpec;
    const taken = takenNames(crd);
    if (taken !== undefined) {
      const notYet =
        known(status, 'Established')?.status === 'True'
          ? []
          : [condition(status, 'Established', 'False', 'NotAccepted', 'not all names are accepted')];
      return {
        ...status,
        conditions: merge(status, [
          condition(status, 'NamesAccepted', 'False', taken.reason, taken.message),
          ...notYet,
        ]),
      };
    }
    return {
      ...status,
      acceptedNames: names,
      conditions: merge(status, [
        condition(status, 'NamesAccepted', 'True', 'NoConflicts', 'no conflicts found'),
        condition(status, 'Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted'),
      ]),
    };
  }

  function takenNames(crd: ApiObject): { readonly reason: string; readonly message: string } | undefined {
    const { group, names } = crd['spec'] as CrdSpec;
    const others = api.read
      .list(crdStorage)
      .filter((other) => other.metadata.uid !== crd.metadata.uid && (other['spec'] as CrdSpec).group === group)
      .map((other) => (other['status'] as CrdStatus | undefined)?.acceptedNames ?? {});
    const resources = new Set(others.flatMap((one) => [one.plural, one.singular, ...(one.shortNames ?? [])]));
    const objectKinds = new Set(others.flatMap((one) => [one.kind, one.listKind]));
    if (resources.has(names.plural))
      return { reason: 'PluralConflict', message: `"${names.plural}" is already in use` };
    if (resources.has(names.singular))
      return { reason: 'SingularConflict', message: `"${names.singular}" is already in use` };
    const short = names.shortNames?.find((name) => resources.has(name));
    if (short !== undefined) return { reason: 'ShortNamesConflict', message: `"${short}" is already in use` };
    if (objectKinds.has(names.kind)) return { reason: 'KindConflict', message: `"${names.kind}" is already in use` };
    if (objectKinds.has(names.listKind))
      return { reason: 'ListKindConflict', message: `"${names.listKind}" is already in use` };
    return undefined;
  }

  function condition(
    status: CrdStatus,
    type: string,
    is: Condition['status'],
    reason: string,
    message: string,
  ): Condition {
    const before = known(status, type);
    const lastTransitionTime = before?.status === is ? before.lastTransitionTime : instant(clock.now());
    return { type, status: is, lastTransitionTime, reason, message };
  }
}

function known(status: CrdStatus, type: string): Condition | undefined {
  return status.conditions?.find((one) => one.type === type);
}

function merge(status: CrdStatus, conditions: readonly Condition[]): readonly Condition[] {
  const types = new Set(conditions.map(({ type }) => type));
  return [...conditions, ...(status.conditions ?? []).filter(({ type }) => !types.has(type))];
}
