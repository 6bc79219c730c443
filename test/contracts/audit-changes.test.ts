import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../shared/contracts/audit-changes.ts';
import { AuditEvent, AuditEventList } from '../../shared/contracts/kubernetes/audit-event.ts';

// The events were recorded from a real kube-apiserver 1.36 with infra/kubernetes/audit-policy.yaml.
const recorded = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../support/audit-events/${name}.json`, import.meta.url), 'utf8'));
const changes = (name: string) =>
  changesOf(AuditEvent.parse(recorded(name))).map(
    ({ kind, namespace, name: object, version }) =>
      `${kind} ${namespace}/${object}${version === undefined ? '' : ` at ${version}`}`,
  );

describe('an audit event of', () => {
  it.each([
    ['a create', 'create', ['GitOpsDeployment team-a/box at 263']],
    ['a create by generateName', 'create-generate-name', ['GitOpsDeployment team-a/box-zk6gp at 264']],
    ['an update', 'update', ['GitOpsDeployment team-a/box at 265']],
    ['an update of the status', 'update-status', ['GitOpsDeployment team-a/box at 266']],
    ['a patch', 'patch', ['GitOpsDeployment team-a/box at 267']],
    ['a server-side apply', 'apply-create', ['GitOpsDeployment team-a/crate at 269']],
    ['a space request', 'spacerequest-create', ['SpaceRequest team-a/claim-zch7p at 285']],
    ['an Argo CD Application, whose body is not told', 'argo-patch-status', ['Application team-a/gitopsdepl-1']],
    ['a Secret, whose body is never told', 'secret-patch', ['Secret team-a/token']],
    ['a truncated event', 'truncated', ['GitOpsDeployment team-a/large']],
  ])('%s tells the object, and the version where it is told', (_what, file, expected) => {
    expect(changes(file)).toEqual(expected);
  });

  it.each([
    ['a delete', 'delete', ['GitOpsDeployment team-a/box']],
    ['a delete that waits for a finalizer', 'delete-with-finalizer', ['GitOpsDeployment team-a/kept']],
    ['the removal of the last finalizer', 'remove-finalizer', ['GitOpsDeployment team-a/kept']],
  ])('%s has no version, so that it is always looked at', (_what, file, expected) => {
    expect(changes(file)).toEqual(expected);
  });

  it('a deletecollection tells every object it deleted, without the versions from before', () => {
    const told = changes('delete-collection');

    expect(told.length).toBeGreaterThan(0);
    expect(told.every((change) => !change.includes(' at '))).toBe(true);
  });

  it.each([
    ['a create that was refused', 'create-already-exists'],
    ['an update that met a conflict', 'update-conflict'],
    ['a delete of nothing', 'delete-missing'],
    ['a dry run', 'dry-run'],
    ['a Secret without a name', 'secret-create-generate-name'],
  ])('%s tells nothing', (_what, file) => {
    expect(changes(file)).toEqual([]);
  });
});

describe('the labels of an object', () => {
  const labels = { 'appstudio.openshift.io/dtc': 'staging-dtc' };

  /** The recorded event, as it would be if the object bore labels. */
  function labelled(name: string): unknown {
    const event = recorded(name) as { responseObject: { metadata: Record<string, unknown> } };
    const { responseObject } = event;
    return { ...event, responseObject: { ...responseObject, metadata: { ...responseObject.metadata, labels } } };
  }
  const labelsTold = (event: unknown) => changesOf(AuditEvent.parse(event)).map((change) => change.labels);

  it('are told of a SpaceRequest: they name the claim and the target that it was made for', () => {
    expect(labelsTold(labelled('spacerequest-create'))).toEqual([labels]);
  });

  it('are told of every SpaceRequest of a deletecollection', () => {
    const event = labelled('spacerequest-create') as { responseObject: object };
    const all = { ...event, verb: 'deletecollection', responseObject: { items: [event.responseObject] } };

    expect(labelsTold(all)).toEqual([labels]);
  });

  it('are not told of a SpaceRequest that has none, nor of anything else', () => {
    expect(labelsTold(recorded('spacerequest-create'))).toEqual([undefined]);
    expect(labelsTold(labelled('create'))).toEqual([undefined]);
  });
});

describe('a recorded batch', () => {
  it('is read whole', () => {
    const { events, malformed } = AuditEventList.parse(recorded('event-list'));

    expect(malformed).toEqual([]);
    expect(events.flatMap(changesOf).length).toBeGreaterThan(0);
  });
});
