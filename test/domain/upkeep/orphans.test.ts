import { describe, expect, it } from 'vitest';
import { deployedFor, isTenantNamespace, mayBeTaken, orphanFinding } from '../../../shared/domain/upkeep/orphans.ts';

const uid = '0f9c6a51-0a4e-4c5f-9f3e-2f4a8d1b7c33';
const object = { namespace: 'jane-tenant', name: 'web', deleting: false };

describe('what is left of deployments', () => {
  it('CR-02 belongs to the GitOpsDeployment whose UID is in its label', () => {
    expect(deployedFor(object, `gitopsdepl-${uid}`, '-tenant')).toBe(uid);
  });

  it.each([
    ['CR-04 of another name', 'my-release'],
    ['CR-07 without an UID', 'gitopsdepl-'],
    ['CR-07 with an UID that is too short', `gitopsdepl-${uid.slice(1)}`],
    ['CR-07 with an UID that is too long', `gitopsdepl-${uid}0`],
    ['CR-07 with something of the right length', `gitopsdepl-${'x'.repeat(36)}`],
    ['of nothing', undefined],
  ])('%s it is none of our business', (_what, label) => {
    expect(deployedFor(object, label, '-tenant')).toBeUndefined();
  });

  it('CR-06 is left alone while it is being deleted', () => {
    expect(deployedFor({ ...object, deleting: true }, `gitopsdepl-${uid}`, '-tenant')).toBeUndefined();
  });

  it.each([
    ['CR-02 a tenant', 'jane-tenant', '-tenant', true],
    ['CR-10 somebody else', 'jane', '-tenant', false],
    ['CR-10 one with the suffix in the middle', 'jane-tenant-2', '-tenant', false],
    ['CR-09 the platform', 'openshift-tenant', '-tenant', false],
    ['Kubernetes itself', 'kube-tenant', '-tenant', false],
    ['anybody where it is switched off', 'jane-tenant', '', false],
  ])('%s: %s', (_who, namespace, suffix, expected) => {
    expect(isTenantNamespace(namespace, suffix)).toBe(expected);
  });

  it('CR-08 claims of volumes are never taken away', () => {
    expect(mayBeTaken({ group: '', plural: 'persistentvolumeclaims' })).toBe(false);
    expect(mayBeTaken({ group: '', plural: 'configmaps' })).toBe(true);
  });

  it('has a line of the report for each, also where kinds share a name', () => {
    const service = orphanFinding({ group: '', plural: 'services', kind: 'Service' }, object, uid);
    const deployment = orphanFinding({ group: 'apps', plural: 'deployments', kind: 'Deployment' }, object, uid);

    expect(service.subject).toEqual({ namespace: 'jane-tenant', name: 'services/web' });
    expect(deployment.subject).toEqual({ namespace: 'jane-tenant', name: 'deployments.apps/web' });
    expect(deployment.what).toBe(
      `The Deployment was deployed for a GitOpsDeployment that is gone (UID ${uid}), and is deleted`,
    );
    expect(deployment.knock).toBeUndefined();
  });
});
