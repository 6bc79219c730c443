import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderEnginesAccept, runEnginesAccept } from '../../scripts/ops/engines-accept.ts';
import { renderEnginesAdd, runEnginesAdd } from '../../scripts/ops/engines-add.ts';
import { renderEnginesList, runEnginesList } from '../../scripts/ops/engines-list.ts';
import { openEngineClusters } from '../../shared/adapters/postgres/gitops/engine-clusters.ts';
import { openCredentialCipher } from '../../shared/runtime/open-world.ts';
import { type EngineWorld, openEngineWorld } from './engines-world.ts';
import { runOps } from './run-ops.ts';
import { plain } from './world.ts';

describe('engines', () => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await openEngineWorld();
  });
  afterAll(() => world?.close());

  it('one of another cluster is registered after a look at it, with its token sealed', async () => {
    const { code, value } = await world.add({ why: 'more room' });

    expect([code, value.done, value.transport]).toEqual([0, 'added', 'queue']);
    expect(world.plans.at(-1)).toContain(
      `Will register the Argo CD in namespace argocd (${value.id}) of ${world.cluster.url}`,
    );
    expect(renderEnginesAdd(value, plain)).toContain(value.id);
    const [known] = await openEngineClusters(
      world.sql,
      openCredentialCipher({ CREDENTIAL_KEYS_FILE: world.keys }),
    ).list();
    expect(known).toEqual({
      clusterId: value.cluster,
      namespaces: ['argocd'],
      access: {
        server: world.cluster.url,
        token: world.cluster.adminToken,
        certificateAuthority: world.cluster.ca,
        insecure: false,
      },
    });
    const said = JSON.stringify([
      value,
      world.plans,
      await world.sql`select * from ledger`,
      await world.sql`select * from cluster_credentials`,
    ]);
    expect(said).not.toContain(world.cluster.adminToken);
    expect(await world.sql`select actor, details->>'why' as why from ledger where action = 'add-engine'`).toEqual([
      { actor: 'olga', why: 'more room' },
    ]);
  });

  it('one that is known gets the new token, and is not there twice', async () => {
    await world.add();
    const { value } = await world.add({ transport: 'agent' });

    expect(value.done).toBe('renewed');
    expect(await world.sql`select transport from gitops_engine_instance where id = ${value.id}`).toEqual([
      { transport: 'agent' },
    ]);
    expect(await world.sql`select count(*)::integer from cluster_credentials`).toEqual([{ count: 2 }]);
  });

  it('are listed with what they carry', async () => {
    const { value: added } = await world.add();
    const { name } = await world.tenant();
    const { value } = await runEnginesList(world.context);

    expect(value.engines.map(({ instanceId }) => instanceId).sort()).toEqual([added.id, 'own-argo'].sort());
    expect(value.engines.find(({ instanceId }) => instanceId === 'own-argo')).toMatchObject({
      local: true,
      tenants: expect.any(Number),
    });
    expect(renderEnginesList(value, plain)).toMatch(
      new RegExp(`${added.id} +${world.cluster.url} +argocd +0 +0 +queue +yes`),
    );
    expect(name).toMatch(/^team-/);
  });

  it.each([
    [
      'without a token',
      () => ({ kubeconfig: world.kubeconfig((text) => text.replace(/token: .*/, 'client-certificate: /nowhere')) }),
      2,
      'has no token',
    ],
    [
      'with a program',
      () => ({ kubeconfig: world.kubeconfig((text) => text.replace(/token: .*/, 'exec: { command: reboot }')) }),
      2,
      'has no token',
    ],
    ['that is none', () => ({ kubeconfig: world.kubeconfig(() => 'hello') }), 2, 'is not a kubeconfig'],
    [
      'with a wrong token',
      () => ({ kubeconfig: world.kubeconfig((text) => text.replace(/token: .*/, 'token: wrong')) }),
      1,
      'does not accept our credential',
    ],
    ['for a namespace that is not there', () => ({ namespace: 'nowhere' }), 3, 'has no namespace nowhere'],
    [
      'for a namespace without Argo CD',
      () => ({ namespace: 'empty' }),
      3,
      'There is no Argo CD in the namespace empty',
    ],
    ['with another transport', () => ({ transport: 'pigeon' }), 2, 'queue or agent'],
    [
      'for a cluster that is away',
      () => ({ kubeconfig: world.kubeconfig((text) => text.replace(world.cluster.url, 'https://127.0.0.1:1')) }),
      1,
      'cannot be used',
    ],
  ])('are not registered by a kubeconfig %s', async (_what, args, code, sentence) => {
    const before = await world.census();

    await expect(world.add(args())).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) });
    expect(await world.census()).toEqual(before);
  });

  it("of the tenants' own cluster are not registered by hand", async () => {
    const { value } = await world.add();
    const engines = {
      ...world.context.engines,
      list: async () => [{ local: true, clusterId: value.cluster } as never],
    };

    await expect(
      runEnginesAdd({ ...world.context, engines }, { kubeconfig: world.cluster.kubeconfigFile, namespace: 'argocd' }),
    ).rejects.toMatchObject({ code: 2, message: expect.stringContaining('ARGO_CD_NAMESPACE') });
  });

  it('are drained and opened again', async () => {
    const { value: drained } = await runEnginesAccept(world.context, { id: 'own-argo', accepts: false, why: 'work' });
    expect(await world.sql`select accepts_tenants from gitops_engine_instance where id = 'own-argo'`).toEqual([
      { accepts_tenants: false },
    ]);
    expect(renderEnginesAccept(drained, plain)).toContain('takes no new tenants');

    await runEnginesAccept(world.context, { id: 'own-', accepts: true });
    const asked = world.plans.length;
    const { value: again } = await runEnginesAccept(world.context, { id: 'own-argo', accepts: true });

    expect(again.changed).toBe(false);
    expect(world.plans).toHaveLength(asked);
    expect(
      await world.sql`select action from ledger where action in ('open-engine', 'drain-engine') order by 1`,
    ).toEqual([{ action: 'drain-engine' }, { action: 'open-engine' }]);
  });

  it('on the command line: JSON for programs, and nobody there to say yes is a no', async () => {
    const listed = await runOps(['engines', 'list', '--json'], world.settings);
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.out).engines.length).toBeGreaterThan(0);

    const drained = await runOps(['engines', 'drain', 'own-argo'], world.settings);
    expect([drained.code, drained.err]).toEqual([2, expect.stringContaining('Add --yes')]);
    expect(await world.sql`select accepts_tenants from gitops_engine_instance where id = 'own-argo'`).toEqual([
      { accepts_tenants: true },
    ]);
  });
});
