import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderCrds } from '../../../scripts/generate/crds.ts';
import { examples, kindOf } from './examples.ts';
import { children, type Node, structuralProblems } from './structural.ts';

interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly shortNames?: readonly string[] };
    readonly versions: readonly {
      readonly name: string;
      readonly subresources: object;
      readonly schema: { readonly openAPIV3Schema: Node };
      readonly additionalPrinterColumns?: readonly { readonly name: string; readonly jsonPath: string }[];
    }[];
  };
}

const folder = new URL('../../../infra/crds/', import.meta.url);
const rendered = renderCrds();
const crds = [...rendered].map(([file, text]): [string, Crd] => [file, parse(text) as Crd]);

function schemaOf({ spec }: Crd): Node {
  return spec.versions[0]?.schema.openAPIV3Schema ?? {};
}

function crdOf(kind: string): Crd {
  const found = crds.find(([, { spec }]) => spec.names.kind === kind)?.[1];
  if (found === undefined) throw new Error(`There is no CRD of ${kind}.`);
  return found;
}

/** Every node below the root, with its path; the metadata is the API server's own. */
function nodes(node: Node, path = ''): [string, Node][] {
  return children(node, path).flatMap(([below, child]) =>
    below.startsWith('.metadata') ? [] : [[below, child] satisfies [string, Node], ...nodes(child, below)],
  );
}

describe('the CRDs', () => {
  it('are what the contracts say: `npm run generate` would change nothing', () => {
    const written = readdirSync(folder).sort();

    expect(written).toEqual([...rendered.keys()].sort());
    for (const [file, text] of rendered) expect(readFileSync(new URL(file, folder), 'utf8'), file).toBe(text);
  });

  it('are fourteen of ours and the SpaceRequest', () => {
    const byGroup = Object.groupBy(crds, ([, { spec }]) => spec.group);

    expect(Object.entries(byGroup).map(([group, found]) => [group, found?.length])).toEqual([
      ['appstudio.redhat.com', 9],
      ['managed-gitops.redhat.com', 5],
      ['toolchain.dev.openshift.com', 1],
    ]);
  });

  it('belong to a namespace, all but the class', () => {
    const clusterWide = crds.filter(([, { spec }]) => spec.scope === 'Cluster');

    expect(clusterWide.map(([file]) => file)).toEqual(['appstudio.redhat.com_deploymenttargetclasses.yaml']);
  });

  it('have the short names that people are used to', () => {
    const short = crds.flatMap(([, { spec }]) =>
      spec.names.shortNames ? [[spec.names.kind, spec.names.shortNames]] : [],
    );

    expect(Object.fromEntries(short)).toEqual({
      Application: ['hasapp', 'ha', 'app'],
      Environment: ['env'],
      Snapshot: ['as', 'snapshot'],
      SnapshotEnvironmentBinding: ['aseb', 'binding'],
      PromotionRun: ['apr', 'promotion'],
    });
  });

  it('have the columns that people are used to', () => {
    const columns = ['GitOpsDeployment', 'Application', 'SpaceRequest'].map((kind) =>
      crdOf(kind).spec.versions[0]?.additionalPrinterColumns?.map(({ name }) => name),
    );

    expect(columns).toEqual([
      ['Sync Status', 'Health Status'],
      ['Age', 'Status', 'Reason'],
      ['Tier', 'TargetClusterURL', 'Ready', 'Reason'],
    ]);
  });
});

describe('a schema', () => {
  const flawed: Readonly<Record<string, Node>> = {
    'without a type': {},
    'with a reference': { type: 'object', properties: { part: { type: 'string', $ref: '#/part' } } },
    'that is closed': { type: 'object', properties: { part: { type: 'object', additionalProperties: false } } },
    'with a list of nothing': { type: 'array' },
    'with alternatives': { type: 'object', additionalProperties: { type: 'string', anyOf: [{ minLength: 1 }] } },
    'whose entries may lack their key': {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' } } },
    },
  };

  it.each(Object.entries(flawed))('%s is not structural', (_flaw, schema) => {
    expect(structuralProblems(schema)).toHaveLength(1);
  });
});

describe.each(crds)('%s', (_file, crd) => {
  it('is structural', () => {
    expect(structuralProblems(schemaOf(crd))).toEqual([]);
  });

  it('has one version, with a status of its own', () => {
    expect(crd.spec.versions).toMatchObject([{ name: 'v1alpha1', subresources: { status: {} } }]);
  });

  it('explains every field', () => {
    // An entry of a list and a value of a map are explained with the list or the map.
    const silent = nodes(schemaOf(crd)).filter(([path, node]) => !/[\]}]$/.test(path) && !node['description']);

    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('says how every list is merged', () => {
    const mute = nodes(schemaOf(crd)).filter(
      ([, { type, ...node }]) => type === 'array' && !node['x-kubernetes-list-type'],
    );

    expect(mute.map(([path]) => path)).toEqual([]);
  });

  it('has a sentence for people beside every rule', () => {
    const all = [['', schemaOf(crd)] satisfies [string, Node], ...nodes(schemaOf(crd))];
    const rules = all.flatMap(([, node]) => (node['x-kubernetes-validations'] ?? []) as { message?: string }[]);

    expect(rules.filter(({ message }) => !message || message.includes('\n'))).toEqual([]);
  });
});

describe('the API server', () => {
  const stored = [...examples].filter(([, manifest]) =>
    crds.some(([, { spec }]) => spec.group === kindOf(manifest)?.group),
  );

  it.each(stored)('would prune nothing of %s', (_file, manifest) => {
    const schema = schemaOf(crdOf(manifest.kind));

    const pruned = unknownFields({ spec: manifest['spec'], status: manifest['status'] ?? {} }, schema, '');

    expect(pruned).toEqual([]);
  });
});

function unknownFields(value: unknown, schema: Node, path: string): string[] {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || typeof value !== 'object' || value === null) return [];
  const known = new Map(children(schema, path));
  if (Array.isArray(value)) {
    return value.flatMap((item) => unknownFields(item, known.get(`${path}[]`) ?? {}, `${path}[]`));
  }
  return Object.entries(value).flatMap(([name, child]) => {
    const below = `${path}.${name}`;
    const part = known.get(below) ?? known.get(`${path}{}`);
    return part === undefined ? [below] : unknownFields(child, part, below);
  });
}
