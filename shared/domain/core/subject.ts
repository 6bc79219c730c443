/** Where to look: an object of a tenant's namespace. Cluster-scoped objects have an empty namespace. */
export interface Subject {
  readonly namespace: string;
  readonly name: string;
  /** The application the object belongs to, where the one who knocked knew it. It only helps to keep work in order. */
  readonly application?: string | undefined;
  /** The cluster revision at which the change was seen. A step that observed later than this has served the knock. */
  readonly version?: string | undefined;
}

/** How a subject is written in a row, a log line and a CloudEvent. */
export function inWords({ namespace, name }: Pick<Subject, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
