import { parseAllDocuments } from 'yaml';
import type { FileContent, FileKind, Files } from '../../../shared/domain/overlay/files.ts';
import type { Changes, OverlayInput, Pruning, Rendering } from '../../../shared/domain/overlay/overlay.ts';
import { renderOverlay } from '../../../shared/domain/overlay/render-overlay.ts';

/** Texts by path. */
export type Tree = Readonly<Record<string, string>>;

export type Rendered = Extract<Rendering, { kind: 'rendered' }>;

export function anInput(but: Partial<OverlayInput> = {}): OverlayInput {
  return {
    component: 'web',
    componentName: 'web',
    application: 'shop',
    environment: 'dev',
    namespace: 'team',
    image: 'quay.io/team/web@sha256:0a1b',
    replicas: 1,
    env: [],
    resources: {},
    port: 0,
    pullSecret: '',
    expose: undefined,
    kustomizeBase: '',
    ...but,
  };
}

/** A repository of which everything has been read, except what `unread` names. `strange` is what has no text. */
export function filesOf(
  tree: Tree,
  { strange = {}, unread = new Set() }: { strange?: Record<string, FileKind>; unread?: ReadonlySet<string> } = {},
): Files {
  const paths = [...Object.keys(tree), ...Object.keys(strange)];
  return {
    kindOf(path) {
      if (strange[path] !== undefined) return strange[path];
      if (tree[path] !== undefined) return 'file';
      return path === '' || paths.some((other) => other.startsWith(`${path}/`)) ? 'directory' : undefined;
    },
    namesIn(folder) {
      const inside = paths.filter((path) => path.startsWith(`${folder}/`));
      return [...new Set(inside.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))];
    },
    contentOf(path) {
      return unread.has(path) ? 'unread' : contentOf(tree[path] ?? '');
    },
  };
}

export function contentOf(text: string): FileContent {
  const documents = parseAllDocuments(text);
  const isYaml = 'empty' in documents || documents.every(({ errors }) => errors.length === 0);
  return { text, documents: isYaml ? documents.map((document) => document.toJS() as unknown) : undefined };
}

export function applied(tree: Tree, changes: Changes): Tree {
  const next = { ...tree };
  for (const [path, text] of changes) {
    if (text === undefined) delete next[path];
    else next[path] = text;
  }
  return next;
}

export function rendering(input: OverlayInput, tree: Tree = {}, context = ''): Rendered {
  const answer = renderOverlay(input, context, filesOf(tree));
  if (answer.kind !== 'rendered') throw new Error(JSON.stringify(answer));
  return answer;
}

/** The tree after a rendering upon it. */
export function rendered(input: OverlayInput, tree: Tree = {}, context = ''): Tree {
  return applied(tree, rendering(input, tree, context).changes);
}

export function problemOf(answer: Rendering | Pruning): string {
  return answer.kind === 'problem' ? `${answer.reason}: ${answer.message}` : answer.kind;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it wrote.
export function yamlAt(tree: Tree, path: string): any {
  const text = tree[path];
  if (text === undefined) throw new Error(`There is no ${path}, only ${Object.keys(tree).join(', ')}`);
  return contentOf(text).documents?.[0];
}

const overlay = 'components/web/overlays/dev';
export const at = {
  baseDeployment: 'components/web/base/deployment.yaml',
  baseKustomization: 'components/web/base/kustomization.yaml',
  kustomization: `${overlay}/kustomization.yaml`,
  patch: `${overlay}/deployment-patch.yaml`,
  statefulSetPatch: `${overlay}/statefulset-patch.yaml`,
  daemonSetPatch: `${overlay}/daemonset-patch.yaml`,
  service: `${overlay}/service.yaml`,
  route: `${overlay}/route.yaml`,
  ingress: `${overlay}/ingress.yaml`,
  httpRoute: `${overlay}/httproute.yaml`,
} as const;
