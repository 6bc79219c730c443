import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitResource } from '../../functions/admit-resource/index.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { Transient } from '../../shared/ports/trouble.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import type { World } from '../../shared/runtime/world.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTestMachine } from '../support/machine.ts';

let database: TestDatabase;
let machine: Machine;

beforeAll(async () => {
  database = await openTestDatabase();
  machine = openTestMachine(database.sql);
});
afterAll(() => database.close());

describe('admit-resource on appstudio.redhat.com', () => {
  const apiVersion = 'appstudio.redhat.com/v1alpha1';
  const spec = { displayName: 'Web', deploymentStrategy: 'Manual' };

  function environment(name: string, parentEnvironment = '', leaving?: string) {
    const metadata = { namespace: 'team-a', name, ...(leaving !== undefined && { deletionTimestamp: leaving }) };
    return { apiVersion, kind: 'Environment', metadata, spec: { ...spec, parentEnvironment } };
  }

  function review(kind: string, but: object) {
    const group = 'appstudio.redhat.com';
    const request = {
      uid: 'question-1',
      kind: { group, version: 'v1alpha1', kind },
      resource: { group, version: 'v1alpha1', resource: `${kind.toLowerCase()}s` },
      namespace: 'team-a',
      name: 'web',
      operation: 'CREATE',
      object: null,
      oldObject: null,
      ...but,
    };
    return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  }

  /** The answer where the cluster holds these Environments, and how often it was asked. */
  async function judge(
    kind: string,
    but: object,
    there: readonly object[] = [],
    openFunctions: readonly string[] = [],
  ) {
    const asked: string[] = [];
    const cluster: Partial<Cluster> = {
      async *list({ Schema }) {
        asked.push('list');
        yield there.map((one) => Schema.parse(one)) as never[];
      },
      async read({ kind: read }) {
        asked.push(read);
        return { metadata: { name: 'team-a' } } as never;
      },
    };
    const world = { clusters: { local: cluster } } as unknown as World;
    const { status, body } = await admitResource.handle(review(kind, but), { ...machine, world, openFunctions });
    return { status, asked, ...(body as { response?: { allowed: boolean; status?: { message: string } } }).response };
  }

  it('AW-01 AW-12 an Environment has the rules of its CRD', async () => {
    const object = {
      ...environment('web'),
      spec: { ...spec, unstableConfigurationFields: { clusterType: 'Kubernetes' } },
    };

    expect(await judge('Environment', { object })).toMatchObject({
      allowed: false,
      status: { code: 403, message: 'ingress domain cannot be empty if cluster is of type Kubernetes' },
    });
    expect(await judge('Environment', { object: environment('web') })).toMatchObject({ allowed: true, asked: [] });
  });

  it('a circle of parents is refused where it would be closed, and only then is the cluster asked', async () => {
    const there = [environment('web'), environment('staging', 'web')];
    const closing = { operation: 'UPDATE', object: environment('web', 'staging'), oldObject: environment('web') };
    const told = expect.stringContaining(
      'names the next one as its parent, so no promotion ever gets there: staging → web',
    );

    expect(await judge('Environment', closing, there)).toMatchObject({ allowed: false, status: { message: told } });
    expect(await judge('Environment', { ...closing, oldObject: closing.object }, there)).toMatchObject({
      allowed: true,
      asked: [],
    });
  });

  it('a parent may not be deleted, unless it is leaving already', async () => {
    const there = [environment('web'), environment('staging', 'web')];
    const leaving = environment('web', '', '2026-03-01T10:00:00Z');

    expect(await judge('Environment', { operation: 'DELETE', oldObject: environment('web') }, there)).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('is the parentEnvironment of staging') },
    });
    expect(await judge('Environment', { operation: 'DELETE', oldObject: leaving }, there)).toMatchObject({
      allowed: true,
    });
  });

  /** Why it was refused; undefined: it was not. */
  function refusal({ allowed, status }: Awaited<ReturnType<typeof judge>>): string | undefined {
    return allowed === false && typeof status === 'object' ? status.message : undefined;
  }

  const binding = (name: string, but: object = {}) => ({
    apiVersion,
    kind: 'SnapshotEnvironmentBinding',
    metadata: { namespace: 'team-a', name },
    spec: { application: 'shop', environment: 'dev', snapshot: 'first', components: [], ...but },
  });

  it('AW-05 a second Binding for an application and an environment is refused, and names the first', async () => {
    const object = binding('web');
    const answer = await judge('SnapshotEnvironmentBinding', { object }, [binding('first')]);

    expect(refusal(answer)).toBe(
      'invalid SnapshotEnvironmentBinding: duplicate combination of Application (shop) and Environment (dev). Duplicated by: first',
    );
    const other = await judge('SnapshotEnvironmentBinding', { object }, [binding('first', { environment: 'prod' })]);
    expect(refusal(other)).toBeUndefined();
  });

  it('AW-13 B22 what a Binding is about cannot change, what it runs can, and the others do not matter', async () => {
    const change = async (but: object) => {
      const question = { operation: 'UPDATE', object: binding('web', but), oldObject: binding('web') };
      return refusal(await judge('SnapshotEnvironmentBinding', question, [binding('first')]));
    };

    expect(await change({ application: 'cart' })).toBe('application field cannot be updated to cart');
    expect(await change({ environment: 'prod' })).toBe('environment field cannot be updated to prod');
    expect(await change({ snapshot: 'second' })).toBeUndefined();
  });

  it('AW-04 B23 what a Snapshot has frozen cannot change, what people call it can', async () => {
    const snapshot = (but: object) => ({
      apiVersion,
      kind: 'Snapshot',
      metadata: { namespace: 'team-a', name: 'web' },
      spec: { application: 'shop', components: [{ name: 'web', containerImage: 'web:1' }], ...but },
    });
    const change = async (but: object) =>
      refusal(await judge('Snapshot', { operation: 'UPDATE', object: snapshot(but), oldObject: snapshot({}) }));

    expect(await change({ application: 'cart' })).toBe('application field cannot be updated to cart');
    expect(await change({ components: [{ name: 'web', containerImage: 'web:2' }] })).toBe(
      'components cannot be updated to [{"name":"web","containerImage":"web:2"}]',
    );
    expect(await change({ displayName: 'The good one' })).toBeUndefined();
  });

  it('AW-03 what a PromotionRun was made for cannot change', async () => {
    const run = (but: object) => ({
      apiVersion,
      kind: 'PromotionRun',
      metadata: { namespace: 'team-a', name: 'to-prod' },
      spec: { application: 'shop', snapshot: 'first', manualPromotion: { targetEnvironment: 'prod' }, ...but },
    });
    const change = async (but: object) =>
      refusal(await judge('PromotionRun', { operation: 'UPDATE', object: run(but), oldObject: run({}) }));

    expect(await change({})).toBeUndefined();
    expect(await change({ snapshot: 'second' })).toBe(
      'spec cannot be updated to {"application":"shop","snapshot":"second","manualPromotion":{"targetEnvironment":"prod"}}',
    );
    expect(await change({ application: 'cart' })).toContain('spec cannot be updated to ');
    expect(await change({ manualPromotion: { targetEnvironment: 'dev' } })).toContain('spec cannot be updated to ');
  });

  it('a stranger learns nothing of the cluster: where anybody may ask, it is not looked at', async () => {
    const there = [environment('web'), environment('staging', 'web')];
    const removal = { operation: 'DELETE', oldObject: environment('web') };

    expect(await judge('Environment', removal, there, ['admit-resource'])).toMatchObject({ allowed: true, asked: [] });
  });

  it('where the cluster cannot be looked at there is no answer, so that failurePolicy decides', async () => {
    const removal = review('Environment', { operation: 'DELETE', oldObject: environment('web') });
    const local = openCluster({ connection: { request: () => Promise.reject(new Transient('cluster', 'away')) } });
    const away = { ...machine, world: { clusters: { local } } as unknown as World };

    expect(await admitResource.handle(removal, away)).toMatchObject({ status: 503 });
    expect(await admitResource.handle(removal, machine)).toMatchObject({ status: 500 });
  });

  it.each([
    ['DeploymentTargetClaim', { arch: 'arm64' }, { phase: 'Bound' }, 'arch of a bound claim cannot be updated'],
    ['DeploymentTargetClass', { provisioner: 'a', reclaimPolicy: 'Retain' }, undefined, /create another class$/],
  ])('%s has its rule', async (kind, changed, status, message) => {
    const oldObject = {
      apiVersion,
      kind,
      metadata: { name: 'web' },
      spec: { provisioner: 'a', reclaimPolicy: 'Delete' },
      status,
    };

    expect(
      await judge(kind, { operation: 'UPDATE', object: { ...oldObject, spec: changed }, oldObject }),
    ).toMatchObject({ allowed: false, status: { message: expect.stringMatching(message) } });
  });
});
