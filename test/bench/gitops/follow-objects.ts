import { StringDecoder } from 'node:string_decoder';
import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import type { BenchObject } from './objects.ts';

type OnEvent = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: BenchObject, at: number) => void;

/**
 * A bare watch from now on. The API server drops a watcher that falls behind: it goes on where it was. One that cannot ends
 * the process: a measure without its eyes is none.
 */
export async function followObjects(
  connection: ClusterConnection,
  path: string,
  onEvent: OnEvent,
): Promise<{ stop(): void }> {
  const leaving = new AbortController();
  const { body } = await connection.request(`${path}?limit=1`, { accept: [] });
  let version = (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  void read((await open()).chunks);
  return { stop: () => leaving.abort() };

  function open() {
    const query = `watch=true&resourceVersion=${version}&timeoutSeconds=3600`;
    return connection.stream(`${path}?${query}`, { signal: leaving.signal, accept: [] });
  }

  async function read(first: AsyncIterable<Buffer>): Promise<void> {
    try {
      for (let chunks = first; ; chunks = (await open()).chunks) await readOne(chunks);
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    }
  }

  async function readOne(chunks: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for await (const chunk of chunks) {
      const at = performance.now();
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) tell(JSON.parse(line) as { type: string; object: BenchObject }, at);
    }
  }

  function tell({ type, object }: { type: string; object: BenchObject }, at: number): void {
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
      throw new Error(`the watch of ${path} said ${type}: ${JSON.stringify(object)}`);
    version = object.metadata.resourceVersion;
    onEvent(type, object, at);
  }
}
