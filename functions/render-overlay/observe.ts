import { chooseOverlays } from '../../shared/domain/binding/choose-overlays.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { GitCredential } from '../../shared/domain/gitops/repo-credential.ts';
import type { RepositoryWork } from '../../shared/ports/overlay-rows.ts';
import type { World } from '../../shared/runtime/world.ts';

export type Services = Pick<World, 'overlays' | 'credentials' | 'gitOpsRepositories' | 'repositoryHost'>;

/** What is to be done. The credential is in here, so it is never told to anybody. */
export interface SeenRepository extends RepositoryWork {
  readonly isWhole: boolean;
  readonly isMore: boolean;
  /** Undefined: nobody has given one. */
  readonly credential: GitCredential | undefined;
}

export async function observeRepository(
  { namespace, name }: Subject,
  { overlays, credentials, repositoryHost }: Services,
): Promise<SeenRepository | undefined> {
  const pending = await overlays.work(name, { whole: false });
  if (pending === undefined || pending.repository.namespace !== namespace) return undefined;
  const { repository } = pending;
  // Nobody asked for anything: somebody asks whether all is as it should be.
  const isWhole = pending.overlays.length === 0 && pending.leaving.length === 0 && pending.isCheckDue;
  const work = isWhole ? ((await overlays.work(name, { whole: true })) ?? pending) : pending;
  if (work.overlays.length === 0 && work.leaving.length === 0 && !isWhole) return undefined;
  const { chosen, isMore } = isWhole ? { chosen: work.overlays, isMore: false } : chooseOverlays(work.overlays);
  return {
    ...work,
    overlays: chosen,
    // Somebody who still waits may stand on them.
    leaving: isMore ? [] : work.leaving,
    isMore,
    isWhole,
    // Never ours for an address that a tenant wrote, and never one tenant's for another.
    credential: repository.isMade ? repositoryHost.credential() : await credentials.opening(repository),
  };
}
