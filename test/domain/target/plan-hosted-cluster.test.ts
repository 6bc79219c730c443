import { describe, expect, it } from 'vitest';
import { hostedClusterSpec, nodePoolSpec } from '../../../shared/domain/target/hosted-cluster-spec.ts';
import { type HostedClusterPlan, planHostedCluster } from '../../../shared/domain/target/plan-hosted-cluster.ts';
import type { TargetClass } from '../../../shared/domain/target/target.ts';

const releaseImage = 'images.example.com/openshift/release:4.20.1';
const platform = { type: 'KubeVirt', kubevirt: { baseDomainPassthrough: true } };
const nothing: Parameters<typeof planHostedCluster>[1] = { arch: '', resources: undefined };

function aClass(parameters: Readonly<Record<string, unknown>>, others: Partial<TargetClass> = {}): TargetClass {
  return {
    name: 'isolation-level-cluster-small',
    uid: 'class-uid',
    provisioner: 'appstudio.redhat.com/hypershift',
    parameters,
    reclaimPolicy: 'Delete',
    allowsExpansion: false,
    ...others,
  };
}

function planOf(parameters: Readonly<Record<string, unknown>>, wish = nothing): HostedClusterPlan {
  const planned = planHostedCluster(aClass({ releaseImage, platform, ...parameters }), wish);
  if ('problem' in planned) throw new Error(planned.problem.message);
  return planned.plan;
}

function problemOf(parameters: Readonly<Record<string, unknown>>, wish = nothing): string {
  const planned = planHostedCluster(aClass({ releaseImage, platform, ...parameters }), wish);
  return 'problem' in planned ? `${planned.problem.reason}: ${planned.problem.message}` : 'none';
}

describe('a hosted cluster as a class asks for it', () => {
  it('has the number of nodes that the class says, in one pool', () => {
    expect(nodePoolSpec(planOf({ numOfNodes: 3 }), 'small-1')).toEqual({
      clusterName: 'small-1',
      replicas: 3,
      release: { image: releaseImage },
      platform: { type: 'KubeVirt' },
      management: { upgradeType: 'Replace', autoRepair: true },
    });
  });

  it('has the platform as it is written, the pull Secret of the provider and the services that HyperShift demands', () => {
    const spec = hostedClusterSpec(planOf({ baseDomain: 'apps.example.com' }), 'images');

    expect(spec).toEqual({
      release: { image: releaseImage },
      pullSecret: { name: 'images' },
      platform,
      dns: { baseDomain: 'apps.example.com' },
      services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
        service,
        servicePublishingStrategy: { type: service === 'APIServer' ? 'LoadBalancer' : 'Route' },
      })),
    });
  });

  it.each([
    ['absent', undefined, 2],
    ['a number', 6, 6],
    ['a number in quotes', '3', 3],
    ['the least', 1, 1],
    ['the most', 500, 500],
  ])('numOfNodes %s', (_what, numOfNodes, nodes) => {
    expect(planOf({ numOfNodes }).nodes).toBe(nodes);
  });

  it.each([0, -1, 501, 2.5, '2.5', 'three', '', true, [], {}, Number.NaN, '1e2', '99999999999'])(
    'numOfNodes %j is refused by name',
    (numOfNodes) => {
      expect(problemOf({ numOfNodes })).toMatch(/^ClassParametersInvalid: .*parameter numOfNodes /);
    },
  );

  it('passes on how nodes, network, etcd and services are to be, and how available everything is', () => {
    const others = {
      networking: { clusterNetwork: [{ cidr: '10.1.0.0/16' }] },
      etcd: { managementType: 'Managed' },
      controllerAvailabilityPolicy: 'SingleReplica',
      infrastructureAvailabilityPolicy: 'HighlyAvailable',
    };
    const services = [{ service: 'APIServer', servicePublishingStrategy: { type: 'NodePort' } }];
    const nodePlatform = { kubevirt: { compute: { cores: 4 } } };

    const plan = planOf({ ...others, services, nodePlatform });

    expect(hostedClusterSpec(plan, 'images')).toMatchObject({ ...others, services });
    expect(nodePoolSpec(plan, 'one')).toMatchObject({ platform: { type: 'KubeVirt', ...nodePlatform } });
  });

  it.each<[parameter: string, value: unknown]>([
    ['releaseImage', undefined],
    ['releaseImage', 4.2],
    ['releaseImage', 'two words'],
    ['releaseImage', 'x'.repeat(254)],
    ['platform', undefined],
    ['platform', 'KubeVirt'],
    ['platform', {}],
    ['platform', { type: 7 }],
    ['nodePlatform', 'large'],
    ['nodePlatform', { type: 'AWS' }],
    ['baseDomain', 'no domain'],
    ['baseDomain', 7],
    ['networking', []],
    ['etcd', 'large'],
    ['services', {}],
    ['services', []],
    ['services', ['APIServer']],
    ['controllerAvailabilityPolicy', 'Sometimes'],
    ['infrastructureAvailabilityPolicy', true],
    ['numOfNode', 3],
    ['pullSecret', { name: 'somebody-elses' }],
  ])('%s %j is refused by name', (parameter, value) => {
    expect(problemOf({ [parameter]: value })).toMatch(
      new RegExp(`^ClassParametersInvalid: The class "isolation-level-cluster-small" .*its parameter ${parameter} `),
    );
  });

  it.each([
    ['', undefined],
    ['amd64', 'amd64'],
    ['x86-64', 'amd64'],
    ['x86–64', 'amd64'],
    ['x86_64', 'amd64'],
    ['X86_64', 'amd64'],
    ['arm64', 'arm64'],
    ['aarch64', 'arm64'],
    ['s390x', 's390x'],
    ['ppc64le', 'ppc64le'],
  ])('arch %j of a claim means %s', (arch, expected) => {
    const spec = nodePoolSpec(planOf({}, { ...nothing, arch }), 'one');

    expect(spec['arch']).toBe(expected);
    expect('arch' in spec).toBe(expected !== undefined);
  });

  it('says which arch there is to a claim that asks for another', () => {
    expect(problemOf({}, { ...nothing, arch: 'sparc' })).toMatch(/^ArchNotSupported: .*amd64, arm64, ppc64le or s390x/);
  });

  it('does not promise that a cluster can grow', () => {
    const planned = planHostedCluster(aClass({ releaseImage, platform }, { allowsExpansion: true }), nothing);

    expect(planned).toMatchObject({ problem: { reason: 'ExpansionNotSupported' } });
  });

  it('offers what the claim asks for, up to what the class says that its clusters have', () => {
    const maximum = { requests: { cpu: '12' } };
    const asked = { arch: '', resources: { requests: { cpu: '8' } } };
    const tooMuch = { arch: '', resources: { requests: { cpu: '16' } } };

    expect(planOf({ maximum }, asked).resources).toEqual({ requests: { cpu: '8' } });
    expect(problemOf({ maximum }, tooMuch)).toMatch(/^ResourcesExceedClass: /);
  });
});
