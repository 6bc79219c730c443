import { type Fields, isFields } from '../core/fields.ts';
import type { Resources } from '../core/quantity.ts';
import type { TargetClass } from './target.ts';
import { allotResources } from './wanted-resources.ts';

/** A hosted cluster as a class asks for it, checked. What HyperShift reads itself is passed on as it is. */
export interface HostedClusterPlan {
  readonly nodes: number;
  readonly releaseImage: string;
  readonly platform: Fields;
  readonly nodePlatform: Fields;
  /** Undefined: HyperShift's own default. */
  readonly arch: string | undefined;
  readonly baseDomain: string | undefined;
  readonly services: readonly unknown[];
  /** Further fields of the HostedCluster, by their names there. */
  readonly others: Fields;
  /** What the cluster is said to offer. It is not made larger for it: its class knows how large its clusters are. */
  readonly resources: Resources | undefined;
}

interface Wish {
  readonly arch: string;
  readonly resources: Resources | undefined;
}

/** Why there cannot be such a cluster. */
interface PlanProblem {
  readonly reason: string;
  readonly message: string;
}

type PlanAnswer = { readonly plan: HostedClusterPlan } | { readonly problem: PlanProblem };

const mostNodes = 500;
const usualNodes = 2;
const usualServices = [
  { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
  { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
  { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
  { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
] as const;
const availability = ['HighlyAvailable', 'SingleReplica'];
const known = [
  'numOfNodes',
  'releaseImage',
  'platform',
  'nodePlatform',
  'baseDomain',
  'services',
  'networking',
  'etcd',
  'controllerAvailabilityPolicy',
  'infrastructureAvailabilityPolicy',
  'resources',
  'maximum',
];
/** Whatever people and machines call them; the seeds write `x86–64`, with a dash that is no hyphen. */
const archs: Readonly<Record<string, string>> = {
  amd64: 'amd64',
  x64: 'amd64',
  x8664: 'amd64',
  arm64: 'arm64',
  aarch64: 'arm64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

/** A parameter that is wrong. Thrown inside this file only. */
class Wrong extends Error {}

/** What to ask HyperShift for. Classes are written by administrators, who make mistakes like everybody, too. */
export function planHostedCluster(asked: TargetClass, { arch, resources }: Wish): PlanAnswer {
  const { name, parameters } = asked;
  if (asked.allowsExpansion)
    return problem(
      'ExpansionNotSupported',
      `The class "${name}" promises that its targets can grow, and hosted clusters cannot: set allowTargetResourceExpansion to false in a class of another name`,
    );
  const normalArch = arch === '' ? undefined : archs[arch.toLowerCase().replace(/[^\da-z]/g, '')];
  if (arch !== '' && normalArch === undefined)
    return problem(
      'ArchNotSupported',
      'Hosted clusters have nodes of amd64, arm64, ppc64le or s390x: ask for one of these, or leave arch out',
    );
  const allotment = allotResources(resources, asked);
  if ('reason' in allotment) return { problem: allotment };
  try {
    return { plan: { ...readParameters(parameters, normalArch), resources: allotment.resources } };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return problem(
      'ClassParametersInvalid',
      `The class "${name}" cannot be used: ${error.message}. A class cannot be changed: its administrator has to make another`,
    );
  }
}

function readParameters(given: Fields, arch: string | undefined): Omit<HostedClusterPlan, 'resources'> {
  for (const parameter of Object.keys(given))
    if (!known.includes(parameter))
      throw new Wrong(
        `its parameter ${inShort(parameter)} means nothing to hosted clusters, which know ${known.join(', ')}`,
      );
  const platform = fields(given, 'platform') ?? missing('platform', 'an object with a type, such as KubeVirt');
  const type = platform['type'];
  if (typeof type !== 'string' || type === '') throw new Wrong('its parameter platform has no type, such as KubeVirt');
  return {
    nodes: readNodes(given['numOfNodes']),
    releaseImage: readReleaseImage(given['releaseImage']),
    platform,
    nodePlatform: readNodePlatform(given, type),
    arch,
    baseDomain: readBaseDomain(given['baseDomain']),
    services: readServices(given['services']),
    others: {
      ...part('networking', fields(given, 'networking')),
      ...part('etcd', fields(given, 'etcd')),
      ...part('controllerAvailabilityPolicy', readPolicy(given, 'controllerAvailabilityPolicy')),
      ...part('infrastructureAvailabilityPolicy', readPolicy(given, 'infrastructureAvailabilityPolicy')),
    },
  };
}

function readNodes(given: unknown): number {
  if (given === undefined || given === null) return usualNodes;
  const text = typeof given === 'string' ? given.trim() : given;
  const nodes = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (typeof nodes !== 'number' || !Number.isInteger(nodes) || nodes < 1 || nodes > mostNodes)
    throw new Wrong(`its parameter numOfNodes is not a whole number from 1 to ${mostNodes}`);
  return nodes;
}

function readReleaseImage(given: unknown): string {
  if (given === undefined || given === null) return missing('releaseImage', 'the image of an OpenShift release');
  if (typeof given !== 'string' || !/^\w\S{0,252}$/.test(given))
    throw new Wrong('its parameter releaseImage is not the name of an image');
  return given;
}

function readNodePlatform(given: Fields, type: string): Fields {
  const platform = fields(given, 'nodePlatform') ?? {};
  if (platform['type'] !== undefined && platform['type'] !== type)
    throw new Wrong('its parameter nodePlatform is of another type than its parameter platform');
  return { ...platform, type };
}

function readBaseDomain(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given !== 'string' || given.length > 253 || !/^[\da-z-]+(?:\.[\da-z-]+)*$/i.test(given))
    throw new Wrong('its parameter baseDomain is not the name of a domain');
  return given;
}

function readServices(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return usualServices;
  if (!Array.isArray(given) || given.length === 0 || !given.every(isFields))
    throw new Wrong('its parameter services is not a list of services and how each is published');
  return given;
}

function readPolicy(given: Fields, parameter: string): string | undefined {
  const policy = given[parameter] ?? undefined;
  if (policy === undefined) return undefined;
  if (typeof policy !== 'string' || !availability.includes(policy))
    throw new Wrong(`its parameter ${parameter} is neither ${availability.join(' nor ')}`);
  return policy;
}

function fields(given: Fields, parameter: string): Fields | undefined {
  const value = given[parameter] ?? undefined;
  if (value !== undefined && !isFields(value)) throw new Wrong(`its parameter ${parameter} is not an object`);
  return value;
}

function part(name: string, value: unknown): Fields {
  return value === undefined ? {} : { [name]: value };
}

function missing(parameter: string, what: string): never {
  throw new Wrong(`its parameter ${parameter} is missing: ${what}`);
}

/** A key that somebody made up may be as long as it likes. */
function inShort(parameter: string): string {
  return parameter.replace(/[^\w.-]/g, '?').slice(0, 63);
}

function problem(reason: string, message: string): PlanAnswer {
  return { problem: { reason, message } };
}
