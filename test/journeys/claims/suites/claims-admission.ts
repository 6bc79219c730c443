import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { admitResource } from '../../../../functions/admit-resource/index.ts';
import {
  bindings,
  claims,
  classes,
  environments,
  type ObjectKind,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { type AdmissionServer, startAdmissionServer } from '../../../support/admission-server.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { badEnvironments, boundClaimChanges, environmentSpec, goodEnvironments } from './admission-cases.ts';

interface WebhookConfiguration {
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly Readonly<Record<string, unknown>>[];
}

const file = new URL('../../../../infra/kubernetes/webhooks.yaml', import.meta.url);
const pair = { application: 'shop', environment: 'dev' };
const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/**
 * Each rule where the API server asks admit-resource, and in a namespace where it asks nobody: what the CRD says is
 * refused in both, and what only a look at other objects tells is answered by a condition and a finalizer in the second.
 */
export function describeClaimsAdmission(open: () => Promise<GitOpsWorld>): void {
  describe('admission of claims, environments, Bindings and Snapshots', () => {
    let world: GitOpsWorld;
    let server: AdmissionServer;
    let installed: string;
    /** The namespace where the webhook is asked, and one where it is not. */
    let asked: string;
    let unasked: string;

    beforeAll(async () => {
      world = await open();
      ({ name: asked } = await world.namespace());
      ({ name: unasked } = await world.namespace());
      server = await startAdmissionServer(async (request) => {
        const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
        const { status, body } = await admitResource.handle(review, world.machine);
        return status === 200 ? (body as { response: { allowed: boolean } }).response : undefined;
      });
      const configuration = parseAllDocuments(readFileSync(file, 'utf8'))
        .map((document) => document.toJS() as WebhookConfiguration)
        .find(({ metadata }) => metadata.name === 'stagecoach-appstudio');
      const webhooks = configuration?.webhooks.map((webhook) => ({
        ...webhook,
        clientConfig: server.clientConfig,
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': asked } },
      }));
      const name = `stagecoach-appstudio-${asked}`;
      await world.bare.request(path, { method: 'POST', body: { ...configuration, metadata: { name }, webhooks } });
      installed = `${path}/${name}`;
      // An API server takes a moment until it asks a new webhook; its own parent is refused by nobody else.
      await until('the webhook to be asked', async () => {
        const refused = await creating(environments, asked, 'probe', {
          ...environmentSpec,
          parentEnvironment: 'probe',
        });
        if (refused === undefined) await world.cluster.remove(environments, { namespace: asked, name: 'probe' });
        return refused !== undefined;
      });
    });
    afterAll(async () => {
      await world.bare.request(installed, { method: 'DELETE' });
      await server.stop();
      await world.close();
    });

    /** Why the API server did not take it; undefined where it did. */
    async function creating(kind: ObjectKind, namespace: string, name: string, spec: object) {
      return whyNot(world.cluster.create(kind, { metadata: { namespace, name }, spec }));
    }

    async function changing(kind: ObjectKind, namespace: string, name: string, spec: object) {
      return whyNot(world.cluster.patch(kind, { namespace, name }, { spec }));
    }

    async function condition(namespace: string, name: string, type: string) {
      const found = await world.cluster.read(environments, { namespace, name });
      return found?.status?.conditions.find((one) => one.type === type);
    }

    describe.each([
      ['with the webhook', () => asked],
      ['without the webhook', () => unasked],
    ])('%s', (_where, place) => {
      it.each(badEnvironments)('$what is refused', async ({ name, spec, said }) => {
        expect(await creating(environments, place(), name, { ...environmentSpec, ...spec })).toContain(said);
      });

      it.each(goodEnvironments)('$what is let in', async ({ name, spec }) => {
        expect(await creating(environments, place(), name, { ...environmentSpec, ...spec })).toBeUndefined();
      });

      it('AW-02 an Environment that was right may not become wrong', async () => {
        await creating(environments, place(), 'updated', environmentSpec);

        for (const { spec, said, isOfName } of badEnvironments)
          if (!isOfName) expect(await changing(environments, place(), 'updated', spec)).toContain(said);
      });

      it('of a bound claim only the resources may change, and only upwards', async () => {
        const { first, refused, accepted } = boundClaimChanges;
        await creating(claims, place(), 'bound', first);
        const status = { phase: 'Bound' };
        await world.bare.request(
          `/apis/appstudio.redhat.com/v1alpha1/namespaces/${place()}/deploymenttargetclaims/bound/status`,
          { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: { status } },
        );

        for (const { spec, said } of refused) expect(await changing(claims, place(), 'bound', spec)).toContain(said);
        for (const spec of accepted) expect(await changing(claims, place(), 'bound', spec)).toBeUndefined();
      });

      it('B22 of a Binding the application and the environment stay; its snapshot and components may change', async () => {
        await creating(bindings, place(), 'kept', { ...pair, snapshot: 'one', components: [] });

        for (const [field, value] of [
          ['application', 'cart'],
          ['environment', 'prod'],
        ] as const)
          expect(await changing(bindings, place(), 'kept', { [field]: value })).toContain(
            `${field} field cannot be updated`,
          );
        const components = [{ name: 'web', configuration: { replicas: 2 } }];
        expect(await changing(bindings, place(), 'kept', { snapshot: 'two', components })).toBeUndefined();
        await world.cluster.remove(bindings, { namespace: place(), name: 'kept' });
        await world.settle();
      });

      it('B23 of a Snapshot the application and the components stay', async () => {
        const frozen = [{ name: 'web', containerImage: 'quay.io/shop/web:1' }];
        await creating(snapshots, place(), 'frozen', { application: 'shop', components: frozen });

        expect(await changing(snapshots, place(), 'frozen', { application: 'cart' })).toContain(
          'application field cannot be updated',
        );
        for (const components of [[], [{ name: 'web', containerImage: 'quay.io/shop/web:2' }]])
          expect(await changing(snapshots, place(), 'frozen', { components })).toContain(
            'components cannot be updated',
          );
        expect(await changing(snapshots, place(), 'frozen', { displayName: 'Friday' })).toBeUndefined();
      });
    });

    it('B21 a second Binding of a pair is refused; where nobody asked it is let in, as the older one works', async () => {
      const spec = { ...pair, snapshot: 'one', components: [] };
      for (const namespace of [asked, unasked]) {
        expect(await creating(bindings, namespace, 'first', spec)).toBeUndefined();
        // Not compared with itself.
        expect(await changing(bindings, namespace, 'first', { snapshot: 'two' })).toBeUndefined();
      }

      expect(await creating(bindings, asked, 'second', spec)).toContain(
        'duplicate combination of Application (shop) and Environment (dev). Duplicated by: first',
      );
      expect(await creating(bindings, asked, 'another', { ...spec, environment: 'staging' })).toBeUndefined();
      expect(await creating(bindings, unasked, 'second', spec)).toBeUndefined();
      for (const name of ['first', 'another']) await world.cluster.remove(bindings, { namespace: asked, name });
      await world.settle();
    });

    it('a class keeps what it was made with', async () => {
      const name = `class-${crypto.randomUUID()}`;
      const spec = { provisioner: 'example.com/any', reclaimPolicy: 'Delete', parameters: { nodes: { count: 3 } } };
      await creating(classes, '', name, spec);

      for (const changed of [{ reclaimPolicy: 'Retain' }, { parameters: { nodes: { count: 4 } } }])
        expect(await changing(classes, '', name, changed)).toContain(
          'spec of a DeploymentTargetClass cannot be updated: create another class',
        );
      await world.bare.request(`/apis/appstudio.redhat.com/v1alpha1/deploymenttargetclasses/${name}`, {
        method: 'DELETE',
      });
    });

    it('a circle of parents is refused, and told by a condition where nobody asked', async () => {
      const told = 'names the next one as its parent, so no promotion ever gets there: circle-a → circle-b → circle-a';
      for (const namespace of [asked, unasked]) {
        await creating(environments, namespace, 'circle-a', environmentSpec);
        await creating(environments, namespace, 'circle-b', { ...environmentSpec, parentEnvironment: 'circle-a' });
      }

      const closing = { parentEnvironment: 'circle-b' };
      expect(await changing(environments, asked, 'circle-a', closing)).toContain(told);
      expect(await changing(environments, unasked, 'circle-a', closing)).toBeUndefined();
      await world.settle();

      expect(await condition(unasked, 'circle-a', 'ParentsValid')).toMatchObject({
        status: 'False',
        message: expect.stringContaining(told),
      });
    });

    it('a parent is not deleted; where nobody asked, it stays until its children are gone', async () => {
      for (const namespace of [asked, unasked]) {
        await creating(environments, namespace, 'parent', environmentSpec);
        await creating(environments, namespace, 'child', { ...environmentSpec, parentEnvironment: 'parent' });
      }
      await world.settle();

      const deleting = (namespace: string, name: string) =>
        whyNot(world.cluster.remove(environments, { namespace, name }));
      expect(await deleting(asked, 'parent')).toContain(
        'Environment parent is the parentEnvironment of child: give it another parent or delete it',
      );
      expect(await deleting(unasked, 'parent')).toBeUndefined();
      await world.settle();

      expect(await condition(unasked, 'parent', 'Deletable')).toMatchObject({ status: 'False', reason: 'HasChildren' });
      for (const namespace of [asked, unasked]) {
        expect(await deleting(namespace, 'child')).toBeUndefined();
        await world.settle();
      }
      expect(await deleting(asked, 'parent')).toBeUndefined();
      await world.settle();
      for (const namespace of [asked, unasked])
        expect(await world.cluster.read(environments, { namespace, name: 'parent' })).toBeUndefined();
    });

    it('nothing keeps a namespace that is being deleted', async () => {
      await creating(environments, asked, 'last-parent', environmentSpec);
      await creating(environments, asked, 'last-child', { ...environmentSpec, parentEnvironment: 'last-parent' });
      await world.settle();

      await world.bare.request(`/api/v1/namespaces/${asked}`, { method: 'DELETE' });

      await until('the namespace to be gone', async () => {
        for (const name of ['last-parent', 'last-child', 'circle-a', 'circle-b'])
          world.knock('environment.changed.v1', { namespace: asked, name });
        world.knock('claim.changed.v1', { namespace: asked, name: 'bound' });
        await world.settle();
        return (await world.bare.request(`/api/v1/namespaces/${asked}`)).status === 404;
      });
    });
  });
}

async function whyNot(writing: Promise<unknown>): Promise<string | undefined> {
  try {
    await writing;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
