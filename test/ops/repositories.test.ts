import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../scripts/ops/context.ts';
import { renderRepositories, runRepositories } from '../../scripts/ops/repositories.ts';
import { openReleaseReader } from '../../shared/adapters/postgres/repositories/release-reader.ts';
import type { WrittenRepository } from '../../shared/ports/release-reader.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../support/gitops-world.ts';
import { commitOf, openReleaseScene, type ReleaseScene } from './release-scene.ts';
import { plain } from './world.ts';

describe('repositories', () => {
  let world: GitOpsWorld;
  let scene: ReleaseScene;
  let context: Context;
  beforeAll(async () => {
    world = await openGitOpsWorld();
    scene = openReleaseScene(world.sql);
    const parts: Partial<Context> = {
      releases: openReleaseReader(world.sql),
      world: () => world.world,
      now: () => Date.parse(now),
    };
    context = parts as Context;
  });
  afterAll(() => world.close());

  const now = '2026-01-31T12:00:00.000Z';
  const calm: WrittenRepository = {
    namespace: 'team-a',
    url: 'https://git.example.com/team-a/shop.git',
    branch: 'main',
    isMade: true,
    bindings: ['shop-dev', 'shop-stage'],
    waiting: [],
    lastCommit: { commit: commitOf('9fceb02d0ae5'), at: '2026-01-31T11:57:00.000Z' },
  };
  const troubled: WrittenRepository = {
    ...calm,
    url: 'https://github.example.com/ada/blog',
    branch: 'deploy',
    isMade: false,
    waiting: ['shop-stage'],
    waitingSince: '2026-01-31T11:50:00.000Z',
    trouble: { reason: 'Forbidden', message: 'It may\nnot push', since: '2026-01-31T11:55:00.000Z' },
  };
  const render = (...repositories: readonly WrittenRepository[]) =>
    renderRepositories({ repositories, now }, 100, plain);

  it('shows what is known of each, of one namespace or of all', async () => {
    const [here, there] = [(await world.namespace()).name, (await world.namespace()).name];
    const repository = await scene.aRepository(here);
    await scene.aRepository(there);
    await scene.commits(repository, commitOf('9fceb02'), await scene.wants(repository, 'dev', 's1'));

    const { code, value } = await runRepositories(context, { namespace: here });
    const all = await runRepositories(context, {});

    expect(code).toBe(0);
    expect(value).toEqual({
      namespace: here,
      now,
      repositories: [
        {
          namespace: here,
          url: repository.url,
          branch: 'main',
          isMade: true,
          bindings: ['shop-dev'],
          waiting: [],
          lastCommit: { commit: commitOf('9fceb02'), at: expect.any(String) },
        },
      ],
    });
    expect(all.value.repositories.map(({ namespace }) => namespace)).toEqual([here, there].toSorted());
  });

  it('reads as a table', () => {
    const text = render(calm, { ...troubled, lastCommit: undefined });

    expect(text).toMatch(/shop\.git +main +team-a +us +2 +- +9fceb02d0a 3 min ago\n/);
    expect(text).toMatch(/blog +deploy +team-a +the tenant +2 +1 for 10 min +- +Forbidden\n/);
  });

  it('says below the table what the trouble is, since when, and where to look next', () => {
    expect(render(calm, troubled)).toContain(
      [
        '',
        'Forbidden  https://github.example.com/ada/blog deploy  since 2026-01-31 11:55:00.000, 5 min ago',
        '  It may not push',
        '  next: npm run ops -- explain SnapshotEnvironmentBinding team-a/shop-stage',
      ].join('\n'),
    );
  });

  it('shows as many as were asked for, and of those in trouble what a screen holds', () => {
    const repositories = [calm, ...Array.from({ length: 12 }, () => troubled)];

    const text = renderRepositories({ repositories, now }, 1, plain);

    expect(text).toContain('… and 12 more\n');
    expect(text.match(/It may not push/g)).toHaveLength(10);
    expect(text).toContain('… and 2 more in trouble');
  });

  it('tells a namespace without any from one that is not there', async () => {
    const { name: namespace } = await world.namespace();

    const { value } = await runRepositories(context, { namespace });

    expect(renderRepositories(value, 100, plain)).toContain(`No repositories are written to for ${namespace} yet.`);
    expect(render()).toContain('No repositories are written to yet.');
    await expect(runRepositories(context, { namespace: 'nowhere-at-all' })).rejects.toMatchObject({ code: 3 });
    await expect(runRepositories(context, { namespace: 'Team_A' })).rejects.toMatchObject({ code: 2 });
  });
});
