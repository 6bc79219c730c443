import { type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import type { Subject } from '../core/subject.ts';
import { decideAccounts, soonerOf } from './decide-target-account.ts';
import {
  connectionProblem,
  type EnvironmentCondition,
  isSaid,
  environmentConditions as say,
} from './environment-conditions.ts';
import { accountOf, currentOf, isCurrent, isRecorded, isSettledBy } from './environment-probes.ts';
import type {
  Connection,
  Environment,
  EnvironmentCredentials,
  EnvironmentEffect,
  SeenEnvironment,
  StoredEnvironment,
} from './managed-environment.ts';
import { operationSubject } from './names.ts';
import type { Engine } from './placement.ts';

/** What is decided about the environment itself; what was left by others of its name comes beside it. */
interface Part {
  readonly effects: readonly EnvironmentEffect[];
  /** Undefined: what is said stays said. */
  readonly condition?: EnvironmentCondition | undefined;
  readonly next: Next;
  /** Its rows are other ones from now on, so who uses it has to look. */
  readonly changes?: boolean;
  /** The next look has something to do at once. */
  readonly goesOn?: boolean;
}

const installing = 'InstallingServiceAccount';
const installSeconds = 120;

/** How trouble outside is waited for: soon, then later and later, then once an hour, and at last only by the drift pass. */
const trouble = {
  soonest: 30,
  latest: 600,
  hourlyAfter: 6 * 3_600,
  givenUpAfter: 7 * 24 * 3_600,
  hour: 3_600,
} as const;

/**
 * Decides what becomes of a managed environment: rows only for a cluster that was reached with the very credentials that
 * are written, a condition for everything else, and never half of it. What is wrong with the user's own objects is told
 * and waits for their change; what is wrong outside is told and looked at again.
 *
 * An environment is known by its UID. Whatever belongs to another one of the same name goes in the same step.
 */
export function decideManagedEnvironment(seen: SeenEnvironment, moment: Moment): Step<EnvironmentEffect> {
  const { namespace, name, environment, stored, waiting } = seen;
  const stale = stored.filter(({ id }) => id !== environment?.uid);
  const part: Part = environment === undefined ? { effects: [], next: settled } : decide(environment, seen, moment);
  const accounts = decideAccounts(seen, part.effects, moment);
  const works = part.condition?.status === 'True';
  const current = currentOf(seen);
  const users = [...stale, ...(part.changes && current !== undefined ? [current] : [])].flatMap(deploymentsOf);
  return {
    effects: [...stale.map(remove), ...part.effects, ...accounts.effects, ...news(part, environment, moment)],
    conditions: part.condition === undefined ? [] : [part.condition],
    knocks: [
      ...stale.flatMap((gone) => operationsAfter(gone, seen)),
      ...(part.changes && environment !== undefined ? [operation(seen, 'ManagedEnvironment', environment.uid)] : []),
      ...(part.goesOn ? [{ type: 'managed-environment.changed.v1', subject: { namespace, name } }] : []),
      // Who waits for an environment that works has missed its knock, or came just now.
      ...deploymentKnocks(works ? [...users, ...waiting] : users),
    ],
    next: soonerOf(part.next, accounts.next),
  };
}

function decide(environment: Environment, seen: SeenEnvironment, moment: Moment): Part {
  const { choice, engine, probes } = seen;
  if (choice === undefined) return { effects: [], next: settled };
  if ('problem' in choice) return { effects: [], condition: choice.problem, next: settled };
  if (engine === undefined) return waitOutside(say.noArgoCd, 'NoArgoCD', environment, moment);

  const { wanted } = choice;
  if (isCurrent(seen)) {
    const connection = probes.stored ?? 'unreachable';
    if (connection === 'works') return keep(environment, seen, engine);
    // The Secret yields nothing else than what does not work.
    if (!environment.spec.createNewServiceAccount || isSettledBy(connection))
      return notConnected(connection, wanted, environment, moment);
  }
  if (environment.spec.createNewServiceAccount) return decideInstallation(environment, wanted, seen, moment);
  const connection = probes.fresh ?? 'unreachable';
  return connection === 'works' ? write(environment, wanted) : notConnected(connection, wanted, environment, moment);
}

/**
 * The account is written down before it is made, made before its token can be there, and tried before it is used. Nothing
 * waits in between: each look goes one step further.
 */
function decideInstallation(
  environment: Environment,
  wanted: EnvironmentCredentials,
  seen: SeenEnvironment,
  moment: Moment,
): Part {
  const { uid: id, said } = environment;
  const { server } = wanted;
  const { state, isComplete, token } = seen.probes.installation ?? {};
  if (state === 'forbidden')
    return waitOutside(
      say.notInstalled('the user of the kubeconfig may not read or make service accounts and cluster roles'),
      'ServiceAccountNotInstalled',
      environment,
      moment,
    );
  if (state !== 'works') return notConnected(state ?? 'unreachable', wanted, environment, moment);

  if (!isRecorded(accountOf(seen), wanted))
    return {
      effects: [{ do: 'record-service-account', id, server }],
      next: soon('RecordingServiceAccount'),
      goesOn: true,
    };
  const failed = said?.reason === 'UnableToInstallServiceAccount';
  const tried = moment.waiting?.reason === installing;
  if (isComplete !== true) {
    // What did not work a moment ago is not tried again at once; whoever tried it has told why.
    if (failed && tried)
      return { ...waitOutside(said, 'ServiceAccountNotInstalled', environment, moment), condition: undefined };
    return { effects: [{ do: 'install-service-account', id, server, at: moment.now }], next: soon(), goesOn: true };
  }
  const { fresh } = seen.probes;
  if (token !== undefined && fresh === 'works') return write(environment, wanted);
  // The cluster fills in the token in its own time, and may need a moment more until it knows it.
  const isOver = moment.waiting !== undefined && tried && moment.now >= moment.waiting.deadline;
  const wasOver = !tried && (failed || said?.reason === 'UnableToValidateClusterCredentials');
  if (!isOver && !wasOver) return { effects: [], next: soon() };
  if (token === undefined || fresh === undefined)
    return waitOutside(
      say.notInstalled(`the cluster has given no token to it within ${installSeconds} seconds`),
      'ServiceAccountNotInstalled',
      environment,
      moment,
    );
  return notConnected(fresh, wanted, environment, moment);
}

function soon(reason: string = installing): Next {
  return recheck(1, {
    reason,
    message: 'The service account on the cluster is being installed',
    deadlineSeconds: installSeconds,
  });
}

function write({ uid: id }: Environment, { server }: EnvironmentCredentials): Part {
  return {
    effects: [{ do: 'write-environment', id, server }],
    condition: say.succeeded,
    next: settled,
    changes: true,
  };
}

function keep({ uid: id }: Environment, seen: SeenEnvironment, engine: Engine): Part {
  const current = currentOf(seen);
  return current?.hasMapping && current.hasProject && current.instances.includes(engine.instanceId)
    ? { effects: [], condition: say.succeeded, next: settled }
    : { effects: [{ do: 'complete-environment', id }], condition: say.succeeded, next: settled, changes: true };
}

function notConnected(
  connection: Connection,
  wanted: EnvironmentCredentials,
  environment: Environment,
  moment: Moment,
): Part {
  const problem = connectionProblem(connection === 'works' ? 'refused' : connection, wanted.server);
  return waitOutside(problem, 'TargetNotReachable', environment, moment);
}

/** Told, and looked at again by ourselves: nobody may ever tell us that it works again. */
function waitOutside(
  problem: EnvironmentCondition | NonNullable<Environment['said']>,
  reason: string,
  { said }: Environment,
  moment: Moment,
): Part {
  const elapsed = said !== undefined && isSaid(said, problem) ? Math.max(0, (moment.now - said.since) / 1_000) : 0;
  const condition = problem as EnvironmentCondition;
  if (elapsed >= trouble.givenUpAfter) return { effects: [], condition, next: settled };
  const after =
    elapsed >= trouble.hourlyAfter ? trouble.hour : Math.min(Math.max(elapsed, trouble.soonest), trouble.latest);
  const wait = { reason, message: problem.message, deadlineSeconds: trouble.givenUpAfter };
  return { effects: [], condition, next: recheck(Math.round(after), wait) };
}

function news({ condition }: Part, environment: Environment | undefined, { now }: Moment): EnvironmentEffect[] {
  if (condition === undefined || isSaid(environment?.said, condition)) return [];
  return [{ do: 'tell-user', reason: condition.reason, at: now }];
}

function remove({ id, applications }: StoredEnvironment): EnvironmentEffect {
  return { do: 'remove-environment', id, applications: applications.length };
}

function operationsAfter({ id, applications }: StoredEnvironment, seen: SeenEnvironment): Knock[] {
  return [
    operation(seen, 'ManagedEnvironment', id),
    ...applications.map((application) => operation(seen, 'Application', application.id)),
  ];
}

function operation({ namespace }: SeenEnvironment, type: 'ManagedEnvironment' | 'Application', id: string): Knock {
  return { type: 'operation.requested.v1', subject: operationSubject(namespace, type, id) };
}

function deploymentsOf({ applications }: StoredEnvironment): Subject[] {
  return applications.flatMap(({ deployment }) => (deployment === undefined ? [] : [deployment]));
}

function deploymentKnocks(deployments: readonly Subject[]): Knock[] {
  const each = new Map(deployments.map((subject) => [`${subject.namespace}/${subject.name}`, subject]));
  return [...each.values()].map((subject) => ({ type: 'gitops-deployment.changed.v1', subject }));
}
