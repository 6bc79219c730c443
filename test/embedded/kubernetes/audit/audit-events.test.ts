import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type AuditPolicy, parseAuditPolicy } from '../../../../infra/embedded/kubernetes/audit/audit-policy.ts';
import { createAudit } from '../../../../infra/embedded/kubernetes/audit/create-audit.ts';
import type { Status } from '../../../../infra/embedded/kubernetes/status-error.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';
import { admin, alice, asking } from '../auth/asking.ts';

type Event = Record<string, unknown>;

const folder = 'test/support/audit-events';
const ours = parseAuditPolicy(parse(readFileSync('infra/kubernetes/audit-policy.yaml', 'utf8')));

let clock: SteppedClock;

beforeEach(() => {
  clock = new SteppedClock();
});

function policyOf(rule: Record<string, unknown>, more = {}): AuditPolicy {
  return parseAuditPolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...more, rules: [rule] });
}

function listening(policy: AuditPolicy) {
  const events: Event[] = [];
  const send = async ({ items }: { readonly items: readonly Event[] }) => {
    events.push(...items);
  };
  return { events, audit: createAudit({ policy, send, clock }) };
}

function received(attributes = asking(alice, 'create', 'configmaps', { namespace: 'x' })) {
  return {
    attributes,
    requestURI: '/api/v1/namespaces/x/configmaps',
    userAgent: 'curl',
    sourceIPs: ['127.0.0.1'],
    auditID: 'id',
    receivedAt: clock.now(),
  };
}

/** Takes a real event apart into what the server knew, and lets ours be made from that. */
function replay(real: Event): Event | undefined {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const reference = (real['objectRef'] ?? {}) as Event;
  const user = real['user'] as { readonly username: string; readonly uid?: string; readonly groups: string[] };
  const status = real['responseStatus'] as Event & { readonly code: number };
  const isStatus = status['status'] !== undefined;
  const verb = text(real['verb']);
  // The path of a create has no name; what the event says of it comes from the body.
  const isInPath = verb !== 'create' && verb !== 'deletecollection';
  const { events, audit } = listening(ours);
  const record = audit.begin({
    attributes: {
      ...asking(
        { name: user.username, groups: user.groups, ...(user.uid === undefined ? {} : { uid: user.uid }) },
        verb,
        text(reference['resource']),
      ),
      group: text(reference['apiGroup']),
      version: text(reference['apiVersion']),
      subresource: text(reference['subresource']),
      namespace: text(reference['namespace']),
      name: isInPath ? text(reference['name']) : '',
    },
    requestURI: text(real['requestURI']),
    userAgent: text(real['userAgent']),
    sourceIPs: [],
    auditID: text(real['auditID']),
    receivedAt: clock.now(),
  });
  for (const [key, value] of Object.entries((real['annotations'] ?? {}) as Record<string, string>)) {
    record?.annotate(key, value);
  }
  const body = real['requestObject'] as Event | undefined;
  // At level Metadata the event does not show the body, but what stood in it.
  const { name, uid, resourceVersion } = reference;
  const requestObject =
    body ?? (verb === 'create' || verb === 'update' ? { metadata: { name, uid, resourceVersion } } : undefined);
  record?.complete({
    code: status.code,
    ...(isStatus ? { status: { kind: 'Status', apiVersion: 'v1', ...status } as unknown as Status } : {}),
    ...(requestObject === undefined ? {} : { requestObject }),
    ...(isStatus ? {} : { responseObject: real['responseObject'] ?? { metadata: { name: 'hidden' } } }),
  });
  void audit.flush();
  return events[0];
}

describe('an audit event', () => {
  const files = readdirSync(folder).filter((file) => file !== 'event-list.json' && file !== 'truncated.json');

  it.each(files)('is what a real server wrote: %s', async (file) => {
    const real = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Event;
    const made = replay(real);
    const { requestReceivedTimestamp, stageTimestamp, ...rest } = real;

    expect(JSON.parse(JSON.stringify(made))).toEqual({
      ...rest,
      requestReceivedTimestamp: '2026-11-16T10:00:00.000000Z',
      stageTimestamp: '2026-11-16T10:00:00.000000Z',
    });
    expect([requestReceivedTimestamp, stageTimestamp]).not.toContain(undefined);
  });

  it('is not begun where the policy says None, nor is anything of the request looked at', () => {
    const { audit } = listening(policyOf({ level: 'None' }));
    const request = Object.defineProperty(received(), 'requestURI', {
      get: () => {
        throw new Error('looked at');
      },
    });

    expect(audit.begin(request)).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('shows bodies only at the levels for them', async () => {
    const shown: Record<string, boolean[]> = {};
    for (const level of ['Metadata', 'Request', 'RequestResponse']) {
      const { events, audit } = listening(policyOf({ level, omitStages: ['RequestReceived'] }));
      audit.begin(received())?.complete({ code: 201, requestObject: { a: 1 }, responseObject: { b: 2 } });
      await audit.flush();
      shown[level] = [events[0]?.['requestObject'] !== undefined, events[0]?.['responseObject'] !== undefined];
    }

    expect(shown).toEqual({ Metadata: [false, false], Request: [true, false], RequestResponse: [true, true] });
  });

  it('is told at every stage that is not left out', async () => {
    const { events, audit } = listening(policyOf({ level: 'Metadata' }));
    const watch = audit.begin(received(asking(alice, 'watch', 'pods')));
    watch?.annotate('authorization.k8s.io/decision', 'allow');
    await clock.step(5);
    watch?.responseStarted(200);
    await clock.step(1_000);
    watch?.complete({ code: 200 });
    watch?.complete({ code: 500 });
    await audit.flush();

    expect(
      events.map(({ stage, stageTimestamp, annotations }) => [stage, stageTimestamp, annotations !== undefined]),
    ).toEqual([
      ['RequestReceived', '2026-11-16T10:00:00.000000Z', false],
      ['ResponseStarted', '2026-11-16T10:00:00.005000Z', true],
      ['ResponseComplete', '2026-11-16T10:00:01.005000Z', true],
    ]);
    expect(events[2]?.['responseStatus']).toEqual({ metadata: {}, code: 200 });
  });

  it('names both who asked and whom they acted as', async () => {
    const { events, audit } = listening(
      policyOf({ level: 'Metadata', users: ['admin'], omitStages: ['RequestReceived'] }),
    );
    const record = audit.begin(received(asking(admin, 'list', 'pods')));
    record?.impersonates(alice);
    record?.complete({ code: 200 });
    await audit.flush();

    expect(events[0]).toMatchObject({
      user: { username: 'admin' },
      impersonatedUser: { username: 'alice', uid: 'u-alice' },
    });
  });

  it('leaves out managedFields of objects and of the items of lists, without touching them', async () => {
    const rule = { level: 'RequestResponse', omitStages: ['RequestReceived'], omitManagedFields: true };
    const { events, audit } = listening(policyOf(rule));
    const pod = { metadata: { name: 'p', managedFields: [{}] } };
    const list = { metadata: {}, items: [pod] };
    audit.begin(received())?.complete({ code: 201, requestObject: pod, responseObject: list });
    await audit.flush();

    expect(events[0]).toMatchObject({
      requestObject: { metadata: { name: 'p' } },
      responseObject: { items: [{ metadata: { name: 'p' } }] },
    });
    expect(JSON.stringify(events[0])).not.toContain('managedFields');
    expect(pod.metadata.managedFields).toEqual([{}]);
  });
});
