import { describe, expect, it } from 'vitest';
import { isNamespaceName } from '../../../shared/domain/core/object-name.ts';
import { environmentConditions, environmentReasons } from '../../../shared/domain/gitops/environment-conditions.ts';
import { chooseCredentials, type Kubeconfig } from '../../../shared/domain/gitops/kubeconfig-choice.ts';
import type { EnvironmentSpec } from '../../../shared/domain/gitops/managed-environment.ts';
import { joinNamespaces } from '../../../shared/domain/gitops/namespace-list.ts';

const authority = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const type = 'managed-gitops.redhat.com/managed-environment';

function spec(given: Partial<EnvironmentSpec> = {}): EnvironmentSpec {
  return {
    apiURL: 'https://api.example.com:6443',
    credentialsSecret: 'target',
    allowInsecureSkipTLSVerify: false,
    createNewServiceAccount: false,
    namespaces: [],
    clusterResources: false,
    ...given,
  };
}

function kubeconfig(given: Partial<Kubeconfig> = {}): Kubeconfig {
  const server = 'https://api.example.com:6443';
  return {
    currentContext: 'there',
    clusters: [{ name: 'c', server, certificateAuthority: authority, namesFile: false }],
    contexts: [{ name: 'there', cluster: 'c', user: 'me' }],
    users: [{ name: 'me', token: 'secret-token' }],
    ...given,
  };
}

function choose(given: Partial<EnvironmentSpec> = {}, config: Partial<Kubeconfig> = {}) {
  return chooseCredentials(spec(given), { type, kubeconfig: kubeconfig(config) });
}

function cluster(given: Partial<Kubeconfig['clusters'][number]>): Pick<Kubeconfig, 'clusters'> {
  return { clusters: [{ ...(kubeconfig().clusters[0] as Kubeconfig['clusters'][number]), ...given }] };
}

describe('the credentials of an environment', () => {
  it('are those of the cluster that its URL names', () => {
    expect(choose({ namespaces: ['b', 'a', 'b'], clusterResources: true })).toEqual({
      wanted: {
        server: 'https://api.example.com:6443',
        token: 'secret-token',
        certificateAuthority: authority,
        insecure: false,
        namespaces: 'a,b',
        clusterResources: true,
      },
    });
  });

  it.each(['HTTPS://API.Example.com:6443', 'https://api.example.com:6443/', 'https://api.example.com:6443//'])(
    'are found whatever the case and the last slash: %s',
    (server) => {
      expect(choose({}, cluster({ server }))).toMatchObject({ wanted: { server: 'https://api.example.com:6443' } });
    },
  );

  it('follow the current context where the URL is empty', () => {
    const clusters = [
      { name: 'c', server: 'https://one.example.com', certificateAuthority: undefined, namesFile: false },
      { name: 'd', server: 'https://two.example.com', certificateAuthority: undefined, namesFile: false },
    ];
    const contexts = [
      { name: 'here', cluster: 'c', user: 'me' },
      { name: 'there', cluster: 'd', user: 'me' },
    ];

    expect(choose({ apiURL: '' }, { clusters, contexts })).toMatchObject({
      wanted: { server: 'https://two.example.com' },
    });
    expect(choose({ apiURL: '' }, { clusters, contexts, currentContext: '' })).toMatchObject({
      problem: { reason: 'UnableToLocateContext' },
    });
  });

  it('are those of the current context where several users know the cluster, else of the first', () => {
    const contexts = [
      { name: 'first', cluster: 'c', user: 'one' },
      { name: 'there', cluster: 'c', user: 'me' },
    ];
    const users = [
      { name: 'one', token: 'first-token' },
      { name: 'me', token: 'current-token' },
    ];

    expect(choose({}, { contexts, users })).toMatchObject({ wanted: { token: 'current-token' } });
    expect(choose({}, { contexts, users, currentContext: 'elsewhere' })).toMatchObject({
      wanted: { token: 'first-token' },
    });
  });

  it('SM-24 have no authority where it is not asked', () => {
    const chosen = choose({ allowInsecureSkipTLSVerify: true }, cluster({ certificateAuthority: 'nonsense' }));

    expect(chosen).toMatchObject({ wanted: { insecure: true, certificateAuthority: undefined } });
  });
});

describe('an environment is told', () => {
  const tooMany = Array.from({ length: 80 }, (_, at) => `${'n'.repeat(56)}-${at}`);
  const wrong: Record<string, [ReturnType<typeof choose>, status: string, reason: string, message: string]> = {
    'defect 5 that it names no Secret': [
      chooseCredentials(spec({ credentialsSecret: '', apiURL: 'http://x?' }), undefined),
      'False',
      'UnableToRetrieveRestConfig',
      'the field .spec.credentialsSecret is empty: name the Secret that holds the kubeconfig',
    ],
    'SM-14 that its Secret is missing': [
      chooseCredentials(spec(), undefined),
      'False',
      'UnableToRetrieveRestConfig',
      "the Secret 'target' does not exist in this namespace",
    ],
    'SM-22 of ? in its URL, before anything that is in the Secret': [
      chooseCredentials(spec({ apiURL: 'https://a/?b' }), { type: 'Opaque', kubeconfig: 'missing' }),
      'Unknown',
      'UnsupportedAPIURL',
      'the API URL must not have ? or & values',
    ],
    'SM-22 of & in its URL': [
      choose({ apiURL: 'https://a/&b' }),
      'Unknown',
      'UnsupportedAPIURL',
      'the API URL must not have ? or & values',
    ],
    'defect 38 of a URL without https': [
      choose({ apiURL: 'http://a' }),
      'Unknown',
      'UnsupportedAPIURL',
      'cluster api url must start with https://',
    ],
    'of white space in its URL': [
      choose({ apiURL: 'https://a\n' }),
      'Unknown',
      'UnsupportedAPIURL',
      'cluster api url must start with https://',
    ],
    'of a password in its URL, without telling it': [
      choose({ apiURL: 'https://me:secret@a' }),
      'Unknown',
      'UnsupportedAPIURL',
      'the API URL must not have a user name, a password or a fragment',
    ],
    'SM-20 of an invalid namespace': [
      choose({ namespaces: ['ok', '-a'] }),
      'Unknown',
      'InvalidNamespaceList',
      'user specified an invalid namespace: -a',
    ],
    'SM-15 of a Secret of another type': [
      chooseCredentials(spec(), { type: 'Opaque', kubeconfig: kubeconfig() }),
      'False',
      'InvalidSecretType',
      'invalid secret type: Opaque',
    ],
    'SM-18 of a cluster that the kubeconfig has not': [
      choose({ apiURL: 'https://other' }),
      'False',
      'UnableToLocateContext',
      "the kubeconfig has no cluster entry with a server URL of 'https://other'",
    ],
    'SM-27 of a cluster without a context': [
      choose({}, { contexts: [] }),
      'False',
      'UnableToLocateContext',
      "the kubeconfig has no context for the cluster with a server URL of 'https://api.example.com:6443'",
    ],
    'SM-19 of a user that the kubeconfig has not': [
      choose({}, { users: [] }),
      'False',
      'UnableToParseKubeconfigData',
      'kubeconfig must have a service account token for the user in context "there". client-certificate is not supported at this time.',
    ],
    'SM-13 of a user without a token': [
      choose({}, { users: [{ name: 'me', token: undefined }] }),
      'False',
      'UnableToParseKubeconfigData',
      'kubeconfig must have a service account token for the user in context "there". client-certificate is not supported at this time.',
    ],
    'SM-21 of too many namespaces': [
      choose({ namespaces: tooMany }),
      'Unknown',
      'UnableToCreateClusterCredentials',
      'an unknown error occurred',
    ],
  };

  it.each(Object.entries(wrong))('%s', (_what, [choice, status, reason, message]) => {
    expect(choice).toEqual({ problem: { type: 'ConnectionInitializationSucceeded', status, reason, message } });
  });

  it.each([
    ['a kubeconfig key that is missing', 'missing', 'MissingKubeConfigField'],
    ['a kubeconfig that cannot be read', 'unreadable', 'UnableToParseKubeconfigData'],
  ] as const)('of %s', (_what, broken, reason) => {
    expect(chooseCredentials(spec(), { type, kubeconfig: broken })).toMatchObject({
      problem: { status: 'False', reason },
    });
  });

  it.each([
    ['only in a file', cluster({ certificateAuthority: undefined, namesFile: true })],
    ['no certificate', cluster({ certificateAuthority: 'nonsense' })],
    ['more than Postgres keeps', cluster({ certificateAuthority: `${authority}\u0000` })],
  ])('of an authority that is %s', (_what, config) => {
    expect(choose({}, config)).toMatchObject({ problem: { status: 'False', reason: 'UnableToRetrieveRestConfig' } });
  });

  it.each(['two words', 'line\nbreak', 'ünïcode'])('of a token that no header takes: %s', (token) => {
    expect(choose({}, { users: [{ name: 'me', token }] })).toMatchObject({
      problem: { reason: 'UnableToParseKubeconfigData' },
    });
  });

  it('in a message that fits, however long the word of the user is', () => {
    expect(environmentConditions.invalidNamespace('n'.repeat(1_000_000)).message.length).toBeLessThan(400);
    expect(environmentReasons).toHaveLength(new Set(environmentReasons).size);
  });
});

describe('a list of namespaces', () => {
  it.each([
    ['', false],
    ['a', true],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
    ['a-a', true],
    ['-a', false],
    ['a-', false],
    ['0a9', true],
    ['A', false],
    ['a_b', false],
    ['a\n', false],
  ])('SM-25 %j is a name: %s', (name, valid) => {
    expect(isNamespaceName(name)).toBe(valid);
  });

  it('SM-26 is sorted and joined, and one invalid name makes it invalid', () => {
    expect(joinNamespaces([])).toEqual({ joined: '' });
    expect(joinNamespaces(['b', 'c', 'a'])).toEqual({ joined: 'a,b,c' });
    expect(joinNamespaces(['b', 'A', 'a'])).toEqual({ invalid: 'A' });
  });
});
