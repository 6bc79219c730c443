import { describe, expect, it } from 'vitest';
import type { ArgoStatus } from '../../../shared/domain/status/argo-status.ts';
import { gistOf } from '../../../shared/domain/status/gist-of.ts';
import { guestbook } from './fixtures.ts';

function ailing(status: string, resources: readonly (readonly [string, string, string])[], message = ''): ArgoStatus {
  return {
    ...guestbook,
    health: { status, message },
    resources: resources.map(([kind, health, why]) => ({
      group: '',
      version: 'v1',
      kind,
      namespace: 'team-a',
      name: 'web',
      status: 'Synced',
      health: { status: health, message: why },
    })),
  };
}

describe('what is wrong with an Application, in few words', () => {
  it('is nothing where it is healthy', () => {
    expect(gistOf(guestbook).trouble).toBe('');
  });

  it('is what Argo CD says of the resource that ails most, since it says nothing of the whole', () => {
    const status = ailing('Degraded', [
      ['Service', 'Healthy', ''],
      ['Ingress', 'Progressing', 'Waiting for an address'],
      ['Deployment', 'Degraded', 'exceeded its progress deadline'],
    ]);

    expect(gistOf(status).trouble).toBe('Deployment web: exceeded its progress deadline');
  });

  it('names the resource where Argo CD has no words for it either, and prefers one that it has words for', () => {
    expect(gistOf(ailing('Missing', [['Deployment', 'Missing', '']])).trouble).toBe('Deployment web is Missing');
    expect(
      gistOf(
        ailing('Degraded', [
          ['Pod', 'Degraded', ''],
          ['Job', 'Progressing', 'still runs'],
        ]),
      ).trouble,
    ).toBe('Job web: still runs');
  });

  it('is why the last attempt failed while Argo CD waits for the next, whichever that is', () => {
    const attempt = (count: number, at: string) => ({
      ...guestbook,
      operationState: {
        phase: 'Running',
        message: `one or more objects failed to apply, reason: Deployment.apps "web" is invalid. Retrying attempt #${count} at ${at}.`,
      },
    });

    expect(gistOf(attempt(4, '8:04PM')).trouble).toBe(
      'one or more objects failed to apply, reason: Deployment.apps "web" is invalid',
    );
    expect(gistOf(attempt(12, '11:30AM')).trouble).toBe(gistOf(attempt(4, '8:04PM')).trouble);
  });

  it('has what was compared with what, as far as that says anything', () => {
    const compared = {
      source: { repoURL: 'https://git.example.com/shop.git', path: 'web\u0000', targetRevision: '' },
      destination: { name: 'in-cluster', namespace: 'team' },
    };
    const status = { ...guestbook, sync: { status: 'Synced', revision: 'c0ffee', comparedTo: compared } };

    expect(gistOf(status).compared).toEqual({
      repoURL: 'https://git.example.com/shop.git',
      path: 'web\ufffd',
      name: 'in-cluster',
      namespace: 'team',
    });
    expect(gistOf({ ...guestbook, sync: { status: 'Synced', revision: 'c0ffee' } }).compared).toBeUndefined();
  });

  it('is what Argo CD says of the whole, where it does', () => {
    expect(gistOf(ailing('Degraded', [['Pod', 'Degraded', 'of the pod']], 'of the whole')).trouble).toBe(
      'of the whole',
    );
  });

  it('is an error of Argo CD before anything else, without what opens a repository', () => {
    const error = { type: 'ComparisonError', message: 'cannot clone https://bot:s3cr3t@git.example/x' };
    const { trouble } = gistOf({ ...ailing('Degraded', [['Pod', 'Degraded', 'x']]), conditions: [error] });

    expect(trouble).toContain('cannot clone');
    expect(trouble).not.toContain('s3cr3t');
  });
});
