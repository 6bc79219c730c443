import { type GitOpsBench, inParallel } from './open-gitops-bench.ts';

const revision = '1'.repeat(40);

/** Deployments with their Applications, synced by Argo CD, in some namespaces; the first `from` of them are there already. */
export async function fill(
  { ours, makeNamespaces }: Pick<GitOpsBench, 'ours' | 'makeNamespaces'>,
  count: number,
  namespaces: number,
  tell: (progress: string) => void,
  from = 0,
): Promise<void> {
  if (from === 0) await makeNamespaces(Array.from({ length: namespaces }, (_none, at) => `full-${at}`));
  await inParallel(count - from, async (index) => {
    const at = from + index;
    if (at % 50 === 0) tell(`${at} of ${count} deployments`);
    const uid = await ours.create(`full-${at % namespaces}`, `app-${at}`);
    await ours.applicationMade(uid);
    await ours.report(uid, revision);
  });
}
