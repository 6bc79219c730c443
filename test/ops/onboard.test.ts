import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClaims } from '../../scripts/ops/claims.ts';
import { renderOnboard, runOnboard } from '../../scripts/ops/onboard.ts';
import { claims, environments, namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace } from '../support/gitops-world.ts';
import { type ClaimsWorld, deploysTo, openClaimsWorld, shippedClass } from './claims-world.ts';
import { plain } from './world.ts';

const claim = (name: string, but = '') =>
  `apiVersion: appstudio.redhat.com/v1alpha1\nkind: DeploymentTargetClaim\nmetadata: { name: ${name}${but} }\nspec: { deploymentTargetClassName: ${shippedClass} }\n`;

describe('onboard', () => {
  let world: ClaimsWorld;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-onboard-'));
    world = await openClaimsWorld();
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function template(text: string): string {
    const file = join(folder, `template-${Math.random()}.yaml`);
    writeFileSync(file, text);
    return file;
  }

  function sayReady(namespace: string, name: string, status: 'True' | 'False', reason: string) {
    const lastTransitionTime = '2026-01-31T12:00:00Z';
    const conditions = [{ type: 'TargetReady', status, reason, message: 'so it is', lastTransitionTime }];
    return world.cluster.patch(
      environments,
      { namespace, name },
      { status: { conditions } },
      { subresource: 'status' },
    );
  }

  it('gives a namespace development and staging, each with a claim of the class that ships', async () => {
    const { name: namespace } = await world.namespace();

    const { code, value } = await runOnboard(world.context, { namespace, why: 'a new team' });

    expect(code).toBe(0);
    expect(value.objects.map(({ state }) => state)).toEqual(['made', 'made', 'made', 'made']);
    for (const [name, parent] of [
      ['development', ''],
      ['staging', 'development'],
    ] as const) {
      const environment = await world.cluster.read(environments, { namespace, name });
      expect(environment?.spec).toMatchObject({ parentEnvironment: parent, ...deploysTo(`${name}-dtc`) });
      const made = await world.cluster.read(claims, { namespace, name: `${name}-dtc` });
      expect(made?.spec.deploymentTargetClassName).toBe(shippedClass);
    }
    expect(world.plans.at(-1)).toContain('Environment staging');
    expect(await world.ledgerOf('onboard')).toMatchObject([
      { actor: 'olga', tenant: namespace, details: { why: 'a new team' } },
    ]);
    expect((await runClaims(world.context, { namespace })).value.leaks).toEqual([]);
    expect(renderOnboard(value, plain)).toContain('Environment development: made');
  });

  it('makes what is missing the second time, and asks nobody where nothing is', async () => {
    const { name: namespace } = await world.namespace();
    await runOnboard(world.context, { namespace });
    await world.cluster.remove(environments, { namespace, name: 'staging' });

    const second = await runOnboard(world.context, { namespace });
    const asked = world.plans.length;
    const third = await runOnboard(world.context, { namespace });

    expect(second.value.objects.filter(({ state }) => state === 'made')).toMatchObject([{ name: 'staging' }]);
    expect(third.value.objects.every(({ state }) => state === 'there')).toBe(true);
    expect(world.plans).toHaveLength(asked);
    expect(renderOnboard(third.value, plain)).toContain('DeploymentTargetClaim staging-dtc: was there');
  });

  it('leaves an Environment as it is, and makes no claim that nobody would name', async () => {
    const { name: namespace } = await world.namespace();
    await world.aClaim(namespace, 'my-own');
    await world.anEnvironment(namespace, 'development', deploysTo('my-own'));

    const { value } = await runOnboard(world.context, { namespace });

    expect(value.objects).toMatchObject([
      { name: 'development-dtc', state: 'unneeded' },
      { name: 'staging-dtc', state: 'made' },
      { name: 'development', state: 'there' },
      { name: 'staging', state: 'made' },
    ]);
    expect((await runClaims(world.context, { namespace })).value.leaks).toEqual([]);
  });

  it('goes no further than the first that is refused, and says what is left to do', async () => {
    const { name: namespace } = await world.namespace();
    const bad = `apiVersion: appstudio.redhat.com/v1alpha1\nkind: Environment\nmetadata: { name: NotAName }\nspec: { displayName: x, deploymentStrategy: Manual }\n`;
    const good = bad.replace('NotAName', 'later');

    const file = template([claim('dtc'), bad, good].join('---\n'));
    const { code, value } = await runOnboard(world.context, { namespace, template: file });

    expect(code).toBe(1);
    expect(value.objects.map(({ state }) => state)).toEqual(['made', 'failed', 'untried']);
    expect(value.objects[1]?.error).toContain('NotAName');
    expect(renderOnboard(value, plain)).toContain('run it again');
  });

  it('follows until all are ready, and tells each change once', async () => {
    const { name: namespace } = await world.namespace();
    const lines: string[] = [];
    const turns = [
      () => sayReady(namespace, 'development', 'False', 'ClaimNotBound'),
      () => sayReady(namespace, 'development', 'True', 'Ready'),
      () => sayReady(namespace, 'staging', 'True', 'Ready'),
    ];
    const pause = async () => {
      await turns.shift()?.();
    };

    const { code, value } = await runOnboard(world.context, {
      namespace,
      wait: { seconds: 600, report: (line) => lines.push(line), pause },
    });

    expect(code).toBe(0);
    expect(value.environments?.every(({ isReady }) => isReady)).toBe(true);
    expect(lines).toEqual([
      `${namespace}/development waits: nobody has looked at it yet`,
      `${namespace}/staging waits: nobody has looked at it yet`,
      `${namespace}/development waits: ClaimNotBound: so it is`,
      `${namespace}/development is ready`,
      `${namespace}/staging is ready`,
    ]);
  });

  it('ends with 1 when time is up, and undoes nothing', async () => {
    const { name: namespace } = await world.namespace();
    const pause = async () => {
      world.clock.aheadMs += 60_000;
    };

    const { code, value } = await runOnboard(world.context, {
      namespace,
      wait: { seconds: 60, report: () => {}, pause },
    });
    world.clock.aheadMs = 0;

    expect(code).toBe(1);
    expect(renderOnboard(value, plain)).toContain('staging is not ready: nobody has looked at it yet');
    expect(await world.cluster.read(environments, { namespace, name: 'staging' })).toBeDefined();
  });

  it('refuses a namespace that is not there, is going, is an Argo CD’s, or is no name', async () => {
    const { name: going } = await world.namespace();
    const held = { metadata: { namespace: going, name: 'keeps-it', finalizers: ['test.example.com/stays'] } };
    await world.cluster.create(environments, { ...held, spec: { displayName: 'x', deploymentStrategy: 'Manual' } });
    await world.cluster.remove(namespaces, { namespace: '', name: going });

    for (const [namespace, code, sentence] of [
      ['nowhere-at-all', 3, 'kubectl create namespace nowhere-at-all'],
      [going, 1, 'is being deleted'],
      [argoNamespace, 1, 'that of an Argo CD'],
      ['Not/A/Name', 2, 'no name of a namespace'],
    ] as const)
      await expect(runOnboard(world.context, { namespace })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(sentence),
      });
  });

  it.each([
    ['no YAML', '{', 'is no YAML'],
    ['nothing', '# only a comment\n', 'has nothing in it'],
    [
      'another kind',
      'apiVersion: appstudio.redhat.com/v1alpha1\nkind: Snapshot\nmetadata: { name: x }\n',
      'no Snapshot',
    ],
    ['another API', 'apiVersion: v1\nkind: Secret\nmetadata: { name: x }\n', 'apiVersion'],
    ['one thing twice', `${claim('a')}---\n${claim('a')}`, 'DeploymentTargetClaim a twice'],
    ['another namespace', claim('a', ', namespace: other'), 'Leave metadata.namespace out'],
    ['a malformed object', claim('a').replace(shippedClass, '[1]'), 'object 1: spec.deploymentTargetClassName'],
  ])('refuses a template with %s in it', async (_what, text, sentence) => {
    const { name: namespace } = await world.namespace();

    await expect(runOnboard(world.context, { namespace, template: template(text) })).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining(sentence),
    });
  });

  it('refuses a template that is not there, and a class that is not there', async () => {
    const { name: namespace } = await world.namespace();

    await expect(runOnboard(world.context, { namespace, template: '/nowhere.yaml' })).rejects.toMatchObject({
      code: 2,
    });
    const file = template(claim('a').replace(shippedClass, 'no-such-class'));
    await expect(runOnboard(world.context, { namespace, template: file })).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('no DeploymentTargetClass no-such-class'),
    });
    expect(await world.cluster.read(claims, { namespace, name: 'a' })).toBeUndefined();
  });
});
