import { describe, expect, it } from 'vitest';
import {
  type AppProject,
  isDestinationPermitted,
  isKindPermitted,
  isSourcePermitted,
} from '../../../../infra/embedded/argo-cd/project/app-project.ts';
import { matchesGlob } from '../../../../infra/embedded/argo-cd/project/glob.ts';

function aProject(spec: AppProject['spec']): AppProject {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'team' }, spec };
}

const local = { server: 'https://kubernetes.default.svc', name: 'in-cluster', project: '' };

describe('a project', () => {
  it.each([
    ['*', 'https://git.example/team/app', true],
    ['https://git.example/team/app', 'https://GIT.example/team/app.git', true],
    ['https://git.example/team/*', 'https://git.example/team/app', true],
    ['https://git.example/*', 'https://git.example/team/app', false],
    ['https://git.example/**', 'https://git.example/team/app', true],
    ['git@git.example:team/app', 'ssh://git@git.example/team/app.git', true],
    ['!https://git.example/team/app', 'https://git.example/team/app', false],
  ])('with the source %s answers for %s: %s', (pattern, repoURL, expected) => {
    expect(isSourcePermitted(aProject({ sourceRepos: [pattern] }), { repoURL })).toBe(expected);
  });

  it('permits no source and no destination unless it names some', () => {
    expect(isSourcePermitted(aProject({}), { repoURL: 'https://git.example/a' })).toBe(false);
    expect(isDestinationPermitted(aProject({}), local, 'apps')).toBe(false);
  });

  it.each([
    [{ name: 'in-cluster', namespace: 'apps' }, 'apps', true],
    [{ name: 'in-cluster', namespace: 'apps' }, 'other', false],
    [{ server: 'https://kubernetes.default.svc', namespace: 'team-*' }, 'team-a', true],
    [{ server: '*', namespace: '!secret' }, 'secret', false],
    [{ name: 'elsewhere', namespace: '*' }, 'apps', false],
  ])('with the destination %j answers for the namespace %s: %s', (destination, namespace, expected) => {
    expect(isDestinationPermitted(aProject({ destinations: [destination] }), local, namespace)).toBe(expected);
  });

  it('a denial outweighs what is permitted before and after it', () => {
    const destinations = [
      { server: '*', namespace: '*' },
      { server: '*', namespace: '!kube-system' },
      { server: '*', namespace: '*' },
    ];

    expect(isDestinationPermitted(aProject({ destinations }), local, 'kube-system')).toBe(false);
    expect(isDestinationPermitted(aProject({ destinations }), local, 'apps')).toBe(true);
  });

  it('may be held to the clusters that are its own', () => {
    const project = aProject({
      destinations: [{ server: '*', namespace: '*' }],
      permitOnlyProjectScopedClusters: true,
    });

    expect(isDestinationPermitted(project, local, 'apps')).toBe(false);
    expect(isDestinationPermitted(project, { ...local, project: 'team' }, 'apps')).toBe(true);
  });

  it('refuses cluster-wide kinds unless listed, and allows namespaced ones unless denied', () => {
    const role = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' };
    const secret = { group: '', kind: 'Secret' };

    expect(isKindPermitted(aProject({}), role, 'r', false)).toBe(false);
    expect(isKindPermitted(aProject({ clusterResourceWhitelist: [{ group: '*', kind: '*' }] }), role, 'r', false)).toBe(
      true,
    );
    expect(isKindPermitted(aProject({}), secret, 's', true)).toBe(true);
    expect(isKindPermitted(aProject({ namespaceResourceBlacklist: [secret] }), secret, 's', true)).toBe(false);
    expect(isKindPermitted(aProject({ namespaceResourceWhitelist: [] }), secret, 's', true)).toBe(false);
  });
});

describe('a glob', () => {
  it.each([
    ['a*', 'abc', true],
    ['a?c', 'abc', true],
    ['{dev,test}-*', 'test-1', true],
    ['{dev,test}-*', 'prod-1', false],
    ['[ab]x', 'bx', true],
    ['[!ab]x', 'bx', false],
    ['a.c', 'abc', false],
    ['(a+)+$', 'aaaa', false],
    ['[', '[', true],
  ])('%s for %s: %s', (pattern, value, expected) => {
    expect(matchesGlob(pattern, value)).toBe(expected);
  });
});
