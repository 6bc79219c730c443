import { meaningful, mergePatch } from './merge-patch.ts';
import { applicationName, projectName } from './names.ts';
import { databaseIdLabel, metadataPatch, type WrittenMetadata } from './written-object.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface WrittenApplication {
  readonly metadata: WrittenMetadata;
  readonly spec: Fields;
}

interface StoredApplication {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: Fields;
}

interface ApplicationPatch {
  readonly metadata: object;
  readonly spec?: Fields;
}

/** What of an Application is ours. The rest of it stays as whoever wrote it wants it. */
const ours = ['source', 'destination', 'project', 'syncPolicy'] as const;

/**
 * The Argo CD Application of a row; undefined where its text is no spec. The project is the owner's, whatever the text
 * says: nothing may run behind another fence.
 */
export function writtenApplication(
  row: { readonly id: string; readonly spec: string },
  userId: string,
  namespace: string,
): WrittenApplication | undefined {
  const spec = readSpec(row.spec);
  if (spec === undefined) return undefined;
  return {
    metadata: { name: applicationName(row.id), namespace, labels: { [databaseIdLabel]: row.id } },
    spec: { ...spec, project: projectName(userId) },
  };
}

/** What has to be patched of an Application; undefined where it is as its row says. */
export function applicationPatch(stored: StoredApplication, written: WrittenApplication): ApplicationPatch | undefined {
  const metadata = metadataPatch(stored.metadata, written.metadata);
  // Information is for anybody to write, until we have some of our own.
  const keys = 'info' in written.spec ? [...ours, 'info'] : ours;
  const spec = mergePatch(part(stored.spec, keys), part(written.spec, keys));
  if (metadata === undefined && spec === undefined) return undefined;
  return {
    metadata: { ...metadata, resourceVersion: stored.metadata.resourceVersion },
    ...(spec !== undefined && { spec: spec as Fields }),
  };
}

/** Does it tell Argo CD of another commit? */
export function tellsCommit({ spec }: ApplicationPatch): boolean {
  return spec !== undefined && 'info' in spec;
}

function part(spec: Fields, keys: readonly string[]): unknown {
  return meaningful(Object.fromEntries(keys.map((key) => [key, emptyAsAbsent(spec[key])])));
}

/** A policy with nothing in it is no policy. */
function emptyAsAbsent(value: unknown): unknown {
  const said = meaningful(value);
  return typeof said === 'object' && said !== null && Object.keys(said).length === 0 ? undefined : value;
}

function readSpec(text: string): Fields | undefined {
  try {
    const spec: unknown = JSON.parse(text);
    return typeof spec === 'object' && spec !== null && !Array.isArray(spec) ? (spec as Fields) : undefined;
  } catch {
    return undefined;
  }
}
