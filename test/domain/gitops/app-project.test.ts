import { describe, expect, it } from 'vitest';
import {
  isSameFence,
  type ProjectRows,
  projectPatch,
  writtenProject,
} from '../../../shared/domain/gitops/app-project.ts';

const engine = { namespace: 'argocd', local: true };
const tenant: ProjectRows = {
  userId: 'u-1',
  namespace: 'team',
  repositories: ['https://git.example/b', 'https://git.example/a'],
  environments: [
    { id: 'e-1', namespaces: [] },
    { id: 'e-2', namespaces: ['green', 'blue'] },
  ],
};

function stored(spec = writtenProject(tenant, engine).spec, annotations: Record<string, string> = { username: 'u-1' }) {
  return {
    metadata: { resourceVersion: '7', labels: {}, annotations },
    spec: {
      sourceRepos: [...spec.sourceRepos],
      destinations: spec.destinations.map((destination) => ({ ...destination, server: '' })),
    },
  };
}

describe('the project of a tenant', () => {
  it('CO-15 lists exactly its repositories, its own namespace, and its environments with their namespaces', () => {
    expect(writtenProject(tenant, engine)).toEqual({
      metadata: { name: 'app-project-u-1', namespace: 'argocd', annotations: { username: 'u-1' } },
      spec: {
        sourceRepos: ['https://git.example/a', 'https://git.example/b'],
        destinations: [
          { name: 'in-cluster', namespace: 'team' },
          { name: 'managed-env-e-1', namespace: '*' },
          { name: 'managed-env-e-2', namespace: 'blue' },
          { name: 'managed-env-e-2', namespace: 'green' },
        ],
      },
    });
  });

  it('does not list the namespace where Argo CD runs in another cluster: there it is somebody else’s', () => {
    const { destinations } = writtenProject({ ...tenant, environments: [] }, { ...engine, local: false }).spec;

    expect(destinations).toEqual([]);
  });

  it.each([
    '*',
    'https://git.example/*',
    '**',
    '!https://git.example/a',
    'https://git.example/{a,b}',
    'https://[a-z].example/a',
  ])('does not list %s, which Argo CD would read as a pattern', (url) => {
    expect(writtenProject({ ...tenant, repositories: [url] }, engine).spec.sourceRepos).toEqual([]);
  });

  it('does not list an address with a password in it', () => {
    const repositories = ['https://somebody:secret@git.example/a'];

    expect(JSON.stringify(writtenProject({ ...tenant, repositories }, engine))).not.toContain('secret');
  });

  it('opens no namespace by a name that is a pattern: a list of nothing else opens none', () => {
    const environments = [{ id: 'e-1', namespaces: ['*', 'team-?', '!kube-system', 'Upper'] }];

    expect(writtenProject({ ...tenant, environments }, engine).spec.destinations).toEqual([
      { name: 'in-cluster', namespace: 'team' },
    ]);
  });

  it('lists a repository once, and is the same in whatever order the rows come', () => {
    const twice = [...tenant.repositories, ...tenant.repositories].toReversed();

    expect(writtenProject({ ...tenant, repositories: twice }, engine)).toEqual(writtenProject(tenant, engine));
  });
});

describe('CO-17 two projects', () => {
  const { spec } = writtenProject(tenant, engine);

  it('are not the same where there is none', () => {
    expect(isSameFence(undefined, spec)).toBe(false);
  });

  it('are the same in another order', () => {
    const { sourceRepos, destinations } = stored().spec;

    expect(isSameFence({ sourceRepos: sourceRepos.toReversed(), destinations: destinations.toReversed() }, spec)).toBe(
      true,
    );
  });

  it.each([
    ['a repository less', { ...stored().spec, sourceRepos: ['https://git.example/a'] }],
    ['a repository more', { ...stored().spec, sourceRepos: [...spec.sourceRepos, 'https://git.example/c'] }],
    ['another repository', { ...stored().spec, sourceRepos: ['https://git.example/a', 'https://git.example/c'] }],
    ['a destination less', { ...stored().spec, destinations: stored().spec.destinations.slice(1) }],
    [
      'another namespace',
      { ...stored().spec, destinations: stored().spec.destinations.map((one) => ({ ...one, namespace: '*' })) },
    ],
    [
      'a destination by its address',
      { ...stored().spec, destinations: stored().spec.destinations.map((one) => ({ ...one, server: 'https://x' })) },
    ],
  ])('differ by %s', (_what, there) => {
    expect(isSameFence(there, spec)).toBe(false);
  });

  it('nothing is patched where nothing differs', () => {
    expect(projectPatch(stored(), writtenProject(tenant, engine))).toBeUndefined();
  });

  it('CO-12 both lists are written over the version that was seen', () => {
    const wider = stored({ ...spec, sourceRepos: ['*'] });

    expect(projectPatch(wider, writtenProject(tenant, engine))).toEqual({ metadata: { resourceVersion: '7' }, spec });
  });

  it('a lost annotation comes back, and those of others stay', () => {
    expect(projectPatch(stored(spec, { theirs: 'x' }), writtenProject(tenant, engine))).toMatchObject({
      metadata: { annotations: { theirs: 'x', username: 'u-1' } },
    });
  });
});
