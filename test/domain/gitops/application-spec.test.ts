import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applicationSpec, stripped } from '../../../shared/domain/gitops/application-spec.ts';
import type { DeploymentSpec } from '../../../shared/domain/gitops/deployment.ts';

const local = { namespace: 'team', userId: 'namespace-uid', target: { kind: 'local' } } as const;

describe('the spec of the Argo CD Application', () => {
  it('RD-01 manual: source, destination and project, and no syncPolicy', () => {
    const spec = read(aSpec({ type: 'manual' }));

    expect(spec).toEqual({
      source: { repoURL: 'https://example.com/team/shop', path: 'environments/prod', targetRevision: 'main' },
      destination: { name: 'in-cluster', namespace: 'team' },
      project: 'app-project-namespace-uid',
    });
  });

  it('RD-01 manual with sync options: a syncPolicy of nothing but those', () => {
    const spec = read(aSpec({ type: 'manual', syncOptions: ['CreateNamespace=true'] }));

    expect(spec.syncPolicy).toEqual({ syncOptions: ['CreateNamespace=true'] });
  });

  it('RD-02 illegal characters are stripped from everything that a user wrote', () => {
    const spec = read(
      aSpec({
        source: {
          repoURL: 'https://example.com/te"am/shop',
          path: 'environments/&&prod\n',
          targetRevision: "ma`i;n%'\r",
        },
        destination: { environment: 'staging', namespace: 'sh;op' },
      }),
    );

    expect(spec.source).toEqual({
      repoURL: 'https://example.com/team/shop',
      path: 'environments/prod',
      targetRevision: 'main',
    });
    expect(spec.destination.namespace).toBe('shop');
  });

  it('RD-03 automated: prunes, heals itself, may be empty, and never gives up', () => {
    const spec = read(aSpec({ type: 'automated' }));

    expect(spec.syncPolicy).toEqual({
      automated: { prune: true, selfHeal: true, allowEmpty: true },
      syncOptions: ['PrunePropagationPolicy=background'],
      retry: { limit: -1, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
    });
  });

  it('RD-03 automated with sync options: the user’s come after ours', () => {
    const spec = read(aSpec({ type: 'automated', syncOptions: ['CreateNamespace=false'] }));

    expect(spec.syncPolicy?.['syncOptions']).toEqual(['PrunePropagationPolicy=background', 'CreateNamespace=false']);
  });

  it.each([
    ['an environment', { kind: 'environment', id: 'e1' } as const, 'managed-env-e1'],
    ['an environment that is gone', { kind: 'gone' } as const, ''],
  ])('RT-11 %s is named %o', (_what, target, name) => {
    const spec = aSpec({ destination: { environment: 'staging', namespace: 'shop' } });

    expect(JSON.parse(applicationSpec(spec, { ...local, target }))).toMatchObject({
      destination: { name, namespace: 'shop' },
    });
  });

  it('takes a path from the root of the repository for what it means, as Argo CD refuses it', () => {
    expect(read(aSpec({ source: { ...aSpec().source, path: '/sub/path' } })).source.path).toBe('sub/path');
  });

  it('gives the same text for the same wish, however its parts are ordered', () => {
    const { source, destination, type, syncOptions } = aSpec();
    const reversed = {
      syncOptions,
      type,
      destination: { namespace: destination.namespace, environment: destination.environment },
      source: { targetRevision: source.targetRevision, path: source.path, repoURL: source.repoURL },
    };

    expect(applicationSpec(reversed, local)).toBe(applicationSpec(aSpec(), local));
  });

  it('lets no character through that a shell or a parser on the way would act upon', () => {
    const unit = fc.constantFrom('a', '/', '"', "'", '`', '\r', '\n', '&', ';', '%', 'é');

    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(stripped(text)).toBe([...text].filter((one) => ['a', '/', 'é'].includes(one)).join(''));
      }),
    );
  });
});

interface ReadSpec {
  readonly source: Readonly<Record<'repoURL' | 'path' | 'targetRevision', string>>;
  readonly destination: Readonly<Record<'name' | 'namespace', string>>;
  readonly syncPolicy?: Readonly<Record<string, unknown>>;
}

function read(spec: DeploymentSpec): ReadSpec {
  return JSON.parse(applicationSpec(spec, local)) as ReadSpec;
}

function aSpec(but: Partial<DeploymentSpec> = {}): DeploymentSpec {
  return {
    source: { repoURL: 'https://example.com/team/shop', path: 'environments/prod', targetRevision: 'main' },
    destination: { environment: '', namespace: '' },
    type: 'automated',
    syncOptions: [],
    ...but,
  };
}
