import type { Answer, ApiClient } from '../../../support/api-client.ts';
import { pathOf } from '../../../support/api-world.ts';
import { deployment, deployments } from './audit-requests.ts';

type Ask = (client: ApiClient, namespace: string) => Promise<Answer>;

export interface Recording {
  /** In test/support/audit-events. */
  readonly file: string;
  /** How it came to be: the last of these is the request that the event is about. */
  readonly asked: readonly Ask[];
  /** What ingest-audit reads in it; NAME and VERSION are those of the answer. */
  readonly read: readonly string[];
}

const managed = { fieldManager: 'contract' };
const healthy = { status: { health: { status: 'Healthy' } } };
const secret = { metadata: { name: 'token' }, stringData: { password: 'open-sesame' } };
const secrets = (ns: string, name?: string) => pathOf('v1', 'secrets', ns, name);

const create: Ask = (c, ns) => c.create(deployments(ns), deployment('box'));
const createNameless: Ask = (c, ns) =>
  c.create(deployments(ns), { ...deployment(''), metadata: { generateName: 'box-' } });
const createHeld: Ask = (c, ns) =>
  c.create(deployments(ns), deployment('kept', { finalizers: ['stagecoach.dev/hold'] }));
const apply: Ask = (c, ns) => c.patch(deployments(ns, 'crate'), 'apply', deployment('crate'), managed);
const report: Ask = (c, ns) => c.patch(deployments(ns, 'box', 'status'), 'merge', healthy);
const remove =
  (name: string): Ask =>
  (c, ns) =>
    c.delete(deployments(ns, name));
const argo = (ns: string, name?: string) => pathOf('argoproj.io/v1alpha1', 'applications', ns, name);
const createArgo: Ask = (c, ns) =>
  c.create(argo(ns), { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'gitopsdepl-1' } });
const createSpace: Ask = (c, ns) =>
  c.create(pathOf('toolchain.dev.openshift.com/v1alpha1', 'spacerequests', ns), {
    apiVersion: 'toolchain.dev.openshift.com/v1alpha1',
    kind: 'SpaceRequest',
    metadata: { generateName: 'claim-' },
    spec: { tierName: 'appstudio-env' },
  });
// An event of more than 100 kB comes without its bodies.
const large = { annotations: { filling: 'x'.repeat(120_000) } };
const createSecret: Ask = (c, ns) => c.create(secrets(ns), secret);

/** An update as clients write it: with the version that they have read, and nothing else that the server adds. */
function update(fields: Readonly<Record<string, unknown>>, subresource?: string): Ask {
  return async (c, ns) => {
    const { body } = await c.get(deployments(ns, 'box'));
    const { resourceVersion } = body.metadata;
    return c.update(deployments(ns, 'box', subresource), { ...deployment('box', { resourceVersion }), ...fields });
  };
}

export const recordings: readonly Recording[] = [
  { file: 'create', asked: [create], read: ['GitOpsDeployment box at VERSION'] },
  { file: 'create-generate-name', asked: [createNameless], read: ['GitOpsDeployment NAME at VERSION'] },
  { file: 'create-already-exists', asked: [create, create], read: [] },
  { file: 'create-with-finalizer', asked: [createHeld], read: ['GitOpsDeployment kept at VERSION'] },
  {
    file: 'update',
    asked: [create, update({ spec: { ...deployment('').spec, type: 'manual' } })],
    read: ['GitOpsDeployment box at VERSION'],
  },
  {
    file: 'update-conflict',
    asked: [create, (c, ns) => c.update(deployments(ns, 'box'), deployment('box', { resourceVersion: '1' }))],
    read: [],
  },
  { file: 'update-status', asked: [create, update(healthy, 'status')], read: ['GitOpsDeployment box at VERSION'] },
  {
    file: 'patch',
    asked: [create, report, (c, ns) => c.patch(deployments(ns, 'box'), 'merge', { spec: { type: 'manual' } })],
    read: ['GitOpsDeployment box at VERSION'],
  },
  { file: 'patch-status', asked: [create, report], read: ['GitOpsDeployment box at VERSION'] },
  { file: 'apply-create', asked: [apply], read: ['GitOpsDeployment crate at VERSION'] },
  {
    file: 'apply-update',
    asked: [
      apply,
      (c, ns) => {
        const changed = deployment('crate');
        const spec = { ...changed.spec, type: 'manual' };
        return c.patch(deployments(ns, 'crate'), 'apply', { ...changed, spec }, managed);
      },
    ],
    read: ['GitOpsDeployment crate at VERSION'],
  },
  { file: 'apply-noop', asked: [apply, apply], read: ['GitOpsDeployment crate at VERSION'] },
  { file: 'delete', asked: [create, remove('box')], read: ['GitOpsDeployment box'] },
  { file: 'delete-missing', asked: [remove('missing')], read: [] },
  { file: 'delete-with-finalizer', asked: [createHeld, remove('kept')], read: ['GitOpsDeployment kept'] },
  {
    file: 'remove-finalizer',
    asked: [
      createHeld,
      remove('kept'),
      (c, ns) => c.patch(deployments(ns, 'kept'), 'merge', { metadata: { finalizers: null } }),
    ],
    read: ['GitOpsDeployment kept'],
  },
  {
    file: 'delete-collection',
    asked: [createNameless, apply, (c, ns) => c.delete(deployments(ns))],
    read: ['GitOpsDeployment NAME', 'GitOpsDeployment crate'],
  },
  {
    file: 'dry-run',
    asked: [(c, ns) => c.create(deployments(ns), deployment('ghost'), { dryRun: 'All' })],
    read: [],
  },
  { file: 'secret-create', asked: [createSecret], read: ['Secret token'] },
  {
    file: 'secret-create-generate-name',
    asked: [(c, ns) => c.create(secrets(ns), { ...secret, metadata: { generateName: 'token-' } })],
    read: [],
  },
  {
    file: 'secret-patch',
    asked: [createSecret, (c, ns) => c.patch(secrets(ns, 'token'), 'merge', { stringData: { password: 'other' } })],
    read: ['Secret token'],
  },
  { file: 'secret-delete', asked: [createSecret, (c, ns) => c.delete(secrets(ns, 'token'))], read: ['Secret token'] },
  { file: 'secret-delete-collection', asked: [createSecret, (c, ns) => c.delete(secrets(ns))], read: [] },
  { file: 'argo-create', asked: [createArgo], read: ['Application gitopsdepl-1'] },
  {
    file: 'argo-patch-status',
    asked: [createArgo, (c, ns) => c.patch(argo(ns, 'gitopsdepl-1'), 'merge', { status: { sync: {} } })],
    read: ['Application gitopsdepl-1'],
  },
  {
    file: 'argo-delete',
    asked: [createArgo, (c, ns) => c.delete(argo(ns, 'gitopsdepl-1'))],
    read: ['Application gitopsdepl-1'],
  },
  { file: 'spacerequest-create', asked: [createSpace], read: ['SpaceRequest NAME at VERSION'] },
  {
    file: 'truncated',
    asked: [(c, ns) => c.create(deployments(ns), deployment('large', large))],
    read: ['GitOpsDeployment large'],
  },
];
