import { describe, expect, it } from 'vitest';
import { openRecentObjects } from '../../../shared/adapters/kubernetes/recent-objects.ts';
import type { WatchEvent } from '../../../shared/adapters/kubernetes/watched-object.ts';

const anEvent = (resourceVersion: string, type: WatchEvent['type'] = 'MODIFIED', name = 'web'): WatchEvent => ({
  type,
  object: {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace: 'argocd', name, uid: 'u', resourceVersion },
  },
});
const find = (recent: ReturnType<typeof openRecentObjects>, atLeast: string, name = 'web') =>
  recent.find('argoproj.io', 'Application', 'argocd', name, atLeast);

describe('what the watch has brought', () => {
  it('spares a look where it is of the version that was knocked about, or later', () => {
    const recent = openRecentObjects();

    recent.note(anEvent('10'));

    expect(find(recent, '10')).toMatchObject({ metadata: { resourceVersion: '10' } });
    expect(find(recent, '9')).toMatchObject({ metadata: { resourceVersion: '10' } });
  });

  it('is no help where it is older: the API server must be asked', () => {
    const recent = openRecentObjects();

    recent.note(anEvent('9'));

    expect(find(recent, '10')).toBeUndefined();
  });

  it('tells a deletion, and its end by a successor of the same name', () => {
    const recent = openRecentObjects();

    recent.note(anEvent('10', 'DELETED'));
    expect(find(recent, '10')).toBeNull();

    recent.note(anEvent('11', 'ADDED'));
    expect(find(recent, '10')).toMatchObject({ metadata: { resourceVersion: '11' } });
  });

  it('tells kinds of the same name apart by their group', () => {
    const recent = openRecentObjects();

    recent.note(anEvent('10'));

    expect(recent.find('appstudio.redhat.com', 'Application', 'argocd', 'web', '10')).toBeUndefined();
  });

  it('is forgotten, the oldest first, when there is too much of it', () => {
    const recent = openRecentObjects({ most: 2 });

    for (const [index, name] of ['one', 'two', 'one', 'three'].entries())
      recent.note(anEvent(String(index + 1), 'MODIFIED', name));

    expect(find(recent, '1', 'two')).toBeUndefined();
    expect(find(recent, '3', 'one')).toBeDefined();
    expect(find(recent, '4', 'three')).toBeDefined();
  });

  it('with a version that cannot be compared is never taken', () => {
    const recent = openRecentObjects();

    recent.note(anEvent('opaque'));

    expect(find(recent, '1')).toBeUndefined();
  });
});
