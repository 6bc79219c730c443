import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };

export function describeCrdSubresources(world: () => ApiWorld): void {
  const admin = () => world().client();

  let crd: InstalledCrd;
  let plain: InstalledCrd;
  let wide: InstalledCrd;
  let printed: InstalledCrd;
  let namespace: string;

  beforeAll(async () => {
    namespace = await world().namespace();
    crd = await world().install({
      kind: 'Scaled',
      status: true,
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
      schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { replicas: { ...integer, minimum: 0 }, size: text } },
          status: { type: 'object', properties: { replicas: integer, selector: text, phase: text } },
        },
      },
    });
    plain = await world().install({ kind: 'Plain' });
    wide = await world().install({ kind: 'Wide', scope: 'Cluster' });
    printed = await world().install({
      kind: 'Printed',
      additionalPrinterColumns: [
        { name: 'Size', type: 'string', jsonPath: '.spec.size', description: 'How large.' },
        { name: 'Count', type: 'integer', jsonPath: '.spec.count', priority: 1 },
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'First', type: 'string', jsonPath: '.spec.items[0].name' },
        { name: 'When', type: 'string', jsonPath: '.spec.conditions[?(@.type=="Ready")].status' },
      ],
    });
  });

  describe('a custom kind with status and scale', () => {
    it('drops the status of a create', async () => {
      const { body } = await admin().create(
        crd.path(namespace),
        crd.object('created', { spec: { size: 's' }, status: { phase: 'Ready' } }),
      );

      expect(body.status).toBeUndefined();
      expect(body.metadata.generation).toBe(1);
    });

    it('changes the status and nothing else through /status, and the generation stays', async () => {
      const { body } = await admin().create(crd.path(namespace), crd.object('reported', { spec: { size: 's' } }));

      const changed = { ...body, spec: { size: 'l' }, status: { phase: 'Ready' } };
      const updated = await admin().update(crd.path(namespace, 'reported', 'status'), changed);

      expect(updated.body).toMatchObject({ spec: { size: 's' }, status: { phase: 'Ready' } });
      expect(updated.body.metadata.generation).toBe(1);
    });

    it('keeps the status when the object is written, and counts the generation', async () => {
      const { body } = await admin().create(crd.path(namespace), crd.object('written', { spec: { size: 's' } }));
      const reported = await admin().patch(crd.path(namespace, 'written', 'status'), 'merge', {
        status: { phase: 'Ready' },
      });

      const updated = await admin().update(crd.path(namespace, 'written'), {
        ...body,
        metadata: { ...body.metadata, resourceVersion: reported.body.metadata.resourceVersion },
        spec: { size: 'l' },
      });

      expect(updated.body).toMatchObject({ spec: { size: 'l' }, status: { phase: 'Ready' } });
      expect(updated.body.metadata.generation).toBe(2);
    });

    it('validates the status that is reported', async () => {
      await admin().create(crd.path(namespace), crd.object('checked', { spec: {} }));

      const { code, body } = await admin().patch(crd.path(namespace, 'checked', 'status'), 'merge', {
        status: { phase: 3 },
      });

      expect(code).toBe(422);
      expect(body.message).toBe(
        `Scaled.${crd.group} "checked" is invalid: status.phase: Invalid value: "integer": phase in body must be of type string: "integer"`,
      );
    });

    it('is read and written as a Scale', async () => {
      await admin().create(crd.path(namespace), crd.object('sized', { spec: { replicas: 2 } }));
      const status = { replicas: 1, selector: 'app=sized' };
      await admin().patch(crd.path(namespace, 'sized', 'status'), 'merge', { status });

      const scale = await admin().get(crd.path(namespace, 'sized', 'scale'));
      const scaled = await admin().update(crd.path(namespace, 'sized', 'scale'), {
        ...scale.body,
        spec: { replicas: 5 },
      });
      const { body } = await admin().get(crd.path(namespace, 'sized'));

      expect(scale.body).toMatchObject({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'sized', namespace },
        spec: { replicas: 2 },
        status: { replicas: 1, selector: 'app=sized' },
      });
      expect(scaled.body.spec).toEqual({ replicas: 5 });
      expect(body.spec).toEqual({ replicas: 5 });
      expect(body.metadata.generation).toBe(2);
    });

    it('is scaled by a merge patch too', async () => {
      await admin().create(crd.path(namespace), crd.object('patched', { spec: { replicas: 2 } }));

      const { code, body } = await admin().patch(crd.path(namespace, 'patched', 'scale'), 'merge', {
        spec: { replicas: 3 },
      });

      expect([code, body.kind, body.spec]).toEqual([200, 'Scale', { replicas: 3 }]);
    });
  });

  describe('a custom kind without subresources', () => {
    it('takes the status with the object, and has no /status', async () => {
      const created = await admin().create(plain.path(namespace), plain.object('one', { status: { phase: 'Ready' } }));
      const asked = await admin().get(plain.path(namespace, 'one', 'status'));

      expect(created.body.status).toEqual({ phase: 'Ready' });
      expect([asked.code, asked.body.message]).toEqual([404, `${plain.name} "one" not found`]);
    });
  });

  describe('a custom kind of cluster scope', () => {
    it('is written without a namespace, and not found in one', async () => {
      const created = await admin().create(wide.path(), wide.object('one'));
      const read = await admin().get(wide.path(undefined, 'one'));
      const inside = await admin().list(wide.path('default'));

      expect([created.code, created.body.metadata.namespace]).toEqual([201, undefined]);
      expect(read.code).toBe(200);
      expect([inside.code, inside.text]).toEqual([404, '404 page not found\n']);
    });
  });

  describe('the printer columns of a custom kind', () => {
    const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

    it('are those of its definition, with what the object holds', async () => {
      const spec = {
        size: 'l',
        count: 3,
        items: [{ name: 'a' }, { name: 'b' }],
        conditions: [{ type: 'Ready', status: 'No' }],
      };
      await admin().create(printed.path(namespace), printed.object('full', { spec, status: { ready: true } }));
      await admin().create(printed.path(namespace), printed.object('none', { spec: {} }));

      const { body } = await admin().get(printed.path(namespace), {}, accept);

      expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
      expect(body['columnDefinitions']).toMatchObject([
        { name: 'Name', type: 'string', format: 'name', priority: 0 },
        { name: 'Size', type: 'string', description: 'How large.', priority: 0 },
        { name: 'Count', type: 'integer', priority: 1 },
        { name: 'Ready', type: 'boolean' },
        { name: 'First', type: 'string' },
        { name: 'When', type: 'string' },
      ]);
      expect((body['rows'] as { cells: unknown[] }[]).map(({ cells }) => cells)).toEqual([
        ['full', 'l', 3, true, 'a', 'No'],
        ['none', null, null, null, null, null],
      ]);
    });

    it('are name and age where none are defined', async () => {
      const namespace = await world().namespace();
      await admin().create(plain.path(namespace), plain.object('one'));

      const { body } = await admin().get(plain.path(namespace), {}, accept);

      expect((body['columnDefinitions'] as { name: string }[]).map(({ name }) => name)).toEqual(['Name', 'Age']);
      expect((body['rows'] as { cells: unknown[] }[])[0]?.cells[0]).toBe('one');
    });
  });
}
