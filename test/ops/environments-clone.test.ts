import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderEnvironmentsClone, runEnvironmentsClone } from '../../scripts/ops/environments-clone.ts';
import { claims, classes, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { Refused, Uncertain } from '../../shared/ports/trouble.ts';
import { until } from '../support/until.ts';
import { type ClaimsWorld, deploysTo, openClaimsWorld, shippedClass } from './claims-world.ts';
import { plain } from './world.ts';

describe('environments clone', () => {
  let world: ClaimsWorld;
  let namespace: string;

  beforeAll(async () => {
    world = await openClaimsWorld();
  });
  afterAll(() => world.close());

  /** A fresh namespace with an Environment to copy. */
  async function aSource(spec: object = {}): Promise<string> {
    namespace = (await world.namespace()).name;
    await world.anEnvironment(namespace, 'staging', {
      displayName: 'Staging',
      deploymentStrategy: 'AppStudioAutomated',
      parentEnvironment: 'development',
      tags: ['staging'],
      ...spec,
    });
    return `${namespace}/staging`;
  }

  type Arguments = Parameters<typeof runEnvironmentsClone>[1];
  const clone = (environment: string, but: Partial<Arguments> = {}) =>
    runEnvironmentsClone(world.context, { environment, ttl: '4h', name: 'copy', ...but });
  const copy = () => world.cluster.read(environments, { namespace, name: 'copy' });
  const itsClaim = () => world.cluster.read(claims, { namespace, name: 'copy-dtc' });

  async function nothingIsMade(): Promise<void> {
    for await (const page of world.cluster.list(claims, { namespace })) expect(page).toEqual([]);
    for await (const page of world.cluster.list(environments, { namespace }))
      expect(page.filter(({ metadata }) => metadata.name !== 'staging')).toEqual([]);
  }

  it('E01 makes a claim that ends by itself, and a copy that goes with it', async () => {
    const source = await aSource();

    const { code, value } = await clone(source, { owner: 'ada', why: 'a test run' });

    expect(code).toBe(0);
    const claim = await itsClaim();
    expect(claim?.metadata.annotations).toMatchObject({ 'stagecoach.dev/ttl': '4h', 'stagecoach.dev/owner': 'ada' });
    expect(claim?.spec.deploymentTargetClassName).toBe(shippedClass);
    const made = await copy();
    expect(made?.spec).toMatchObject({
      displayName: 'Staging',
      deploymentStrategy: 'Manual',
      parentEnvironment: '',
      tags: ['staging', 'ephemeral'],
      ...deploysTo('copy-dtc'),
    });
    expect(made?.metadata.ownerReferences).toMatchObject([
      { kind: 'DeploymentTargetClaim', name: 'copy-dtc', uid: claim?.metadata.uid },
    ]);
    const end = Date.parse(claim?.metadata.creationTimestamp ?? '') + 4 * 3_600_000;
    expect(value).toEqual({
      namespace,
      environment: 'copy',
      claim: 'copy-dtc',
      class: shippedClass,
      source,
      owner: 'ada',
      ttl: '4h',
      endsAt: new Date(end).toISOString(),
    });
    expect(world.plans.at(-1)).toContain(`Will clone ${source} as ${namespace}/copy for 4 h`);
    expect(await world.ledgerOf('clone-environment')).toMatchObject([
      { actor: 'olga', subject: `${namespace}/copy`, details: { source, claim: 'copy-dtc', why: 'a test run' } },
    ]);
    expect(renderEnvironmentsClone(value, plain)).toContain(`deploymenttargetclaim/copy-dtc`);

    await world.cluster.remove(claims, { namespace, name: 'copy-dtc' });
    await until('the copy to go with its claim', async () => (await copy()) === undefined);
  });

  it('E04 makes nothing where the name is taken, by an Environment or by a claim', async () => {
    const source = await aSource();
    await clone(source);
    const before = [await copy(), await itsClaim()];

    await expect(clone(source)).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining(`an Environment ${namespace}/copy already: choose another --name`),
    });
    expect([await copy(), await itsClaim()]).toEqual(before);

    await world.aClaim(namespace, 'other-dtc');
    await expect(clone(source, { name: 'other' })).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining(`a claim ${namespace}/other-dtc already`),
    });
    expect(await world.cluster.read(environments, { namespace, name: 'other' })).toBeUndefined();
  });

  const env = [
    { name: 'LOG', value: 'info' },
    { name: 'MODE', value: 'full' },
  ];

  it('E06 a variable that is given overrides the copied one, where it stands; E08 others are appended', async () => {
    const source = await aSource({ configuration: { env } });

    await clone(source, { env: ['NEW=a=b', 'LOG=debug', 'EMPTY=', 'NEW=last'] });

    expect((await copy())?.spec.configuration?.env).toEqual([
      { name: 'LOG', value: 'debug' },
      { name: 'MODE', value: 'full' },
      { name: 'NEW', value: 'last' },
      { name: 'EMPTY', value: '' },
    ]);
    expect(JSON.stringify([world.plans.at(-1), await world.ledgerOf('clone-environment')])).not.toContain('debug');
  });

  it('E07 without variables of its own it keeps those of the environment', async () => {
    const source = await aSource({ configuration: { env } });

    await clone(source);

    expect((await copy())?.spec.configuration?.env).toEqual(env);
    expect((await world.cluster.read(environments, { namespace, name: 'staging' }))?.spec.configuration?.env).toEqual(
      env,
    );
  });

  it('keeps the kind of cluster and its domain, and no credential', async () => {
    const source = await aSource({
      unstableConfigurationFields: {
        clusterType: 'Kubernetes',
        exposeWith: 'Ingress',
        kubernetesCredentials: {
          targetNamespace: 'web',
          apiURL: 'https://api.example.com',
          clusterCredentialsSecret: 'opens-it',
          ingressDomain: 'apps.example.com',
        },
      },
    });

    await clone(source);

    const kept = (await copy())?.spec.unstableConfigurationFields;
    expect(kept).toMatchObject({
      clusterType: 'Kubernetes',
      exposeWith: 'Ingress',
      kubernetesCredentials: { ingressDomain: 'apps.example.com', apiURL: '', clusterCredentialsSecret: '' },
    });
    expect(kept?.kubernetesCredentials?.targetNamespace).toBe('');
  });

  it('asks for what the claim of the environment asks for, unless a class is named', async () => {
    const source = await aSource(deploysTo('staging-dtc'));
    const spec = { provisioner: 'example.com/other', parameters: {}, reclaimPolicy: 'Retain' };
    const name = `other-${namespace}`;
    await world.cluster.create(classes, { metadata: { name }, spec });
    const wanted = { deploymentTargetClassName: name, targetName: 'mine', resources: { requests: { cpu: '2' } } };
    await world.aClaim(namespace, 'staging-dtc', { spec: wanted });

    await clone(source);
    await clone(source, { name: 'second', class: shippedClass });

    expect((await itsClaim())?.spec).toMatchObject({
      deploymentTargetClassName: name,
      targetName: '',
      resources: { requests: { cpu: '2' } },
    });
    const second = await world.cluster.read(claims, { namespace, name: 'second-dtc' });
    expect(second?.spec.deploymentTargetClassName).toBe(shippedClass);
    expect(second?.spec.resources).toBeUndefined();
  });

  it('E14 takes the claim back where the Environment is refused; E26 also where it is gone already', async () => {
    const source = await aSource();
    const create: typeof world.cluster.create = (kind, object, options) => {
      if (kind.kind === 'Environment') throw new Refused('Invalid', 'the webhook does not like it');
      return world.cluster.create(kind, object, options);
    };
    const refusing = world.withCluster({ create });
    const args = { environment: source, ttl: '4h', name: 'copy' };

    await expect(runEnvironmentsClone(refusing, args)).rejects.toMatchObject({
      code: 1,
      message: expect.stringMatching(/the webhook does not like it\. Its claim copy-dtc was deleted again/),
    });
    await nothingIsMade();

    const remove: typeof world.cluster.remove = async (kind, key) => {
      await world.cluster.remove(kind, key);
      return world.cluster.remove(kind, key);
    };
    const gone = world.withCluster({ create, remove });
    await expect(runEnvironmentsClone(gone, args)).rejects.toMatchObject({
      message: expect.stringContaining('was deleted again'),
    });
  });

  it('E14 leaves nothing where nobody knows whether the Environment was made', async () => {
    const source = await aSource();
    const context = world.withCluster({
      async create(kind, object, options) {
        const made = await world.cluster.create(kind, object, options);
        if (kind.kind === 'Environment') throw new Uncertain('cluster', 'sent and not answered');
        return made;
      },
    });

    await expect(runEnvironmentsClone(context, { environment: source, ttl: '4h', name: 'copy' })).rejects.toMatchObject(
      { code: 1 },
    );
    await until('everything to go', async () => (await copy()) === undefined && (await itsClaim()) === undefined);
  });
});
