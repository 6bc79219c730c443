import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secrets, serviceAccounts } from '../../../shared/contracts/kubernetes/kinds.ts';
import { accountNames } from '../../../shared/domain/gitops/managed-environment.ts';
import type { Provisioner, Wanted } from '../../../shared/ports/provisioner.ts';
import {
  type HypershiftStage,
  openHypershiftStage,
  noHurry as signal,
  type WantedByUid,
} from '../../support/hypershift-stage.ts';

let stage: HypershiftStage;

beforeAll(async () => {
  stage = await openHypershiftStage();
});
afterAll(() => stage.close());

/** What a killed process would have said, had it lived. */
class Killed extends Error {}

/** A process that dies when its nth call was made and before it has heard of it. To die before a call is to die after the one before. */
function openMortal() {
  const calls: string[] = [];
  const life = { dieAt: undefined as number | undefined };

  function passed(call: string): void {
    calls.push(call);
    if (life.dieAt !== undefined && calls.length >= life.dieAt) throw new Killed(call);
  }

  function mortal<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get(target, key) {
        const found = Reflect.get(target, key) as (...given: unknown[]) => unknown;
        if (key === 'readKubeconfig' || typeof found !== 'function') return found;
        if (key === 'list')
          return async function* (...given: unknown[]) {
            for await (const page of found.apply(target, given) as AsyncIterable<unknown>) {
              passed('list');
              yield page;
            }
          };
        return async (...given: unknown[]) => {
          const [kind] = given as [{ readonly kind?: string }];
          const answer = await found.apply(target, given);
          passed(`${String(key)} ${kind.kind ?? ''}`.trim());
          return answer;
        };
      },
    });
  }

  const provisioner = stage.open({ local: mortal(stage.cluster), targets: mortal(stage.targets) });
  return { calls, life, provisioner };
}

/** What provision-target does, until there is a target that knows its cluster. */
async function bring(provisioner: Provisioner, wanted: WantedByUid): Promise<void> {
  for (let look = 0; look < 8; look += 1) {
    const provision = await provisioner.observe(wanted, signal);
    if (provision.state === 'ready') {
      if (provision.target !== undefined) return;
      await stage.makeTarget(wanted, 'its-target').catch(() => undefined);
      await provisioner.attach({ ...wanted, target: 'its-target' }, signal);
    } else if (provision.state === 'absent' || (provision.state === 'underway' && provision.isUnfinished))
      await provisioner.provision(wanted, signal);
    else await playOn(wanted);
  }
  throw new Error('it was never made');
}

async function playOn(wanted: WantedByUid): Promise<void> {
  await stage.hypershift.notice(stage.nameOf(wanted));
  await stage.hypershift.finish(stage.nameOf(wanted), stage.api);
}

/** What reclaim-target does, until nothing is left. */
async function end(provisioner: Provisioner, wanted: Wanted): Promise<void> {
  for (let look = 0; look < 8; look += 1) {
    const { state } = await provisioner.observe(wanted, signal);
    if (state === 'absent') return;
    if (state === 'leaving') await stage.hypershift.finishDeletions();
    else await provisioner.release(wanted, signal);
  }
  throw new Error('it never went');
}

/** Goes through it with one death; the next process knows nothing but what stands. Returns the calls of the first. */
async function withDeathAt(
  dieAt: number | undefined,
  act: (provisioner: Provisioner) => Promise<void>,
): Promise<readonly string[]> {
  const { calls, life, provisioner } = openMortal();
  life.dieAt = dieAt;
  try {
    await act(provisioner);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    await act(stage.open());
  }
  return calls;
}

async function standing(wanted: WantedByUid) {
  const name = stage.nameOf(wanted);
  const parts = [...(await stage.hypershift.clusters()), ...(await stage.hypershift.pools())];
  const tenants: string[] = [];
  for await (const page of stage.cluster.list(secrets, { namespace: wanted.namespace }))
    tenants.push(...page.map(({ metadata }) => metadata.ownerReferences[0]?.name ?? 'nobody’s'));
  return {
    parts: parts
      .filter(({ metadata }) => metadata.labels['stagecoach.dev/tenant-namespace'] === wanted.namespace)
      .map(({ kind, metadata }) => `${kind} ${metadata.name === name ? 'of the claim' : metadata.name}`),
    secretsOf: tenants,
  };
}

const whole = { parts: ['HostedCluster of the claim', 'NodePool of the claim'], secretsOf: ['its-target'] };
const nothing = { parts: [], secretsOf: [] };

describe('a process that dies at any call of a hosted cluster’s life', () => {
  it('is followed by one that makes one cluster, one pool, one account and one Secret, and no more', async () => {
    const calls = await withDeathAt(undefined, async (provisioner) => bring(provisioner, await stage.wanted()));
    expect(calls).toContain('create HostedCluster');
    expect(calls).toContain('install');

    for (let dieAt = 1; dieAt <= calls.length; dieAt += 1) {
      const wanted = await stage.wanted();

      await withDeathAt(dieAt, (provisioner) => bring(provisioner, wanted));

      expect(await standing(wanted), `died after call ${dieAt}, ${calls[dieAt - 1]}`).toEqual(whole);
    }
  }, 120_000);

  it('is followed by one that takes everything away', async () => {
    async function made(): Promise<Wanted> {
      const wanted = await stage.wanted();
      await bring(stage.open(), wanted);
      return { ...wanted, class: undefined, target: 'its-target' };
    }
    const first = await made();
    const calls = await withDeathAt(undefined, (provisioner) => end(provisioner, first));
    expect(calls).toContain('remove HostedCluster');

    for (let dieAt = 1; dieAt <= calls.length; dieAt += 1) {
      const wanted = await made();

      await withDeathAt(dieAt, (provisioner) => end(provisioner, wanted));

      expect(await standing(wanted as WantedByUid), `died after call ${dieAt}, ${calls[dieAt - 1]}`).toEqual(nothing);
    }
  }, 120_000);

  it('is followed by one that takes away what it had only begun', async () => {
    const calls = await withDeathAt(undefined, async (provisioner) => bring(provisioner, await stage.wanted()));

    for (let dieAt = 1; dieAt <= calls.length; dieAt += 1) {
      const wanted = await stage.wanted();
      const { life, provisioner } = openMortal();
      life.dieAt = dieAt;
      await bring(provisioner, wanted).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });

      await end(stage.open(), { ...wanted, class: undefined });

      expect(await standing(wanted), `died after call ${dieAt}, ${calls[dieAt - 1]}`).toEqual(nothing);
    }
  }, 120_000);

  it('is the same when the hosted cluster goes down at any request, and comes back', async () => {
    const first = await stage.wanted();
    stage.api.asked.length = 0;
    await bring(stage.open(), first);
    const requests = [...stage.api.asked];
    expect(requests.map(({ method }) => method)).toContain('POST');

    for (let downAfter = 1; downAfter <= requests.length; downAfter += 1) {
      const wanted = await stage.wanted();
      stage.api.downAfter = downAfter;
      await bring(stage.open(), wanted).catch(() => undefined);
      Object.assign(stage.api, { isUp: true, downAfter: undefined });

      await bring(stage.open(), wanted);

      const { method, path } = requests[downAfter - 1] ?? {};
      expect(await standing(wanted), `went down after ${method} ${path}`).toEqual(whole);
    }
  }, 120_000);

  it('leaves one account on the hosted cluster for each claim, whose name follows from the claim', async () => {
    const wanted = await stage.wanted();
    await bring(stage.open(), wanted);
    const text = (await stage.secretOf(wanted))?.data['kubeconfig'] ?? '';
    const kubeconfig = stage.targets.readKubeconfig(Buffer.from(text, 'base64'));
    if (kubeconfig === 'unreadable') throw new Error('nobody can read it');
    const token = kubeconfig.users[0]?.token ?? '';
    const there = stage.clusters.at({
      server: stage.api.url,
      token,
      certificateAuthority: stage.api.ca,
      insecure: false,
    });
    const found: string[] = [];
    for await (const page of there.list(serviceAccounts, { namespace: 'kube-system' }))
      found.push(...page.map(({ metadata }) => metadata.name).filter((name) => name.includes(wanted.claim.uid)));

    expect(found).toEqual([accountNames(wanted.claim.uid).account]);
  });
});
