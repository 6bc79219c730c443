import { describe, expect, it } from 'vitest';
import { type Change, isLater, whoCares } from '../../../shared/domain/core/interest.ts';

const claim = (name: string, version?: string): Change => ({
  group: 'appstudio.redhat.com',
  kind: 'DeploymentTargetClaim',
  namespace: 'team',
  name,
  version,
});

describe('who cares', () => {
  it('is nobody, for a kind that is not in the table', () => {
    expect(whoCares([{ group: 'apps', kind: 'Deployment', namespace: 'team', name: 'web' }])).toEqual([]);
  });

  it('tells kinds of the same name apart by their group', () => {
    const ours = { group: 'appstudio.redhat.com', kind: 'Application', namespace: 'team', name: 'shop' };
    const argos = { group: 'argoproj.io', kind: 'Application', namespace: 'argocd', name: 'shop' };

    expect(whoCares([ours, argos]).map(({ type }) => type)).toEqual([
      'application.changed.v1',
      'argo-application.changed.v1',
    ]);
  });

  it('makes one knock of many changes of one object, at the latest version whatever their order', () => {
    const knocks = whoCares([claim('web', '9'), claim('web', '100'), claim('web', '20'), claim('api', '3')]);

    expect(knocks).toEqual([
      { type: 'claim.changed.v1', subject: { namespace: 'team', name: 'web', version: '100' } },
      { type: 'claim.changed.v1', subject: { namespace: 'team', name: 'api', version: '3' } },
    ]);
  });

  it('keeps the knock without a version, because it always leads to a look', () => {
    expect(whoCares([claim('web', '9'), claim('web'), claim('web', '10')])).toEqual([
      { type: 'claim.changed.v1', subject: { namespace: 'team', name: 'web' } },
    ]);
  });

  it('puts an Application in line with its own parts', () => {
    const [knock] = whoCares([{ group: 'appstudio.redhat.com', kind: 'Application', namespace: 'team', name: 'shop' }]);

    expect(knock?.subject.application).toBe('shop');
  });

  it('passes on the application that a part of it names', () => {
    const [knock] = whoCares([
      { group: 'appstudio.redhat.com', kind: 'Snapshot', namespace: 'team', name: 's1', application: 'shop' },
    ]);

    expect(knock?.subject.application).toBe('shop');
  });
});

describe('a version is later', () => {
  it.each([
    ['10', '9', true],
    ['9', '10', false],
    ['9', '9', false],
    [undefined, '9', true],
    ['9', undefined, false],
    ['99999999999999999', '99999999999999998', true],
  ])('%s after %s: %s', (version, than, expected) => {
    expect(isLater(version, than)).toBe(expected);
  });
});

describe('an Argo CD Application', () => {
  const change = { group: 'argoproj.io', kind: 'Application', namespace: 'argocd', name: 'gitopsdepl-1', version: '7' };

  it('that Argo CD has not looked at yet is worth nobody’s look', () => {
    expect(whoCares([{ ...change, untouched: true }])).toEqual([]);
  });

  it('is worth one as soon as it has a status, and when it is gone', () => {
    expect(whoCares([change])).toMatchObject([{ type: 'argo-application.changed.v1' }]);
  });
});
