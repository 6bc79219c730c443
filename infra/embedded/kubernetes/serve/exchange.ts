import type { HeaderLists } from '../auth/impersonate.ts';

/** A request, from a socket or from within the process. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: HeaderLists;
  /** The whole body; refuses one that is too large. */
  body(): Promise<Buffer>;
  readonly sourceIP: string;
}

/** Where a watch goes. `write` says false when the reader cannot follow and the watch must end. */
export interface LineSink {
  write(line: string): boolean;
  end(): void;
}

export interface ApiAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** Instead of a body: begins to write lines, and gives back what ends that. */
  readonly stream?: (sink: LineSink) => () => void;
}
