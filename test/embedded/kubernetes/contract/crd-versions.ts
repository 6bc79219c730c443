import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { until } from '../../../support/until.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };

function version(name: string, properties: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  return { name, served: true, storage: false, schema, ...more };
}

export function describeCrdVersions(world: () => ApiWorld): void {
  const admin = () => world().client();

  let crd: InstalledCrd;
  let widened: InstalledCrd;
  let namespace: string;
  const at = (name: string, object?: string) => crd.path(namespace, object).replace('/v1/', `/${name}/`);

  beforeAll(async () => {
    namespace = await world().namespace();
    widened = await world().install({
      kind: 'Widened',
      versions: [version('v1', { a: text }, { storage: true })],
    });
    crd = await world().install({
      kind: 'Versioned',
      versions: [
        version('v1', { a: text, b: text, by: { type: 'string', default: 'default' } }, { storage: true }),
        version('v1beta1', { a: text, old: { type: 'string', default: 'given' } }, { deprecated: true }),
        version('v1alpha1', { a: text }, { served: false }),
        version('v2', { a: text, b: text }, { deprecated: true, deprecationWarning: 'take v1' }),
      ],
    });
  });

  describe('a kind of several versions', () => {
    it('is read in the version that is asked for', async () => {
      await admin().create(crd.path(namespace), crd.object('read', { spec: { a: '1' } }));

      const { body } = await admin().get(at('v2', 'read'));

      expect(body).toMatchObject({ apiVersion: `${crd.group}/v2`, kind: 'Versioned', spec: { a: '1' } });
    });

    it('is written in one version and read in another, pruned by each and defaulted by the stored one alone', async () => {
      const object = { ...crd.object('written', { spec: { a: '1', b: '2' } }), apiVersion: `${crd.group}/v1beta1` };

      const created = await admin().create(at('v1beta1'), object);
      const { body } = await admin().get(crd.path(namespace, 'written'));

      expect(created.body.apiVersion).toBe(`${crd.group}/v1beta1`);
      expect(created.body.spec).toEqual({ a: '1' });
      expect(body.apiVersion).toBe(crd.apiVersion);
      expect(body.spec).toEqual({ a: '1', by: 'default' });
    });

    it('is listed in the version that is asked for', async () => {
      await admin().create(crd.path(namespace), crd.object('listed', { spec: {} }));

      const { body } = await admin().list(at('v2'));

      expect(body).toMatchObject({ kind: 'VersionedList', apiVersion: `${crd.group}/v2` });
      expect(new Set(body.items.map(({ apiVersion }) => apiVersion))).toEqual(new Set([`${crd.group}/v2`]));
    });

    it('is not served in a version that is not', async () => {
      const listed = await admin().list(at('v1alpha1'));

      expect([listed.code, listed.text]).toEqual([404, '404 page not found\n']);
    });

    it('warns of a deprecated version in its own words or in those of the definition', async () => {
      const beta = await admin().list(at('v1beta1'));
      const second = await admin().list(at('v2'));
      const current = await admin().list(at('v1'));

      expect(beta.warnings).toEqual([`${crd.group}/v1beta1 Versioned is deprecated; use ${crd.group}/v1 Versioned`]);
      expect(second.warnings).toEqual(['take v1']);
      expect(current.warnings).toEqual([]);
    });

    it('is discovered with the most stable and newest version first', async () => {
      const { body } = await until('all versions', async () => {
        const answer = await admin().get(`/apis/${crd.group}`);
        return answer.code === 200 && answer;
      });

      expect((body['versions'] as { version: string }[]).map((one) => one.version)).toEqual(['v2', 'v1', 'v1beta1']);
      expect(body['preferredVersion']).toEqual({ groupVersion: `${crd.group}/v2`, version: 'v2' });
    });

    it('refuses an object that says another version than its path', async () => {
      const object = { ...crd.object('crossed'), apiVersion: `${crd.group}/v2` };

      const { code, body } = await admin().create(crd.path(namespace), object);

      expect(code).toBe(400);
      expect(body.message).toBe(
        `the API version in the data (${crd.group}/v2) does not match the expected API version (${crd.group}/v1)`,
      );
    });
  });

  it('a kind that gains a version serves it, and may store in it from then on', async () => {
    await admin().create(widened.path(namespace), widened.object('one', { spec: { a: '1' } }));

    const versions = [version('v1', { a: text }), version('v2', { a: text }, { storage: true })];
    const updated = await admin().patch(`${crds}/${widened.name}`, 'merge', { spec: { versions } });
    const { body } = await until('v2 to be served', async () => {
      const answer = await admin().get(widened.path(namespace, 'one').replace('/v1/', '/v2/'));
      return answer.code === 200 && answer;
    });

    expect(updated.body.status).toMatchObject({ storedVersions: ['v1', 'v2'] });
    expect(body).toMatchObject({ apiVersion: `${widened.group}/v2`, spec: { a: '1' } });
  });

  it('a kind may not lose a version that is stored', async () => {
    const crd = await world().install({ kind: 'Kept', versions: [version('v1', { a: text }, { storage: true })] });

    const versions = [version('v2', { a: text }, { storage: true })];
    const { code, body } = await admin().patch(`${crds}/${crd.name}`, 'merge', { spec: { versions } });

    expect(code).toBe(422);
    expect(body.message).toBe(
      `CustomResourceDefinition.apiextensions.k8s.io "${crd.name}" is invalid: status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions`,
    );
  });
}
