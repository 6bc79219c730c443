import type { World } from '../../shared/runtime/world.ts';

/** Somebody else fulfils SpaceRequests, or nobody does: for tests that play the toolchain operator. */
export const noSpaces: Pick<World, 'spaces'> = {
  spaces: { fulfils: false, tiers: [], server: '', certificateAuthority: async () => undefined },
};
