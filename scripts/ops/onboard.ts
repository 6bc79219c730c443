import { claims, classes, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { clusterTrouble } from './cluster-trouble.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { findNamespace } from './find-namespace.ts';
import { indent } from './lay-out.ts';
import { ownTemplate, readTemplate, type TemplateObject } from './onboard-template.ts';
import { type FollowedEnvironment, followOnboarding, type Patience } from './onboard-wait.ts';
import type { Paint } from './paint.ts';

export interface Onboard {
  readonly namespace: string;
  readonly objects: readonly OnboardedObject[];
  /** With --wait: how the Environments are doing at the end. */
  readonly environments?: readonly FollowedEnvironment[] | undefined;
}

interface OnboardedObject {
  readonly kind: string;
  readonly name: string;
  /** `unneeded`: a claim that only Environments would name which are there already and name another. */
  readonly state: 'made' | 'there' | 'unneeded' | 'failed' | 'untried';
  readonly error?: string | undefined;
}

interface OnboardArguments {
  readonly namespace: string;
  readonly template?: string | undefined;
  readonly why?: string | undefined;
  /** Given: follows until every Environment is ready. */
  readonly wait?: Patience | undefined;
}

/** Puts the Environments and claims of a template into a namespace. What has the name already is left as it is. */
export async function runOnboard(context: Context, args: OnboardArguments): Promise<Result<Onboard>> {
  const { why = '', template = ownTemplate } = args;
  const { name: namespace } = await findNamespace(context, args.namespace);
  const wanted = readTemplate(template, namespace);
  const { local } = context.world().clusters;
  const planned = await plan(local, namespace, wanted);
  const missing = wanted.filter((_object, index) => planned[index] === 'missing');
  let objects: readonly OnboardedObject[] = wanted.map(({ kind, name }, index) => ({
    kind,
    name,
    state: planned[index] === 'unneeded' ? 'unneeded' : 'there',
  }));
  if (missing.length > 0) {
    await checkClasses(local, missing);
    await context.approve(
      [
        `Will make in namespace ${namespace}, as ${context.who}:`,
        ...indent(missing.map(({ kind, name }) => `${kind} ${name}`)),
      ].join('\n'),
    );
    await context.ledger.record([
      {
        who: context.who,
        action: 'onboard',
        subject: `${namespace}/${namespace}`,
        tenant: namespace,
        details: { why, made: missing.map(({ kind, name }) => `${kind}/${name}`) },
        cause: context.newId(),
      },
    ]);
    const made = await make(local, missing);
    objects = objects.map(
      (object) => made.find(({ kind, name }) => kind === object.kind && name === object.name) ?? object,
    );
  }
  const failed = objects.some(({ state }) => state === 'failed');
  if (failed || args.wait === undefined)
    return { code: failed ? exits.failed : exits.ok, value: { namespace, objects } };
  const names = wanted.filter(({ kind }) => kind === environments.kind).map(({ name }) => name);
  const { code, environments: followed } = await followOnboarding(context, namespace, names, args.wait);
  return { code, value: { namespace, objects, environments: followed } };
}

export function renderOnboard({ namespace, objects, environments: followed = [] }: Onboard, paint: Paint): string {
  const words = {
    made: paint.good('made'),
    there: paint.dim('was there'),
    unneeded: paint.dim('not needed: its Environment is there and has another'),
    failed: paint.bad('failed'),
    untried: paint.wait('not tried'),
  };
  const failed = objects.some(({ state }) => state === 'failed');
  return [
    ...objects.map(
      ({ kind, name, state, error }) => `${kind} ${name}: ${words[state]}${error === undefined ? '' : `: ${error}`}`,
    ),
    ...followed.map(({ name, isReady, says }) =>
      isReady ? `${name} ${paint.good('is ready')}` : `${name} ${paint.wait('is not ready')}: ${says}`,
    ),
    failed
      ? paint.dim(`What is there stays. Put it right and run it again: npm run ops -- onboard ${namespace}`)
      : paint.dim(`How they are doing: npm run ops -- environments list ${namespace}`),
  ].join('\n');
}

/** What is there of the template, object by object. */
async function plan(
  cluster: Cluster,
  namespace: string,
  wanted: readonly TemplateObject[],
): Promise<readonly ('missing' | 'there' | 'unneeded')[]> {
  const stored = new Map<string, string | undefined>();
  for (const { kind, name } of wanted.filter((object) => object.kind === environments.kind)) {
    const found = await cluster.read(environments, { namespace, name });
    if (found === undefined) continue;
    if (found.metadata.deletionTimestamp !== undefined) throw leaving(kind, namespace, name);
    stored.set(name, found.spec.configuration?.target?.deploymentTargetClaim?.claimName);
  }
  return Promise.all(
    wanted.map(async ({ kind, name }) => {
      if (kind === environments.kind) return stored.has(name) ? 'there' : 'missing';
      const found = await cluster.read(claims, { namespace, name });
      if (found?.metadata.deletionTimestamp !== undefined) throw leaving(kind, namespace, name);
      if (found !== undefined) return 'there';
      const users = wanted.filter((object) => object.claimName === name);
      // A claim that nobody would name is one more thing that leaks.
      const isUnneeded =
        users.length > 0 && users.every((user) => stored.has(user.name) && stored.get(user.name) !== name);
      return isUnneeded ? 'unneeded' : 'missing';
    }),
  );
}

function leaving(kind: string, namespace: string, name: string): Exit {
  return new Exit(exits.failed, `${kind} ${namespace}/${name} is being deleted: wait until it is gone, and try again.`);
}

/** A claim of a class that is not there would only wait. */
async function checkClasses(cluster: Cluster, missing: readonly TemplateObject[]): Promise<void> {
  const named = new Set(missing.flatMap(({ className }) => (className === undefined ? [] : [className])));
  for (const name of named) {
    if (name === '' || (await cluster.read(classes, { namespace: '', name })) !== undefined) continue;
    throw new Exit(
      exits.notFound,
      `There is no DeploymentTargetClass ${name}. Make it first (kubectl apply -f infra/kubernetes/classes has isolation-level-namespace), or take another --template.`,
    );
  }
}

/** In order, and no further than the first that fails: what comes later may need it. */
async function make(cluster: Cluster, missing: readonly TemplateObject[]): Promise<OnboardedObject[]> {
  const done: OnboardedObject[] = [];
  for (const { kind, name, body } of missing) {
    if (done.some(({ state }) => state === 'failed')) {
      done.push({ kind, name, state: 'untried' });
      continue;
    }
    try {
      await (kind === environments.kind ? cluster.create(environments, body) : cluster.create(claims, body));
      done.push({ kind, name, state: 'made' });
    } catch (error) {
      // Somebody else made it at the same moment.
      if (error instanceof Conflict) done.push({ kind, name, state: 'there' });
      else done.push({ kind, name, state: 'failed', error: clusterTrouble(error) });
    }
  }
  return done;
}
