import { isSameValue, mergePatch } from './merge-patch.ts';

// What we write beside an Argo CD, and how we see what is there.

/** The label on everything that we write there: the key of its row. */
export const databaseIdLabel = 'databaseID';
/** The label by which Argo CD knows what a Secret is for. */
export const secretTypeLabel = 'argocd.argoproj.io/secret-type';

export interface WrittenMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A Secret as it should be. The values are in clear here, and in base64 on the wire: see `secretData`. */
export interface WrittenSecret {
  readonly metadata: WrittenMetadata;
  readonly values: Readonly<Record<string, string>>;
}

interface StoredMetadata {
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface StoredSecret {
  readonly metadata: StoredMetadata;
  readonly data: Readonly<Record<string, string>>;
}

/** The values of a Secret as the API server wants them. */
export function secretData({ values }: Pick<WrittenSecret, 'values'>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toBase64(value)]));
}

/** What has to be patched of a Secret; undefined where it is as it should be. Labels and annotations of others stay. */
export function secretPatch(stored: StoredSecret, written: WrittenSecret): object | undefined {
  const metadata = metadataPatch(stored.metadata, written.metadata);
  const data = mergePatch(stored.data, secretData(written));
  if (metadata === undefined && data === undefined) return undefined;
  return {
    metadata: { ...metadata, resourceVersion: stored.metadata.resourceVersion },
    ...(data !== undefined && { data }),
  };
}

/** The labels and annotations that are missing or differ; undefined where none do. */
export function metadataPatch(stored: StoredMetadata, written: WrittenMetadata): object | undefined {
  const labels = { ...stored.labels, ...written.labels };
  const annotations = { ...stored.annotations, ...written.annotations };
  if (isSameValue(labels, stored.labels) && isSameValue(annotations, stored.annotations)) return undefined;
  return { labels, annotations };
}

function toBase64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
