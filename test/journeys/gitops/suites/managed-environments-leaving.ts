import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  appProjects,
  argoApplications,
  gitOpsDeployments,
  secrets,
  serviceAccounts,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { accountNames } from '../../../../shared/domain/gitops/managed-environment.ts';
import { applicationName, clusterSecretName, projectName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace } from '../../../support/gitops-world.ts';
import { finishDeletions } from '../../../support/play-argo-cd.ts';
import type { TargetWorld } from './managed-environments-world.ts';

/** A deployment on an environment, and the hands that take both away. */
interface Scene {
  readonly environmentId: string;
  removeDeployment(): Promise<void>;
  removeEnvironment(): Promise<void>;
  /** The deployment goes to the tenant's own namespace instead. */
  moveDeployment(): Promise<void>;
  /** Something else of the same tenant is done, so that its fence is written anew. */
  goOn(): Promise<void>;
  /** Whether Argo CD still has what it needs to remove what it has deployed. */
  reach(): Promise<{ readonly application: string; readonly fence: boolean; readonly secret: boolean }>;
}

/** What was deployed on an environment goes with its deployment, also when the environment goes at the same time. */
export function describeLeavingEnvironments(opened: () => TargetWorld): void {
  describe('a managed environment that goes together with its deployment', () => {
    let here: TargetWorld;

    beforeAll(() => {
      here = opened();
    });

    async function openScene(spec: object = {}): Promise<Scene> {
      const { world } = here;
      const namespace = await here.tenant();
      const environmentId = await here.create(namespace, spec);
      await settleAccount();
      const uid = await deploy(namespace, 'web', { environment: 'staging', namespace: 'default' });
      const [{ id: userId }] = await world.sql<[{ id: string }]>`
        select id from cluster_user where display_name = ${namespace}`;
      return {
        environmentId,
        async removeDeployment() {
          await world.cluster.remove(gitOpsDeployments, { namespace, name: 'web' });
          await world.settle();
        },
        async moveDeployment() {
          await world.cluster.patch(gitOpsDeployments, { namespace, name: 'web' }, { spec: { destination: null } });
          await settleAccount();
        },
        async removeEnvironment() {
          await here.drop(namespace);
          await settleAccount();
        },
        async goOn() {
          await deploy(namespace, `other-${randomBytes(4).toString('hex')}`);
        },
        async reach() {
          const at = (name: string) => ({ namespace: argoNamespace, name });
          const application = await world.cluster.read(argoApplications, at(applicationName(uid)));
          const project = await world.cluster.read(appProjects, at(projectName(userId)));
          const destination = clusterSecretName(environmentId);
          return {
            application:
              application === undefined ? 'gone' : application.metadata.deletionTimestamp === undefined ? 'is' : 'goes',
            fence: project?.spec.destinations.some(({ name }) => name === destination) ?? false,
            secret: (await world.cluster.read(secrets, at(destination))) !== undefined,
          };
        },
      };
    }

    async function deploy(namespace: string, name: string, destination?: object): Promise<string> {
      const repoURL = `https://git.example/${namespace}/${name}`;
      const { metadata } = await here.world.cluster.create(gitOpsDeployments, {
        metadata: { namespace, name },
        spec: {
          source: { repoURL, path: 'deploy' },
          type: 'automated',
          ...(destination !== undefined && { destination }),
        },
      });
      await here.world.settle();
      return metadata.uid;
    }

    /** An account on the target takes some looks to come and to go. */
    async function settleAccount(): Promise<void> {
      for (let looks = 0; looks < 6; looks += 1) {
        await here.world.settle();
        await here.world.wake();
      }
      await here.world.settle();
    }

    async function finish(): Promise<void> {
      await finishDeletions(here.world);
      await settleAccount();
    }

    const whole = { application: 'goes', fence: true, secret: true };
    const nothing = { application: 'gone', fence: false, secret: false };

    it('the deployment first: fence and cluster Secret stay until Argo CD is done, whatever else the tenant does', async () => {
      const scene = await openScene();

      await scene.removeDeployment();
      await scene.removeEnvironment();
      await scene.goOn();
      const meanwhile = await scene.reach();
      await finish();

      expect(meanwhile).toEqual(whole);
      expect(await scene.reach()).toEqual(nothing);
    });

    it('the environment first: fence and cluster Secret stay for the deployment that goes next', async () => {
      const scene = await openScene({ namespaces: ['default'] });

      await scene.removeEnvironment();
      await scene.goOn();
      const before = await scene.reach();
      await scene.removeDeployment();
      await scene.goOn();
      const meanwhile = await scene.reach();
      await finish();

      expect(before).toEqual({ ...whole, application: 'is' });
      expect(meanwhile).toEqual(whole);
      expect(await scene.reach()).toEqual(nothing);
    });

    it('an account that was made on the target stays as long as Argo CD works with its token', async () => {
      const scene = await openScene({ createNewServiceAccount: true });
      const names = accountNames(scene.environmentId);
      const account = () => here.target.read(serviceAccounts, { namespace: 'kube-system', name: names.account });
      expect(await account()).toBeDefined();

      await scene.removeEnvironment();
      await scene.removeDeployment();
      await here.world.wake();
      await here.world.settle();
      const meanwhile = await account();
      await finish();
      await settleAccount();

      expect(meanwhile).toBeDefined();
      expect(await account()).toBeUndefined();
    });

    it('a deployment that moved to another environment needs the old one no more', async () => {
      const scene = await openScene();
      await scene.removeEnvironment();
      expect(await scene.reach()).toMatchObject({ secret: true });

      await scene.moveDeployment();

      expect(await scene.reach()).toEqual({ application: 'is', fence: false, secret: false });
    });
  });
}
