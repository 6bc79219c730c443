import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDrift } from '../../scripts/ops/drift.ts';
import { renderDrift } from '../../scripts/ops/render-drift.ts';
import { openDriftPasses } from '../../shared/adapters/postgres/gitops/drift-passes.ts';
import type { Finding } from '../../shared/domain/upkeep/drift.ts';
import { afterTurn, newPass, type PassState } from '../../shared/domain/upkeep/pass.ts';
import { runOps } from './run-ops.ts';
import { openWorld, plain, type World } from './world.ts';

function gone(name: string): Finding {
  const subject = { namespace: 'team-a', name };
  return {
    kind: 'ResourceGone',
    subject,
    what: 'The GitOpsDeployment is gone',
    knock: { type: 'gitops-deployment.changed.v1', subject },
  };
}

describe('drift', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  async function aPass(findings: readonly Finding[], parts: Partial<PassState['parts']> = {}): Promise<void> {
    const passes = openDriftPasses(world.sql);
    await passes.begin('olga');
    const pass = await passes.take({ holder: 'a test', seconds: 60, intervalMinutes: 0 });
    if (pass === undefined) throw new Error('there is no pass to take');
    await passes.report(pass.id, 'deployments', findings);
    await passes.sent(pass.id, await passes.unsent(pass.id, 100));
    const { next, parts: fresh } = afterTurn(newPass(), 'deployments', { done: true, after: '', looked: 42 });
    const state = { next, parts: { ...fresh, ...parts } };
    await passes.give({ id: pass.id, state }, { holder: 'a test', over: true, seconds: 1.5 });
  }

  it('says with its own exit code that no pass has run yet', async () => {
    const { code, err } = await runOps(['drift'], world.settings);

    expect(code).toBe(3);
    expect(err).toContain('No drift pass has run yet');
  });

  it('tells what was looked at, what was wrong, who was told, and what is repaired since', async () => {
    await aPass([gone('web'), gone('cart')]);
    await aPass([gone('cart')]);

    const { code, value } = await runDrift(world.context, {});

    expect(code).toBe(0);
    expect(value.before).toMatchObject({ findings: 2, repaired: 1 });
    expect(value.pass?.parts.find(({ part }) => part === 'deployments')).toEqual({
      part: 'deployments',
      looked: 42,
      done: true,
    });
    expect(value.pass?.groups).toEqual([
      {
        finding: 'ResourceGone',
        count: 1,
        knocked: ['gitops-deployment.changed.v1'],
        unsent: 0,
        things: [{ subject: 'team-a/cart', what: 'The GitOpsDeployment is gone', again: true, knocked: 'team-a/cart' }],
      },
    ]);
    const text = renderDrift(value, plain);
    expect(text).toContain('drift pass  over  1 finding, 1 of them found before, too');
    expect(text).toMatch(/deployments +42\n/);
    expect(text).toContain(
      'ResourceGone  1 finding  the object is gone, or another one has its name: its rows are left',
    );
    expect(text).toContain('again  team-a/cart  The GitOpsDeployment is gone');
    expect(text).toContain('npm run ops -- trace team-a/cart');
    expect(text).toContain('1 repaired since, 1 found again');
  });

  it('shows what did not get better before the rest, and what was not looked at, and why', async () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].map(gone);
    await aPass([gone('k'), gone('z')]);
    await aPass(many, {
      deployments: { done: true, after: '', looked: 3, trouble: 'the list was cut short' },
      projects: { done: true, after: '', looked: 3, trouble: 'argocd: it is away' },
      orphans: { done: true, after: '', looked: 0, skipped: 'ORPHAN_NAMESPACE_SUFFIX is not set' },
    });

    const text = renderDrift((await runDrift(world.context, {})).value, plain);

    expect(text.match(/^ {2}(?:again|new) .*$/gm)?.[0]).toMatch(/^ {2}again {2}team-a\/k/);
    expect(text).toContain('… and 1 more');
    expect(text).toContain('0 repaired since, 1 found again, 1 not looked at again');
    expect(text).toMatch(/projects +3 {2}incomplete: argocd: it is away/);
    expect(text).toMatch(/orphans +- {2}ORPHAN_NAMESPACE_SUFFIX is not set/);
  });

  it('begins a pass with --now, once, and the ledger knows who did it', async () => {
    const first = await runDrift(world.context, { now: true, why: 'a restore' });
    const second = await runDrift(world.context, { now: true });

    expect(first.value.asked).toBe('begun');
    expect(first.value.pass?.endedAt).toBeUndefined();
    expect(second.value.asked).toBe('under way');
    expect(world.plans.at(-1)).toContain('Will begin a drift pass, as olga');
    expect(await world.sql`select actor, details from ledger where action = 'begin-drift-pass'`).toEqual([
      { actor: 'olga', details: { why: 'a restore' } },
    ]);
    expect(renderDrift(first.value, plain)).toContain('under way');
  });

  it('does nothing with --now where nobody is there to say yes, and prints one JSON value', async () => {
    const refused = await runOps(['drift', '--now'], world.settings);
    const shown = await runOps(['drift', '--json'], world.settings);

    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Nothing was done');
    expect(shown.code).toBe(0);
    expect(JSON.parse(shown.out)).toMatchObject({ pass: { askedBy: 'olga' } });
  });
});
