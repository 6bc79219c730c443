import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runEnvironmentsClone } from '../../scripts/ops/environments-clone.ts';
import { nameOfClaim } from '../../scripts/ops/environments-copy.ts';
import { renderEnvironmentsList, runEnvironmentsList } from '../../scripts/ops/environments-list.ts';
import { claims, classes, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace } from '../support/gitops-world.ts';
import { type ClaimsWorld, deploysTo, openClaimsWorld, shippedClass } from './claims-world.ts';
import { plain } from './world.ts';

describe('what environments clone is told', () => {
  let world: ClaimsWorld;

  beforeAll(async () => {
    world = await openClaimsWorld();
  });
  afterAll(() => world.close());

  type Arguments = Parameters<typeof runEnvironmentsClone>[1];

  async function aSource(name = 'staging'): Promise<string> {
    const namespace = (await world.namespace()).name;
    await world.anEnvironment(namespace, name);
    return namespace;
  }

  const clone = (environment: string, but: Partial<Arguments> = {}) =>
    runEnvironmentsClone(world.context, { environment, ttl: '4h', ...but });

  it('finds an environment by a name that only one has', async () => {
    const namespace = await aSource('the-only-one');

    const { value } = await clone('the-only-one');

    expect(value).toMatchObject({ namespace, source: `${namespace}/the-only-one` });
  });

  it('asks which where several have the name, and takes the one of the namespace that is named', async () => {
    const [one, two] = [await aSource('twin'), await aSource('twin')];

    await expect(clone('twin')).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining(`${[one, two].toSorted()[0]}/twin`),
    });
    expect((await clone('twin', { namespace: two })).value).toMatchObject({ namespace: two, source: `${two}/twin` });
  });

  it('puts the clone into another namespace where that is said', async () => {
    const [from, to] = [await aSource(), (await world.namespace()).name];

    const { value } = await clone(`${from}/staging`, { namespace: to });

    expect(value).toMatchObject({ namespace: to, source: `${from}/staging` });
    expect(await world.cluster.read(environments, { namespace: to, name: value.environment })).toBeDefined();
    expect(await world.cluster.read(claims, { namespace: to, name: value.claim })).toBeDefined();
  });

  it('makes a name that fits, however long that of the environment is, and another one each time', async () => {
    const long = 'e'.repeat(63);
    const namespace = await aSource(long);

    const names = [(await clone(`${namespace}/${long}`)).value, (await clone(`${namespace}/${long}`)).value];

    for (const { environment, claim } of names) {
      expect(environment).toMatch(/^e{57}-[0-9a-f]{5}$/);
      expect(claim.length).toBeLessThanOrEqual(63);
    }
    expect(names[0]?.environment).not.toBe(names[1]?.environment);
  });

  it('gives two clones that differ in their last letter two claims, however long their names are', () => {
    const [one, other] = ['1', '2'].map((last) => nameOfClaim(`${'e'.repeat(57)}-abcd${last}`));

    expect(one).toBe(`${'e'.repeat(53)}-abcd1-dtc`);
    expect(other).toBe(`${'e'.repeat(53)}-abcd2-dtc`);
    expect(nameOfClaim('staging-abcd1')).toBe('staging-abcd1-dtc');
  });

  it('says that olga answers for it where nobody else was named', async () => {
    const namespace = await aSource();

    expect((await clone(`${namespace}/staging`)).value.owner).toBe('olga');
  });

  it.each([
    ['no time to live', { ttl: undefined }, 2, 'Say how long the clone lives: --ttl 4h'],
    ['a time that is none', { ttl: 'four hours' }, 2, '--ttl does not understand "four hours"'],
    ['no time at all', { ttl: '0h' }, 2, '--ttl does not understand "0h"'],
    ['a name that is too long', { name: 'n'.repeat(64) }, 2, '--name has 64 characters'],
    ['a name that is none', { name: 'Not_a_Name' }, 2, '--name does not understand "Not_a_Name"'],
    ['a variable without a name', { env: ['=hunter2'] }, 2, 'Write a variable as --env NAME=value'],
    ['a variable without a value', { env: ['hunter2'] }, 2, 'Write a variable as --env NAME=value'],
    ['a class that is not there', { class: 'none-such' }, 3, 'no DeploymentTargetClass none-such'],
    ['a namespace that is not there', { namespace: 'nowhere-at-all' }, 3, 'no namespace nowhere-at-all'],
    ['the namespace of an Argo CD', { namespace: argoNamespace }, 1, 'that of an Argo CD'],
  ] as const)('refuses %s, and makes nothing', async (_what, but, code, sentence) => {
    const namespace = await aSource();

    const refused = clone(`${namespace}/staging`, but);

    await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('hunter2') });
    for await (const page of world.cluster.list(claims, { namespace })) expect(page).toEqual([]);
  });

  it.each([
    [3, 'nowhere/none', 'no Environment nowhere/none'],
    [3, 'none-has-this-name', 'no Environment none-has-this-name'],
    [2, 'a/b/c', 'namespace/name'],
    [2, '/b', 'namespace/name'],
  ])('E11 ends with %i where the source is %s, and makes nothing', async (code, environment, sentence) => {
    await expect(clone(environment)).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) });
  });

  it('E10 says so where the class of the environment’s claim is not there, or no class makes namespaces', async () => {
    const namespace = (await world.namespace()).name;
    await world.aClaim(namespace, 'dtc', { spec: { deploymentTargetClassName: 'was-deleted' } });
    await world.anEnvironment(namespace, 'staging', deploysTo('dtc'));
    await world.anEnvironment(namespace, 'plain');

    await expect(clone(`${namespace}/staging`)).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('no DeploymentTargetClass was-deleted, which the claim dtc names'),
    });

    const shipped = await world.cluster.read(classes, { namespace: '', name: shippedClass });
    await world.cluster.remove(classes, { namespace: '', name: shippedClass });
    await expect(clone(`${namespace}/plain`)).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('kubectl apply -f infra/kubernetes/classes'),
    });
    await world.cluster.create(classes, { metadata: { name: shippedClass }, spec: shipped?.spec });
  });

  it('environments list shows where each stands on the way, and whether it has a place to deploy to', async () => {
    const { name: namespace } = await world.namespace();
    await world.anEnvironment(namespace, 'development', deploysTo('dtc'));
    await world.anEnvironment(namespace, 'staging', { parentEnvironment: 'development' });
    const lastTransitionTime = '2026-01-31T12:00:00Z';
    const condition = { type: 'TargetReady', status: 'False', reason: 'ClaimPending', message: 'It waits' };
    await world.cluster.patch(
      environments,
      { namespace, name: 'development' },
      { status: { conditions: [{ ...condition, lastTransitionTime }] } },
      { subresource: 'status' },
    );

    const { code, value } = await runEnvironmentsList(world.context, { namespace });

    expect(code).toBe(0);
    expect(value.environments).toMatchObject([
      { name: 'development', claim: 'dtc', targetReady: 'False', reason: 'ClaimPending' },
      { name: 'staging', parent: 'development', claim: '', targetReady: '' },
    ]);
    const text = renderEnvironmentsList(value, 100, plain);
    expect(text).toMatch(/development +- +Manual +dtc +- +no +ClaimPending: It waits/);
    expect(text).toMatch(/staging +development +Manual +- +- +unseen/);
  });

  it('environments list tells an empty namespace from none', async () => {
    const { name: namespace } = await world.namespace();

    const { value } = await runEnvironmentsList(world.context, { namespace });

    expect(renderEnvironmentsList(value, 100, plain)).toContain('npm run ops -- onboard');
    await expect(runEnvironmentsList(world.context, { namespace: 'nowhere-at-all' })).rejects.toMatchObject({
      code: 3,
    });
  });
});
