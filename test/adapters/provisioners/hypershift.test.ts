import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaces, secrets } from '../../../shared/contracts/kubernetes/kinds.ts';
import { hostedSecretName } from '../../../shared/domain/target/hosted-cluster.ts';
import type { Provisioner } from '../../../shared/ports/provisioner.ts';
import {
  type HypershiftStage,
  openHypershiftStage,
  noHurry as signal,
  smallCluster,
} from '../../support/hypershift-stage.ts';

let stage: HypershiftStage;
let provisioner: Provisioner;

beforeAll(async () => {
  stage = await openHypershiftStage();
  provisioner = stage.open();
});
afterAll(() => stage.close());

describe('a claim for a hosted cluster', () => {
  it('asks HyperShift for a cluster and a pool of nodes, in the provider’s namespace, and says whose they are', async () => {
    const wanted = await stage.wanted({ arch: 'x86–64', resources: { requests: { cpu: '8' } } });

    await provisioner.provision(wanted, signal);

    const [cluster] = (await stage.hypershift.clusters()).filter(
      ({ metadata }) => metadata.name === stage.nameOf(wanted),
    );
    const [pool] = (await stage.hypershift.pools()).filter(({ metadata }) => metadata.name === stage.nameOf(wanted));
    const metadata = {
      namespace: 'hosted-clusters',
      labels: { 'stagecoach.dev/tenant-namespace': wanted.namespace, 'appstudio.openshift.io/dtc': 'small-dtc' },
      annotations: {
        'stagecoach.dev/claim-name': 'small-dtc',
        'stagecoach.dev/claim-uid': wanted.claim.uid,
        'stagecoach.dev/claim-class': 'isolation-level-cluster-small',
        'stagecoach.dev/wanted-resources': '{"requests":{"cpu":"8"}}',
      },
    };
    expect(cluster).toMatchObject({
      metadata,
      spec: { pullSecret: { name: 'images' }, platform: { type: 'KubeVirt' } },
    });
    expect(pool).toMatchObject({ metadata, spec: { clusterName: stage.nameOf(wanted), replicas: 3, arch: 'amd64' } });
    expect(await provisioner.observe(wanted, signal)).toMatchObject({
      state: 'underway',
      reason: 'HostedClusterProvisioning',
      what: `HostedCluster ${stage.nameOf(wanted)}`,
      isUnfinished: false,
      wakesUs: false,
    });
  });

  it('says why it cannot be, without the provider’s own words', async () => {
    const wanted = await stage.wanted();
    await provisioner.provision(wanted, signal);
    const unmet = { type: 'ValidConfiguration', status: 'False', reason: 'InvalidConfiguration' };

    await stage.hypershift.sayOfCluster(stage.nameOf(wanted), unmet);

    const provision = await provisioner.observe(wanted, signal);
    expect(provision).toMatchObject({ state: 'refused', reason: 'HostedClusterRefused' });
    expect(JSON.stringify(provision)).not.toContain('secret-account');
  });

  it('is refused by the parameters of its class before anything is made, and is absent to who only frees', async () => {
    const wanted = await stage.wanted({ class: { ...smallCluster, parameters: { numOfNodes: 'many' } } });

    expect(await provisioner.observe(wanted, signal)).toMatchObject({
      state: 'refused',
      reason: 'ClassParametersInvalid',
      what: 'DeploymentTargetClass isolation-level-cluster-small',
    });
    await expect(provisioner.provision(wanted, signal)).rejects.toMatchObject({ reason: 'ClassParametersInvalid' });
    expect(await provisioner.observe({ ...wanted, class: undefined }, signal)).toEqual({ state: 'absent' });
  });

  it('names the setting to whoever has no HyperShift', async () => {
    const elsewhere = stage.open({ namespace: 'not-there' });
    const wanted = await stage.wanted();

    await expect(elsewhere.provision(wanted, signal)).rejects.toMatchObject({
      reason: 'HyperShiftMissing',
      forUser: expect.stringContaining('HOSTED_CLUSTERS_NAMESPACE'),
    });
  });
});

describe('a hosted cluster that is made', () => {
  it('is opened for the tenant with an account of its own, whose token alone is in the Secret', async () => {
    const wanted = await stage.wanted();

    await stage.made(wanted);

    const secret = await stage.secretOf(wanted);
    const text = Buffer.from(secret?.data['kubeconfig'] ?? '', 'base64').toString('utf8');
    const kubeconfig = stage.targets.readKubeconfig(Buffer.from(text));
    if (kubeconfig === 'unreadable') throw new Error('nobody can read it');
    const access = { server: stage.api.url, token: kubeconfig.users[0]?.token ?? '', insecure: false };
    const there = stage.clusters.at({ ...access, certificateAuthority: stage.api.ca });
    expect(secret).toMatchObject({
      type: 'Opaque',
      metadata: { labels: { 'appstudio.openshift.io/dtc': 'small-dtc' } },
    });
    expect(kubeconfig.clusters).toMatchObject([{ server: stage.api.url, certificateAuthority: stage.api.ca }]);
    expect(await there.read(namespaces, { namespace: '', name: 'kube-system' })).toBeDefined();
    expect(text).not.toContain('client-');
    expect(await provisioner.observe(wanted, signal)).toMatchObject({
      state: 'ready',
      access: {
        apiURL: stage.api.url,
        defaultNamespace: 'default',
        clusterCredentialsSecret: secret?.metadata.name,
        allowInsecureSkipTLSVerify: false,
      },
      isUnfinished: false,
    });
  });

  it('is entered by its administrator with a certificate, by nobody without, and by nobody at all once it is open', async () => {
    const wanted = await stage.wanted();
    stage.api.asked.length = 0;

    await stage.made(wanted);

    expect(new Set(stage.api.asked.map(({ who }) => who))).toEqual(new Set(['administrator']));
    stage.api.asked.length = 0;
    await provisioner.observe(wanted, signal);
    await provisioner.provision(wanted, signal);
    expect(stage.api.asked).toEqual([]);
  });

  it('is waited for while it does not answer', async () => {
    const wanted = await stage.wanted();
    await provisioner.provision(wanted, signal);
    await stage.hypershift.finish(stage.nameOf(wanted), stage.api);

    stage.api.isUp = false;
    await provisioner.provision(wanted, signal);
    const silent = await provisioner.observe(wanted, signal);
    stage.api.isUp = true;
    const back = await provisioner.observe(wanted, signal);

    expect(silent).toMatchObject({ state: 'underway', reason: 'HostedClusterUnreachable', isUnfinished: false });
    expect(back).toMatchObject({ state: 'underway', reason: 'CreatingCredentials', isUnfinished: true });
    expect(await stage.secretOf(wanted)).toBeUndefined();
  });

  it.each([
    ['is no YAML', '{{'],
    ['is empty', ''],
    ['names a file', 'current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\n'],
    [
      'is not for HTTPS',
      JSON.stringify({
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
        users: [{ name: 'u', user: { token: 'a' } }],
      }),
    ],
  ])('is waited for while the administrator’s kubeconfig %s', async (_what, kubeconfig) => {
    const wanted = await stage.wanted();
    await provisioner.provision(wanted, signal);
    await stage.hypershift.finish(stage.nameOf(wanted), stage.api);

    await stage.hypershift.putAdminKubeconfig(stage.nameOf(wanted), kubeconfig);
    await provisioner.provision(wanted, signal);

    expect(await provisioner.observe(wanted, signal)).toMatchObject({ reason: 'WaitingForKubeconfig' });
    expect(await stage.secretOf(wanted)).toBeUndefined();
  });

  it('gets its Secret back, and the right one, where somebody has changed or deleted it', async () => {
    const wanted = await stage.wanted();
    await stage.made(wanted);
    const key = { namespace: wanted.namespace, name: hostedSecretName(stage.nameOf(wanted)) };
    const right = (await stage.secretOf(wanted))?.data;

    await stage.cluster.patch(secrets, key, { data: { kubeconfig: Buffer.from('{}').toString('base64') } });
    const changed = await provisioner.observe(wanted, signal);
    await provisioner.provision(wanted, signal);
    const mended = (await stage.secretOf(wanted))?.data;
    await stage.cluster.remove(secrets, key);
    await provisioner.provision(wanted, signal);

    expect(changed).toMatchObject({ state: 'underway', isUnfinished: true });
    expect(mended).toEqual(right);
    expect((await stage.secretOf(wanted))?.data).toEqual(right);
  });

  it('does not touch a Secret of that name that is somebody else’s', async () => {
    const wanted = await stage.wanted();
    const key = { namespace: wanted.namespace, name: hostedSecretName(stage.nameOf(wanted)) };
    const data = { password: Buffer.from('mine').toString('base64') };
    await stage.cluster.create(secrets, { metadata: key, type: 'Opaque', data });

    await stage.made(wanted);
    const provision = await provisioner.observe(wanted, signal);
    await provisioner.release(wanted, signal);

    expect(provision).toMatchObject({ state: 'refused', reason: 'SecretTaken' });
    expect(await stage.secretOf(wanted)).toMatchObject({ data });
  });
});
