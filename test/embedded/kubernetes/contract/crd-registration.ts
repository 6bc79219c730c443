import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../support/api-client.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import { type InstalledCrd, sketchCrd } from '../../../support/install-crd.ts';
import { until } from '../../../support/until.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function conditionsOf({ body }: Answer): { Established?: string; NamesAccepted?: string } {
  const { conditions } = body.status as { conditions?: Condition[] | null };
  return Object.fromEntries(
    (conditions ?? []).map(({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`]),
  );
}

export function describeCrdRegistration(world: () => ApiWorld): void {
  const admin = () => world().client();

  function settled(name: string): Promise<Answer> {
    return until(`conditions of ${name}`, async () => {
      const answer = await admin().get(`${crds}/${name}`);
      const { Established, NamesAccepted } = conditionsOf(answer);
      return (Established?.startsWith('True') || NamesAccepted?.startsWith('False')) && answer;
    });
  }

  let growing: InstalledCrd;
  let leaving: InstalledCrd;
  let held: InstalledCrd;

  // The real server holds the first create back until two seconds after a CRD is established: they begin to run here.
  beforeAll(async () => {
    const properties = { spec: { type: 'object', properties: { a: { type: 'string' } } } };
    growing = await world().install({ kind: 'Growing', schema: { type: 'object', properties } });
    leaving = await world().install({ kind: 'Leaving' });
    held = await world().install({ kind: 'Held' });
  });

  describe('a CustomResourceDefinition', () => {
    it('is answered with its defaults, and without conditions', async () => {
      const { manifest, installed } = sketchCrd({ kind: 'Fresh' });

      const created = await admin().create(crds, manifest);

      expect(created.code).toBe(201);
      expect(created.body.metadata).toMatchObject({ name: installed.name, generation: 1 });
      expect(created.body.spec).toMatchObject({ conversion: { strategy: 'None' }, scope: 'Namespaced' });
      expect(created.body.status).toEqual({
        conditions: null,
        acceptedNames: { plural: '', kind: '' },
        storedVersions: ['v1'],
      });
    });

    it('is given the singular and the list kind that it does not name', async () => {
      const { manifest, installed } = sketchCrd({ kind: 'Unnamed' });
      const { singular: _s, listKind: _l, ...names } = (manifest['spec'] as { names: Record<string, unknown> }).names;

      const created = await admin().create(crds, {
        ...manifest,
        spec: { ...(manifest['spec'] as object), names: { ...names, kind: 'Unnamed', plural: installed.plural } },
      });

      expect(created.body.spec['names']).toMatchObject({ singular: 'unnamed', listKind: 'UnnamedList' });
    });

    it('is accepted, then established, then served', async () => {
      const { manifest, installed } = sketchCrd({ kind: 'Served', shortNames: ['srv'] });

      await admin().create(crds, manifest);
      const done = await settled(installed.name);
      const listed = await until(`${installed.name} to be served`, async () => {
        const answer = await admin().list(installed.path());
        return answer.code === 200 && answer;
      });

      expect(conditionsOf(done)).toEqual({
        NamesAccepted: 'True NoConflicts: no conflicts found',
        Established: 'True InitialNamesAccepted: the initial names have been accepted',
      });
      expect(done.body.status).toMatchObject({
        acceptedNames: {
          plural: 'serveds',
          singular: 'served',
          kind: 'Served',
          listKind: 'ServedList',
          shortNames: ['srv'],
        },
        storedVersions: ['v1'],
      });
      expect(listed.body).toMatchObject({ kind: 'ServedList', apiVersion: installed.apiVersion, items: [] });
    });

    it('puts its kind into discovery, with its short names and categories', async () => {
      const crd = await world().install({ kind: 'Found', shortNames: ['fnd'], categories: ['all'], status: true });

      const version = await admin().get(`/apis/${crd.apiVersion}`);
      const group = await until(`${crd.group} in discovery`, async () => {
        const answer = await admin().get(`/apis/${crd.group}`);
        return answer.code === 200 && answer;
      });

      expect(version.body).toMatchObject({ kind: 'APIResourceList', groupVersion: crd.apiVersion });
      expect(version.body['resources']).toMatchObject([
        {
          name: 'founds',
          singularName: 'found',
          namespaced: true,
          kind: 'Found',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['fnd'],
          categories: ['all'],
        },
        { name: 'founds/status', singularName: '', namespaced: true, kind: 'Found', verbs: ['get', 'patch', 'update'] },
      ]);
      expect(group.body).toMatchObject({
        kind: 'APIGroup',
        name: crd.group,
        versions: [{ groupVersion: crd.apiVersion, version: 'v1' }],
        preferredVersion: { groupVersion: crd.apiVersion, version: 'v1' },
      });
    });

    it('whose kind another one has is not served, and says so', async () => {
      const first = await world().install({ kind: 'Taken' });
      const { manifest } = sketchCrd({ kind: 'Taken' });
      const spec = manifest['spec'] as { names: Record<string, unknown> };
      const name = `others.${first.group}`;

      const names = { ...spec.names, plural: 'others', singular: 'other', listKind: 'OtherList' };
      await admin().create(crds, { ...manifest, metadata: { name }, spec: { ...spec, group: first.group, names } });
      const done = await settled(name);
      const listed = await admin().list(`/apis/${first.apiVersion}/others`);

      expect(conditionsOf(done)).toEqual({
        NamesAccepted: 'False KindConflict: "Taken" is already in use',
        Established: 'False NotAccepted: not all names are accepted',
      });
      expect([listed.code, listed.text]).toEqual([404, '404 page not found\n']);
    });

    it('may not be created twice', async () => {
      const crd = await world().install({ kind: 'Twice' });
      const { body } = await admin().get(`${crds}/${crd.name}`);

      const again = await admin().create(crds, { ...body, metadata: { name: crd.name }, status: undefined });

      expect([again.code, again.body.reason, again.body.message]).toEqual([
        409,
        'AlreadyExists',
        `customresourcedefinitions.apiextensions.k8s.io "${crd.name}" already exists`,
      ]);
    });

    it('may not change its scope or its group', async () => {
      const crd = await world().install({ kind: 'Rooted' });

      const answer = await admin().patch(`${crds}/${crd.name}`, 'merge', { spec: { scope: 'Cluster' } });

      expect(answer.code).toBe(422);
      expect(answer.body.message).toBe(
        `CustomResourceDefinition.apiextensions.k8s.io "${crd.name}" is invalid: spec.scope: Invalid value: "Cluster": field is immutable`,
      );
    });

    it('that gains a field keeps it from then on', async () => {
      const namespace = await world().namespace();
      const object = growing.object('one', { spec: { a: '1', b: '2' } });
      const before = await admin().create(growing.path(namespace), object, { dryRun: 'All' });

      await admin().patch(`${crds}/${growing.name}`, 'json', [
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b',
          value: { type: 'string' },
        },
      ]);
      const after = await until('the new field to be kept', async () => {
        const answer = await admin().create(growing.path(namespace), object, { dryRun: 'All' });
        return answer.body.spec['b'] !== undefined && answer;
      });

      expect(before.body.spec).toEqual({ a: '1' });
      expect(after.body.spec).toEqual({ a: '1', b: '2' });
    });

    it('that is deleted takes its objects and its API with it', async () => {
      const namespace = await world().namespace();
      await admin().create(leaving.path(namespace), leaving.object('one'));
      const manifest = (await admin().get(`${crds}/${leaving.name}`)).body;

      const deleted = await admin().delete(`${crds}/${leaving.name}`);
      await until('the CRD to be gone', async () => (await admin().get(`${crds}/${leaving.name}`)).code === 404);
      const gone = await until('its API to be gone', async () => {
        const answer = await admin().list(leaving.path());
        return answer.code === 404 && answer;
      });
      await admin().create(crds, { ...manifest, metadata: { name: leaving.name }, status: undefined });
      const again = await until('it to be served again', async () => {
        const answer = await admin().list(leaving.path());
        return answer.code === 200 && answer;
      });

      expect(deleted.code).toBe(200);
      expect(deleted.body.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
      expect(gone.text).toBe('404 page not found\n');
      expect(again.body.items).toEqual([]);
    });

    it('in deletion stays while an object of it has a finalizer', async () => {
      const namespace = await world().namespace();
      const path = held.path(namespace, 'one');
      await admin().create(
        held.path(namespace),
        held.object('one', { metadata: { finalizers: ['example.com/hold'] } }),
      );

      await admin().delete(`${crds}/${held.name}`);
      const marked = await until('the object to be marked', async () => {
        const answer = await admin().get(path);
        return answer.body.metadata?.deletionTimestamp !== undefined && answer;
      });
      const refused = await admin().create(held.path(namespace), held.object('two'));
      await admin().patch(path, 'merge', { metadata: { finalizers: null } });

      expect(marked.body.metadata.finalizers).toEqual(['example.com/hold']);
      expect([refused.code, refused.body.message]).toEqual([
        403,
        `${held.name} "two" is forbidden: create not allowed while custom resource definition is terminating`,
      ]);
    });
  });
}
