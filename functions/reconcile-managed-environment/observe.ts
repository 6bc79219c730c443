import { managedEnvironments, namespaces, type ObjectOf, secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { isObjectName } from '../../shared/domain/core/object-name.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { environmentConditionType } from '../../shared/domain/gitops/environment-conditions.ts';
import { freshCredentials, nextProbe, wantedOf } from '../../shared/domain/gitops/environment-probes.ts';
import { chooseCredentials, type EnvironmentSecret } from '../../shared/domain/gitops/kubeconfig-choice.ts';
import {
  accountNames,
  type Environment,
  type Probes,
  type SeenEnvironment,
  type TargetAccount,
} from '../../shared/domain/gitops/managed-environment.ts';
import { chooseEngine, type Tenant } from '../../shared/domain/gitops/placement.ts';
import { seeTenant } from '../../shared/runtime/see-tenant.ts';
import type { World } from '../../shared/runtime/world.ts';

type EnvironmentObject = ObjectOf<typeof managedEnvironments.Schema>;

/** What the rule sees, and what the rest of the step needs beside it. Tokens are in here, so it is never told to anybody. */
export interface SeenByStep extends SeenEnvironment {
  readonly tenant: Tenant | undefined;
  readonly conditions: NonNullable<EnvironmentObject['status']>['conditions'];
  readonly version: string | undefined;
}

export async function observeEnvironment(
  { namespace, name, version }: Subject,
  world: World,
  signal: AbortSignal,
): Promise<SeenByStep | undefined> {
  const { local } = world.clusters;
  const found = await local.read(managedEnvironments, { namespace, name }, { signal, atLeast: version });
  const object = found?.metadata.deletionTimestamp === undefined ? found : undefined;
  const [rows, home] = await Promise.all([
    world.environments.observe({ namespace, name }, object?.metadata.uid),
    object === undefined ? undefined : local.read(namespaces, { namespace: '', name: namespace }, { signal }),
  ]);
  if (object === undefined && rows.stored.length === 0 && rows.accounts.length === 0) return undefined;

  const gone: SeenByStep = {
    namespace,
    name,
    ...rows,
    environment: undefined,
    choice: undefined,
    engine: undefined,
    probes: {},
    tenant: undefined,
    conditions: [],
    version: found?.metadata.resourceVersion,
  };
  const accounts = lookForUnwanted(rows.accounts, world, signal);
  if (object === undefined) return { ...gone, accounts: await accounts };
  // Nothing is begun in a namespace that goes; when it is gone, so is this object.
  const isGoing = home === undefined || home.metadata.deletionTimestamp !== undefined;
  const environment = toEnvironment(object);
  const [tenant, secret] = isGoing
    ? []
    : await Promise.all([
        seeTenant(world, { name: namespace, uid: home.metadata.uid }, signal),
        readSecret(namespace, environment.spec.credentialsSecret, world, signal),
      ]);
  const seen: SeenByStep = {
    ...gone,
    environment,
    choice: tenant === undefined ? undefined : chooseCredentials(environment.spec, secret),
    engine: tenant === undefined ? undefined : chooseEngine(tenant),
    tenant,
    conditions: object.status?.conditions ?? [],
  };
  const [probes, looked] = await Promise.all([probe(seen, world, signal), accounts]);
  return { ...seen, probes, accounts: looked };
}

function toEnvironment({ metadata, spec, status }: EnvironmentObject): Environment {
  const condition = status?.conditions.find(({ type }) => type === environmentConditionType);
  const said = condition === undefined ? undefined : { ...condition, since: Date.parse(condition.lastTransitionTime) };
  return { uid: metadata.uid, spec, said };
}

async function readSecret(
  namespace: string,
  name: string,
  { clusters, targets }: World,
  signal: AbortSignal,
): Promise<EnvironmentSecret | undefined> {
  if (!isObjectName(name)) return undefined;
  const secret = await clusters.local.read(secrets, { namespace, name }, { signal });
  if (secret === undefined) return undefined;
  const encoded = secret.data['kubeconfig'];
  return {
    type: secret.type,
    kubeconfig: encoded === undefined ? 'missing' : targets.readKubeconfig(Buffer.from(encoded, 'base64')),
  };
}

/** Asks the tenant's cluster as little as possible: the rule says what it has to know next. */
async function probe(seen: SeenEnvironment, { targets }: World, signal: AbortSignal): Promise<Probes> {
  const { environment } = seen;
  const wanted = wantedOf(seen);
  if (environment === undefined || wanted === undefined) return seen.probes;
  const [first] = environment.spec.namespaces.length === 0 ? [] : wanted.namespaces.split(',');
  let probes = seen.probes;
  for (;;) {
    const looked = { ...seen, probes };
    switch (nextProbe(looked)) {
      case 'stored': {
        const stored = seen.stored.find(({ id }) => id === environment.uid)?.credentials ?? wanted;
        probes = { ...probes, stored: await targets.connect(stored, first, signal) };
        break;
      }
      case 'fresh':
        probes = { ...probes, fresh: await targets.connect(freshCredentials(looked) ?? wanted, first, signal) };
        break;
      case 'installation': {
        const names = accountNames(environment.uid);
        probes = { ...probes, installation: await targets.inspect(wanted, names, signal) };
        break;
      }
      default:
        return probes;
    }
  }
}

function lookForUnwanted(
  accounts: readonly TargetAccount[],
  { targets }: World,
  signal: AbortSignal,
): Promise<readonly TargetAccount[]> {
  return Promise.all(
    accounts.map(async (account) =>
      account.unwantedSince === undefined
        ? account
        : { ...account, presence: await targets.find(account, accountNames(account.id), signal) },
    ),
  );
}
