import { goodSource, unreadable as nonsense } from './bad-input-scene.ts';

interface BadDeployment {
  readonly spec: object;
  readonly message: string;
  readonly name?: string;
}

const noEnvironment =
  'Unable to reconcile the ManagedEnvironment. Verify that the ManagedEnvironment and Secret are correctly defined, and have valid credentials';
const badNamespace = 'the namespace specified in the destination field is invalid';
const badOption =
  'the specified sync option in .spec.syncPolicy.syncOptions is either mispelled or is not supported by GitOpsDeployment';
const foreignNamespace = 'the environment field should not be empty when the namespace is non-empty';
const tooLarge = 'the GitOpsDeployment must not be larger than 65536 bytes';
const emptyPath = 'spec.source.path is a required field and it cannot be empty';

const path = (given: string) => ({ source: { ...goodSource, path: given } });
const repository = (given: string) => ({ source: { ...goodSource, repoURL: given } });
const options = (syncOptions: readonly string[]) => ({ syncPolicy: { syncOptions } });
const to = (environment: string, namespace: string) => ({ destination: { environment, namespace } });
const badRepository = (why: string) => `spec.source.repoURL is invalid: repository must ${why}`;

/** What a user may write into a GitOpsDeployment, and what they read in its condition then. */
export const badDeployments: Readonly<Record<string, BadDeployment>> = {
  'a malformed repository': {
    spec: repository('git.example/team'),
    message: badRepository('begin with ssh:// or https://'),
  },
  'a repository without a host': {
    spec: repository('https:///team'),
    message: badRepository('name a host and a path, as in https://example.com/team/repository'),
  },
  'a repository of white space': {
    spec: repository('https://git.example/a b'),
    message: badRepository('not contain white space'),
  },
  'a repository that is a pattern': {
    spec: repository('https://git.example/*'),
    message: badRepository('not contain any of the characters * ? [ ] { } ! \\ #'),
  },
  'a repository on the disk of Argo CD': {
    spec: repository('file:///etc'),
    message: badRepository('begin with ssh:// or https://'),
  },
  'nonsense as repository': {
    spec: repository(`https://git.example/${nonsense}`),
    message: badRepository('not contain white space'),
  },
  'an empty path': { spec: path(''), message: emptyPath },
  'a path of stripped characters': { spec: path('\n&;'), message: emptyPath },
  'the root as path': { spec: path('/'), message: "spec.source.path cannot be '/'" },
  'nonsense as path': { spec: path(nonsense), message: 'spec.source.path must not contain control characters' },
  'a path of eighty thousand bytes': { spec: path('d/'.repeat(40_000)), message: tooLarge },
  'nonsense as revision': {
    spec: { source: { ...goodSource, targetRevision: nonsense } },
    message: 'spec.source.targetRevision must not contain control characters',
  },
  'nonsense as type': { spec: { type: nonsense }, message: 'spec type must be manual or automated' },
  'a type in another language': { spec: { type: 'automatis\u00e9' }, message: 'spec type must be manual or automated' },
  'nonsense as sync option': { spec: options([nonsense]), message: badOption },
  'four hundred kilobytes of sync options': {
    spec: options(Array(20_000).fill('CreateNamespace=true')),
    message: tooLarge,
  },
  'as many that do not exist': { spec: options(Array(20_000).fill('CreateNamespaces=true')), message: badOption },
  'an unknown environment': { spec: to('nowhere', 'shop'), message: noEnvironment },
  'an environment with the longest of names': { spec: to('e'.repeat(253), 'shop'), message: noEnvironment },
  'nonsense as environment': { spec: to(nonsense, 'shop'), message: noEnvironment },
  'an environment whose name is a way out': { spec: to('..', 'shop'), message: noEnvironment },
  'nonsense as namespace': { spec: to('staging', nonsense), message: badNamespace },
  'a namespace in another language': { spec: to('staging', '\u00e9quipe'), message: badNamespace },
  'a namespace that is a pattern': { spec: to('staging', 'team-*'), message: badNamespace },
  'a namespace of the own cluster': { spec: to('', 'kube-system'), message: foreignNamespace },
  'the namespace of Argo CD': { spec: to('', 'argocd'), message: foreignNamespace },
  'the longest of names': { name: 'w'.repeat(253), spec: path('/'), message: "spec.source.path cannot be '/'" },
};
