import type { Finding } from '../../shared/domain/upkeep/drift.ts';
import type { NeglectedRepository } from '../../shared/ports/drift-rows.ts';
import { type Came, pageSize, type Turn } from './turn.ts';

/** Repositories that somebody should look at: whoever writes to them compares everything in them. */
export async function lookAtRepositories(turn: Turn): Promise<Came> {
  const { driftRows } = turn.machine.world;
  let { after } = turn;
  for (let looked = 0; ; ) {
    const page = await driftRows.neglectedRepositories(after, pageSize);
    await turn.tell(page.map(toFinding));
    looked += page.length;
    after = page.at(-1)?.id ?? after;
    if (page.length < pageSize) return { done: true, after: '', looked };
    if (turn.isUp(looked)) return { done: false, after, looked };
  }
}

function toFinding({ id, namespace, isPending }: NeglectedRepository): Finding {
  const subject = { namespace, name: id };
  return {
    kind: 'RepositoryNeglected',
    subject,
    what: isPending
      ? 'Something is wanted of the repository for more than five minutes'
      : 'The repository was not compared with what should stand in it for six hours',
    knock: { type: 'overlay.requested.v1', subject },
  };
}
