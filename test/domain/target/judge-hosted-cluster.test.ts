import { describe, expect, it } from 'vitest';
import { judgeHostedCluster, type SeenHostedCluster } from '../../../shared/domain/target/judge-hosted-cluster.ts';

const now = Date.UTC(2026, 0, 1);
const available = { type: 'Available', status: 'True', reason: 'AsExpected' };
const standing = { what: 'HostedCluster small-1', wakesUs: false };

const cluster = { isOurs: true, deletingSince: undefined, conditions: [available] };
const pool = { isOurs: true, deletingSince: undefined, conditions: [], nodes: 3 };
const whole: SeenHostedCluster = {
  name: 'small-1',
  cluster,
  pool,
  server: 'https://api.small-1.example.com:6443',
  connection: undefined,
  secret: 'complete',
  resources: { requests: { cpu: '8' } },
  target: 'small-dt',
};
const unfinished = { ...whole, secret: 'missing', connection: 'works', target: undefined } as const;

function judge(seen: SeenHostedCluster) {
  return judgeHostedCluster(seen, now);
}

describe('what stands for a claim', () => {
  it('is ready when the cluster is available, has nodes, and the tenant has a Secret that opens it', () => {
    expect(judge(whole)).toEqual({
      state: 'ready',
      ...standing,
      target: 'small-dt',
      access: {
        defaultNamespace: 'default',
        apiURL: 'https://api.small-1.example.com:6443',
        clusterCredentialsSecret: 'small-1-kubeconfig',
        allowInsecureSkipTLSVerify: false,
      },
      resources: { requests: { cpu: '8' } },
      isUnfinished: false,
    });
  });

  it('is absent when nothing of it is there, though somebody else has a Secret of that name', () => {
    const nothing = { ...unfinished, cluster: undefined, pool: undefined };

    expect(judge(nothing)).toEqual({ state: 'absent' });
    expect(judge({ ...nothing, secret: 'foreign' })).toEqual({ state: 'absent' });
  });

  it.each<[string, Partial<SeenHostedCluster>]>([
    ['the pool was never made', { pool: undefined }],
    ['the cluster was taken away by hand', { cluster: undefined }],
    ['the pool is being taken away by hand', { pool: { ...pool, deletingSince: now } }],
    ['only the Secret is left', { cluster: undefined, pool: undefined, secret: 'stale' }],
  ])('is unfinished, never absent, when %s', (_what, change) => {
    expect(judge({ ...unfinished, ...change })).toMatchObject({
      state: 'underway',
      reason: 'HostedClusterIncomplete',
      isUnfinished: true,
    });
  });

  it.each<[reason: string, Partial<SeenHostedCluster>]>([
    ['HostedClusterProvisioning', { cluster: { ...cluster, conditions: [] } }],
    ['HostedClusterProvisioning', { cluster: { ...cluster, conditions: [{ ...available, status: 'False' }] } }],
    ['WaitingForNodes', { pool: { ...pool, nodes: 0 } }],
    ['WaitingForKubeconfig', { server: undefined }],
    ['HostedClusterUnreachable', { connection: 'unreachable' }],
    ['HostedClusterUnreachable', { connection: 'forbidden' }],
    ['HostedClusterUnreachable', { connection: 'refused' }],
    ['HostedClusterUnreachable', { connection: 'unknown-authority' }],
  ])('waits for others without asking again: %s', (reason, change) => {
    expect(judge({ ...unfinished, ...change })).toMatchObject({ state: 'underway', reason, isUnfinished: false });
  });

  it('asks us to go on when the cluster answers and the Secret is not what it should be', () => {
    for (const secret of ['missing', 'stale'] as const)
      expect(judge({ ...unfinished, secret })).toMatchObject({ reason: 'CreatingCredentials', isUnfinished: true });
  });

  it('passes on one word of HyperShift, and nothing that is not a word', () => {
    function said(reason: string) {
      return judge({ ...unfinished, cluster: { ...cluster, conditions: [{ ...available, status: 'False', reason }] } });
    }

    expect(said('EtcdWaitingForQuorum')).toMatchObject({
      message: 'The hosted cluster "small-1" is being made (EtcdWaitingForQuorum)',
    });
    expect(said('arn:aws:iam::1234')).toMatchObject({ message: 'The hosted cluster "small-1" is being made' });
  });

  it.each([
    'ValidConfiguration',
    'SupportedHostedCluster',
    'ValidReleaseImage',
    'ValidHostedControlPlaneConfiguration',
    'PlatformCredentialsFound',
  ])('is refused when HyperShift says that %s is False', (type) => {
    const conditions = [{ type, status: 'False', reason: 'InvalidConfiguration' }];

    expect(judge({ ...unfinished, cluster: { ...cluster, conditions } })).toMatchObject({
      state: 'refused',
      reason: 'HostedClusterRefused',
      message: expect.stringContaining(`${type} is False (InvalidConfiguration)`),
    });
  });

  it('is refused when HyperShift cannot make nodes of that kind', () => {
    const conditions = [{ type: 'ValidArchPlatform', status: 'False', reason: 'InvalidArchPlatform' }];

    expect(judge({ ...unfinished, pool: { ...pool, nodes: 0, conditions } })).toMatchObject({ state: 'refused' });
  });

  it('stays ready when a cluster that works is asked for something that cannot be', () => {
    const conditions = [available, { type: 'ValidReleaseImage', status: 'False', reason: 'InvalidImage' }];

    expect(judge({ ...whole, cluster: { ...cluster, conditions } })).toMatchObject({ state: 'ready' });
  });

  it('is refused when the name belongs to the cluster of another claim, or the Secret to somebody else', () => {
    expect(judge({ ...whole, cluster: { ...cluster, isOurs: false } })).toMatchObject({ reason: 'HostedClusterTaken' });
    expect(judge({ ...whole, pool: { ...pool, isOurs: false } })).toMatchObject({ reason: 'HostedClusterTaken' });
    expect(judge({ ...whole, secret: 'foreign' })).toMatchObject({ state: 'refused', reason: 'SecretTaken' });
  });
});

describe('a hosted cluster that is being taken away', () => {
  const minutes = 60_000;

  function leaving(since: number, ...conditions: (typeof available)[]) {
    return judge({ ...whole, secret: 'missing', cluster: { ...cluster, deletingSince: since, conditions } });
  }

  it('may take its time', () => {
    const since = now - 50 * minutes;

    expect(leaving(since)).toEqual({
      state: 'leaving',
      ...standing,
      target: 'small-dt',
      since,
      isStuck: false,
      complaint: '',
    });
  });

  it('is stuck after an hour', () => {
    expect(leaving(now - 61 * minutes)).toMatchObject({
      isStuck: true,
      complaint: expect.stringContaining('more than an hour'),
    });
  });

  it.each(['ReconciliationActive', 'PlatformCredentialsFound', 'ValidOIDCConfiguration', 'ValidAWSIdentityProvider'])(
    'is stuck when HyperShift says that %s is False',
    (type) => {
      expect(leaving(now, { type, status: 'False', reason: 'Broken' })).toMatchObject({
        isStuck: true,
        complaint: expect.stringContaining(`${type} is False (Broken)`),
      });
    },
  );

  it('is still leaving while its nodes are', () => {
    const seen = { ...whole, cluster: undefined, secret: 'missing', pool: { ...pool, deletingSince: now } } as const;

    expect(judge(seen)).toMatchObject({ state: 'leaving', since: now });
  });
});
