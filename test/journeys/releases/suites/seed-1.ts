import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  applications,
  bindings,
  components,
  environments,
  type ObjectKind,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { NewObject } from '../../../../shared/ports/cluster.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { openReleaseScene, type ReleaseScene } from './release-scene.ts';

/** The examples of seeds/1-environment-api.md: their ellipses are filled in, their names made consistent, the rest is as it stands there. */
const examples = `
apiVersion: appstudio.redhat.com/v1alpha1
kind: Application
metadata:
  name: app-a
spec:
  appModelRepository:
    url: ""
  displayName: appA
  gitOpsRepository:
    url: ""
  status:
    conditions:
    - lastTransitionTime: "2022-03-17T15:42:00Z"
      message: Application has been successfully created
      reason: OK
      status: "True"
      type: Created
---
apiVersion: appstudio.redhat.com/v1alpha1
kind: Component
metadata:
  name: component-a
spec:
  application: app-a
  build:
    containerImage: ""
  componentName: component-a
  resources:
    requests:
      cpu: 200m
      memory: 200Mi
  replicas: 1
  source:
    git:
      url: https://github.com/nodeshift-starters/devfile-sample.git
---
apiVersion: appstudio.redhat.com/v1alpha1
kind: Environment
metadata:
  name: staging
spec:
  type: poc
  displayName: “Production for Team A”
  deploymentStrategy: Manual
  tags:
    - prod
  configuration:
    env:
      - name: REGION
        value: eu
---
apiVersion: appstudio.redhat.com/v1alpha1
kind: Snapshot
metadata:
  name: my-snapshot
spec:
  displayName: "My known good staging snapshot"
  displayDescription: "The best we've had so far!"
  components:
    - name: component-a
      containerImage: quay.io/jgwest/component-a:version1
  artifacts:
    unstableFields:
      build:
        - containerImage: quay.io/jgwest/component-a:version1
          sourceRepository:
          url: https://github.com/my-org/my-source-repo
          commitID: 0ca1c8c4
      attributes:
        - qeApproved
---
apiVersion: appstudio.redhat.com/v1alpha1
kind: SnapshotEnvironmentBinding
metadata:
  name: app-a-staging-binding
  labels:
    appstudio.application: app-a
    appstudio.environment: staging
spec:
  application: app-a
  environment: staging
  snapshot: my-snapshot
  components:
    - name: component-a
      configuration:
        resources:
          limits:
            memory: 1Gi
        env:
          - name: LEVEL
            value: debug
        replicas: 3
`;

const kinds: Readonly<Record<string, ObjectKind>> = {
  Application: applications,
  Component: components,
  Environment: environments,
  Snapshot: snapshots,
  SnapshotEnvironmentBinding: bindings,
};

export function describeSeed1(open: () => Promise<ReleaseWorld>): void {
  describe('the examples of the first seed', () => {
    let world: ReleaseWorld;
    let scene: ReleaseScene;
    beforeAll(async () => {
      world = await open();
      scene = await openReleaseScene(world);
      const { namespace } = scene;
      for (const document of parseAllDocuments(examples)) {
        const { kind, metadata, ...rest } = document.toJS() as { kind: string; metadata: object } & NewObject;
        const known = kinds[kind];
        if (known === undefined) throw new Error(`no such kind: ${kind}`);
        await world.cluster.create(known, { ...rest, metadata: { ...metadata, namespace } });
      }
      await scene.settle();
    });
    afterAll(() => world?.close());

    it('say that they are created, and where they are kept', async () => {
      const application = await world.cluster.read(applications, { namespace: scene.namespace, name: 'app-a' });
      const component = await world.cluster.read(components, { namespace: scene.namespace, name: 'component-a' });

      expect(application?.status?.conditions).toMatchObject([
        { type: 'Created', status: 'True', reason: 'OK', message: 'Application has been successfully created' },
      ]);
      expect(component?.status?.conditions).toMatchObject([
        { type: 'Created', status: 'True', reason: 'OK', message: 'Component has been successfully created' },
      ]);
      expect(component?.status?.gitops?.repositoryURL).toBe(application?.status?.gitops?.repositoryURL);
    });

    it('are rendered below /components/(component name)/overlays/(environment name), with the values of all of them', async () => {
      const url = await scene.repository('app-a');
      const files = await scene.files(url);
      const path = 'components/component-a/overlays/staging';
      const patch = files[`${path}/deployment-patch.yaml`] ?? '';

      expect(files[`${path}/kustomization.yaml`]).toContain('newTag: version1');
      expect(files[`${path}/kustomization.yaml`]).toContain('count: 3');
      for (const part of ['LEVEL', 'debug', 'REGION', 'eu', '200m', '200Mi', '1Gi']) expect(patch).toContain(part);
    });

    it('give the status of the document: where each component stands, that the repository is refreshed, and its deployment', async () => {
      const { status } = await scene.read('app-a-staging-binding');
      const url = await scene.repository('app-a');

      expect(status?.components).toMatchObject([
        {
          name: 'component-a',
          gitOpsRepository: {
            url,
            branch: 'main',
            path: 'components/component-a/overlays/staging',
            generatedResources: ['deployment-patch.yaml'],
          },
        },
      ]);
      expect(status?.gitopsRepoConditions).toMatchObject([
        {
          message: 'GitOps repo has been successfully refreshed',
          reason: 'OK',
          status: 'True',
          type: 'Refreshed',
        },
      ]);
      const [deployment] = await scene.deployments();
      expect(status?.gitopsDeployments).toMatchObject([
        { componentName: 'component-a', gitopsDeployment: deployment?.metadata.name },
      ]);
      expect(deployment?.spec).toMatchObject({
        source: { repoURL: url, path: 'components/component-a/overlays/staging' },
        type: 'automated',
      });
    });

    it('keep what else a Snapshot says of its images', async () => {
      const snapshot = await world.cluster.read(snapshots, { namespace: scene.namespace, name: 'my-snapshot' });

      expect(snapshot?.spec.artifacts?.unstableFields).toMatchObject({ attributes: ['qeApproved'] });
      expect(snapshot?.spec.displayName).toBe('My known good staging snapshot');
    });
  });
}
