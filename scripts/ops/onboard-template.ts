import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { claims, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { Exit, exits } from './exit.ts';

export const ownTemplate = fileURLToPath(
  new URL('../../infra/kubernetes/onboarding/development-and-staging.yaml', import.meta.url),
);

/** An object of a template, as it is written there. */
export interface TemplateObject {
  readonly kind: 'Environment' | 'DeploymentTargetClaim';
  readonly name: string;
  /** Of an Environment: the claim that it names. */
  readonly claimName?: string | undefined;
  /** Of a claim: its class. */
  readonly className?: string | undefined;
  readonly body: { readonly metadata: { readonly name: string } } & Readonly<Record<string, unknown>>;
}

const Body = z.looseObject({
  apiVersion: z.literal('appstudio.redhat.com/v1alpha1'),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().optional() }),
});

/** The objects of a template: claims before what names them, otherwise as they are written. */
export function readTemplate(file: string, namespace: string): readonly TemplateObject[] {
  const found = parseFile(file).map((value, index) => readObject(value, `${file}, object ${index + 1}`, namespace));
  const names = found.map(({ kind, name }) => `${kind} ${name}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Exit(exits.wrongUsage, `${file} has ${twice} twice.`);
  if (found.length === 0) throw new Exit(exits.wrongUsage, `${file} has nothing in it.`);
  return [...found.filter(({ kind }) => kind === claims.kind), ...found.filter(({ kind }) => kind !== claims.kind)];
}

function parseFile(file: string): readonly unknown[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Exit(exits.wrongUsage, `The template cannot be read: ${why}.`, { cause: error });
  }
  const documents = [...parseAllDocuments(text)];
  const [error] = documents.flatMap(({ errors }) => errors);
  if (error !== undefined) throw new Exit(exits.wrongUsage, `${file} is no YAML: ${error.message}`);
  return documents.map((document) => document.toJS() as unknown).filter((value) => value !== null);
}

function readObject(value: unknown, where: string, namespace: string): TemplateObject {
  const parsed = Body.safeParse(value);
  if (!parsed.success)
    throw new Exit(
      exits.wrongUsage,
      `${where}: ${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}.`,
    );
  const { metadata, kind } = parsed.data;
  const body = { ...parsed.data, metadata: { ...metadata, namespace } };
  if (metadata.namespace !== undefined && metadata.namespace !== namespace)
    throw new Exit(
      exits.wrongUsage,
      `${where}: it is meant for the namespace ${metadata.namespace}, not for ${namespace}. Leave metadata.namespace out.`,
    );
  if (kind === environments.kind) {
    const { spec } = asKind(environments.Schema, body, where);
    const claimName = spec.configuration?.target?.deploymentTargetClaim?.claimName;
    return { kind: 'Environment', name: metadata.name, claimName, body };
  }
  if (kind === claims.kind) {
    const { spec } = asKind(claims.Schema, body, where);
    return { kind: 'DeploymentTargetClaim', name: metadata.name, className: spec.deploymentTargetClassName, body };
  }
  throw new Exit(exits.wrongUsage, `${where}: a template has Environments and DeploymentTargetClaims, no ${kind}.`);
}

function asKind<Schema extends z.ZodType>(Schema: Schema, body: unknown, where: string): z.output<Schema> {
  const parsed = Schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Exit(exits.wrongUsage, `${where}: ${issue?.path.join('.')}: ${issue?.message}.`);
}
