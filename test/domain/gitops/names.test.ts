import { describe, expect, it } from 'vitest';
import {
  applicationIdOf,
  applicationName,
  clusterSecretName,
  operationName,
  operationSubject,
  projectName,
  readOperationSubject,
  repositorySecretName,
} from '../../../shared/domain/gitops/names.ts';

const uid = 'd2c9e3a4-5b6f-4c1d-8e2f-0a1b2c3d4e5f';

describe('what stands beside an Argo CD is called as clients of the original know it', () => {
  it.each([
    [applicationName(uid), `gitopsdepl-${uid}`],
    [projectName(uid), `app-project-${uid}`],
    [clusterSecretName(uid), `managed-env-${uid}`],
    [repositorySecretName(uid), `repo-cred-${uid}`],
    [operationName(uid), `operation-${uid}`],
  ])('%s', (name, expected) => {
    expect(name).toBe(expected);
  });

  it('BS-14 the row behind an Application is in its name, and only a whole UID counts', () => {
    expect(applicationIdOf(applicationName(uid))).toBe(uid);
    expect(applicationIdOf(`gitopsdepl-${uid.slice(1)}`)).toBeUndefined();
    expect(applicationIdOf(`gitopsdepl-${uid}x`)).toBeUndefined();
    expect(applicationIdOf('guestbook')).toBeUndefined();
  });
});

describe('the subject of an operation', () => {
  it.each([
    'Application',
    'ManagedEnvironment',
    'RepositoryCredentials',
    'SyncOperation',
    'GitOpsEngineInstance',
  ] as const)('says that it is about a row of type %s', (type) => {
    expect(readOperationSubject(operationSubject('team', type, uid).name)).toEqual({ type, resourceId: uid });
  });

  it('is nothing that a user could have named by accident', () => {
    expect(readOperationSubject(`operation-${uid}`)).toBeUndefined();
    expect(readOperationSubject('application')).toBeUndefined();
    expect(readOperationSubject('toString.x')).toBeUndefined();
  });
});
