import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applications } from '../../../shared/contracts/kubernetes/kinds.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeApplications } from './suites/applications.ts';

describeWithGit('on the embedded API server', () => describeApplications(() => openReleaseWorld()));

describe('a service without a place for repositories', () => {
  let world: GitOpsWorld;
  beforeAll(async () => {
    world = await openGitOpsWorld();
  });
  afterAll(() => world.close());

  it('L01 asks for the address of one', async () => {
    const { name: namespace } = await world.namespace();
    const metadata = { namespace, name: 'shop' };
    await world.cluster.create(applications, { metadata, spec: { displayName: 'shop' } });
    await world.settle();

    expect((await world.cluster.read(applications, metadata))?.status?.conditions).toMatchObject([
      {
        type: 'Created',
        status: 'False',
        reason: 'Error',
        message:
          'spec.gitOpsRepository.url is empty and this service has no place of its own for repositories: set it to a repository that you can push to',
      },
    ]);
  });
});
