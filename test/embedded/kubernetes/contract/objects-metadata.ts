import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

const keyRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

export function describeObjectsMetadata(world: () => ApiWorld): void {
  describe('the metadata of an object', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    async function refusal(metadata: Readonly<Record<string, unknown>>): Promise<string[]> {
      const { client, namespace, configMaps } = await freshPlace(world());
      const configMap = await client.create(configMaps, { metadata: { name: 'a', ...metadata } });
      const widget = await client.create(widgets.path(namespace), widgets.object('a', { metadata }));
      expect([configMap.code, widget.code]).toEqual([422, 422]);
      const problem = configMap.body.message.replace('ConfigMap "a" is invalid: ', '');
      expect(widget.body.message).toBe(`Widget.${widgets.group} "a" is invalid: ${problem}`);
      expect(widget.body.details.causes).toEqual(configMap.body.details.causes);
      return [problem, ...(configMap.body.details.causes ?? []).map(({ reason, field }) => `${reason} ${field}`)];
    }

    it('says every bad label at once, keys and values, in any order', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, {
        metadata: { name: 'a', labels: { 'a b': 'x', ok: 'not ok!' } },
      });

      const problems = [`Invalid value: "a b": ${keyRule}`, `Invalid value: "not ok!": ${valueRule}`];
      const field = 'metadata.labels';
      expect(code).toBe(422);
      expect(body.details.causes).toHaveLength(2);
      expect(body.details.causes).toEqual(
        expect.arrayContaining(problems.map((message) => ({ reason: 'FieldValueInvalid', message, field }))),
      );
      const [first, second] = body.details.causes ?? [];
      expect(body.message).toBe(
        `ConfigMap "a" is invalid: [${field}: ${first?.message}, ${field}: ${second?.message}]`,
      );
    });

    it('holds a label value to 63 bytes', async () => {
      const long = 'x'.repeat(64);

      const problems = await refusal({ labels: { ok: long } });

      expect(problems[0]).toBe(`metadata.labels: Invalid value: "${long}": must be no more than 63 bytes`);
    });

    it('holds annotation keys to the rule of label keys', async () => {
      const problems = await refusal({ annotations: { 'a b': 'anything goes here!' } });

      expect(problems[0]).toBe(`metadata.annotations: Invalid value: "a b": ${keyRule}`);
    });

    it('holds all annotations together to 256 KiB', async () => {
      const problems = await refusal({ annotations: { a: 'x'.repeat(262_144) } });

      expect(problems).toEqual([
        'metadata.annotations: Too long: may not be more than 262144 bytes',
        'FieldValueTooLong metadata.annotations',
      ]);
    });

    it('wants an owner to have a uid', async () => {
      const problems = await refusal({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner' }] });

      expect(problems).toEqual([
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
        'FieldValueInvalid metadata.ownerReferences.uid',
      ]);
    });

    it('has at most one controller among its owners', async () => {
      const owner = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name, controller: true });

      const problems = await refusal({ ownerReferences: [owner('x'), owner('y')] });

      expect(problems[0]).toMatch(
        /^metadata\.ownerReferences: Invalid value: .*: Only one reference can have Controller set to true\. Found "true" in references for ConfigMap\/x and ConfigMap\/y$/,
      );
    });

    it('refuses a finalizer without a domain', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, { metadata: { name: 'a', finalizers: ['hold'] } });

      expect(code).toBe(422);
      expect(body.message).toBe(
        'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
      );
    });

    it('says what kind of value it cannot read', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const configMap = await client.create(configMaps, { metadata: { name: 'a', labels: { a: 1 } } });
      const widget = await client.create(
        widgets.path(namespace),
        widgets.object('a', { metadata: { labels: { a: 1 } } }),
      );

      expect(configMap.code).toBe(400);
      expect(configMap.body.message).toMatch(
        /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field \S+ of type string$/,
      );
      expect(widget.code).toBe(400);
      expect(widget.body.message).toMatch(
        /^Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal /,
      );
    });

    it('keeps uid and deletionTimestamp as they are and says so', async () => {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace, 'a');
      await client.create(widgets.path(namespace), widgets.object('a'));

      const uid = await client.patch(path, 'merge', { metadata: { uid: 'other' } });
      const deleted = await client.patch(path, 'merge', { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } });

      const name = `Widget.${widgets.group} "a" is invalid`;
      expect(uid.code).toBe(422);
      expect(uid.body.message).toBe(`${name}: metadata.uid: Invalid value: "other": field is immutable`);
      expect(deleted.code).toBe(422);
      expect(deleted.body.message).toBe(
        `${name}: metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable`,
      );
    });

    it('keeps creationTimestamp and generation silently', async () => {
      const { client, namespace } = await freshPlace(world());
      const created = await client.create(widgets.path(namespace), widgets.object('a'));

      const changed = await client.patch(widgets.path(namespace, 'a'), 'merge', {
        metadata: { creationTimestamp: '2020-01-01T00:00:00Z', generation: 100 },
      });

      expect(changed.code).toBe(200);
      expect(changed.body.metadata).toEqual(created.body.metadata);
    });
  });
}
