import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppProject } from '../../../shared/contracts/argo/app-project.ts';
import { ArgoApplication } from '../../../shared/contracts/argo/application.ts';
import { AdmissionAnswer, AdmissionReview } from '../../../shared/contracts/kubernetes/admission-review.ts';
import { AuditEventList } from '../../../shared/contracts/kubernetes/audit-event.ts';
import { SpaceRequest } from '../../../shared/contracts/kubernetes/space-request.ts';

const event = {
  level: 'RequestResponse',
  auditID: '9dc64b8c-eca1-4f57-88e5-75d29acdc457',
  stage: 'ResponseComplete',
  requestURI: '/apis/appstudio.redhat.com/v1alpha1/namespaces/team-a/snapshots/first',
  verb: 'patch',
  user: { username: 'ada', groups: ['developers'] },
  objectRef: { resource: 'snapshots', namespace: 'team-a', name: 'first', apiGroup: 'appstudio.redhat.com' },
  responseStatus: { metadata: {}, code: 200 },
  responseObject: {
    kind: 'Snapshot',
    metadata: { name: 'first', namespace: 'team-a', uid: 'u-1', resourceVersion: '42' },
    spec: { application: 'shop', components: [{ name: 'web' }] },
  },
  stageTimestamp: '2026-11-16T07:53:50.926492Z',
};

function batch(...items: readonly unknown[]) {
  return { apiVersion: 'audit.k8s.io/v1', kind: 'EventList', metadata: {}, items };
}

describe('an audit event', () => {
  it('tells who did what to which object, at which version, and how it ended', () => {
    const { events } = AuditEventList.parse(batch(event));

    expect(events).toMatchObject([
      {
        verb: 'patch',
        stage: 'ResponseComplete',
        objectRef: { apiGroup: 'appstudio.redhat.com', resource: 'snapshots', subresource: '', name: 'first' },
        responseStatus: { code: 200 },
        responseObject: { metadata: { uid: 'u-1', resourceVersion: '42' }, spec: { application: 'shop' } },
        user: { username: 'ada' },
      },
    ]);
  });

  it('keeps nothing of an object but what tells where to look', () => {
    const { events } = AuditEventList.parse(batch(event));

    expect(JSON.stringify(events)).not.toContain('web');
  });

  it('survives a body that is not an object, as that of a JSON patch', () => {
    const { events } = AuditEventList.parse(batch({ ...event, requestObject: [{ op: 'remove', path: '/spec' }] }));

    expect(events).toHaveLength(1);
    expect(events[0]?.requestObject).toBeUndefined();
  });

  it('survives details of another form', () => {
    const strange = { ...event, user: 'ada', responseStatus: 200, responseObject: { metadata: { generation: 'two' } } };

    const { events, malformed } = AuditEventList.parse(batch(strange));

    expect(events).toHaveLength(1);
    expect(malformed).toEqual([]);
  });

  it('names each object that a deletion of many took', () => {
    const file = new URL('../../support/audit-events/delete-collection.json', import.meta.url);

    const { events } = AuditEventList.parse(batch(JSON.parse(readFileSync(file, 'utf8'))));

    expect(events[0]?.responseObject?.items?.map(({ metadata }) => metadata?.name)).toEqual(['box-zk6gp', 'crate']);
  });

  it('that is malformed is named, and the others of its batch are read', () => {
    const { events, malformed } = AuditEventList.parse(batch(event, { verb: 'get' }, 'noise', event));

    expect(events).toHaveLength(2);
    expect(malformed.map(({ index }) => index)).toEqual([1, 2]);
    expect(malformed[0]?.problem).toContain('auditID');
  });

  it('may be missing from a batch altogether', () => {
    expect(AuditEventList.parse({ ...batch(), items: null })).toEqual({ events: [], malformed: [] });
  });

  it('of another version is not taken for one of this', () => {
    expect(AuditEventList.safeParse({ ...batch(event), apiVersion: 'audit.k8s.io/v2' }).success).toBe(false);
  });
});

describe('a question of the API server', () => {
  const request = {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: { group: 'appstudio.redhat.com', version: 'v1alpha1', kind: 'Snapshot' },
    resource: { group: 'appstudio.redhat.com', version: 'v1alpha1', resource: 'snapshots' },
    operation: 'CREATE',
    userInfo: { username: 'ada', extra: { anything: ['goes'] } },
    object: { kind: 'Snapshot' },
    oldObject: null,
    options: { kind: 'CreateOptions' },
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };

  it('carries the object as it is, and nothing where there is none', () => {
    const read = AdmissionReview.parse(review);

    expect(read.request.object).toEqual({ kind: 'Snapshot' });
    expect(read.request.oldObject).toBeUndefined();
    expect(read.request).toMatchObject({ namespace: '', subResource: '', dryRun: false, userInfo: { groups: [] } });
  });

  it('gets an answer that says no more than the API server understands', () => {
    const response = { uid: request.uid, allowed: false, status: { code: 422, message: 'no' } };

    expect(AdmissionAnswer.safeParse({ ...review, request: undefined, response }).success).toBe(false);
    expect(AdmissionAnswer.safeParse({ apiVersion: review.apiVersion, kind: review.kind, response }).success).toBe(
      true,
    );
  });
});

describe('an object of others', () => {
  it('keeps what we do not know: an Argo CD Application', () => {
    const application = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'gitopsdepl-1', labels: { databaseID: '7' } },
      spec: {
        project: 'app-project-1',
        source: { repoURL: 'u', path: 'p', kustomize: { namePrefix: 'x-' } },
        destination: { name: 'in-cluster', namespace: 'shop' },
        ignoreDifferences: [{ kind: 'Deployment' }],
      },
      status: {
        sync: { status: 'Synced', revision: 'abc', comparedTo: { source: { repoURL: 'u' }, destination: {} } },
        health: { status: 'Healthy' },
        operationState: { phase: 'Succeeded', operation: { sync: { revision: 'abc' }, retry: { limit: 5 } } },
        sourceType: 'Kustomize',
      },
    };

    const read = ArgoApplication.parse(application);

    expect(read).toMatchObject(application);
    expect(read.status).toMatchObject({ resources: [], conditions: [], history: [] });
  });

  it('keeps what we do not know: an AppProject', () => {
    const project = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'app-project-1' },
      spec: { destinations: [{ name: 'in-cluster', namespace: 'shop' }], roles: [{ name: 'reader' }] },
    };

    expect(AppProject.parse(project)).toMatchObject({ ...project, spec: { ...project.spec, sourceRepos: [] } });
  });

  it('keeps what we do not know: a SpaceRequest', () => {
    const request = {
      apiVersion: 'toolchain.dev.openshift.com/v1alpha1',
      kind: 'SpaceRequest',
      metadata: { name: 'dev-dtc-x7x2p' },
      spec: { tierName: 'appstudio-env', somethingNew: { of: 'theirs' } },
      status: {
        targetClusterURL: 'https://api.example.com',
        namespaceAccess: [{ name: 'dev', secretRef: 'dev-secret' }, { name: 'bare' }],
        conditions: [{ type: 'Ready', status: 'False', reason: 'UnableToTerminate' }],
      },
    };

    const read = SpaceRequest.parse(request);

    expect(read).toMatchObject(request);
    expect(read.spec.targetClusterRoles).toEqual([]);
    expect(read.status?.namespaceAccess[1]?.secretRef).toBe('');
  });
});
