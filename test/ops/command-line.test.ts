import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOps } from './run-ops.ts';
import { openWorld, type World } from './world.ts';

describe('the operators’ command line', () => {
  let world: World;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-ops-'));
    world = await openWorld();
    await world.change('team-a', 'web', '7');
    await world.change('team-b', 'breaks-cart', '3');
    await world.sendRaw('run-errand', 'hello, token=s3cr3t-value');
    await world.settle();
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function messageOf(subject: string): Promise<string> {
    const [step] = await world.context.reader.ofSubject(subject, 1, 'run-errand');
    return step?.message ?? '';
  }

  it('prints one JSON value and nothing else with --json, without a secret in it', async () => {
    const { code, out, err } = await runOps(['dead', 'list', '--json'], world.settings);

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ letters: 2, more: [] });
    const unread = (JSON.parse(out) as { groups: { reason: string; ids: string[] }[] }).groups.find(({ reason }) =>
      reason.includes('CloudEvent'),
    );
    const shown = await runOps(['dead', 'show', unread?.ids[0] ?? '', '--json'], world.settings);
    expect(JSON.parse(shown.out)).toMatchObject({ body: 'hello, token=***' });
  });

  it.each([
    [
      'trace',
      ['trace', 'team-a/web'],
      (value: unknown) => expect(value).toHaveProperty('stories.0.roots.0.function', 'run-errand'),
    ],
    [
      'explain',
      ['explain', 'DeploymentTargetClaim', 'team-a/web'],
      (value: unknown) => expect(value).toHaveProperty('functions.0.step.state', 'decided'),
    ],
    [
      'replay',
      ['replay', '--function', 'run-errand', '--since', '1h', '--limit', '1', '--dry-run'],
      (value: unknown) => expect(value).toHaveProperty('dryRun', true),
    ],
  ])('speaks JSON and plain text without colour for %s', async (_verb, args, check) => {
    const machine = await runOps([...args, '--json'], world.settings);
    const people = await runOps(args, world.settings);

    check(JSON.parse(machine.out));
    expect(machine.err).toBe('');
    expect(people.out).toContain('run-errand');
    expect(people.out).not.toContain('\u001b');
    expect(people.out.startsWith('{')).toBe(false);
  });

  it('does nothing without --yes where nobody can be asked, and says what it would have done', async () => {
    const before = await world.census();

    const ran = await runOps(['replay', await messageOf('team-a/web')], world.settings);

    expect(ran.code).toBe(2);
    expect(ran.err).toContain('Will send 1 message again as');
    expect(ran.err).toContain('Add --yes');
    expect(ran.out).toBe('');
    expect(await world.census()).toEqual(before);
  });

  it('writes with --yes, in the name of whom --as says', async () => {
    const id = await messageOf('team-a/web');

    const { code, out } = await runOps(
      ['replay', id, '--yes', '--as', 'nils', '--why', 'a test', '--json'],
      world.settings,
    );

    expect(code).toBe(0);
    const { replayed } = JSON.parse(out) as { replayed: { sent: string }[] };
    const [line] = await world.sql`select actor, details from ledger where cause = ${id} and step is null`;
    expect(line).toMatchObject({ actor: 'nils', details: { why: 'a test', sent: replayed[0]?.sent } });
    expect(await world.peek('run-errand')).toMatchObject([{ id: replayed[0]?.sent }]);
    await world.settle();
  });

  it.each([
    [2, 'no verb', []],
    [2, 'a verb that does not exist', ['dance']],
    [2, 'an option that does not exist', ['dead', 'list', '--colour']],
    [2, 'a limit that is no number', ['dead', 'list', '--limit', 'many']],
    [2, 'a drop without a reason', ['dead', 'drop', 'x', '--yes']],
    [3, 'a letter that is not there', ['dead', 'show', 'nobody']],
    [3, 'a subject that is not known', ['trace', 'team-z/none']],
    [3, 'a kind that nobody cares about', ['explain', 'ConfigMap', 'team-a/web']],
    [1, 'a rule that breaks', ['explain', 'run-errand', 'team-b/breaks-cart']],
    [0, 'a look at what is there', ['explain', 'run-errand', 'team-a/web']],
    [0, 'a call for help', ['dead', 'replay', '--help']],
  ])('ends with %i for %s', async (expected, _words, args) => {
    const { code, out, err } = await runOps(args, world.settings);

    expect(code).toBe(expected);
    expect(out === '' || err === '').toBe(true);
    expect(out + err).not.toBe('');
  });

  it('says an error as JSON too, where JSON was asked for', async () => {
    const { code, out, err } = await runOps(['trace', 'team-z/none', '--json'], world.settings);

    expect(code).toBe(3);
    expect(JSON.parse(out)).toEqual({ error: expect.stringContaining('team-z/none') });
    expect(err).toBe('');
  });

  it.each(
    [
      ['dead'],
      ['dead', 'list'],
      ['dead', 'show'],
      ['dead', 'replay'],
      ['dead', 'drop'],
      ['replay'],
      ['trace'],
      ['explain'],
    ].map((words) => [words.join(' '), words] as const),
  )('explains %s with --help', async (name, words) => {
    const { code, out } = await runOps([...words, '--help'], {});

    expect(code).toBe(0);
    expect(out).toContain(`npm run ops -- ${name} `);
    expect(out).toContain('--json');
    if (name !== 'dead') expect(out).toContain('Exit codes:');
    if (name !== 'dead') expect(out).toContain('Examples:');
  });

  it('finds the parts of an npm start that runs in the folder', async () => {
    const { DATABASE_URL, AWS_ENDPOINT_URL_SQS, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = world.settings;
    const environment = { DATABASE_URL, AWS_ENDPOINT_URL_SQS, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    await writeFile(
      join(folder, 'running.json'),
      JSON.stringify({ pid: process.pid, url: 'http://127.0.0.1:1', environment }),
    );

    const ran = await runOps(['trace', 'team-a/web', '--json', '--stagecoach-folder', folder], {
      MAP_FILE: world.settings.MAP_FILE,
    });

    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toHaveProperty('stories.0.roots.0.subject', 'team-a/web');
  });

  it('says how to go on where the database is away, without its password', async () => {
    const settings = {
      ...world.settings,
      DATABASE_URL: 'postgres://who:hunter2hunter2@127.0.0.1:1/none',
      DATABASE_CONNECT_TIMEOUT_MS: '500',
    };

    const { code, err } = await runOps(['trace', 'team-a/web'], settings);

    expect(code).toBe(1);
    expect(err).toContain('the database is away');
    expect(err).toContain('DATABASE_URL');
    expect(err).not.toContain('hunter2');
  });
});
