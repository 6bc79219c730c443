import { describe, expect, it } from 'vitest';
import { decideOperation, decideStray } from '../../../shared/domain/gitops/decide-operation.ts';
import type { ObservedOperation, Piece } from '../../../shared/domain/gitops/operation.ts';
import { anOperation } from '../../support/observed-operation.ts';

const now = { now: 1_000_000 };

function aPiece(kind: Piece['kind'], state: Piece['state'], wanted = true): Piece {
  return { kind, name: kind, wanted, state };
}

interface Rule {
  readonly seen: Partial<ObservedOperation>;
  readonly does: readonly string[];
  readonly wakes?: readonly string[];
  readonly waitsFor?: string;
}

const ended = ['complete-operation o-1'];

const rules: Record<string, Rule> = {
  'CO-09 makes what was never written, in the order in which Argo CD needs it': {
    seen: {
      pieces: [aPiece('project', 'unread'), aPiece('cluster-secret', 'unread'), aPiece('application', 'unread')],
    },
    does: [
      'create-project project',
      'create-cluster-secret cluster-secret',
      'create-application application',
      ...ended,
    ],
  },
  'makes again what was written and is not there': {
    seen: { pieces: [aPiece('project', 'trusted'), aPiece('application', 'absent')] },
    does: ['create-application application', ...ended],
  },
  'CO-10 changes what differs, and leaves alone what does not': {
    seen: { pieces: [aPiece('project', 'same'), aPiece('application', 'differs')] },
    does: ['update-application application', ...ended],
  },
  'tells Argo CD of a new commit in so many words, and stays to tell it a second time': {
    seen: { pieces: [aPiece('project', 'same'), { ...aPiece('application', 'differs'), hasNewCommit: true }] },
    does: ['update-application application', 'refresh-application gitopsdepl-a-1', 'begin-operation o-1'],
    waitsFor: 'NewsSpreads',
  },
  'takes away what should not be there, and nothing of others': {
    seen: {
      type: 'RepositoryCredentials',
      gone: true,
      pieces: [
        aPiece('repository-secret', 'same', false),
        aPiece('repository-secret', 'foreign', false),
        aPiece('project', 'absent', false),
      ],
    },
    does: ['delete-repository-secret repository-secret', ...ended],
    wakes: ['repo-credential.changed.v1 team/web'],
  },
  'waits for what somebody deletes, and makes the rest right meanwhile': {
    seen: { pieces: [aPiece('project', 'differs'), aPiece('application', 'deleting')] },
    does: ['update-project project', 'begin-operation o-1'],
    waitsFor: 'DeletedByOthers',
  },
  'keeps the Secret of a cluster while Argo CD may need it to remove what it has deployed': {
    seen: {
      type: 'ManagedEnvironment',
      gone: true,
      needed: 'leaving',
      pieces: [aPiece('cluster-secret', 'same', false)],
    },
    does: ['begin-operation o-1'],
    waitsFor: 'ApplicationsLeaving',
  },
  'keeps the Secret of a cluster while a deployment is still on it, however long that takes': {
    seen: {
      type: 'ManagedEnvironment',
      gone: true,
      needed: 'deployed-to',
      pieces: [aPiece('cluster-secret', 'same', false)],
    },
    does: ['begin-operation o-1'],
    waitsFor: 'StillDeployedTo',
  },
  'defect 19 ends every operation about the resource': {
    seen: {
      operations: [
        { id: 'o-1', ownerUserId: 'u-1', state: 'In_Progress' },
        { id: 'o-2', state: 'Waiting' },
      ],
    },
    does: [...ended, 'complete-operation o-2'],
  },
  'does nothing where nobody asked and nothing differs': {
    seen: { operations: [], pieces: [aPiece('project', 'trusted'), aPiece('application', 'same')] },
    does: [],
  },
  'makes right what differs though nobody asked: the word came after the operation had ended': {
    seen: { operations: [], pieces: [aPiece('application', 'differs')] },
    does: ['update-application application'],
  },
  'defect 37 fails with the reason, and tells the owner': {
    seen: { problem: 'The API server refused it' },
    does: ['fail-operation o-1 The API server refused it'],
    wakes: ['gitops-deployment.changed.v1 team/web'],
  },
  'tells the owner when it is well again after a failure': {
    seen: { failedBefore: true },
    does: ended,
    wakes: ['gitops-deployment.changed.v1 team/web'],
  },
  'tells nobody where nobody knows a name': {
    seen: { problem: 'Something', apiName: undefined },
    does: ['fail-operation o-1 Something'],
  },
  'takes another look for another Argo CD': {
    seen: { elsewhere: true },
    does: ended,
    wakes: ['operation.requested.v1 team/application.a-1'],
  },
  'removes the object that asked for it, when it is done': {
    seen: { object: 'operation-o-1', elsewhere: true },
    does: [...ended, 'delete-operation-object operation-o-1'],
  },
  'tells an agent by an object, and leaves the row as it is': {
    seen: {
      engine: { namespace: 'argocd', transport: 'agent' },
      operations: [{ id: 'o-1', ownerUserId: 'u-1', state: 'Waiting' }],
      pieces: [aPiece('application', 'unread')],
    },
    does: ['create-operation-object o-1 1970-01-01T00:16:40Z'],
    waitsFor: 'WithAgent',
  },
  'tells an agent nothing where nothing is asked': {
    seen: { engine: { namespace: 'argocd', transport: 'agent' }, operations: [] },
    does: [],
  },
  'does it as the agent, where an object asked for it': {
    seen: {
      engine: { namespace: 'argocd', transport: 'agent' },
      object: 'operation-o-1',
      pieces: [aPiece('application', 'unread')],
    },
    does: ['create-application application', ...ended, 'delete-operation-object operation-o-1'],
  },
  'removes as the agent the objects of all operations that have ended with this one': {
    seen: {
      engine: { namespace: 'argocd', transport: 'agent' },
      object: 'operation-o-2',
      operations: [
        { id: 'o-1', ownerUserId: 'u-1', state: 'Waiting' },
        { id: 'o-2', ownerUserId: 'u-1', state: 'Waiting' },
      ],
      pieces: [aPiece('application', 'same')],
    },
    does: [
      ...ended,
      'complete-operation o-2',
      'delete-operation-object operation-o-2',
      'delete-operation-object operation-o-1',
    ],
  },
  'tells Argo CD of a new Secret a second time as the agent, when it is asked to look again': {
    seen: {
      type: 'RepositoryCredentials',
      engine: { namespace: 'argocd', transport: 'agent' },
      object: 'operation-o-1',
      operations: [{ id: 'o-1', ownerUserId: 'u-1', state: 'In_Progress' }],
      dependents: ['a-1'],
      pieces: [aPiece('repository-secret', 'same')],
    },
    does: ['refresh-application gitopsdepl-a-1', ...ended, 'delete-operation-object operation-o-1'],
  },
  'CO-06 waits where another cluster answers': {
    seen: { engineState: 'other-cluster', pieces: [] },
    does: [],
    waitsFor: 'AnotherCluster',
  },
  'waits where the namespace of Argo CD is missing': {
    seen: { engineState: 'namespace-missing' },
    does: [],
    waitsFor: 'ArgoCdMissing',
  },
  'fails where the namespace is another one by now': {
    seen: { engineState: 'other-namespace' },
    does: [
      'fail-operation o-1 Namespace argocd is not the one that Argo CD was registered with: it was deleted and made again',
    ],
    wakes: ['gitops-deployment.changed.v1 team/web'],
  },
  'CO-05 completes an operation about an Argo CD that stands': {
    seen: { type: 'GitOpsEngineInstance' },
    does: ended,
  },
  'CO-05 fails one about an Argo CD that does not': {
    seen: { type: 'GitOpsEngineInstance', engineState: 'namespace-missing' },
    does: ['fail-operation o-1 Namespace argocd, where Argo CD should be, does not exist'],
  },
};

describe('an operation', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does, wakes = [], waitsFor }) => {
    const step = decideOperation(anOperation(seen), now);

    expect(
      step.effects.map((effect) =>
        Object.values(effect)
          .filter((part) => typeof part === 'string')
          .join(' '),
      ),
    ).toEqual(does);
    expect(step.knocks.map(({ type, subject }) => `${type} ${subject.namespace}/${subject.name}`)).toEqual(wakes);
    expect(step.next.kind === 'settled' ? undefined : step.next.wait.reason).toBe(waitsFor);
  });

  it('tells Argo CD of a new commit a second time, and no third time', () => {
    const pieces = [aPiece('project', 'same'), aPiece('application', 'same')];
    const waiting = { reason: 'NewsSpreads', since: 997_000, deadline: 1_057_000 };

    const second = decideOperation(anOperation({ pieces }), { ...now, waiting });

    expect(second.effects.map((effect) => effect.do)).toEqual(['refresh-application', 'complete-operation']);
    expect(second.next).toEqual({ kind: 'settled' });
  });

  it('gives up a cluster in the end, though an Application never went', () => {
    const waiting = { reason: 'ApplicationsLeaving', since: 0, deadline: 1_000_000 };
    const pieces = [aPiece('cluster-secret', 'same', false)];

    const step = decideOperation(anOperation({ type: 'ManagedEnvironment', gone: true, needed: 'leaving', pieces }), {
      now: 1_000_000,
      waiting,
    });

    expect(step.effects.map((effect) => effect.do)).toEqual(['delete-cluster-secret', 'complete-operation']);
  });

  it('settles: what it asked for is enough', () => {
    const after = anOperation({ operations: [], pieces: [aPiece('project', 'same'), aPiece('application', 'same')] });

    expect(decideOperation(after, now)).toEqual({ effects: [], conditions: [], knocks: [], next: { kind: 'settled' } });
  });
});

describe('an Operation object', () => {
  it('CO-28 of another namespace is refused, and only that is said', () => {
    expect(decideStray('operation-o-1', 'misplaced').effects).toEqual([
      {
        do: 'refuse-operation-object',
        name: 'operation-o-1',
        why: 'It is not in the namespace of its Argo CD',
      },
    ]);
  });

  it('CO-04 that nobody knows is left alone', () => {
    expect(decideStray('operation-o-1', 'unknown').effects).toEqual([]);
  });

  it('whose operation has ended goes', () => {
    expect(decideStray('operation-o-1', 'ended').effects).toEqual([
      { do: 'delete-operation-object', name: 'operation-o-1' },
    ]);
  });
});
