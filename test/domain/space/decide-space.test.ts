import { describe, expect, it } from 'vitest';
import { decideSpace } from '../../../shared/domain/space/decide-space.ts';
import type { SeenSpace, SpaceRequest } from '../../../shared/domain/space/space-request.ts';

const now = Date.parse('2024-05-01T12:00:00Z');
const place = { name: 'team-0f3a1', uid: 'place', leavingSince: undefined, inTheWay: '' };
const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Provisioned',
  message: '',
  lastTransitionTime: '2024-05-01T11:00:00Z',
} as const;

function seen(but: Partial<SeenSpace> = {}, request: Partial<SpaceRequest> = {}): SeenSpace {
  return {
    request: {
      namespace: 'team',
      name: 'dev',
      uid: '0f3a1c2d-0000-4000-8000-000000000000',
      isDeleting: false,
      isHeld: false,
      tier: 'appstudio-env',
      wanted: undefined,
      granted: undefined,
      said: [],
      server: '',
      access: [],
      ...request,
    },
    isHomeLeaving: false,
    tiers: ['appstudio-env', 'base'],
    server: 'https://api',
    places: [],
    freeName: 'team-0f3a1',
    parts: { 'service-account': 'absent', role: 'absent', 'role-binding': 'absent' },
    quota: undefined,
    token: 'absent',
    kubeconfig: { name: 'dev-0f3a1', state: 'absent' },
    ...but,
  };
}

function provisioned(but: Partial<SeenSpace> = {}, request: Partial<SpaceRequest> = {}): SeenSpace {
  const access = [{ name: place.name, secret: 'dev-0f3a1' }];
  return seen(
    {
      places: [place],
      parts: { 'service-account': 'right', role: 'right', 'role-binding': 'right' },
      token: 'filled',
      kubeconfig: { name: 'dev-0f3a1', state: 'right' },
      ...but,
    },
    { isHeld: true, said: [ready], server: 'https://api', access, ...request },
  );
}

function doings(of: SeenSpace, at = now): string[] {
  return decideSpace(of, { now: at }).effects.map((effect) => effect.do);
}

describe('a SpaceRequest', () => {
  it('Q01 is held before anything is made for it, and told last', () => {
    const step = decideSpace(seen(), { now });

    expect(step.effects.map((effect) => effect.do)).toEqual([
      'hold-request',
      'make-namespace',
      'write-access',
      'write-access',
      'write-access',
      'make-token',
      'tell-user',
    ]);
    expect(step.conditions).toEqual([expect.objectContaining({ status: 'False', reason: 'Provisioning' })]);
    expect(step.next).toMatchObject({ kind: 'recheck', afterSeconds: 2 });
  });

  it('Q03 with a token is opened and told in one step', () => {
    const step = decideSpace(provisioned({ kubeconfig: { name: 'dev-0f3a1', state: 'absent' } }, { said: [] }), {
      now,
    });

    expect(step.effects).toEqual([
      { do: 'write-kubeconfig', namespace: 'team-0f3a1', secret: 'dev-0f3a1' },
      {
        do: 'tell-user',
        at: now,
        access: { namespace: 'team-0f3a1', secret: 'dev-0f3a1', server: 'https://api' },
      },
    ]);
    expect(step.conditions).toEqual([expect.objectContaining({ status: 'True', reason: 'Provisioned' })]);
  });

  it('Q08 that has everything is left alone', () => {
    const step = decideSpace(provisioned(), { now });

    expect(step.effects).toEqual([]);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it.each<[string, Partial<SeenSpace>, string[]]>([
    ['its Role', { parts: { 'service-account': 'right', role: 'wrong', 'role-binding': 'right' } }, ['write-access']],
    ['Q07 its Secret', { kubeconfig: { name: 'dev-0f3a1', state: 'wrong' } }, ['write-kubeconfig']],
    ['its token', { token: 'absent', kubeconfig: { name: 'dev-0f3a1', state: 'wrong' } }, ['make-token', 'tell-user']],
    ['its token, for another', { token: 'foreign' }, ['remove-foreign-token', 'tell-user']],
    ['its address', { server: 'https://moved' }, ['tell-user']],
    ['a quota that nobody wants', { quota: { 'requests.cpu': '1' } }, ['remove-quota']],
  ])('that lacks %s is given it', (_what, but, effects) => {
    expect(doings(provisioned(but))).toEqual(effects);
  });

  it('is not Ready without a token, whatever it said before', () => {
    expect(decideSpace(provisioned({ token: 'empty' }), { now }).conditions).toEqual([
      expect.objectContaining({ status: 'False', reason: 'Provisioning' }),
    ]);
  });

  it('says so when the token takes longer than five minutes, and looks less often', () => {
    const since = now - 400_000;
    const waiting = { reason: 'Provisioning', since, deadline: since + 300_000 };

    const step = decideSpace(provisioned({ token: 'empty' }), { now, waiting });

    expect(step.conditions).toEqual([expect.objectContaining({ reason: 'UnableToProvision' })]);
    expect(step.next).toMatchObject({ kind: 'recheck', afterSeconds: 100 });
  });

  it('Q20 waits for the end of a namespace that somebody deletes', () => {
    const step = decideSpace(provisioned({ places: [{ ...place, leavingSince: now }] }), { now });

    expect(step.effects.map((effect) => effect.do)).toEqual(['tell-user']);
    expect(step.next.kind).toBe('recheck');
  });

  it.each<[string, Partial<SeenSpace>, Partial<SpaceRequest>, string]>([
    ['Q11 an unknown tier', {}, { tier: 'gold' }, 'There is no tier "gold": choose one of appstudio-env, base.'],
    ['Q11 no tier', {}, { tier: '' }, 'No tier is named: choose one of appstudio-env, base.'],
    ['Q11 no tiers at all', { tiers: [] }, {}, 'There is no tier "appstudio-env": there are none here.'],
    ['Q12 a namespace that goes', { isHomeLeaving: true }, {}, 'The namespace team is being deleted'],
    ['Q19 a malformed wish', {}, { wanted: 'lots' }, 'it is no JSON object'],
    ['all names taken', { freeName: undefined }, {}, 'belong to namespaces of others'],
    ['all names of the Secret taken', { kubeconfig: { name: undefined, state: 'absent' } }, {}, 'Secrets of others'],
  ])('with %s is told and given nothing', (_what, but, request, message) => {
    const step = decideSpace(seen(but, request), { now });

    expect(step.effects.map((effect) => effect.do)).toEqual(['tell-user']);
    expect(step.conditions).toEqual([
      expect.objectContaining({ reason: 'UnableToProvision', message: expect.stringContaining(message) }),
    ]);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('Q12 that is Ready stays so while its own namespace goes', () => {
    expect(doings(provisioned({ isHomeLeaving: true }))).toEqual([]);
  });

  it('that lost its finalizer in a namespace that goes is held again, because something was made for it', () => {
    expect(doings(provisioned({ isHomeLeaving: true }, { isHeld: false }))).toEqual(['hold-request']);
  });

  it('is granted what it wants once the quota says so, and more when it wants more', () => {
    const wanted = '{"requests":{"cpu":"2"}}';

    expect(doings(provisioned({}, { wanted }))).toEqual(['write-quota', 'record-grant']);
    expect(doings(provisioned({ quota: { 'requests.cpu': '2000m' } }, { wanted, granted: wanted }))).toEqual([]);
    expect(doings(provisioned({ quota: { 'requests.cpu': '1' } }, { wanted, granted: '{}' }))).toEqual([
      'write-quota',
      'record-grant',
    ]);
  });
});

describe('a SpaceRequest that goes', () => {
  const going = { isDeleting: true };

  it('Q16 deletes its namespace first, and says so', () => {
    const step = decideSpace(provisioned({}, going), { now });

    expect(step.effects).toEqual([
      { do: 'delete-namespace', namespace: 'team-0f3a1' },
      { do: 'tell-user', at: now },
    ]);
    expect(step.conditions).toEqual([expect.objectContaining({ reason: 'Terminating' })]);
  });

  it('deletes every namespace that was made for it', () => {
    const places = [place, { ...place, name: 'team-0f3a1c2d' }];

    expect(doings(provisioned({ places }, going))).toEqual(['delete-namespace', 'delete-namespace', 'tell-user']);
  });

  it.each([
    [119, 'Terminating'],
    [120, 'UnableToTerminate'],
  ])('Q17 after %i seconds says %s', (seconds, reason) => {
    const places = [{ ...place, leavingSince: now - seconds * 1_000, inTheWay: 'something stays' }];

    const step = decideSpace(provisioned({ places }, going), { now });

    expect(step.conditions).toEqual([expect.objectContaining({ status: 'False', reason })]);
    expect(step.next.kind).toBe('recheck');
  });

  it('Q16 lets go when nothing is left but its Secret, which goes first', () => {
    expect(doings(provisioned({ places: [] }, going))).toEqual(['delete-kubeconfig', 'let-go-of-request']);
  });

  it('that was never held is left alone', () => {
    expect(doings(seen({}, going))).toEqual([]);
  });

  it('goes whatever tier it names, and whatever becomes of its namespace', () => {
    expect(doings(provisioned({ isHomeLeaving: true }, { ...going, tier: 'gone', wanted: '?' }))).toContain(
      'delete-namespace',
    );
  });
});
