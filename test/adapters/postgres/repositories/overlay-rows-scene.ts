import { randomBytes } from 'node:crypto';
import { openCipher } from '../../../../shared/adapters/postgres/cipher.ts';
import { openOverlayRows } from '../../../../shared/adapters/postgres/repositories/overlay-rows.ts';
import { openPlaceRows } from '../../../../shared/adapters/postgres/repositories/place-rows.ts';
import type { OverlayResult, StoredOverlay } from '../../../../shared/domain/binding/stored-overlay.ts';
import type {
  PendingOverlay,
  RepositoryRow,
  RepositoryWork,
  WantedOverlay,
} from '../../../../shared/ports/overlay-rows.ts';
import { anInput } from '../../../domain/overlay/a-repository.ts';
import { openTestDatabase } from '../../../support/database.ts';
import { writeRows } from '../../../support/write-rows.ts';

/** The rows about what Bindings want, in a database of their own, with two repositories of the namespace `team`. */
export async function openOverlayRowsScene() {
  const database = await openTestDatabase();
  const { sql } = database;
  const rows = openOverlayRows(sql, openCipher({ active: 'k1', keys: { k1: randomBytes(32) } }));
  const places = openPlaceRows(sql);
  const write = (...given: Parameters<typeof writeRows>[1]) => writeRows(sql, given);
  let here: RepositoryRow;
  let there: RepositoryRow;

  async function aRepository(uid: string, url: string): Promise<RepositoryRow> {
    const place = { url, branch: 'main', context: '', isMade: false };
    await write(...places.keep({ uid, namespace: 'team', name: 'shop' }, place));
    const [stored] = (await places.observe({ namespace: 'team', name: 'shop' })).filter((row) => row.uid === uid);
    return { id: stored?.repository?.repositoryId ?? '', namespace: 'team', url, branch: 'main', isMade: false };
  }

  function aWish(but: Partial<WantedOverlay> = {}): WantedOverlay {
    const { inputs = [anInput()], snapshot = 'v1' } = but;
    return {
      uid: 'b1',
      namespace: 'team',
      name: 'shop-dev',
      application: 'shop',
      environment: 'dev',
      repositoryId: here.id,
      context: '',
      snapshot,
      generation: 1,
      promotion: '',
      promotionUid: '',
      inputs,
      digest: `${snapshot} ${inputs.map(({ component }) => component).join(' ')}`,
      cause: 'binding generation 1',
      ...but,
    };
  }

  async function work(whole = false, repositoryId = here.id): Promise<RepositoryWork> {
    const found = await rows.work(repositoryId, { whole });
    if (found === undefined) throw new Error('Nobody knows this repository');
    return found;
  }

  async function pending(uid = 'b1'): Promise<PendingOverlay> {
    const found = (await work(true)).overlays.find((one) => one.uid === uid);
    if (found === undefined) throw new Error(`There is no ${uid}`);
    return found;
  }

  return {
    sql,
    rows,
    places,
    write,
    aWish,
    work,
    pending,
    get here() {
      return here;
    },
    get there() {
      return there;
    },

    async begin(): Promise<void> {
      await sql`truncate binding_overlay, component_place, application_place, gitops_repository, snapshot_commit`;
      here = await aRepository('a1', 'https://git.example/here');
      there = await aRepository('a2', 'https://git.example/there');
    },

    /** A Binding asks for something. */
    async want(but: Partial<WantedOverlay> = {}): Promise<void> {
      await write(rows.want(aWish(but)));
    },

    /** What was seen stands in a commit. */
    async render(overlay: PendingOverlay, commit: string | undefined = 'c1'): Promise<void> {
      const results = overlay.inputs.map(({ component }) => resultOf(component));
      await write(...rows.rendered(here, { overlay, results, commit }));
    },

    async stored(name = 'shop-dev'): Promise<readonly StoredOverlay[]> {
      return rows.observe({ namespace: 'team', name });
    },

    /** A Component, and whether it is still there. */
    async component(uid: string, name: string, isGone = false): Promise<void> {
      const row = { uid, application: 'shop', repositoryId: here.id, context: '' };
      await write(places.keepComponent({ ...row, namespace: 'team', name }));
      if (isGone) await write(places.endComponent({ ...row, isGone }));
    },

    /** Changes with every write to any of the rows. */
    async versions(): Promise<unknown> {
      return sql`select id, xmin, ctid from binding_overlay union all select commit_id, xmin, ctid from snapshot_commit order by id`;
    },

    close: () => database.close(),
  };
}

export type OverlayRowsScene = Awaited<ReturnType<typeof openOverlayRowsScene>>;

export function resultOf(component: string): OverlayResult {
  return { component, path: `components/${component}/overlays/dev`, generatedResources: ['deployment-patch.yaml'] };
}
