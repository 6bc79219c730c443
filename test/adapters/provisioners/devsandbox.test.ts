import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDevsandbox } from '../../../shared/adapters/provisioners/devsandbox.ts';
import { spaceRequests } from '../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers, labels } from '../../../shared/contracts/kubernetes/metadata-keys.ts';
import { requestName } from '../../../shared/domain/target/made-names.ts';
import type { Provisioner, Wanted } from '../../../shared/ports/provisioner.ts';
import { fulfilAll, requestsIn, say, terminateAll } from '../../support/play-space-controller.ts';
import { describeProvisioner, type WantedByUid } from './provisioner-contract.ts';
import { openTenantCluster, type TenantCluster } from './tenant-cluster.ts';

const name = 'appstudio.redhat.com/devsandbox';
const signal = AbortSignal.timeout(600_000);

describeProvisioner(name, async () => {
  const tenants = await openTenantCluster();
  return {
    ...tenants,
    provisioner: openDevsandbox({ local: tenants.cluster }),
    wanted: () => tenants.wanted(name),
    make: ({ namespace }) => fulfilAll(tenants.cluster, namespace),
    takeAway: ({ namespace }) => terminateAll(tenants.cluster, namespace),
  };
});

describe('the sandbox provisioner and its SpaceRequests', () => {
  let tenants: TenantCluster;
  let provisioner: Provisioner;

  beforeAll(async () => {
    tenants = await openTenantCluster();
    provisioner = openDevsandbox({ local: tenants.cluster });
  });
  afterAll(() => tenants.close());

  async function asked(wanted: WantedByUid) {
    await provisioner.provision(wanted, signal);
    return onlyRequest(wanted);
  }

  async function onlyRequest({ namespace }: Pick<Wanted, 'namespace'>) {
    const [request, ...others] = await requestsIn(tenants.cluster, namespace);
    if (request === undefined || others.length > 0) throw new Error(`${others.length} more than one, or none`);
    return request;
  }

  /** As the original service made them: a name of its own, and nothing that says which claim of that name it was. */
  async function early({ namespace, claim }: WantedByUid, tierName = 'appstudio-env') {
    return tenants.cluster.create(spaceRequests, {
      metadata: { namespace, generateName: `${claim.name}-`, labels: { [labels.claim]: claim.name } },
      spec: { tierName, targetClusterRoles: [] },
    });
  }

  it('AC-38 asks with the label of the claim and the tier of the class, under a name that follows from the claim', async () => {
    const wanted = await tenants.wanted(name);
    const parameters = { tierName: 'large', targetClusterRoles: ['cluster-role.toolchain/tenant'] };
    const resources = { requests: { cpu: '2' } };

    const { metadata, spec } = await asked({
      ...wanted,
      resources,
      class: wanted.class && { ...wanted.class, parameters },
    });

    expect(metadata.name).toBe(requestName(wanted.claim));
    expect(metadata.labels).toEqual({ [labels.claim]: wanted.claim.name });
    expect(metadata.annotations).toEqual({
      [annotations.claimUid.key]: wanted.claim.uid,
      [annotations.claimClass.key]: 'isolation-level-namespace',
      [annotations.wantedResources.key]: JSON.stringify(resources),
    });
    expect(spec).toEqual(parameters);
  });

  it('AC-39 takes a SpaceRequest that the original service made for the claim as its own, and says so on it', async () => {
    const wanted = await tenants.wanted(name);
    await early(wanted);

    await provisioner.provision(wanted, signal);
    await provisioner.attach({ ...wanted, target: 'staging-dtc-dt' }, signal);

    const { metadata } = await onlyRequest(wanted);
    expect(metadata.annotations[annotations.claimUid.key]).toBe(wanted.claim.uid);
    expect(metadata.labels[labels.target]).toBe('staging-dtc-dt');
  });

  it.each([
    ['is older than the claim', 'appstudio-env', Date.now() + 3_600_000, 1],
    ['is of another tier', 'somebody-elses', 0, 1],
    ['is one of two', 'appstudio-env', 0, 2],
  ])('leaves a SpaceRequest without a UID alone that %s', async (_why, tier, created, count) => {
    const wanted = await tenants.wanted(name);
    for (let made = 0; made < count; made += 1) await early(wanted, tier);

    const provision = await provisioner.observe({ ...wanted, claim: { ...wanted.claim, created } }, signal);

    expect(provision).toEqual({ state: 'absent' });
  });

  it('AQ-06 passes on that certificates are not to be checked, where it was told so', async () => {
    const wanted = await tenants.wanted(name);
    await asked(wanted);
    await fulfilAll(tenants.cluster, wanted.namespace);
    const careless = openDevsandbox({ local: tenants.cluster, isInsecure: true });

    const [strict, loose] = await Promise.all([provisioner, careless].map((one) => one.observe(wanted, signal)));

    expect(strict).toMatchObject({ access: { allowInsecureSkipTLSVerify: false } });
    expect(loose).toMatchObject({ access: { allowInsecureSkipTLSVerify: true } });
  });

  it.each([
    ['Q24 waits while it is ready and names no namespace yet', [], 'underway', 'WaitingForNamespaceAccess'],
    ['waits while nothing opens its namespace', [{ name: 'space' }], 'underway', 'WaitingForNamespaceAccess'],
    [
      'Q25 refuses more than one namespace',
      [
        { name: 'one', secretRef: 'opens-one' },
        { name: 'two', secretRef: 'opens-two' },
      ],
      'refused',
      'TooManyNamespaces',
    ],
  ])('%s', async (_rule, access, state, reason) => {
    const wanted = await tenants.wanted(name);
    await say(tenants.cluster, await asked(wanted), { status: 'True', reason: 'Provisioned' }, access);

    expect(await provisioner.observe(wanted, signal)).toMatchObject({ state, reason, wakesUs: true });
  });

  it.each([
    ['Provisioning', 'underway'],
    ['ProvisioningPending', 'underway'],
    ['UnableToProvision', 'refused'],
    ['UnableToCreateNSTemplateSet', 'refused'],
  ])('says %s in its own words: %s', async (reason, state) => {
    const wanted = await tenants.wanted(name);
    await say(tenants.cluster, await asked(wanted), { status: 'False', reason, message: 'the quota is used up' });

    expect(await provisioner.observe(wanted, signal)).toMatchObject({ state, reason, message: 'the quota is used up' });
  });

  it('Q21 is reached by the namespace, the address and the Secret that the SpaceRequest names', async () => {
    const wanted = await tenants.wanted(name);
    const request = await asked(wanted);
    await fulfilAll(tenants.cluster, wanted.namespace);

    expect(await provisioner.observe(wanted, signal)).toMatchObject({
      state: 'ready',
      resources: undefined,
      access: {
        defaultNamespace: `${request.metadata.name}-space`,
        apiURL: 'https://member.example',
        clusterCredentialsSecret: `${request.metadata.name}-secret`,
      },
    });
  });

  it('asks for more where the claim has grown, and offers only what was given', async () => {
    const wanted = { ...(await tenants.wanted(name)), resources: { requests: { cpu: '1' } } };
    const { metadata } = await asked(wanted);
    const key = { namespace: wanted.namespace, name: metadata.name };
    await tenants.cluster.patch(spaceRequests, key, {
      metadata: { annotations: { [annotations.grantedResources.key]: '{"requests":{"cpu":"1"}}' } },
    });
    await fulfilAll(tenants.cluster, wanted.namespace);
    const grown = { ...wanted, resources: { requests: { cpu: '4' } } };
    const before = await provisioner.observe(grown, signal);

    await provisioner.provision(grown, signal);

    expect(before).toMatchObject({ state: 'ready', isUnfinished: true, resources: { requests: { cpu: '1' } } });
    expect(await provisioner.observe(grown, signal)).toMatchObject({ ...before, isUnfinished: false });
  });

  it('holds the SpaceRequest before it deletes it, so that it does not go before what is behind it', async () => {
    const wanted = await tenants.wanted(name);
    await asked(wanted);

    await provisioner.release(wanted, signal);

    const { metadata } = await onlyRequest(wanted);
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(metadata.finalizers).toEqual([finalizers.spaceRequest.key]);
  });

  it('says when the SpaceRequest cannot go, and when nobody has looked at it', async () => {
    const wanted = await tenants.wanted(name);
    const request = await asked(wanted);
    await provisioner.release(wanted, signal);
    const unseen = await provisioner.observe(wanted, signal);

    await say(tenants.cluster, request, {
      status: 'False',
      reason: 'UnableToTerminate',
      message: 'the namespace hangs',
    });

    const { name: requested } = request.metadata;
    expect(unseen).toMatchObject({
      isStuck: false,
      complaint: `failed to find ConditionReady for SpaceRequest: ${requested}`,
    });
    expect(await provisioner.observe(wanted, signal)).toMatchObject({
      state: 'leaving',
      isStuck: true,
      complaint: `SpaceRequest ${requested} cannot be removed: the namespace hangs`,
    });
  });

  it('finds what it made again when somebody took its label away, and puts it back', async () => {
    const wanted = await tenants.wanted(name);
    const { metadata } = await asked(wanted);
    const key = { namespace: wanted.namespace, name: metadata.name };
    await tenants.cluster.patch(spaceRequests, key, { metadata: { labels: { [labels.claim]: null } } });
    expect(await provisioner.observe(wanted, signal)).toMatchObject({ isUnfinished: true, wakesUs: false });

    await provisioner.provision(wanted, signal);

    expect((await onlyRequest(wanted)).metadata.labels[labels.claim]).toBe(wanted.claim.name);
  });

  it('goes round a SpaceRequest of somebody else that has its name', async () => {
    const wanted = await tenants.wanted(name);
    await tenants.cluster.create(spaceRequests, {
      metadata: { namespace: wanted.namespace, name: requestName(wanted.claim) },
      spec: { tierName: 'their-own' },
    });

    await provisioner.provision(wanted, signal);
    await provisioner.provision(wanted, signal);

    expect(await requestsIn(tenants.cluster, wanted.namespace)).toHaveLength(2);
    expect(await provisioner.observe(wanted, signal)).toMatchObject({ state: 'underway' });
  });

  it('serves a claim whose name is too long for a label, and says that somebody has to look again', async () => {
    const wanted = await tenants.wanted(name);
    const long = { ...wanted, claim: { ...wanted.claim, name: `${'a.'.repeat(40)}claim` } };

    const { metadata } = await asked(long);

    expect(metadata.name.length).toBeLessThanOrEqual(63);
    expect(metadata.labels).toEqual({});
    expect(await provisioner.observe(long, signal)).toMatchObject({ state: 'underway', wakesUs: false });
  });
});
