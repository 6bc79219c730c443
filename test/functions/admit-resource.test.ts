import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitResource } from '../../functions/admit-resource/index.ts';
import { startFront } from '../../infra/host/front.ts';
import { type Machine, standUp } from '../../shared/runtime/machine.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTestMachine } from '../support/machine.ts';

let database: TestDatabase;
let machine: Machine;

beforeAll(async () => {
  database = await openTestDatabase();
  machine = openTestMachine(database.sql);
});
afterAll(() => database.close());

const group = 'managed-gitops.redhat.com';
const path = '/validate-managed-gitops-redhat-com-v1alpha1-gitopsdeployment';

function review(kind: string, spec: object, but: Record<string, unknown> = {}) {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'question-1',
      kind: { group, version: 'v1alpha1', kind },
      resource: { group, version: 'v1alpha1', resource: `${kind.toLowerCase()}s` },
      namespace: 'team-a',
      name: 'web',
      operation: 'CREATE',
      object: { apiVersion: `${group}/v1alpha1`, kind, metadata: { namespace: 'team-a', name: 'web' }, spec },
      oldObject: null,
      ...but,
    },
  };
}
const good = { source: { repoURL: 'https://git.example/app', path: 'deploy' }, type: 'automated' };
const bad = { ...good, type: 'sometimes' };
const refused = {
  allowed: false,
  status: { code: 403, reason: 'Forbidden', message: 'spec type must be manual or automated' },
};

async function answer(body: object, at?: string): Promise<unknown> {
  const { status, body: given } = await admitResource.handle(body, machine, at);
  expect({ status, given }).toMatchObject({ status: 200, given: { response: { uid: 'question-1' } } });
  const { uid, ...response } = (given as { response: { uid: string } }).response;
  return response;
}

describe('admit-resource', () => {
  it('lets in what is right', async () => {
    expect(await answer(review('GitOpsDeployment', good))).toEqual({ allowed: true });
  });

  it('BS-16 refuses what is wrong as the original does: 403, Forbidden, and the sentence', async () => {
    expect(await answer(review('GitOpsDeployment', bad))).toEqual(refused);
    expect(await answer(review('GitOpsDeployment', bad, { operation: 'UPDATE' }))).toEqual(refused);
  });

  it.each([
    ['GitOpsDeploymentManagedEnvironment', { apiURL: 'http://api.example', credentialsSecret: 'x' }, /https:/],
    ['GitOpsDeploymentRepositoryCredential', { repository: 'smtp://x/y', secret: 'x' }, /^repository must begin/],
  ])('BS-16 %s has its rule', async (kind, spec, message) => {
    expect(await answer(review(kind, spec))).toMatchObject({
      allowed: false,
      status: { message: expect.stringMatching(message) },
    });
  });

  it('BS-16 a SyncRun of the magic name is refused when it is created, and only then', async () => {
    const name = 'zyxwvutsrqponmlkjihgfedcba-abcdefghijklmnoqrstuvwxyz';
    const object = {
      apiVersion: `${group}/v1alpha1`,
      kind: 'GitOpsDeploymentSyncRun',
      metadata: { namespace: 'team-a', name },
      spec: { gitopsDeploymentName: 'web' },
    };
    const update = { object, oldObject: object, operation: 'UPDATE' };

    expect(await answer(review('GitOpsDeploymentSyncRun', {}, { object }))).toMatchObject({
      allowed: false,
      status: { message: `name should not be ${name}` },
    });
    expect(await answer(review('GitOpsDeploymentSyncRun', {}, update))).toEqual({ allowed: true });
  });

  it('understands the other spelling', async () => {
    const source = { repository: 'https://git.example/app', path: 'deploy', revision: 'main' };
    const destination = { managedEnvironment: 'staging', namespace: 'web' };

    expect(await answer(review('GitOpsDeployment', { ...good, source, destination }))).toEqual({ allowed: true });
  });

  it('defect 38: warns of what a condition will answer', async () => {
    const source = { repoURL: 'https://git.example/app', path: '' };

    expect(await answer(review('GitOpsDeployment', { ...good, source }))).toEqual({
      allowed: true,
      warnings: ['spec.source.path is a required field and it cannot be empty'],
    });
  });

  it('is never in the way of a deletion, nor of what ends one', async () => {
    const removal = { operation: 'DELETE', object: null, oldObject: { spec: bad } };
    const object = {
      apiVersion: `${group}/v1alpha1`,
      kind: 'GitOpsDeployment',
      metadata: { name: 'web', deletionTimestamp: '2026-03-01T10:00:00Z' },
      spec: bad,
    };

    expect(await answer(review('GitOpsDeployment', bad, removal))).toEqual({ allowed: true });
    expect(await answer(review('GitOpsDeployment', bad, { operation: 'UPDATE', object }))).toEqual({ allowed: true });
  });

  it('changes nothing where it is asked to: the mutating paths let everything in', async () => {
    expect(await answer(review('GitOpsDeployment', bad), path.replace('validate', 'mutate'))).toEqual({
      allowed: true,
    });
    expect(await answer(review('GitOpsDeployment', bad), path)).toEqual(refused);
  });

  it('says what it cannot read, and what it was asked for nothing', async () => {
    expect(await answer(review('GitOpsDeployment', { type: 'manual' }))).toMatchObject({
      allowed: false,
      status: { code: 400, message: expect.stringContaining('spec.source') },
    });
    expect(await answer(review('Operation', {}))).toMatchObject({ allowed: true, warnings: [expect.any(String)] });
    expect(await admitResource.handle({ kind: 'Pod' }, machine)).toMatchObject({ status: 400 });
  });
});

describe('admit-resource behind the front', () => {
  async function ask(openFunctions: readonly string[], at: string, headers: Record<string, string> = {}) {
    const standing = { ...machine, openFunctions };
    standUp(standing);
    const front = await startFront({
      machine: standing,
      functions: [admitResource.name],
      health: async () => ({ status: 200, body: {} }),
      host: '127.0.0.1',
      port: 0,
    });
    try {
      const response = await fetch(`${front.url}${at}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(review('GitOpsDeployment', bad)),
      });
      return { status: response.status, body: (await response.json()) as { response?: { allowed: boolean } } };
    } finally {
      await front.close(1_000);
    }
  }
  const token = { authorization: 'Bearer a-token-for-tests-only' };

  it.each([
    ['its own path', '/admit-resource', false],
    ['the validating path of the original', path, false],
    ['the path of an Environment', '/validate-appstudio-redhat-com-v1alpha1-environment', false],
    ['the mutating path of the original', path.replace('validate', 'mutate'), true],
  ])('answers on %s', async (_what, at, allowed) => {
    const { status, body } = await ask([], at, token);

    expect({ status, allowed: body.response?.allowed }).toEqual({ status: 200, allowed });
  });

  it('knows its callers, unless a setting says that it need not', async () => {
    expect(await ask([], path)).toMatchObject({ status: 401 });
    expect(await ask(['forward-event'], path)).toMatchObject({ status: 401 });
    expect(await ask(['admit-resource'], path)).toMatchObject({ status: 200 });
  });
});
