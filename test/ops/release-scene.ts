import { randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { openCipher } from '../../shared/adapters/postgres/cipher.ts';
import { openOverlayRows } from '../../shared/adapters/postgres/repositories/overlay-rows.ts';
import { openPlaceRows } from '../../shared/adapters/postgres/repositories/place-rows.ts';
import type { PendingOverlay, RepositoryRow } from '../../shared/ports/overlay-rows.ts';
import { writeRows } from '../support/write-rows.ts';

/** Repositories, and what Bindings want of them, as the functions write it. No commit is ever made. */
export function openReleaseScene(sql: Sql) {
  const places = openPlaceRows(sql);
  const overlays = openOverlayRows(sql, openCipher({ active: 'k1', keys: { k1: randomBytes(32) } }));

  return {
    async aRepository(namespace: string, but: Partial<RepositoryRow> = {}): Promise<RepositoryRow> {
      const { url = 'https://git.example.com/shop.git', branch = 'main', isMade = true } = but;
      const application = { uid: randomUUID(), namespace, name: 'shop' };
      await writeRows(sql, places.keep(application, { url, branch, isMade, context: '' }));
      const [found] = await sql<RepositoryRow[]>`
        select id, namespace, url, branch, made as "isMade" from gitops_repository
        where namespace = ${namespace} and url = ${url} and branch = ${branch} and made = ${isMade}`;
      return found as RepositoryRow;
    },

    /** A Binding asks for a snapshot. */
    async wants(
      { id, namespace }: RepositoryRow,
      environment: string,
      snapshot: string,
      but: Partial<PendingOverlay> = {},
    ): Promise<PendingOverlay> {
      const overlay: PendingOverlay = {
        uid: randomUUID(),
        namespace,
        name: `shop-${environment}`,
        application: 'shop',
        environment,
        repositoryId: id,
        context: '',
        snapshot,
        generation: 1,
        promotion: '',
        promotionUid: '',
        inputs: [],
        digest: `${environment} ${snapshot}`,
        cause: 'test',
        isGone: false,
        rendered: [],
        renderedContext: '',
        renderedDigest: undefined,
        commit: undefined,
        requestedAt: 0,
        ...but,
      };
      await writeRows(sql, [overlays.want(overlay)]);
      return overlay;
    },

    /** A commit holds what Bindings wanted. */
    async commits(repository: RepositoryRow, commit: string, ...done: readonly PendingOverlay[]): Promise<void> {
      for (const overlay of done) await writeRows(sql, overlays.rendered(repository, { overlay, results: [], commit }));
    },

    /** Commits come into the branch, each on the one before it. */
    async pushes({ id }: RepositoryRow, parent: string | undefined, ...commits: readonly string[]): Promise<void> {
      let head = parent;
      for (const commit of commits) {
        await writeRows(sql, [overlays.pushed(id, { commit, parent: head })]);
        head = commit;
      }
    },

    refuses: (overlay: PendingOverlay, reason: string, message: string) =>
      writeRows(sql, [overlays.refused(overlay, { reason, message })]),

    leaves: ({ uid }: PendingOverlay) => writeRows(sql, [overlays.leave(uid)]),
  };
}

export type ReleaseScene = ReturnType<typeof openReleaseScene>;

/** The id of a commit that begins so. */
export function commitOf(beginning: string): string {
  return beginning.padEnd(40, '0');
}
