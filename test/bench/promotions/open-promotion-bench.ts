import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  applications,
  bindings,
  components,
  environments,
  gitOpsDeployments,
} from '../../../shared/contracts/kubernetes/kinds.ts';
import { openReleaseGit } from '../../support/release-world.ts';
import { until } from '../../support/until.ts';
import { followObjects } from '../gitops/follow-objects.ts';
import { type GitOpsBench, openGitOpsBench } from '../gitops/open-gitops-bench.ts';
import { openSightings } from '../gitops/sightings.ts';
import { tellState } from '../gitops/tell-state.ts';
import { bindingName, componentOf, ourGroup, type PromotedObject, pathOf, snapshot } from './promotion-objects.ts';

// A thousand applications at once take many minutes; how many is what is asked.
const patienceMs = 2 * 3_600_000;

export interface PromotionBench
  extends Pick<GitOpsBench, 'sql' | 'connection' | 'environment' | 'hostPid' | 'makeNamespaces' | 'quiet' | 'close'> {
  /** Automated environments, each behind the one before. */
  makeEnvironments(namespace: string, names: readonly string[]): Promise<void>;
  /** An application with one component and no image, and waits until it has its repository. */
  makeApplication(namespace: string, name: string): Promise<void>;
  createSnapshot(namespace: string, name: string, application: string): Promise<void>;
  /** The moment at which the watch brought the Binding of an application with this snapshot. */
  promoted(namespace: string, application: string, environment: string, snapshot: string): Promise<number>;
  /** The moment at which the last run of a Snapshot was seen to have ended, and how. */
  ended(namespace: string, snapshot: string): Promise<{ readonly at: number; readonly result: string }>;
  /** When the next commit is written and all is still, Argo CD says that the application is well there; answers when it begins to. */
  deploy(namespace: string, application: string, environment: string): Promise<number>;
  /** From now on Argo CD says so by itself of every commit that it is told of. */
  deployAll(): Promise<void>;
}

/** The product's host on a real API server with repositories behind real git; this process plays Argo CD. */
export async function openPromotionBench(): Promise<PromotionBench | undefined> {
  const git = await openReleaseGit();
  const bench = await openGitOpsBench({ environment: git.settings });
  if (bench === undefined) {
    await git.stop();
    return undefined;
  }
  const { connection, sql, ours } = bench;
  const cluster = openCluster({ connection });
  const sightings = openSightings(patienceMs, () => tellState(sql));
  const results = new Map<string, string>();
  const watches = [
    await followObjects(connection, pathOf(ourGroup, 'snapshotenvironmentbindings'), (_type, object, at) => {
      const { metadata, spec } = object as unknown as PromotedObject;
      sightings.note(`${metadata.namespace} ${spec.application} ${spec.environment} ${spec.snapshot}`, at);
    }),
    await followObjects(connection, pathOf(ourGroup, 'promotionruns'), (_type, object, at) => {
      const { metadata, spec, status } = object as unknown as PromotedObject;
      if (status?.state !== 'Completed') return;
      results.set(`${metadata.namespace} ${spec.snapshot}`, status.completionResult ?? '');
      sightings.note(`ended ${metadata.namespace} ${spec.snapshot}`, at);
    }),
  ];
  /** The GitOpsDeployment of a Binding, and the commit that Argo CD has said it has. */
  const [uids, deployed] = [new Map<string, string>(), new Map<string, string>()];

  return {
    sql,
    connection,
    environment: bench.environment,
    hostPid: bench.hostPid,
    makeNamespaces: bench.makeNamespaces,
    quiet: bench.quiet,
    async makeEnvironments(namespace, names) {
      for (const [at, name] of names.entries())
        await cluster.create(environments, {
          metadata: { namespace, name },
          spec: {
            displayName: name,
            deploymentStrategy: 'AppStudioAutomated',
            parentEnvironment: names[at - 1] ?? '',
            // On a busy machine nobody should fail for that.
            promotion: { stepDeadline: '1h' },
          },
        });
    },
    async makeApplication(namespace, name) {
      await cluster.create(applications, { metadata: { namespace, name }, spec: { displayName: name } });
      const source = { git: { url: `https://example.com/${name}.git` } };
      const component = componentOf(name);
      await cluster.create(components, {
        metadata: { namespace, name: component },
        spec: { application: name, componentName: component, source },
      });
      await until(
        `a repository for ${name}`,
        async () => (await cluster.read(applications, { namespace, name }))?.status?.gitops?.repositoryURL,
        patienceMs,
      );
    },
    async createSnapshot(namespace, name, application) {
      const body = snapshot(ourGroup, namespace, name, application);
      await connection.request(pathOf(ourGroup, 'snapshots', namespace), { method: 'POST', body, accept: [] });
    },
    promoted: (namespace, application, environment, name) =>
      sightings.of(`${namespace} ${application} ${environment} ${name}`),
    async ended(namespace, name) {
      const at = await sightings.of(`ended ${namespace} ${name}`);
      return { at, result: results.get(`${namespace} ${name}`) ?? '' };
    },
    async deploy(namespace, application, environment) {
      const name = bindingName(application, environment);
      const place = `${namespace}/${name}`;
      // A machine that is quiet may not have heard of the last write yet.
      const { commit, deployment } = await until(
        `another commit for ${place}`,
        async () => {
          const found = await cluster.read(bindings, { namespace, name });
          const [told] = found?.status?.components ?? [];
          const written = told?.gitOpsRepository?.commitID ?? '';
          const [made] = found?.status?.gitopsDeployments ?? [];
          if (written === '' || written === deployed.get(place) || made === undefined) return undefined;
          return { commit: written, deployment: made.gitopsDeployment };
        },
        patienceMs,
      );
      deployed.set(place, commit);
      const key = { namespace, name: deployment };
      const uid = uids.get(place) ?? (await cluster.read(gitOpsDeployments, key))?.metadata.uid ?? '';
      uids.set(place, uid);
      await ours.applicationMade(uid);
      await bench.quiet();
      const from = performance.now();
      await ours.report(uid, commit);
      return from;
    },
    async deployAll() {
      const said = new Map<string, string>();
      const watch = await followObjects(
        connection,
        '/apis/managed-gitops.redhat.com/v1alpha1/gitopsdeployments',
        (type, { metadata }) => {
          const { annotations = {}, uid } = metadata as { annotations?: Record<string, string>; uid: string };
          const commit = annotations['stagecoach.dev/commit'] ?? '';
          if (type === 'DELETED' || commit === '' || said.get(uid) === commit) return;
          said.set(uid, commit);
          void ours.applicationMade(uid).then(() => ours.report(uid, commit));
        },
      );
      watches.push(watch);
    },
    async close() {
      for (const { stop } of watches) stop();
      await bench.close();
      await git.stop();
    },
  };
}
