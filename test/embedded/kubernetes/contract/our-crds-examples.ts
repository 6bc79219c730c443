import { beforeAll, describe, expect, it } from 'vitest';
import { examples } from '../../../contracts/kubernetes/examples.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import { pathOfOurs } from './our-crds-objects.ts';

// The CRDs of Argo CD are not ours; its own suites apply its objects.
const ours = [...examples].filter(([, { apiVersion }]) => !apiVersion.startsWith('argoproj.io/'));

export function describeOurExamples(world: () => ApiWorld): void {
  const admin = () => world().client();
  let namespace: string;

  beforeAll(async () => {
    namespace = await world().namespace();
  });

  describe('an example of the design documents', () => {
    it.each(ours)('%s applies, strictly, with what it reports', async (_file, manifest) => {
      const { kind, metadata } = manifest;
      const query = { fieldManager: 'contract', fieldValidation: 'Strict' };
      const path =
        kind === 'Secret'
          ? `/api/v1/namespaces/${namespace}/secrets/${metadata.name}`
          : pathOfOurs(kind, namespace, metadata.name);

      const applied = await admin().patch(path, 'apply', manifest, query);
      const again = await admin().patch(path, 'apply', manifest, query);
      const { apiVersion, status } = manifest;
      const reported =
        status === undefined
          ? undefined
          : await admin().patch(`${path}/status`, 'apply', { apiVersion, kind, metadata, status }, query);
      const { body } = await admin().get(path);
      // Several documents show an object of the same name with other values.
      await admin().delete(path);

      expect([applied.code, applied.body.message, applied.warnings]).toEqual([201, undefined, []]);
      expect([again.code, again.body.metadata.resourceVersion]).toEqual([200, applied.body.metadata.resourceVersion]);
      if (reported !== undefined) expect([reported.code, reported.body.message]).toEqual([200, undefined]);
      const { metadata: _metadata, stringData: _stringData, ...shown } = manifest;
      expect(body).toMatchObject(shown);
    });
  });
}
