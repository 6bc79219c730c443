/** npm start: a living Stagecoach, on stand-ins for everything that is not configured. */
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../infra/embedded/start-embedded.ts';
import { startHost } from '../infra/host/host.ts';
import { readHostConfig } from '../infra/host/host-config.ts';
import { startReal } from '../infra/real/start-real.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { systemLogger } from '../shared/runtime/services.ts';
import { checkDemo, checkParts } from './demo/check-demo.ts';
import { commandsToType } from './demo/commands-to-type.ts';
import { runDemo } from './demo/run-demo.ts';
import { openPaint } from './ops/paint.ts';
import { partsCache } from './real/build.ts';
import { setUp } from './setup.ts';
import { welcome } from './welcome.ts';

const usage = `Starts Stagecoach: every function, its queues, schedules and watches, in one process.

  npm start                                     on stand-ins for everything, data in .stagecoach/
  npm start -- --demo                           and a sample application that travels from environment to environment
  npm start -- --real                           on a real Kubernetes and Argo CD on this machine; needs Go, and builds them first
  npm start -- --port 9000                      on another port (default 8080)
  npm start -- --database-url postgres://…      on your PostgreSQL
  npm start -- --sqs-endpoint http://…          on your SQS endpoint, LocalStack for example
  npm start -- --kubeconfig ~/.kube/config      on that cluster, and the Argo CD in it
  npm start -- --data /var/lib/stagecoach       with the embedded data elsewhere

--demo keeps to what is started here: with --real it works as well; it refuses a --kubeconfig or a GIT_ROOT_URL of yours.
What it made stays, and with every start another build travels. It needs git.

Every setting is an environment variable as well; README.md lists them.`;

const root = fileURLToPath(new URL('..', import.meta.url));
const usualFolder = `${root}.stagecoach`;
const values = readOptions();
if (values.help) {
  console.log(usage);
  process.exit(0);
}

// Who exported the kubeconfig of an earlier start in this shell, as its screen says, does not mean a cluster of their own.
if (resolve(process.env['KUBECONFIG'] ?? '/').startsWith(`${resolve(values.data)}/`)) delete process.env['KUBECONFIG'];

const asked = {
  PORT: values.port,
  DATABASE_URL: values['database-url'],
  AWS_ENDPOINT_URL_SQS: values['sqs-endpoint'],
  KUBECONFIG: values.kubeconfig,
};
for (const [name, value] of Object.entries(asked)) if (value !== undefined) process.env[name] = value;

// Whoever looks at the demo wants to read it; a log that goes elsewhere stays whole.
if (values.demo && process.stdout.isTTY) process.env['LOG_LEVEL'] ??= 'warn';

const log = systemLogger(readConfig(['telemetry']).telemetry);
const stops: (() => Promise<void>)[] = [];
try {
  if (values.demo) checkDemo(values, process.env);
  const real = values.real ? await startRealParts() : undefined;
  const embedded = await startEmbedded(values.data, process.env, log);
  stops.push(() => embedded.stop());
  // The SDK reads its credentials from the environment by itself.
  Object.assign(process.env, embedded.environment);
  if (values.demo) checkParts(await embedded.ready);
  const { map, config } = readHostConfig();
  await setUp(config, map);
  const host = await startHost({ map, root, config });
  // So that `npm run ops` in the same folder finds the stand-ins. The URL holds a password: for this user's eyes only.
  const running = join(values.data, 'running.json');
  const told = [
    'DATABASE_URL',
    'AWS_ENDPOINT_URL_SQS',
    'AWS_ENDPOINT_URL',
    'AWS_REGION',
    'QUEUE_PREFIX',
    'MAP_FILE',
    'KUBECONFIG',
    'KUBE_CONTEXT',
    'ARGO_CD_NAMESPACE',
    'CREDENTIAL_KEYS_FILE',
  ];
  const settings = Object.fromEntries(told.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const environment = { ...embedded.environment, ...settings };
  writeFileSync(running, JSON.stringify({ pid: process.pid, url: host.url, environment }), { mode: 0o600 });
  const kubeconfig = real?.environment['KUBECONFIG'] ?? embedded.environment['KUBECONFIG'];
  const commands = commandsToType(values, usualFolder);
  const greeting = welcome({
    url: host.url,
    functions: host.functions,
    real: real?.parts ?? [],
    standIns: await embedded.ready,
    data: values.data,
    kubeconfig,
    commands,
    isDemo: values.demo,
  });
  // Where the log is read by a machine, people read the other stream.
  const screen = process.stdout.isTTY ? process.stdout : process.stderr;
  screen.write(greeting);

  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      ending.abort();
      void host
        .drain()
        .then(stopParts)
        .then(() => {
          rmSync(running, { force: true });
          process.exit(0);
        });
    });
  }
  if (values.demo)
    await runDemo({
      kubeconfig: kubeconfig ?? '',
      url: host.url,
      commands,
      paint: openPaint(screen, process.env['NO_COLOR']),
      write: (text) => void screen.write(text),
      signal: ending.signal,
    }).catch((error: unknown) =>
      console.error(`The demo stops: ${error instanceof Error ? error.message : String(error)}`),
    );
} catch (error) {
  console.error(`Stagecoach does not start: ${error instanceof Error ? error.message : String(error)}`);
  await stopParts();
  process.exit(1);
}

async function stopParts(): Promise<void> {
  for (const stop of stops.splice(0).toReversed()) await stop();
}

async function startRealParts() {
  if (values.kubeconfig !== undefined) {
    throw new Error('--real starts a cluster of its own and --kubeconfig names another: choose one');
  }
  const started = await startReal({
    folder: values.data,
    cache: partsCache(),
    environment: process.env,
    report: (line) => console.error(line),
    log: (line) => log.info('a real part says', { reason: line }),
  });
  stops.push(() => started.stop());
  Object.assign(process.env, started.environment);
  process.env['CONSOLE_OPEN_TO'] ||= 'loopback';
  return started;
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string' },
        'database-url': { type: 'string' },
        'sqs-endpoint': { type: 'string' },
        kubeconfig: { type: 'string' },
        demo: { type: 'boolean', default: false },
        real: { type: 'boolean', default: false },
        data: { type: 'string', default: usualFolder },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
