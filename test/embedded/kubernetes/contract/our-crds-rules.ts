import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ApiWorld, freshName } from '../../../support/api-world.ts';
import { changeCases } from './our-crds-change-rules.ts';
import { createCases } from './our-crds-create-rules.ts';
import { type Fields, invalid, leastSpecs, ourObject, pathOfOurs } from './our-crds-objects.ts';

interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
  readonly 'x-kubernetes-validations'?: readonly { readonly message: string; readonly fieldPath?: string }[];
}

/** `Kind field: message` of every rule below a part of a schema. */
function rulesBelow(part: SchemaPart, path: string): string[] {
  const own = (part['x-kubernetes-validations'] ?? []).map(
    ({ message, fieldPath = '' }) => `${`${path}${fieldPath}`.replace(/^\./, '')}: ${message}`,
  );
  const inner = Object.entries(part.properties ?? {}).flatMap(([name, inside]) =>
    rulesBelow(inside, `${path}.${name}`),
  );
  return [...own, ...inner, ...(part.items === undefined ? [] : rulesBelow(part.items, `${path}[0]`))];
}

function allRules(): { kind: string; field: string; message: string }[] {
  const folder = new URL('../../../../infra/crds/', import.meta.url);
  return readdirSync(folder).flatMap((file) => {
    const { spec } = parse(readFileSync(new URL(file, folder), 'utf8'));
    const rules = rulesBelow(spec.versions[0].schema.openAPIV3Schema, '');
    return rules.map((rule) => {
      const [field = '', ...rest] = rule.split(': ');
      return { kind: String(spec.names.kind), field, message: rest.join(': ') };
    });
  });
}

const bothRepositories = {
  kind: 'SnapshotEnvironmentBinding' as const,
  error:
    'status.components[0].gitopsRepository: Forbidden: gitopsRepository is another spelling of gitOpsRepository: set one of them, not both',
};

export function describeOurRules(world: () => ApiWorld): void {
  let namespace: string;
  const admin = () => world().client();

  beforeAll(async () => {
    namespace = await world().namespace();
  });

  /** What the answer says, without the name of the object: `OK`, or the text of the refusal. */
  async function created(kind: string, name: string, spec: Fields, dryRun?: 'All'): Promise<string> {
    const object = ourObject(kind, name, { spec });
    const { code, body } = await admin().create(pathOfOurs(kind, namespace), object, { dryRun });
    return code === 201 ? 'OK' : `${code} ${body.message}`;
  }

  describe('of our kinds, a create', () => {
    it.each(createCases.filter(({ error }) => error !== undefined))('of $kind $what is refused', async (tried) => {
      const { kind, name = 'one', spec = {}, error } = tried;

      const said = await created(kind, name, { ...leastSpecs[kind], ...spec }, 'All');

      expect(said).toBe(`422 ${invalid(kind, name)}${error}`);
    });

    it.each(createCases.filter(({ error }) => error === undefined))('of $kind $what is let in', async (tried) => {
      const { kind, name = 'one', spec = {} } = tried;

      expect(await created(kind, name, { ...leastSpecs[kind], ...spec }, 'All')).toBe('OK');
    });
  });

  describe('of our kinds, a change', () => {
    it.each(changeCases)('of $kind to $what is answered as its rule says', async (tried) => {
      const { kind, from = {}, to, status, error } = tried;
      const name = freshName('one');
      const path = pathOfOurs(kind, namespace, name);
      expect(await created(kind, name, { ...leastSpecs[kind], ...from })).toBe('OK');
      if (status !== undefined) {
        const reported = await admin().patch(`${path}/status`, 'merge', { status });
        expect(reported.code).toBe(200);
      }
      const { body } = await admin().get(path);

      const answer = await admin().update(path, { ...body, spec: { ...leastSpecs[kind], ...to } });

      if (error === undefined) expect(answer.code).toBe(200);
      else expect([answer.code, answer.body.message]).toEqual([422, `${invalid(kind, name)}${error}`]);
    });
  });

  describe('the status of a SnapshotEnvironmentBinding', () => {
    const repository = { url: 'https://git.example.com/shop' };

    async function reported(component: Fields): Promise<string> {
      const { kind } = bothRepositories;
      const name = freshName('one');
      await created(kind, name, leastSpecs[kind]);
      const { code, body } = await admin().patch(pathOfOurs(kind, namespace, name, 'status'), 'merge', {
        status: { components: [{ name: 'cart', ...component }] },
      });
      return code === 200 ? 'OK' : body.message.replace(invalid(kind, name), '');
    }

    it('may not tell the repository in both spellings', async () => {
      const said = await reported({ gitOpsRepository: repository, gitopsRepository: repository });

      expect(said).toBe(bothRepositories.error);
    });

    it('may tell it in either', async () => {
      expect(await reported({ gitOpsRepository: repository })).toBe('OK');
      expect(await reported({ gitopsRepository: repository })).toBe('OK');
    });
  });

  it('every rule of our CRDs is broken by one of these cases', () => {
    const broken = [...createCases, ...changeCases, bothRepositories];

    const forgotten = allRules().filter(
      ({ kind, field, message }) =>
        !broken.some(
          ({ error, ...one }) => one.kind === kind && error?.startsWith(`${field}: `) && error.includes(message),
        ),
    );

    expect(allRules().length).toBeGreaterThan(25);
    expect(forgotten).toEqual([]);
  });
}
