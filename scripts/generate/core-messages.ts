/**
 * Reads from the Go modules of Kubernetes which number each field of a built-in kind has in protobuf, and writes it to
 * infra/embedded/kubernetes/kinds/core-messages.json: `node scripts/generate/core-messages.ts <folder of k8s.io modules>
 * <version>`, for example `~/go/pkg/mod/k8s.io v0.36.3`. kubectl sends the kinds it knows by heart as protobuf.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const wanted: Readonly<Record<string, readonly string[]>> = {
  'api/core/v1': [
    ...['Namespace', 'ConfigMap', 'Secret', 'ServiceAccount', 'Service', 'Event', 'ResourceQuota', 'LimitRange', 'Pod'],
    ...['PersistentVolumeClaim', 'Node'],
  ],
  'api/apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet'],
  'api/batch/v1': ['Job', 'CronJob'],
  'api/networking/v1': ['Ingress', 'NetworkPolicy'],
  'api/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'api/autoscaling/v1': ['Scale'],
  'api/policy/v1': ['PodDisruptionBudget'],
  'api/coordination/v1': ['Lease'],
  'api/rbac/v1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'api/authentication/v1': ['TokenReview', 'SelfSubjectReview', 'TokenRequest'],
  'api/authorization/v1': [
    ...['SubjectAccessReview', 'SelfSubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectRulesReview'],
  ],
  'apimachinery/pkg/apis/meta/v1': ['DeleteOptions'],
};

/** Types whose form on the wire the decoder knows by name. */
const special: Readonly<Record<string, string>> = {
  'apimachinery/pkg/apis/meta/v1.Time': 'time',
  'apimachinery/pkg/apis/meta/v1.MicroTime': 'microtime',
  'apimachinery/pkg/apis/meta/v1.FieldsV1': 'json',
  'apimachinery/pkg/runtime.RawExtension': 'json',
  'apimachinery/pkg/util/intstr.IntOrString': 'int-or-string',
  'apimachinery/pkg/api/resource.Quantity': 'quantity',
  'api/authorization/v1.ExtraValue': 'strings',
  'api/authentication/v1.ExtraValue': 'strings',
};

const basic: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int',
  int64: 'int',
  uint32: 'int',
  int: 'int',
  float64: 'double',
  '[]byte': 'bytes',
};

interface Declared {
  readonly folder: string;
  readonly imports: ReadonlyMap<string, string>;
  /** The right side of `type X …` for what is no struct. */
  readonly alias?: string;
  readonly fields?: readonly string[];
}

const [modules = '', version = ''] = process.argv.slice(2);
const declared = new Map<string, Declared>();
const read = new Set<string>();
const messages: Record<string, [number: number, name: string, type: string][]> = {};
const kinds: Record<string, string> = {};

for (const [folder, names] of Object.entries(wanted)) {
  for (const name of names) {
    const [, group, apiVersion] = folder.split('/');
    const groups: Record<string, string> = { core: '', rbac: 'rbac.authorization.k8s.io/', meta: '' };
    const suffixed = ['networking', 'coordination', 'authentication', 'authorization'];
    const prefix = groups[group ?? ''] ?? (suffixed.includes(group ?? '') ? `${group}.k8s.io/` : `${group}/`);
    kinds[folder.startsWith('api/') ? `${prefix}${apiVersion}/${name}` : `v1/${name}`] = `${folder}.${name}`;
    describe(`${folder}.${name}`);
  }
}
const file = new URL('../../infra/embedded/kubernetes/kinds/core-messages.json', import.meta.url);
const lines = Object.entries(messages).map(
  ([name, fields]) => `    ${JSON.stringify(name)}: ${JSON.stringify(fields)}`,
);
writeFileSync(file, `{\n  "kinds": ${JSON.stringify(kinds)},\n  "messages": {\n${lines.join(',\n')}\n  }\n}\n`);

function describe(key: string): void {
  if (messages[key] !== undefined) return;
  const { fields = [], ...where } = find(key);
  const described: [number, string, string][] = [];
  messages[key] = described;
  for (const field of fields) {
    const parsed = /^(?:\w+\s+)?(\S+)\s+`json:"([^"]*)"\s.*?protobuf:"\w+,(\d+),[^"]*"/.exec(field);
    if (parsed === null) continue;
    const [, type = '', json = '', number = ''] = parsed;
    const [name = '', ...flags] = json.split(',');
    described.push([Number(number), flags.includes('inline') ? '' : name, typeOf(type, where)]);
  }
}

/** `*` marks a pointer (its zero is a value), `[]` a list, `map:` a map by name, `#` another message. */
function typeOf(type: string, where: Declared): string {
  if (basic[type] !== undefined) return basic[type];
  if (type.startsWith('*')) return `*${typeOf(type.slice(1), where)}`;
  if (type.startsWith('[]')) return `[]${typeOf(type.slice(2), where)}`;
  const map = /^map\[[\w.]+\](.+)$/.exec(type);
  if (map !== null) return `map:${typeOf(map[1] ?? '', where)}`;
  const [alias, inPackage] = type.includes('.') ? type.split('.') : [undefined, type];
  const folder = alias === undefined ? where.folder : (where.imports.get(alias) ?? '');
  const key = `${folder}.${inPackage}`;
  if (special[key] !== undefined) return special[key];
  const found = find(key);
  if (found.alias !== undefined) return typeOf(found.alias, found);
  describe(key);
  return `#${key}`;
}

function find(key: string): Declared {
  const folder = key.slice(0, key.lastIndexOf('.'));
  if (!read.has(folder)) readPackage(folder);
  const found = declared.get(key);
  if (found === undefined) throw new Error(`${key} is not declared below ${modules}`);
  return found;
}

function readPackage(folder: string): void {
  read.add(folder);
  const [module = '', ...rest] = folder.split('/');
  const path = join(modules, `${module}@${version}`, ...rest);
  if (!existsSync(path)) throw new Error(`There is no ${path}: run scripts/real/build.ts kubectl first.`);
  for (const name of readdirSync(path).filter((one) => one.endsWith('.go') && !/_test|zz_|generated/.test(one))) {
    readSource(folder, readFileSync(join(path, name), 'utf8'));
  }
}

function readSource(folder: string, text: string): void {
  const imports = new Map<string, string>();
  for (const [, alias, path = ''] of text.matchAll(/^\s*(\w+)?\s*"k8s\.io\/([^"]+)"$/gm)) {
    imports.set(alias ?? path.split('/').at(-1) ?? '', path);
  }
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    const fields = body.split('\n').map((line) => line.trim());
    declared.set(`${folder}.${name}`, {
      folder,
      imports,
      fields: fields.filter((line) => line.includes('protobuf:"')),
    });
  }
  for (const [, name = '', alias = ''] of text.matchAll(/^type (\w+) (?!struct|interface|func)(?:= )?(\S+)$/gm)) {
    declared.set(`${folder}.${name}`, { folder, imports, alias });
  }
}
