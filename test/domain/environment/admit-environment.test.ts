import { describe, expect, it } from 'vitest';
import { admitEnvironment, type WrittenEnvironment } from '../../../shared/domain/environment/admit-environment.ts';
import { letIn } from '../../../shared/domain/gitops/admit.ts';

const plain: WrittenEnvironment = { name: 'staging', clusterType: undefined, ingressDomain: '', apiURL: '' };
const noDomain = 'ingress domain cannot be empty if cluster is of type Kubernetes';
const domainRule =
  "an ingress domain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const addressRule = "API URL must be an absolute URL starting with an 'https' scheme";

function environment(but: Partial<WrittenEnvironment> = {}): WrittenEnvironment {
  return { ...plain, ...but };
}

describe.each<[string, WrittenEnvironment | undefined]>([
  ['created', undefined],
  ['updated', plain],
])('an Environment that is %s', (_what, stored) => {
  it.each<[string, Partial<WrittenEnvironment>, string | undefined]>([
    ['AW-08 without unstable configuration', {}, undefined],
    ['AW-01 B25 on Kubernetes without an ingress domain', { clusterType: 'Kubernetes' }, noDomain],
    [
      'AW-07 on Kubernetes with a good one',
      { clusterType: 'Kubernetes', ingressDomain: 'apps.example.com' },
      undefined,
    ],
    ['AW-09 B25 on OpenShift without an ingress domain', { clusterType: 'OpenShift' }, undefined],
    ['AW-10 on OpenShift with one', { clusterType: 'OpenShift', ingressDomain: 'apps.example.com' }, undefined],
    [
      'AW-06 B25 with a domain that is none',
      { clusterType: 'Kubernetes', ingressDomain: 'Apps_example' },
      `invalid ingress domain: "Apps_example": ${domainRule}`,
    ],
    ['AW-06 with a domain that ends in a dot', { ingressDomain: 'a.' }, `invalid ingress domain: "a.": ${domainRule}`],
    ['with an address', { apiURL: 'https://api.example.com:6443/path?x#y' }, undefined],
    ['with an address in capitals', { apiURL: 'HTTPS://API.example.com' }, undefined],
    ['with the address of an IPv6 host', { apiURL: 'https://[::1]:6443' }, undefined],
    [
      'AW-12 with an address that cannot be read',
      { apiURL: 'api.example.com' },
      `parse "api.example.com": invalid URI for request: ${addressRule}`,
    ],
    [
      'AW-12 with a port that is none',
      { apiURL: 'https://api.example.com:port' },
      `parse "https://api.example.com:port": invalid port ":port" after host: ${addressRule}`,
    ],
    ['AW-12 with a path alone', { apiURL: '/api' }, `"/api": ${addressRule}`],
    ['AW-12 B25 with another scheme', { apiURL: 'http://api.example.com' }, `"http://api.example.com": ${addressRule}`],
    ['AW-12 with no host', { apiURL: 'https:///path' }, `"https:///path": ${addressRule}`],
  ])('%s', (_which, but, refused) => {
    expect(admitEnvironment(environment(but), stored)).toEqual({ refused, warnings: [] });
  });
});

describe('the name of an Environment', () => {
  it.each(['staging', '1st', 'a', 'a'.repeat(63)])('%s is good', (name) => {
    expect(admitEnvironment(environment({ name }), undefined)).toEqual(letIn);
  });

  it.each(['Staging', 'stag_ing', 'stag.ing', '-staging', 'staging-', '', 'a'.repeat(64)])(
    'AW-11 B24 %s is not',
    (name) => {
      expect(admitEnvironment(environment({ name }), undefined).refused).toBe(
        `invalid environment name: ${name}, an environment resource name must start with a lower case alphabetical character, be under 63 characters, and can only consist of lower case alphanumeric characters or '-'`,
      );
    },
  );

  it('AW-02 is not looked at when the Environment is updated', () => {
    const named = environment({ name: 'stag.ing' });

    expect(admitEnvironment(named, named)).toEqual(letIn);
  });
});

describe('what was wrong before', () => {
  const stored = environment({ apiURL: 'http://api.example.com' });

  it('is not held against a write that leaves it, and is told', () => {
    const { refused, warnings } = admitEnvironment(stored, stored);

    expect(refused).toBeUndefined();
    expect(warnings).toEqual([`"http://api.example.com": ${addressRule}`]);
  });

  it('may not be made wrong in another way', () => {
    expect(admitEnvironment(environment({ apiURL: 'http://other.example.com' }), stored).refused).toContain('other');
    expect(admitEnvironment({ ...stored, clusterType: 'Kubernetes' }, stored).refused).toBe(noDomain);
  });
});

it('a password in the address is not repeated', () => {
  const { refused } = admitEnvironment(environment({ apiURL: 'http://me:hunter2@api.example.com' }), undefined);

  expect(refused).toBe(`"http://***@api.example.com": ${addressRule}`);
});
