import { describe, expect, it } from 'vitest';
import { ownerOf, withOwner } from '../../../shared/domain/environment/owner-of.ts';

const environment = { name: 'dev', uid: 'u1' };
const right = {
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'Environment',
  name: 'dev',
  uid: 'u1',
  controller: true,
  blockOwnerDeletion: true,
};
const original = { apiVersion: 'managed-gitops.redhat.com/v1alpha1', kind: 'Environment', name: 'dev', uid: 'u1' };
const another = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u9' };

describe('the owner of an object that bears the name of an Environment', () => {
  it.each([
    ['is the Environment', [right], 'this', true],
    ['is the Environment among others', [another, right], 'this', true],
    ['defect 15: is the Environment, by its UID, whatever else is said', [original], 'this', false],
    ['is one of the same name that is gone', [{ ...right, uid: 'u0' }], 'predecessor', false],
    ['is one of the same name that the original wrote', [{ ...original, uid: 'u0' }], 'predecessor', false],
    ['AE-21 is of another kind', [another], 'stranger', false],
    ['is an Environment of another name', [{ ...right, name: 'stage', uid: 'u5' }], 'stranger', false],
    ['is also somebody else', [{ ...right, uid: 'u0' }, another], 'stranger', false],
    ['is nobody', [], 'stranger', false],
  ])('%s', (_what, references, owner, isOwnedWell) => {
    expect(ownerOf(references, environment)).toEqual({ owner, isOwnedWell });
  });

  it('is a predecessor where the Environment itself is gone', () => {
    expect(ownerOf([right], { name: 'dev', uid: undefined }).owner).toBe('predecessor');
  });

  it('is written as Kubernetes understands it, beside those of others', () => {
    const owners = withOwner([another, original], environment);

    expect(owners).toEqual([another, right]);
    expect(ownerOf(owners, environment)).toEqual({ owner: 'this', isOwnedWell: true });
  });
});
