import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anInput } from '../../../domain/overlay/a-repository.ts';
import { type OverlayRowsScene, openOverlayRowsScene, resultOf } from './overlay-rows-scene.ts';

let scene: OverlayRowsScene;
beforeAll(async () => {
  scene = await openOverlayRowsScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.begin());

const web = anInput();
const api = anInput({ component: 'api' });

async function pendingNames(whole = false): Promise<string[]> {
  return (await scene.work(whole)).overlays.map(({ uid }) => uid);
}

describe('what a Binding wants', () => {
  it('is kept with everything that it is rendered from, and pending until it stands', async () => {
    await scene.want({
      snapshot: 'v2',
      generation: 3,
      promotion: 'run-1',
      promotionUid: 'run-uid',
      cause: 'promotion run-1',
      inputs: [web, api],
    });

    const asked = JSON.parse(JSON.stringify([web, api]));
    expect(await scene.stored()).toEqual([
      {
        uid: 'b1',
        repositoryId: scene.here.id,
        context: '',
        environment: 'dev',
        isGone: false,
        snapshot: 'v2',
        generation: 3,
        promotion: 'run-1',
        promotionUid: 'run-uid',
        wantedDigest: 'v2 web api',
        wanted: asked,
        renderedDigest: undefined,
        rendered: [],
        results: [],
        commit: undefined,
        trouble: undefined,
      },
    ]);
    expect(await scene.work()).toMatchObject({
      repository: scene.here,
      leaving: [],
      isCheckDue: false,
      overlays: [
        {
          namespace: 'team',
          name: 'shop-dev',
          application: 'shop',
          snapshot: 'v2',
          promotion: 'run-1',
          promotionUid: 'run-uid',
          cause: 'promotion run-1',
          inputs: asked,
          digest: 'v2 web api',
          rendered: [],
          renderedContext: '',
          isGone: false,
        },
      ],
    });
  });

  it('stands when it was rendered: it is told where, and is no work any more, except as part of the whole', async () => {
    await scene.want();
    await scene.render(await scene.pending(), 'c1');

    expect(await scene.stored()).toMatchObject([
      { renderedDigest: 'v1 web', results: [resultOf('web')], commit: 'c1', rendered: [{ component: 'web' }] },
    ]);
    expect(await pendingNames()).toEqual([]);
    expect(await pendingNames(true)).toEqual(['b1']);
  });

  it('is still pending where something else was asked for while it was written', async () => {
    await scene.want();
    const seen = await scene.pending();
    await scene.want({ snapshot: 'v2' });
    await scene.render(seen);

    expect(await scene.stored()).toMatchObject([{ wantedDigest: 'v2 web', renderedDigest: 'v1 web', commit: 'c1' }]);
    expect(await pendingNames()).toEqual(['b1']);
  });

  it('is pending where the same as before is asked for again while something else is written', async () => {
    await scene.want({ inputs: [web, api] });
    await scene.render(await scene.pending());
    await scene.want({ snapshot: 'v2', standing: [web, api], certain: ['web', 'api'] });
    await scene.want({ inputs: [web, api], standing: [web, api], certain: ['web'] });

    expect(await pendingNames()).toEqual(['b1']);
    expect(await scene.stored()).toMatchObject([
      { wantedDigest: 'v1 web api', renderedDigest: undefined, results: [resultOf('web')], commit: 'c1' },
    ]);
  });

  it('remembers all that may stand there, so that somebody who died leaves nothing behind', async () => {
    await scene.want({ standing: [api] });

    expect((await scene.pending()).rendered).toMatchObject([{ component: 'api' }]);
    await scene.write(scene.rows.leave('b1'));
    expect((await scene.pending()).rendered).toMatchObject([{ component: 'api' }, { component: 'web' }]);
  });

  it('may be the same with another generation, and stands then as before', async () => {
    await scene.want();
    await scene.render(await scene.pending());
    await scene.want({ generation: 2, standing: [web], certain: ['web'] });

    expect(await pendingNames()).toEqual([]);
    expect(await scene.stored()).toMatchObject([{ generation: 2, results: [resultOf('web')], commit: 'c1' }]);
  });

  it('of another repository has nothing there yet', async () => {
    await scene.want();
    await scene.render(await scene.pending());
    await scene.want({ repositoryId: scene.there.id, certain: ['web'] });

    expect(await scene.stored()).toMatchObject([
      { renderedDigest: undefined, rendered: [], results: [], commit: undefined },
    ]);
    expect(await pendingNames(true)).toEqual([]);
    expect((await scene.work(false, scene.there.id)).overlays).toHaveLength(1);
  });

  it('is not told to stand by somebody who wrote it to the repository of before', async () => {
    await scene.want();
    const seen = await scene.pending();
    await scene.want({ repositoryId: scene.there.id });
    await scene.render(seen);

    expect(await scene.stored()).toMatchObject([{ renderedDigest: undefined, commit: undefined }]);
  });

  it('stands in the context that it was written to, until it is written to another one', async () => {
    await scene.want();
    await scene.render(await scene.pending());
    await scene.want({ context: 'deep', digest: 'deep', standing: [web], certain: ['web'] });

    expect(await scene.pending()).toMatchObject({ context: 'deep', renderedContext: '' });
    await scene.render(await scene.pending());
    expect(await scene.pending()).toMatchObject({ context: 'deep', renderedContext: 'deep' });
  });

  it('keeps numbers that are larger than most', async () => {
    await scene.want({ generation: Number.MAX_SAFE_INTEGER });

    expect(await scene.stored()).toMatchObject([{ generation: Number.MAX_SAFE_INTEGER }]);
  });
});

describe('a variable', () => {
  it('stands nowhere in the clear, and no row can be opened in the place of another one', async () => {
    const secret = anInput({ env: [{ name: 'PASSWORD', value: 'hunter2' }] });
    await scene.want({ inputs: [secret], standing: [secret] });
    await scene.render(await scene.pending());
    const [row] = await scene.sql`select o::text as text, wanted, rendered from binding_overlay o`;
    const stored = [row?.['text'], row?.['wanted'], row?.['rendered']].map((part) =>
      Buffer.from(part).toString('latin1'),
    );

    expect(stored.filter((part) => part.includes('hunter2') || part.includes('PASSWORD'))).toEqual([]);
    expect(stored[0]).not.toContain(Buffer.from('hunter2').toString('hex'));
    expect(await scene.stored()).toMatchObject([{ wanted: [{ env: [{ name: 'PASSWORD', value: 'hunter2' }] }] }]);

    await scene.sql`update binding_overlay set wanted = rendered`;
    await expect(scene.stored()).rejects.toThrow('cannot be opened');
  });
});

describe('a Binding that is gone', () => {
  it('leaves a row that says what has to go, until it went', async () => {
    await scene.want();
    await scene.render(await scene.pending());
    await scene.write(scene.rows.leave('b1'));

    expect(await scene.stored()).toMatchObject([{ uid: 'b1', isGone: true }]);
    const [overlay] = (await scene.work()).overlays;
    expect(overlay).toMatchObject({ isGone: true, inputs: [], digest: '' });
    if (overlay !== undefined)
      await scene.write(...scene.rows.rendered(scene.here, { overlay, results: [], commit: 'c2' }));
    expect(await scene.stored()).toEqual([]);
  });

  it('that was never rendered leaves a row, too: somebody may be writing it', async () => {
    await scene.want();
    const seen = await scene.pending();
    await scene.write(scene.rows.leave('b1'));
    await scene.render(seen);

    expect(await scene.stored()).toMatchObject([{ isGone: true, renderedDigest: 'v1 web' }]);
    expect(await pendingNames()).toEqual(['b1']);
  });

  it('is no rival, and neither is one of another pair or namespace', async () => {
    await scene.want({ uid: 'b1', name: 'first' });
    await scene.want({ uid: 'b2', name: 'second' });
    await scene.want({ uid: 'b3', name: 'prod', environment: 'prod' });
    await scene.want({ uid: 'b4', name: 'cart', application: 'cart' });
    await scene.want({ uid: 'b5', name: 'elsewhere', namespace: 'other' });
    await scene.want({ uid: 'b6', name: 'gone' });
    await scene.write(scene.rows.leave('b6'));

    expect(await scene.rows.rivals({ namespace: 'team', application: 'shop', environment: 'dev' })).toEqual([
      'first',
      'second',
    ]);
  });

  it('is looked at together with those that live in its environment', async () => {
    await scene.want({ uid: 'b1' });
    await scene.want({ uid: 'b2' });
    await scene.want({ uid: 'b3', name: 'shop-prod', environment: 'prod' });
    for (const uid of ['b1', 'b2', 'b3']) await scene.render(await scene.pending(uid));
    await scene.write(scene.rows.leave('b1'));

    expect(await pendingNames()).toEqual(['b1', 'b2']);
    expect((await scene.stored()).map(({ uid, isGone }) => [uid, isGone])).toEqual([
      ['b2', false],
      ['b1', true],
    ]);
  });

  it('comes back as if nothing stood, but knows what may: somebody may be taking it away', async () => {
    await scene.want();
    await scene.render(await scene.pending());
    await scene.write(scene.rows.leave('b1'));
    const seen = await scene.pending();
    await scene.want({ standing: [web], certain: ['web'] });
    await scene.write(...scene.rows.rendered(scene.here, { overlay: seen, results: [], commit: 'c2' }));

    expect(await scene.stored()).toMatchObject([
      { isGone: false, renderedDigest: undefined, results: [], rendered: [{ component: 'web' }] },
    ]);
    expect(await pendingNames()).toEqual(['b1']);
  });

  it('is forgotten where somebody else renders', async () => {
    await scene.want();
    await scene.write(scene.rows.forget('b1'));

    expect(await scene.stored()).toEqual([]);
  });
});

describe('two applications in one repository', () => {
  it('are looked at together in an environment where one of them changes, as a component may move between them', async () => {
    await scene.want({ uid: 'b1' });
    await scene.want({ uid: 'b2', name: 'cart-dev', application: 'cart' });
    await scene.want({ uid: 'b3', name: 'cart-prod', application: 'cart', environment: 'prod' });
    for (const uid of ['b1', 'b2', 'b3']) await scene.render(await scene.pending(uid));
    expect(await pendingNames()).toEqual([]);

    await scene.want({ uid: 'b1', snapshot: 'v2' });

    expect(await pendingNames()).toEqual(['b2', 'b1']);
  });

  it('twins of one application are not: the younger one does not write over the older', async () => {
    await scene.want({ uid: 'b1', name: 'young' });
    await scene.render(await scene.pending());
    await scene.want({ uid: 'b2', name: 'old' });

    expect(await pendingNames()).toEqual(['b2']);
  });
});

describe('a commit', () => {
  it('B33 is known by its snapshots, and a snapshot by its commits', async () => {
    await scene.want({ uid: 'b1', promotion: 'run-1' });
    await scene.want({ uid: 'b2', name: 'shop-prod', environment: 'prod' });
    for (const uid of ['b1', 'b2']) await scene.render(await scene.pending(uid), 'c1');
    await scene.want({ uid: 'b1', snapshot: 'v2' });
    await scene.render(await scene.pending('b1'), 'c2');

    expect(
      await scene.sql`select commit_id, environment, snapshot, promotion, url, branch, namespace, application from snapshot_commit order by 1, 2`,
    ).toMatchObject([
      {
        commit_id: 'c1',
        environment: 'dev',
        snapshot: 'v1',
        promotion: 'run-1',
        url: 'https://git.example/here',
        branch: 'main',
      },
      { commit_id: 'c1', environment: 'prod', snapshot: 'v1', namespace: 'team', application: 'shop' },
      { commit_id: 'c2', environment: 'dev', snapshot: 'v2' },
    ]);
  });

  it('B33 of images that two snapshots have holds both', async () => {
    await scene.want();
    await scene.render(await scene.pending(), 'c1');
    await scene.want({ snapshot: 'v2', standing: [web], certain: ['web'] });
    await scene.render(await scene.pending(), 'c1');

    expect(await scene.stored()).toMatchObject([{ snapshot: 'v2', commit: 'c1', renderedDigest: 'v2 web' }]);
    expect(await scene.sql`select snapshot from snapshot_commit where commit_id = 'c1' order by 1`).toMatchObject([
      { snapshot: 'v1' },
      { snapshot: 'v2' },
    ]);
  });

  it('is told of nothing where none was ever made', async () => {
    await scene.want({ inputs: [] });
    const overlay = await scene.pending();
    await scene.write(...scene.rows.rendered(scene.here, { overlay, results: [], commit: undefined }));

    expect(await scene.stored()).toMatchObject([{ renderedDigest: 'v1 ', commit: undefined }]);
    expect(await scene.sql`select from snapshot_commit`).toHaveLength(0);
  });

  it('is remembered when its Binding is gone', async () => {
    await scene.want();
    await scene.render(await scene.pending());
    await scene.write(scene.rows.leave('b1'));
    await scene.write(
      ...scene.rows.rendered(scene.here, { overlay: await scene.pending(), results: [], commit: 'c2' }),
    );

    expect(await scene.sql`select commit_id from snapshot_commit`).toMatchObject([{ commit_id: 'c1' }]);
  });
});

describe('a repository that refuses', () => {
  const refusal = { reason: 'CredentialMissing', message: 'No credential' };

  it('is told with its reason, since when, and when it was last tried', async () => {
    await scene.want();
    await scene.write(scene.rows.refused(await scene.pending(), refusal));
    const [first] = await scene.stored();
    await scene.write(scene.rows.refused(await scene.pending(), { ...refusal, message: 'Still none' }));
    const [second] = await scene.stored();

    expect(first?.trouble).toMatchObject(refusal);
    expect(first?.trouble?.since).toBe(first?.trouble?.at);
    expect(second?.trouble).toMatchObject({ message: 'Still none', since: first?.trouble?.since });
    expect(second?.trouble?.at).toBeGreaterThan(first?.trouble?.at ?? 0);
  });

  it('for another reason is refused since then', async () => {
    await scene.want();
    await scene.write(scene.rows.refused(await scene.pending(), refusal));
    await scene.write(scene.rows.refused(await scene.pending(), { reason: 'BranchProtected', message: 'No' }));
    const [{ trouble } = { trouble: undefined }] = await scene.stored();

    expect(trouble?.since).toBe(trouble?.at);
  });

  it.each<[string, () => Promise<void>]>([
    ['what stands', async () => scene.render(await scene.pending())],
    ['another wish', () => scene.want({ snapshot: 'v2' })],
    ['a Binding that is gone', () => scene.write(scene.rows.leave('b1'))],
  ])('is forgotten over %s', async (_what, happens) => {
    await scene.want();
    await scene.write(scene.rows.refused(await scene.pending(), refusal));
    await happens();

    expect(await scene.stored()).toMatchObject([{ trouble: undefined }]);
  });

  it('is forgotten where it was only refused to compare it, and everything stands', async () => {
    await scene.want();
    await scene.render(await scene.pending());
    await scene.write(scene.rows.refused(await scene.pending(), refusal));
    await scene.render(await scene.pending());

    expect(await scene.stored()).toMatchObject([{ trouble: undefined }]);
  });

  it('is not told of a wish that came after it was tried', async () => {
    await scene.want();
    const seen = await scene.pending();
    await scene.want({ snapshot: 'v2' });
    await scene.write(scene.rows.refused(seen, refusal));

    expect(await scene.stored()).toMatchObject([{ trouble: undefined }]);
  });
});

describe('the base of a Component that is gone', () => {
  const leaving = async () => (await scene.work()).leaving;

  it('is work where nobody stands on it', async () => {
    await scene.component('k1', 'web', true);
    await scene.component('k2', 'api');

    expect(await leaving()).toEqual([{ uid: 'k1', name: 'web', context: '', holders: [] }]);
  });

  it('names those whose overlays stand on it', async () => {
    await scene.component('k1', 'web', true);
    await scene.want({ uid: 'b1' });
    await scene.want({ uid: 'b2', name: 'shop-prod', environment: 'prod' });
    await scene.want({ uid: 'b3', name: 'other', environment: 'other', inputs: [api] });
    for (const uid of ['b1', 'b2', 'b3']) await scene.render(await scene.pending(uid));
    await scene.want({ uid: 'b1', inputs: [], standing: [web], certain: ['web'] });
    await scene.write(scene.rows.leave('b2'));

    expect(await leaving()).toMatchObject([{ name: 'web', holders: ['b1', 'b2'] }]);
  });

  it('is no work while somebody stands on it who wants it so: the whole is compared meanwhile', async () => {
    await scene.component('k1', 'web', true);
    await scene.want();
    await scene.render(await scene.pending());
    await scene.sql`update gitops_repository set checked_at = now() - interval '1 day'`;

    expect(await scene.work()).toMatchObject({ overlays: [], leaving: [], isCheckDue: true });
    expect((await scene.work(true)).leaving).toEqual([]);
  });

  it('stays where the Component came back under its name', async () => {
    await scene.component('k1', 'web', true);
    await scene.component('k2', 'web');

    expect(await leaving()).toEqual([]);
  });

  it('is forgotten when it went, unless the Component is there', async () => {
    await scene.component('k1', 'web', true);
    await scene.component('k2', 'api');
    const gone = { uid: 'k1', name: 'web', context: '', holders: [] };
    await scene.write(scene.rows.pruned(gone), scene.rows.pruned({ ...gone, uid: 'k2' }));

    expect(await scene.sql`select id from component_place`).toMatchObject([{ id: 'k2' }]);
  });
});

describe('a repository', () => {
  it('is compared as a whole once in a while', async () => {
    expect((await scene.work()).isCheckDue).toBe(false);
    await scene.sql`update gitops_repository set checked_at = now() - interval '11 minutes'`;
    expect((await scene.work()).isCheckDue).toBe(true);

    await scene.write(scene.rows.checked(scene.here.id));

    expect((await scene.work()).isCheckDue).toBe(false);
  });

  it('tells how many commits it got in the last ten seconds, and since when each wish waits', async () => {
    await scene.want({ uid: 'b1', environment: 'dev' });
    await scene.want({ uid: 'b2', environment: 'stage' });
    await scene.want({ uid: 'b3', environment: 'prod' });
    const before = await scene.work();
    await scene.render(await scene.pending('b1'), 'c1');
    await scene.render(await scene.pending('b2'), 'c2');
    await scene.sql`update binding_overlay set rendered_at = rendered_at - interval '11 seconds' where id = 'b1'`;
    const { lately, overlays } = await scene.work();

    expect(before.lately).toEqual({ now: expect.any(Number), commits: 0, lastAt: undefined });
    expect(lately).toEqual({ now: expect.any(Number), commits: 1, lastAt: expect.any(Number) });
    expect([overlays[0]?.requestedAt, lately.lastAt, lately.now]).toEqual(
      [overlays[0]?.requestedAt, lately.lastAt, lately.now].toSorted((one, other) => Number(one) - Number(other)),
    );
  });

  it('that nobody knows has no work', async () => {
    expect(await scene.rows.work('unknown', { whole: true })).toBeUndefined();
  });
});

describe('rows that say the same already', () => {
  it('are not written again', async () => {
    await scene.want({ uid: 'b2', name: 'gone' });
    await scene.want({ standing: [web], certain: ['web'] });
    const seen = await scene.pending();
    await scene.render(seen);
    await scene.write(scene.rows.leave('b2'));
    const before = await scene.versions();

    await scene.want({ standing: [web], certain: ['web'] });
    await scene.render(await scene.pending());
    await scene.render(seen);
    await scene.write(scene.rows.leave('b2'), scene.rows.leave('nobody'), scene.rows.forget('nobody'));

    expect(await scene.versions()).toEqual(before);
  });

  it('are written together, as a step does: one leaves, its successor asks', async () => {
    await scene.want({ uid: 'old' });
    await scene.write(scene.rows.leave('old'), scene.rows.want(scene.aWish({ uid: 'new' })));

    expect((await scene.stored()).map(({ uid, isGone }) => [uid, isGone])).toEqual([
      ['new', false],
      ['old', true],
    ]);
  });
});
