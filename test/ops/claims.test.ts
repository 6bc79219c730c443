import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClaims } from '../../scripts/ops/claims.ts';
import { renderClaims } from '../../scripts/ops/render-claims.ts';
import { claims, namespaces, spaceRequests } from '../../shared/contracts/kubernetes/kinds.ts';
import { type ClaimsWorld, deploysTo, openClaimsWorld, shippedClass } from './claims-world.ts';
import { plain } from './world.ts';

describe('claims', () => {
  let world: ClaimsWorld;

  beforeAll(async () => {
    world = await openClaimsWorld();
  });
  afterAll(() => world.close());

  async function leaksOf(namespace: string) {
    const { code, value } = await runClaims(world.context, { namespace });
    return { code, leaks: value.leaks, text: renderClaims(value, 100, plain) };
  }

  function aRequest(namespace: string, name: string, metadata: object) {
    const finalizers = ['finalizer.toolchain.dev.openshift.com'];
    return world.cluster.create(spaceRequests, {
      metadata: { namespace, name, finalizers, ...metadata },
      spec: { tierName: 'appstudio-env' },
    });
  }

  function ready(namespace: string, name: string, reason: string, message = '') {
    const lastTransitionTime = '2026-01-31T12:00:00Z';
    return world.cluster.patch(
      spaceRequests,
      { namespace, name },
      { status: { conditions: [{ type: 'Ready', status: 'False', reason, message, lastTransitionTime }] } },
      { subresource: 'status' },
    );
  }

  it('shows what each claim has, who answers for it, how long it lives and what it waits for', async () => {
    const { name: namespace } = await world.namespace();
    const ttl = { 'stagecoach.dev/ttl': '72h', 'stagecoach.dev/owner': 'ada' };
    await world.aClaim(namespace, 'staging-dtc', { metadata: { annotations: ttl } });
    await world.anEnvironment(namespace, 'staging', deploysTo('staging-dtc'));
    await world.anEnvironment(namespace, 'mirror', deploysTo('staging-dtc'));
    const lastTransitionTime = '2026-01-31T12:00:00Z';
    const message = 'No target fits yet';
    await world.cluster.patch(
      claims,
      { namespace, name: 'staging-dtc' },
      {
        status: {
          phase: 'Pending',
          conditions: [{ type: 'Bound', status: 'False', reason: 'WaitingForTarget', message, lastTransitionTime }],
        },
      },
      { subresource: 'status' },
    );

    const { code, value } = await runClaims(world.context, { namespace });

    expect(code).toBe(0);
    expect(value.leaks).toEqual([]);
    expect(value.claims).toEqual([
      {
        namespace,
        name: 'staging-dtc',
        phase: 'Pending',
        class: shippedClass,
        target: '',
        owner: 'ada',
        ageSeconds: expect.any(Number),
        secondsLeft: expect.any(Number),
        isDeleting: false,
        waitsFor: { reason: 'WaitingForTarget', message },
        environments: expect.arrayContaining(['staging', 'mirror']),
      },
    ]);
    expect(value.claims[0]?.secondsLeft).toBeGreaterThan(71 * 3_600);
    const text = renderClaims(value, 100, plain);
    expect(text).toMatch(/staging-dtc +Pending +isolation-level-namespace +- +/);
    expect(text).toContain('WaitingForTarget: No target fits yet');
    expect(text).toContain('Nothing leaks.');
  });

  it('names the target that is kept for a claim which does not point to it yet', async () => {
    const { name: namespace } = await world.namespace();
    const { metadata } = await world.aClaim(namespace, 'dtc');
    await world.anEnvironment(namespace, 'env', deploysTo('dtc'));
    await world.aTarget(namespace, 'kept', { spec: { claimRef: { name: 'dtc', uid: metadata.uid } } });

    const { value } = await runClaims(world.context, { namespace });

    expect(value.claims).toMatchObject([{ name: 'dtc', target: 'kept' }]);
    expect(value.leaks).toEqual([]);
  });

  it('calls a claim a leak that is past its time, that no Environment names, or whose time cannot be read', async () => {
    const { name: namespace } = await world.namespace();
    await world.aClaim(namespace, 'old', { metadata: { annotations: { 'stagecoach.dev/ttl': '1h' } } });
    await world.aClaim(namespace, 'odd', { metadata: { annotations: { 'stagecoach.dev/ttl': 'a while' } } });
    await world.aClaim(namespace, 'lonely');
    await world.anEnvironment(namespace, 'one', deploysTo('old'));
    await world.anEnvironment(namespace, 'two', deploysTo('odd'));

    world.clock.aheadMs = 2 * 3_600_000;
    const { code, leaks, text } = await leaksOf(namespace);
    world.clock.aheadMs = 0;

    expect(code).toBe(1);
    expect(leaks.map(({ kind, subject }) => [kind, subject]).toSorted()).toEqual([
      ['ClaimExpired', `${namespace}/old`],
      ['ClaimUnnamed', `${namespace}/lonely`],
      ['TimeToLiveUnreadable', `${namespace}/odd`],
    ]);
    expect(text).toMatch(/old +unseen .* over/);
    expect(text).toContain(`npm run ops -- explain DeploymentTargetClaim ${namespace}/old`);
    expect(text).toContain(`kubectl delete -n ${namespace} deploymenttargetclaim/lonely`);
    expect(text).toContain(`deploymenttargetclaim/odd stagecoach.dev/ttl=72h`);
  });

  it('an Environment of another namespace does not name the claim', async () => {
    const [here, there] = [await world.namespace(), await world.namespace()];
    await world.aClaim(here.name, 'dtc');
    await world.anEnvironment(there.name, 'env', deploysTo('dtc'));

    expect((await leaksOf(here.name)).leaks).toMatchObject([{ kind: 'ClaimUnnamed' }]);
  });

  it('a claim that is being deleted is no leak at first, and one when it does not go', async () => {
    const { name: namespace } = await world.namespace();
    await world.aClaim(namespace, 'dtc', { metadata: { finalizers: ['binder.appstudio.redhat.com/finalizer'] } });
    await world.cluster.remove(claims, { namespace, name: 'dtc' });

    expect((await leaksOf(namespace)).leaks).toEqual([]);

    world.clock.aheadMs = 11 * 60_000;
    const { leaks } = await leaksOf(namespace);
    world.clock.aheadMs = 0;
    expect(leaks).toMatchObject([{ kind: 'ClaimLeaving', subject: `${namespace}/dtc` }]);
  });

  it('calls a target a leak that is Released, Failed, or kept for a claim that is gone', async () => {
    const { name: namespace } = await world.namespace();
    await world.aClaim(namespace, 'dtc');
    await world.anEnvironment(namespace, 'env', deploysTo('dtc'));
    await world.aTarget(namespace, 'free', { phase: 'Available' });
    await world.aTarget(namespace, 'released', { phase: 'Released' });
    await world.aTarget(namespace, 'failed', { phase: 'Failed' });
    await world.aTarget(namespace, 'waits-for-one-to-come', { spec: { claimRef: { name: 'later' } } });
    await world.aTarget(namespace, 'other', {
      phase: 'Bound',
      spec: { claimRef: { name: 'dtc', uid: 'of-a-predecessor' } },
    });
    await world.aTarget(namespace, 'orphan', { phase: 'Bound', spec: { claimRef: { name: 'gone' } } });

    const { code, leaks, text } = await leaksOf(namespace);

    expect(code).toBe(1);
    expect(leaks.map(({ kind, subject }) => `${kind} ${subject.split('/')[1]}`).toSorted()).toEqual([
      'TargetFailed failed',
      'TargetReleased released',
      'TargetWithoutClaim orphan',
      'TargetWithoutClaim other',
    ]);
    expect(text).toContain(`npm run ops -- claims recycle ${namespace}/released`);
    expect(text).toContain('its claim dtc is gone, and another one has its name');
  });

  it('calls a SpaceRequest a leak whose claim and target are gone, and one that is stuck; not one of a person', async () => {
    const { name: namespace } = await world.namespace();
    const { metadata } = await world.aClaim(namespace, 'dtc');
    await world.anEnvironment(namespace, 'env', deploysTo('dtc'));
    await world.aTarget(namespace, 'recycled', { phase: 'Available' });
    const uid = (of: string) => ({ annotations: { 'stagecoach.dev/claim-uid': of } });
    await aRequest(namespace, 'wanted', uid(metadata.uid));
    await aRequest(namespace, 'by-name', { labels: { 'appstudio.openshift.io/dtc': 'dtc' } });
    await aRequest(namespace, 'behind-a-target', {
      ...uid('gone'),
      labels: { 'appstudio.openshift.io/dtc': 'old', 'appstudio.openshift.io/dt': 'recycled' },
    });
    await aRequest(namespace, 'of-a-person', {});
    await aRequest(namespace, 'orphan', { ...uid('gone'), labels: { 'appstudio.openshift.io/dtc': 'dtc' } });
    await aRequest(namespace, 'refused', uid(metadata.uid));
    await ready(namespace, 'refused', 'UnableToProvision', 'the tier is unknown');
    await aRequest(namespace, 'stays', uid(metadata.uid));
    await world.cluster.remove(spaceRequests, { namespace, name: 'stays' });
    await ready(namespace, 'stays', 'UnableToTerminate');

    const { leaks, text } = await leaksOf(namespace);

    expect(leaks.map(({ kind, subject }) => `${kind} ${subject.split('/')[1]}`).toSorted()).toEqual([
      'SpaceRequestStuck refused',
      'SpaceRequestStuck stays',
      'SpaceRequestWithoutClaim orphan',
    ]);
    expect(text).toContain('cannot be fulfilled: UnableToProvision: the tier is unknown');
  });

  it('calls a namespace a leak that was made for a SpaceRequest which is gone, even when the tenant is gone, too', async () => {
    const tenant = `gone-${Date.now()}`;
    const { name } = await world.namespace('space');
    const labels = { 'toolchain.dev.openshift.com/spacerequest-namespace': tenant };
    await world.cluster.patch(namespaces, { namespace: '', name }, { metadata: { labels } });

    // Without our mark it is the toolchain operator's.
    expect((await leaksOf(tenant)).leaks).toEqual([]);

    const annotations = { 'stagecoach.dev/space-request-uid': 'of-one-that-is-gone' };
    await world.cluster.patch(namespaces, { namespace: '', name }, { metadata: { annotations } });
    const { code, leaks, text } = await leaksOf(tenant);

    expect(code).toBe(1);
    expect(leaks).toMatchObject([{ kind: 'NamespaceWithoutRequest', subject: name }]);
    expect(text).toContain(`kubectl delete namespace ${name}`);
    expect(text).toContain('There are no claims.');
  });

  it('looks at all namespaces where none is named, and says that one does not exist', async () => {
    const [one, two] = [await world.namespace(), await world.namespace()];
    await world.aClaim(one.name, 'dtc');
    await world.aClaim(two.name, 'dtc');

    const { value } = await runClaims(world.context, {});

    const places = value.claims.map(({ namespace }) => namespace);
    expect(places).toEqual(expect.arrayContaining([one.name, two.name]));
    await expect(runClaims(world.context, { namespace: 'nowhere-at-all' })).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('no namespace nowhere-at-all'),
    });
  });

  it('shows as many claims as it was asked for, and says how many more there are', async () => {
    const { name: namespace } = await world.namespace();
    for (const name of ['a', 'b', 'c']) await world.aClaim(namespace, name);

    const { value } = await runClaims(world.context, { namespace });

    expect(renderClaims(value, 2, plain)).toContain('… and 1 more');
  });
});
