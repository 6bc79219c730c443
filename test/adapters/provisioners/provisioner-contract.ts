import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provision } from '../../../shared/domain/target/provision.ts';
import type { Provisioner, Wanted } from '../../../shared/ports/provisioner.ts';

export interface WantedByUid extends Wanted {
  readonly claim: { readonly name: string; readonly uid: string; readonly created: number };
}

/** One provisioner, and whoever does for it what it asks for. */
export interface ProvisionerStage {
  readonly provisioner: Provisioner;
  /** What a claim of a fresh namespace would want. A second claim of the same name: `{ ...wanted, claim: another(wanted) }`. */
  wanted(): Promise<WantedByUid>;
  /** Whoever makes things goes as far as they can with what was asked for until now. */
  make(wanted: WantedByUid): Promise<void>;
  /** Whoever takes things away is done with everything that was asked to go. */
  takeAway(wanted: WantedByUid): Promise<void>;
  /** A DeploymentTarget of that name beside the claim. */
  makeTarget(wanted: WantedByUid, name: string): Promise<void>;
  /** How many writes were made, to wherever, by the provisioner or by the stage. */
  writes(): number;
  close(): Promise<void>;
}

const signal = AbortSignal.timeout(600_000);

/** What every provisioner promises, whatever it makes. */
export function describeProvisioner(name: string, open: () => Promise<ProvisionerStage>): void {
  describe(`the provisioner ${name}`, () => {
    let stage: ProvisionerStage;
    let provisioner: Provisioner;

    beforeAll(async () => {
      stage = await open();
      provisioner = stage.provisioner;
    });
    afterAll(() => stage.close());

    /** Asks, and lets others work, as often as it takes. */
    async function bring(wanted: WantedByUid): Promise<Extract<Provision, { state: 'ready' }>> {
      for (let look = 0; look < 12; look += 1) {
        const provision = await provisioner.observe(wanted, signal);
        if (provision.state === 'ready') return provision;
        await provisioner.provision(wanted, signal);
        await stage.make(wanted);
      }
      throw new Error(`it never became ready: ${JSON.stringify(await provisioner.observe(wanted, signal))}`);
    }

    async function writesOf(act: () => Promise<unknown>): Promise<number> {
      const before = stage.writes();
      await act();
      return stage.writes() - before;
    }

    it('is called as classes call it', () => {
      expect(provisioner.name).toBe(name);
    });

    it('finds nothing where nothing was asked for, and writes nothing to find that out', async () => {
      const wanted = await stage.wanted();

      const writes = await writesOf(async () => {
        expect(await provisioner.observe(wanted, signal)).toEqual({ state: 'absent' });
        expect(await provisioner.made({ namespace: wanted.namespace, name: wanted.claim.name }, signal)).toEqual([]);
        await provisioner.release(wanted, signal);
      });

      expect(writes).toBe(0);
    });

    it('finds what it was asked for, and asks for it once', async () => {
      const wanted = await stage.wanted();

      await Promise.allSettled([provisioner.provision(wanted, signal), provisioner.provision(wanted, signal)]);
      await provisioner.provision(wanted, signal);

      expect(await provisioner.observe(wanted, signal)).toMatchObject({ state: 'underway', target: undefined });
      expect(await made(wanted)).toMatchObject([{ claimUid: wanted.claim.uid, className: wanted.class?.name }]);
    });

    it('says how it is reached when it is there, and has nothing more to write then', async () => {
      const wanted = await stage.wanted();

      const { access, isUnfinished } = await bring(wanted);

      expect(isUnfinished).toBe(false);
      expect(access.clusterCredentialsSecret).not.toBe('');
      expect(access.defaultNamespace).not.toBe('');
      expect(await writesOf(() => provisioner.provision(wanted, signal))).toBe(0);
    });

    it('gives nothing to another claim of the same name', async () => {
      const wanted = await stage.wanted();
      await bring(wanted);

      const other = { ...wanted, claim: another(wanted) };

      expect(await provisioner.observe(other, signal)).toEqual({ state: 'absent' });
      await provisioner.release(other, signal);
      expect(await provisioner.observe(wanted, signal)).toMatchObject({ state: 'ready' });
    });

    it('makes one of its own for the other claim', async () => {
      const wanted = await stage.wanted();
      const other = { ...wanted, claim: another(wanted) };
      await bring(wanted);

      await bring(other);

      const uids = (await made(wanted)).map(({ claimUid }) => claimUid);
      expect(uids.toSorted()).toEqual([wanted.claim.uid, other.claim.uid].toSorted());
    });

    it('remembers which target was made of it, and writes that once', async () => {
      const wanted = await stage.wanted();
      await bring(wanted);
      await stage.makeTarget(wanted, 'its-target');

      await provisioner.attach({ ...wanted, target: 'its-target' }, signal);

      expect(await provisioner.observe(wanted, signal)).toMatchObject({ state: 'ready', target: 'its-target' });
      expect(await made(wanted)).toMatchObject([{ target: 'its-target' }]);
      expect(await writesOf(() => provisioner.attach({ ...wanted, target: 'its-target' }, signal))).toBe(0);
    });

    it('is found and freed by its target alone, where the claim is no longer known', async () => {
      const wanted = await stage.wanted();
      await bring(wanted);
      await stage.makeTarget(wanted, 'its-target');
      await provisioner.attach({ ...wanted, target: 'its-target' }, signal);
      const byTarget = { ...wanted, claim: undefined, class: undefined, target: 'its-target' };
      expect(await provisioner.observe(byTarget, signal)).toMatchObject({ state: 'ready' });

      await freed(wanted, byTarget);

      expect(await provisioner.observe(wanted, signal)).toEqual({ state: 'absent' });
    });

    it('goes when it is released, at whatever stage, and also without its class', async () => {
      const begun = await stage.wanted();
      await provisioner.provision(begun, signal);
      const done = await stage.wanted();
      await bring(done);

      for (const wanted of [begun, done]) await freed(wanted, { ...wanted, class: undefined });

      for (const wanted of [begun, done]) {
        expect(await provisioner.observe(wanted, signal)).toEqual({ state: 'absent' });
        expect(await made(wanted)).toEqual([]);
        expect(await writesOf(() => provisioner.release(wanted, signal))).toBe(0);
      }
    });

    it('can be made again after it has gone', async () => {
      const wanted = await stage.wanted();
      await bring(wanted);
      await freed(wanted, wanted);

      expect(await bring(wanted)).toMatchObject({ state: 'ready', target: undefined });
    });

    it('discards what it has made for a claim that is gone', async () => {
      const wanted = await stage.wanted();
      await bring(wanted);
      const [orphan] = await made(wanted);
      if (orphan === undefined) throw new Error('nothing was made');

      await provisioner.discard(orphan, signal);
      await provisioner.discard(orphan, signal);
      await stage.takeAway(wanted);

      expect(await made(wanted)).toEqual([]);
      expect(await provisioner.observe(wanted, signal)).toEqual({ state: 'absent' });
    });

    function made({ namespace, claim }: WantedByUid) {
      return provisioner.made({ namespace, name: claim.name }, signal);
    }

    /** Until nothing is left of it; whatever it says in between, it is on its way. */
    async function freed(wanted: WantedByUid, asked: Wanted): Promise<void> {
      for (let look = 0; look < 12; look += 1) {
        const { state } = await provisioner.observe(asked, signal);
        if (state === 'absent') return;
        if (look > 0) expect(state).toBe('leaving');
        await provisioner.release(asked, signal);
        await stage.takeAway(wanted);
      }
      throw new Error(`it never went: ${JSON.stringify(await provisioner.observe(asked, signal))}`);
    }
  });
}

/** A claim of the same name that came after it. */
function another({ claim }: WantedByUid): WantedByUid['claim'] {
  return { ...claim, uid: claim.uid.replace(/^.{8}/, claim.uid.startsWith('00000000') ? '11111111' : '00000000') };
}
