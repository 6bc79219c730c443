import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runReplay } from '../../scripts/ops/replay.ts';
import { renderTrace, runTrace } from '../../scripts/ops/trace.ts';
import { openWorld, plain, type World } from './world.ts';

describe('a trace', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
    await world.change('team-a', 'web', '7');
    await world.change('team-a', 'waits-road', '3');
    await world.change('team-b', 'breaks-cart', '3');
    await world.settle();
  });
  afterAll(() => world.close());

  async function firstMessageOf(subject: string): Promise<string> {
    return (await world.context.reader.ofSubject(subject, 10, 'run-errand')).at(-1)?.message ?? '';
  }

  it('of a subject is the tree of what followed from what', async () => {
    const { code, value } = await runTrace(world.context, { of: 'team-a/web', limit: 5 });

    expect(code).toBe(0);
    expect(value.stories).toHaveLength(1);
    const [root, ...others] = value.stories[0]?.roots ?? [];
    expect(others).toEqual([]);
    expect(root).toMatchObject({
      function: 'run-errand',
      type: 'claim.changed.v1',
      version: '7',
      outcome: 'stepped',
      attempts: [{ outcome: 'stepped', effects: [{ do: 'run-errand', version: '7' }], next: { kind: 'settled' } }],
      knocks: [{ function: 'report-errand', type: 'environment.changed.v1', subject: 'team-a/web', state: 'handled' }],
      ledger: [{ actor: 'run-errand', action: 'run-errand', details: { version: '7' } }],
      children: [{ function: 'report-errand', cause: root?.message, outcome: 'stepped', children: [] }],
    });
    expect(root?.trace).toMatch(/^[\da-f]{32}$/);
  });

  it('is drawn for people', async () => {
    const { value } = await runTrace(world.context, { of: 'team-a/web', limit: 5 });

    const text = renderTrace(value, plain);

    const [root] = value.stories[0]?.roots ?? [];
    expect(text).toContain(`Story ${root?.message}  2 steps, began `);
    expect(text).toContain('└─ run-errand  team-a/web  stepped  ');
    expect(text).toContain(`   │  woken by  claim.changed.v1 at revision 7, message ${root?.message}\n`);
    expect(text).toContain('   │  decided   run-errand version=7\n');
    expect(text).toContain('   │  told      report-errand environment.changed.v1 team-a/web\n');
    expect(text).toContain('   │  ledger    run-errand version=7\n');
    expect(text).toMatch(/ {3}│ {2}step {6}stepped, waited .+, took \d+ ms\n/);
    expect(text).toContain('   └─ report-errand  team-a/web  stepped  ');
    expect(text).toContain(`caused by ${root?.message}`);
    expect(text).toContain('Pending now\n  nothing');
  });

  it.each(['the first message', 'a follow-up'])('of %s finds the whole story', async (which) => {
    const { value: whole } = await runTrace(world.context, { of: 'team-a/web', limit: 5 });
    const [root] = whole.stories[0]?.roots ?? [];
    const id = which === 'a follow-up' ? root?.children[0]?.message : root?.message;

    const { value } = await runTrace(world.context, { of: id ?? '', limit: 5 });

    expect(value.stories).toEqual(whole.stories);
  });

  it('says what a subject waits for, since when and until when', async () => {
    const { value } = await runTrace(world.context, { of: 'team-a/waits-road', limit: 5 });

    expect(value.pending.waiting).toMatchObject([
      { function: 'run-errand', subject: 'team-a/waits-road', reason: 'RoadClosed' },
    ]);
    const now = new Date(Date.parse(value.pending.waiting[0]?.since ?? '') + 60_000).toISOString();
    const text = renderTrace({ ...value, now }, plain);
    expect(text).toContain(
      'next      looks again after 1 h, for 1 d at the most: RoadClosed: The road is closed until the snow is gone',
    );
    expect(text).toMatch(
      /run-errand {2}team-a\/waits-road {2}RoadClosed: The road is closed until the snow is gone; since .+, looks again in 59 min, gives up in 23 h 59 min/,
    );
  });

  it('shows every attempt at a message that failed', async () => {
    const { value } = await runTrace(world.context, { of: 'team-b/breaks-cart', limit: 5 });

    const [root] = value.stories[0]?.roots ?? [];
    expect(root?.attempts.map(({ outcome }) => outcome)).toEqual(['defect', 'defect', 'defect', 'defect']);
    expect(renderTrace(value, plain)).toMatch(/attempt 4 {2}defect: Error: this errand breaks, waited .+, took \d+ ms/);
  });

  it('shows a replay beside the message it repeats, and who did it', async () => {
    const id = await firstMessageOf('team-a/waits-road');
    await runReplay(world.context, { id, why: 'the snow is gone', limit: 1 });
    await world.settle();

    const { value } = await runTrace(world.context, { of: id, limit: 5 });

    const roots = value.stories[0]?.roots ?? [];
    expect(roots.map(({ again, cause }) => ({ again, cause }))).toEqual([
      { again: false, cause: undefined },
      { again: true, cause: id },
    ]);
    const text = renderTrace(value, plain);
    expect(text).toContain(`, again after ${id}`);
    expect(text).toMatch(/ledger {4}replay why=the snow is gone .*, by olga/);
    expect(text).toContain('decided   to do nothing');
  });

  it('shows a knock that waits to be served', async () => {
    await world.change('team-c', 'shop', '1');
    const [event] = await world.peek('run-errand');
    const { runErrand } = await import('../support/errands/run-errand.ts');
    await runErrand.handle(event, { receives: 1, covered: 0 }, world.machine);

    const { value } = await runTrace(world.context, { of: 'team-c/shop', limit: 5 });

    expect(value.stories[0]?.roots[0]?.knocks).toMatchObject([{ state: 'pending' }]);
    expect(value.pending.knocks).toMatchObject([{ function: 'report-errand', state: 'sent', sends: 1 }]);
    const text = renderTrace(value, plain);
    expect(text).toContain('report-errand environment.changed.v1 team-c/shop, which waits to be served');
    expect(text).toMatch(
      /report-errand {2}team-c\/shop {2}environment.changed.v1 since .+ ago, message .+: a message is on its way \(sent 1 time\)/,
    );
    await world.settle();
  });

  it('of a subject shows the newest stories first, as many as asked, and says that there are more', async () => {
    await world.change('team-a', 'web', '8');
    await world.settle();

    const { value } = await runTrace(world.context, { of: 'team-a/web', limit: 1 });

    expect(value.stories).toHaveLength(1);
    expect(value.stories[0]?.roots[0]?.version).toBe('8');
    expect(value.more).toBe(true);
    expect(renderTrace(value, plain)).toContain('There are older stories beyond --limit.');
  });

  it.each(['team-a/nothing', 'no-such-message'])('of %s finds nothing', async (of) => {
    await expect(runTrace(world.context, { of, limit: 5 })).rejects.toMatchObject({ code: 3 });
  });
});
