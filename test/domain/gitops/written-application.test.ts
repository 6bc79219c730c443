import { describe, expect, it } from 'vitest';
import { applicationPatch, writtenApplication } from '../../../shared/domain/gitops/written-application.ts';

const spec = {
  source: { repoURL: 'https://git.example/a', path: 'deploy', targetRevision: 'main' },
  destination: { name: 'in-cluster', namespace: 'team' },
  project: 'app-project-u-1',
  syncPolicy: { automated: { prune: true, selfHeal: true, allowEmpty: true }, syncOptions: ['A=b'] },
};

function written(but: object = {}) {
  const made = writtenApplication({ id: 'a-1', spec: JSON.stringify({ ...spec, ...but }) }, 'u-1', 'argocd');
  if (made === undefined) throw new Error('it is a spec');
  return made;
}

function stored(but: object = {}, labels: Record<string, string> = { databaseID: 'a-1' }) {
  return { metadata: { resourceVersion: '7', labels, annotations: {} }, spec: { ...spec, ...but } };
}

describe('the Argo CD Application of a row', () => {
  it('CO-09 has the name, the label and the spec of the row, and no finalizer', () => {
    expect(written()).toEqual({
      metadata: { name: 'gitopsdepl-a-1', namespace: 'argocd', labels: { databaseID: 'a-1' } },
      spec,
    });
  });

  it('is in the project of its owner, whatever the row says', () => {
    expect(written({ project: 'default' }).spec['project']).toBe('app-project-u-1');
  });

  it.each(['', 'no: json', '[]', 'null', '"text"'])('is none where the row has %s for a spec', (text) => {
    expect(writtenApplication({ id: 'a-1', spec: text }, 'u-1', 'argocd')).toBeUndefined();
  });
});

describe('an Argo CD Application that is there', () => {
  it('is left alone where it says the same, in whatever order and with whatever empty values', () => {
    const same = stored({
      destination: { namespace: 'team', server: '', name: 'in-cluster' },
      syncPolicy: { syncOptions: ['A=b'], automated: { allowEmpty: true, selfHeal: true, prune: true } },
      ignoreDifferences: [{ kind: 'Deployment' }],
    });

    expect(applicationPatch(same, written())).toBeUndefined();
  });

  it.each([
    ['source', { source: { ...spec.source, path: 'x' } }, { source: { path: 'deploy' } }],
    ['destination', { destination: { name: 'x', namespace: 'team' } }, { destination: { name: 'in-cluster' } }],
    ['project', { project: 'default' }, { project: 'app-project-u-1' }],
    ['syncPolicy', { syncPolicy: { syncOptions: ['A=b'] } }, { syncPolicy: { automated: spec.syncPolicy.automated } }],
  ])('CU-05 a difference in %s is written over the version that was seen', (_what, there, patch) => {
    expect(applicationPatch(stored(there), written())).toEqual({ metadata: { resourceVersion: '7' }, spec: patch });
  });

  it('CU-06 no policy on both sides is the same, on one side it is not', () => {
    const without = written({ syncPolicy: undefined });

    expect(applicationPatch(stored({ syncPolicy: undefined }), without)).toBeUndefined();
    expect(applicationPatch(stored({ syncPolicy: { syncOptions: [] } }), without)).toBeUndefined();
    expect(applicationPatch(stored(), without)).toMatchObject({ spec: { syncPolicy: null } });
    expect(applicationPatch(stored({ syncPolicy: undefined }), written())).toMatchObject({ spec: { syncPolicy: {} } });
  });

  it('CU-07 automation on one side only is a difference, and is taken away', () => {
    const manual = written({ syncPolicy: { syncOptions: ['A=b'] } });

    expect(applicationPatch(stored(), manual)).toMatchObject({ spec: { syncPolicy: { automated: null } } });
    expect(applicationPatch(stored({ syncPolicy: { syncOptions: ['A=b'] } }), manual)).toBeUndefined();
  });

  it('automation that somebody switched off is switched on again', () => {
    const off = { ...spec.syncPolicy, automated: { ...spec.syncPolicy.automated, enabled: false } };

    expect(applicationPatch(stored({ syncPolicy: off }), written())).toMatchObject({
      spec: { syncPolicy: { automated: { enabled: null } } },
    });
  });

  it('gets its label back', () => {
    expect(applicationPatch(stored({}, { theirs: 'x' }), written())).toMatchObject({
      metadata: { labels: { theirs: 'x', databaseID: 'a-1' } },
    });
  });
});
