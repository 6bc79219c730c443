import { describe, expect, it } from 'vitest';
import {
  confirmedRow,
  decideRepoCredential,
  needsVerdict,
  type SeenRepoCredential,
  type StoredCredential,
} from '../../../shared/domain/gitops/decide-repo-credential.ts';
import {
  credentialConditions,
  type RepositoryVerdict,
  stampConditions,
} from '../../../shared/domain/gitops/repo-credential.ts';
import { row, secret, tenant, url } from './a-credential.ts';

const moment = { now: 1_000_000 };
const listed: RepositoryVerdict = { kind: 'listed' };
const away: RepositoryVerdict = { kind: 'unknown', detail: 'the host refuses the connection' };

type Present = NonNullable<SeenRepoCredential['present']>;
interface But extends Partial<Omit<Present, 'object'>> {
  readonly object?: Partial<Present['object']>;
  readonly stored?: readonly StoredCredential[];
}

function seen({ object, stored = [], ...but }: But = {}): SeenRepoCredential & { present: Present } {
  const whole = { uid: 'uid', repository: url, secret: 'creds', conditions: [], ...object };
  return {
    namespace: 'team',
    name: 'credential',
    stored,
    present: { object: whole, secret, tenant, verdict: undefined, repositories: [], ...but },
  };
}

const said = {
  valid: stampConditions([], credentialConditions.valid(url, 'creds'), 'then'),
  denied: stampConditions([], credentialConditions.denied(url, 'creds'), 'then'),
  away: stampConditions([], credentialConditions.unknown(url, 'the host refuses the connection'), 'then'),
};

const saysValid = { conditions: said.valid };

interface Rule {
  readonly seen: SeenRepoCredential;
  readonly does: readonly string[];
  /** The ids of the credentials that Argo CD is told about. */
  readonly wakes?: readonly string[];
  readonly says?: string;
  readonly next: string;
}

const rules: Record<string, Rule> = {
  'what went wrong beside Argo CD is said, and does not speak against the credential': {
    seen: seen({ stored: [{ ...row, failure: 'forbidden' }], object: { conditions: said.valid } }),
    does: ['write-conditions ErrorOccurred'],
    says: 'ErrorOccurred',
    next: 'recheck 3600',
  },
  'SL-05 a credential that opens its repository is stored, and Argo CD told': {
    seen: seen({ verdict: listed }),
    does: ['store-credential uid', 'write-conditions RepositoryCredentialUpToDate'],
    wakes: ['uid'],
    says: 'RepositoryCredentialUpToDate',
    next: 'recheck 3600',
  },
  'SL-05 nothing changed: nothing is done': {
    seen: seen({ stored: [row], object: { conditions: said.valid } }),
    does: [],
    says: 'RepositoryCredentialUpToDate',
    next: 'recheck 3600',
  },
  'SL-05 a rotated password reaches Argo CD, and what failed before is no longer true': {
    seen: seen({ stored: [{ ...row, password: 'before', failure: 'no' }], object: saysValid, verdict: listed }),
    does: ['store-credential uid'],
    wakes: ['uid'],
    says: 'RepositoryCredentialUpToDate',
    next: 'recheck 3600',
  },
  'defect 9: a rotated key reaches Argo CD': {
    seen: seen({ stored: [{ ...row, sshPrivateKey: 'before' }], object: { conditions: said.valid }, verdict: listed }),
    does: ['store-credential uid'],
    wakes: ['uid'],
    says: 'RepositoryCredentialUpToDate',
    next: 'recheck 3600',
  },
  'SL-05 the object is gone: so are its rows, and Argo CD is told': {
    seen: { ...seen({ stored: [row] }), present: undefined },
    does: ['remove-credential uid'],
    wakes: ['uid'],
    next: 'settled',
  },
  'an object made again under the same name takes nothing over': {
    seen: seen({ stored: [{ ...row, id: 'old' }], verdict: listed }),
    does: ['remove-credential old', 'store-credential uid', 'write-conditions RepositoryCredentialUpToDate'],
    wakes: ['old', 'uid'],
    says: 'RepositoryCredentialUpToDate',
    next: 'recheck 3600',
  },
  'what is left of the one before goes even where the new one is of no use': {
    seen: seen({ stored: [{ ...row, id: 'old' }], secret: 'missing' }),
    does: ['remove-credential old', 'write-conditions SecretNotFound'],
    wakes: ['old'],
    says: 'SecretNotFound',
    next: 'settled',
  },
  'RR-02 no Secret is named': {
    seen: seen({ object: { secret: '' }, secret: 'missing' }),
    does: ['write-conditions SecretNotSpecified'],
    says: 'SecretNotSpecified',
    next: 'settled',
  },
  'RR-03 defect 6: a Secret that is not there is said to be not there, and what was stored stays': {
    seen: seen({ secret: 'missing', stored: [row] }),
    does: ['write-conditions SecretNotFound'],
    says: 'SecretNotFound',
    next: 'settled',
  },
  'a Secret of another type': {
    seen: seen({ secret: 'wrong-type' }),
    does: ['write-conditions SecretInvalidType'],
    says: 'SecretInvalidType',
    next: 'settled',
  },
  'an address that is none is never asked': {
    seen: seen({ object: { repository: 'https://me:hunter2@git.example.com/r' } }),
    does: ['write-conditions InvalidRepositoryUrl'],
    says: 'InvalidRepositoryUrl',
    next: 'settled',
  },
  'RR-04 a login that fails is said, and asked again slowly; what was stored stays': {
    seen: seen({ verdict: { kind: 'denied' }, stored: [{ ...row, password: 'before' }] }),
    does: ['write-conditions InvalidCredentials'],
    says: 'InvalidCredentials',
    next: 'recheck 600',
  },
  'defect 22: a login that still fails is not written again': {
    seen: seen({ verdict: { kind: 'denied' }, object: { conditions: said.denied } }),
    does: [],
    says: 'InvalidCredentials',
    next: 'recheck 600',
  },
  'a repository that is not there': {
    seen: seen({ verdict: { kind: 'missing', detail: 'repository not found' } }),
    does: ['write-conditions InvalidRepositoryUrl'],
    says: 'InvalidRepositoryUrl',
    next: 'recheck 600',
  },
  "a host that is away is nobody's fault: it is said, and asked again soon": {
    seen: seen({ verdict: away }),
    does: ['write-conditions ErrorOccurred'],
    says: 'ErrorOccurred',
    next: 'recheck 30',
  },
  'an outage takes nothing back that was said of the same credential': {
    seen: seen({ verdict: away, stored: [row], object: { conditions: said.valid } }),
    does: [],
    says: 'RepositoryCredentialUpToDate',
    next: 'recheck 30',
  },
  'an outage says nothing good of another credential': {
    seen: seen({ verdict: away, stored: [{ ...row, password: 'before' }], object: { conditions: said.valid } }),
    does: ['write-conditions ErrorOccurred'],
    says: 'ErrorOccurred',
    next: 'recheck 30',
  },
  'a good credential waits for an Argo CD': {
    seen: seen({ verdict: listed, tenant: { ...tenant, placed: undefined } }),
    does: ['write-conditions ErrorOccurred'],
    says: 'ErrorOccurred',
    next: 'recheck 30',
  },
};

describe('a repository credential', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen: observed, does, wakes = [], says, next }) => {
    const step = decideRepoCredential(observed, moment);

    expect(step.effects.map((effect) => `${effect.do} ${'id' in effect ? effect.id : effect.reason}`)).toEqual(does);
    expect(step.knocks).toEqual(
      wakes.map((id) => ({
        type: 'operation.requested.v1',
        subject: { namespace: 'team', name: `repository-credentials.${id}` },
      })),
    );
    expect(step.conditions[0]?.reason).toBe(says);
    expect(step.next.kind === 'recheck' ? `recheck ${step.next.afterSeconds}` : step.next.kind).toBe(next);
  });

  it.each(Object.entries(rules))('says nothing of what opens it: %s', (_rule, { seen: observed }) => {
    expect(JSON.stringify(decideRepoCredential(observed, moment))).not.toMatch(/hunter2|before/);
  });

  it.each([
    [0, 30],
    [45, 45],
    [240, 240],
    [7_200, 600],
  ])('a host that has been away for %d seconds is asked again after %d', (waited, after) => {
    const waiting = { reason: 'HostUnreachable', since: moment.now - waited * 1_000, deadline: 0 };
    const { next } = decideRepoCredential(seen({ verdict: away, object: { conditions: said.away } }), {
      ...moment,
      waiting,
    });

    expect(next).toMatchObject({ kind: 'recheck', afterSeconds: after });
  });

  it('a host is not asked about what it let in a short while ago', () => {
    const { object } = seen({ object: { conditions: said.valid } }).present;

    expect(needsVerdict(object, secret, [row])).toBe(false);
    expect(needsVerdict(object, secret, [{ ...row, validatedSecondsAgo: 3_600 }])).toBe(true);
    expect(needsVerdict(object, { ...secret, password: 'new' }, [row])).toBe(true);
    expect(needsVerdict({ ...object, repository: `${url}/` }, secret, [row])).toBe(true);
    expect(needsVerdict({ ...object, conditions: said.denied }, secret, [row])).toBe(true);
    expect([needsVerdict(object, secret, []), needsVerdict(object, 'missing', [])]).toEqual([true, false]);
  });

  it('only what was asked about, and is stored as it is, is confirmed', () => {
    expect(confirmedRow(seen({ verdict: listed, stored: [row] }))).toBe(row);
    expect(confirmedRow(seen({ stored: [row] }))).toBeUndefined();
    expect(confirmedRow(seen({ verdict: listed, stored: [{ ...row, password: 'before' }] }))).toBeUndefined();
  });
});
