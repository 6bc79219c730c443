/**
 * Asks a real kube-apiserver what the tests of this folder expect of ours, and writes answers.json:
 * `NODE_TLS_REJECT_UNAUTHORIZED=0 node test/embedded/kubernetes/schema/record-answers.ts <url> <token>`, then
 * `npm run fix`. The definitions of infra/crds must be installed there.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schema } from '../../../../infra/embedded/kubernetes/schema/schema.ts';
import { decoding } from './cases/decoding.ts';
import { definitions } from './cases/definitions.ts';
import { scenarios } from './cases/scenarios.ts';
import { readDefinition } from './local-server.ts';
import {
  type Answer,
  type Outcome,
  playScenario,
  type Scenario,
  type Server,
  type StoredObject,
} from './play-scenario.ts';

const [url, token] = process.argv.slice(2);
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Reply {
  readonly code: number;
  readonly body: StoredObject & {
    readonly message?: string;
    readonly spec?: { versions?: { schema: { openAPIV3Schema: Schema } }[] };
    readonly details?: { readonly causes?: readonly { reason: string; field: string; message: string }[] };
  };
}

async function ask(method: string, path: string, body?: unknown): Promise<Reply> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await reply.text();
  return { code: reply.status, body: text.startsWith('{') ? JSON.parse(text) : { metadata: {}, message: text } };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    if (await isDone()) return;
    await sleep(100);
  }
  throw new Error('The server did not get there in ten seconds.');
}

function outcomeOf({ code, body }: Reply): Outcome {
  if (code < 300) return { stored: body };
  if (code !== 422) throw new Error(`${code}: ${body.message}`);
  const causes = body.details?.causes ?? [];
  return { errors: causes.map(({ reason, field, message }) => `${reason} ${field}: ${message}`) };
}

let made = 0;

async function realServer({ schema }: Scenario): Promise<Server> {
  const own = typeof schema === 'string' ? readDefinition(schema) : undefined;
  made += 1;
  const plural = own ? '' : `tries${made}`;
  const group = own?.spec.group ?? 'try.example.com';
  const kind = own?.spec.names.kind ?? 'Try';
  const version = own?.spec.versions[0]?.name ?? 'v1';
  const crd = `${definitionsPath}/${plural}.${group}`;
  if (!own) {
    const names = { kind: `Try${made}`, plural, singular: `try${made}`, listKind: `Try${made}List` };
    const versions = [
      { name: version, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } },
    ];
    const spec = { group, names, scope: 'Namespaced', versions };
    const metadata = { name: `${plural}.${group}` };
    await ask('DELETE', crd);
    await until(async () => (await ask('GET', crd)).code === 404);
    const reply = await ask('POST', definitionsPath, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata,
      spec,
    });
    if (reply.code !== 201) throw new Error(reply.body.message);
  }
  const names = own?.spec.names as { readonly plural?: string } | undefined;
  const isCluster = (own?.spec as { readonly scope?: string } | undefined)?.scope === 'Cluster';
  const place = isCluster ? '' : '/namespaces/default';
  const path = `/apis/${group}/${version}${place}/${names?.plural ?? plural}`;
  await until(async () => (await ask('GET', path)).code === 200);
  const type = { apiVersion: `${group}/${version}`, kind: own ? kind : `Try${made}` };
  return {
    async create(spec, name) {
      await ask('DELETE', `${path}/${name}`);
      return outcomeOf(await ask('POST', path, { ...type, metadata: { name }, spec }));
    },
    update: async (object) => outcomeOf(await ask('PUT', `${path}/try`, { ...type, ...object })),
    updateStatus: async (object) => outcomeOf(await ask('PUT', `${path}/try/status`, { ...type, ...object })),
    async changeSchema(spec) {
      const { body } = await ask('GET', crd);
      const [first] = body.spec?.versions ?? [];
      if (first === undefined) throw new Error(`${crd} has no version.`);
      const before = first.schema.openAPIV3Schema;
      first.schema.openAPIV3Schema = { ...before, properties: { ...before.properties, spec } };
      const reply = await ask('PUT', crd, body);
      if (reply.code !== 200) throw new Error(reply.body.message);
      // Nothing tells when a server has taken up a new schema.
      await sleep(2_000);
    },
  };
}

const played: Record<string, Answer[]> = {};
for (const scenario of scenarios) {
  played[scenario.name] = await playScenario(scenario, await realServer(scenario));
  process.stdout.write(`${scenario.name}: ${played[scenario.name]?.length}\n`);
}
const judged: Record<string, readonly string[]> = {};
for (const [name, definition] of Object.entries(definitions)) {
  const outcome = outcomeOf(await ask('POST', `${definitionsPath}?dryRun=All`, definition));
  judged[name] = 'errors' in outcome ? [...outcome.errors].sort() : [];
}
const decoded: string[] = [];
for (const { path, object } of decoding) {
  const { code, body } = await ask('POST', path, object);
  decoded.push(code === 400 ? (body.message ?? '').replace(/^.*? cannot be handled as a \w+: /, '') : 'can be read');
}
const answers = { played, judged, decoded };
writeFileSync(new URL('answers.json', import.meta.url), `${JSON.stringify(answers, null, 2)}\n`);
