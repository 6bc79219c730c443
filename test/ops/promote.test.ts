import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context, Result } from '../../scripts/ops/context.ts';
import { type Promote, renderPromote, runPromote } from '../../scripts/ops/promote.ts';
import { environments, promotionRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { Transient, Uncertain } from '../../shared/ports/trouble.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../support/gitops-world.ts';
import { openPromotionScene, type PromotionScene } from './promotion-scene.ts';
import { aShop, openPromotionContext } from './promotion-world.ts';
import { plain } from './world.ts';

let world: GitOpsWorld;
let scene: PromotionScene;
let operator: ReturnType<typeof openPromotionContext>;
let context: Context;
beforeAll(async () => {
  world = await openGitOpsWorld();
  scene = openPromotionScene(world.sql);
  operator = openPromotionContext(world);
  context = operator.context;
});
afterAll(() => world.close());

const staging = { snapshot: 's1', to: 'staging' };

describe('promote', () => {
  it('makes a PromotionRun with a name that tells what it is for, and writes down who wanted it and why', async () => {
    const namespace = await aShop(world);

    const { code, value } = await runPromote(context, { application: `${namespace}/shop`, ...staging, why: 'friday' });

    expect(code).toBe(0);
    expect(value.promotion).toMatch(/^s1-to-staging-[0-9a-f]{6}$/);
    expect(value).toMatchObject({ namespace, application: 'shop', snapshot: 's1', environment: 'staging', before: [] });
    const made = await world.cluster.read(promotionRuns, { namespace, name: value.promotion });
    expect(made?.spec).toMatchObject({
      application: 'shop',
      snapshot: 's1',
      manualPromotion: { targetEnvironment: 'staging' },
    });
    expect(operator.plans.at(-1)).toBe(
      `Will promote snapshot s1 of ${namespace}/shop to staging, as olga, with the PromotionRun ${value.promotion}.\n` +
        '  After it: prod-1 follows by itself in a run of its own; prod-2 behind prod-1 is Manual: the automation stops there',
    );
    const [line] = await world.sql`select actor, subject, tenant, details from ledger where action = 'promote'
      and tenant = ${namespace}`;
    expect(line).toMatchObject({
      subject: `${namespace}/${value.promotion}`,
      details: { why: 'friday', application: 'shop', snapshot: 's1', environment: 'staging' },
    });
    expect(renderPromote(value, plain)).toContain(
      `npm run ops -- explain PromotionRun ${namespace}/${value.promotion}`,
    );
  });

  it('says who goes first', async () => {
    const namespace = await aShop(world);
    await scene.aRun(namespace, 'thursday');
    await scene.aRun(namespace, 'of-another', { application: 'bank' });

    const { value } = await runPromote(context, { application: `${namespace}/shop`, ...staging, name: 'friday' });

    expect(value).toMatchObject({ promotion: 'friday', before: ['thursday'] });
    expect(operator.plans.at(-1)).toContain('\n  Before it: thursday\n');
    expect(renderPromote(value, plain)).toContain(`PromotionRun ${namespace}/friday: made; thursday goes first`);
  });

  it('asks with what comes after it in one line, whatever a tenant calls a controller', async () => {
    const namespace = await aShop(world);
    await world.cluster.create(environments, {
      metadata: { namespace, name: 'elsewhere' },
      spec: {
        displayName: 'elsewhere',
        deploymentStrategy: 'Manual',
        parentEnvironment: 'staging',
        deploymentController: 'conveyor\nBefore it: nothing',
      },
    });

    await runPromote(context, { application: `${namespace}/shop`, ...staging });

    expect(operator.plans.at(-1)?.split('\n')).toHaveLength(2);
  });

  it.each([
    [2, 'something that is no application', { application: 'shop' }, 'Name the application as namespace/name'],
    [2, 'something that is no name', { to: 'Staging/1' }, '--to "Staging/1" is no name'],
    [2, 'a run without a name', { name: 'Friday!' }, '--name "Friday!" is no name'],
    [3, 'an unknown namespace', { application: 'nowhere/shop' }, 'There is no namespace nowhere'],
    [3, 'an unknown application', { application: '$/shp' }, 'There is no Application $/shp. Applications there: shop.'],
    [
      3,
      'an unknown snapshot',
      { snapshot: 's9' },
      'There is no Snapshot $/s9. Those of shop: npm run ops -- snapshots $/shop',
    ],
    [
      3,
      'an unknown environment',
      { to: 'stagin' },
      'There is no Environment $/stagin. Environments there: dev, foreign, prod-1, prod-2, staging.',
    ],
    [1, "another application's snapshot", { snapshot: 'of-bank' }, 'belongs to application bank, not to shop'],
    [1, 'an empty snapshot', { snapshot: 'empty' }, 'Snapshot $/empty names no component'],
    [1, "another controller's environment", { to: 'foreign' }, 'Environment foreign is promoted to by spinnaker'],
  ])('ends with %i for %s, and makes nothing', async (code, _what, but, message) => {
    const namespace = await aShop(world);
    const filled = (text: string): string => text.replaceAll('$', namespace);
    const asked = { application: '$/shop', ...staging, ...but };
    const before = operator.plans.length;

    const promoted = runPromote(context, { ...asked, application: filled(asked.application) });

    await expect(promoted).rejects.toMatchObject({ code, message: expect.stringContaining(filled(message)) });
    expect(operator.plans).toHaveLength(before);
    for await (const page of world.cluster.list(promotionRuns, { namespace })) expect(page).toEqual([]);
  });

  it('leaves an application to the controller that promotes it', async () => {
    const namespace = await aShop(world, { controller: 'spinnaker' });

    await expect(runPromote(context, { application: `${namespace}/shop`, ...staging })).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining('is promoted by spinnaker: its spec.deploymentController says so'),
    });
  });

  it('makes no second run of a name', async () => {
    const namespace = await aShop(world);
    const asked = { application: `${namespace}/shop`, ...staging, name: 'friday' };
    await runPromote(context, asked);

    await expect(runPromote(context, asked)).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining(`explain PromotionRun ${namespace}/friday`),
    });
  });

  it('does nothing where the operator does not want it', async () => {
    const namespace = await aShop(world);
    const approve = () => Promise.reject(new Error('no'));

    await expect(runPromote({ ...context, approve }, { application: `${namespace}/shop`, ...staging })).rejects.toThrow(
      'no',
    );

    for await (const page of world.cluster.list(promotionRuns, { namespace })) expect(page).toEqual([]);
  });
});

describe('promote, where the answer to what it makes is lost', () => {
  const lost = new Uncertain('cluster', 'POST was sent and not answered: look before doing it again');

  /** Promotes to staging as `friday`, at a cluster that behaves otherwise. */
  function promote(namespace: string, but: Partial<Cluster>): Promise<Result<Promote>> {
    const { clusters } = world.world;
    const local: Cluster = { ...clusters.local, ...but };
    const as: Context = { ...context, world: () => ({ ...world.world, clusters: { ...clusters, local } }) };
    return runPromote(as, { application: `${namespace}/shop`, ...staging, name: 'friday' });
  }

  /** What is made is this, by whomever, and nobody hears of it. */
  const losing =
    (made: object): Cluster['create'] =>
    async (_kind, { metadata }) => {
      await world.cluster.create(promotionRuns, { metadata, ...made });
      throw lost;
    };

  const to = (targetEnvironment: string) => ({
    spec: { application: 'shop', snapshot: 's1', manualPromotion: { targetEnvironment } },
  });

  it('goes on with the run that was made', async () => {
    const namespace = await aShop(world);

    const { code, value } = await promote(namespace, { create: losing(to('staging')) });

    expect(code).toBe(0);
    expect(value).toMatchObject({ namespace, promotion: 'friday' });
  });

  it('does not take the run of somebody else for it', async () => {
    const namespace = await aShop(world);

    await expect(promote(namespace, { create: losing(to('prod-2')) })).rejects.toMatchObject({
      code: 1,
      message: `PromotionRun ${namespace}/friday could not be made: there is another one of that name by now. Choose another --name, or leave it out.`,
    });
  });

  it.each([
    ['it is not there', undefined],
    ['nobody can look', new Transient('cluster', 'The API server is away')],
  ])('says that it may have been made, and how to find out, where %s', async (_where, away) => {
    const namespace = await aShop(world);
    const { local } = world.world.clusters;
    let isSent = false;

    const promoted = promote(namespace, {
      create: async () => {
        isSent = true;
        throw lost;
      },
      read: async (...asked) => {
        if (isSent && away !== undefined) throw away;
        return local.read(...asked);
      },
    });

    await expect(promoted).rejects.toMatchObject({
      code: 1,
      message: `PromotionRun ${namespace}/friday may have been made: ${lost.message}. Whether it is there: npm run ops -- explain PromotionRun ${namespace}/friday`,
    });
  });
});
