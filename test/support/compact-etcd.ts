import { join } from 'node:path';
import { Agent, request } from 'undici';

/** Makes the etcd of infra/real/start-control-plane.ts forget every revision before its newest one. */
export async function compactEtcd(folder: string): Promise<void> {
  // The same socket that the API server uses; etcd speaks JSON on it as well.
  const dispatcher = new Agent({ connect: { socketPath: join(folder, 'etcd', 'localhost:1') } });
  async function ask(path: string, body: unknown): Promise<{ readonly header: { readonly revision: string } }> {
    const answer = await request(`http://localhost${path}`, {
      method: 'POST',
      dispatcher,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`etcd refused ${path}: ${text}`);
    return JSON.parse(text);
  }
  try {
    const { header } = await ask('/v3/kv/range', { key: Buffer.from('none').toString('base64') });
    await ask('/v3/kv/compaction', { revision: header.revision, physical: true });
  } finally {
    await dispatcher.destroy();
  }
}
