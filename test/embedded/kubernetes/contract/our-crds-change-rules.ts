import { type ChangeCase, claimCases } from './our-crds-claim-rules.ts';
import type { Fields } from './our-crds-objects.ts';

const repository = (fields: Fields) => ({ gitOpsRepository: fields });
const model = (fields: Fields) => ({ appModelRepository: fields });
const [url, other] = ['https://git.example.com/a', 'https://git.example.com/b'];
const fixedRepository = 'spec.gitOpsRepository: Invalid value: gitOpsRepository cannot be updated once its url is set';
const fixedModel = 'spec.appModelRepository: Invalid value: appModelRepository cannot be updated once its url is set';
const cart = { name: 'cart', containerImage: 'a:1' };
const git = (address: string) => ({ source: { git: { url: address } } });

/** Every rule of infra/crds about a change, broken and kept. */
export const changeCases: readonly ChangeCase[] = [
  {
    what: 'another repository',
    kind: 'Application',
    from: repository({ url }),
    to: repository({ url: other }),
    error: fixedRepository,
  },
  {
    what: 'another branch',
    kind: 'Application',
    from: repository({ url, branch: 'a' }),
    to: repository({ url, branch: 'b' }),
    error: fixedRepository,
  },
  {
    what: 'another directory',
    kind: 'Application',
    from: repository({ url }),
    to: repository({ url, context: 'b' }),
    error: fixedRepository,
  },
  { what: 'no repository any more', kind: 'Application', from: repository({ url }), to: {}, error: fixedRepository },
  { what: 'a first repository', kind: 'Application', from: repository({ url: '' }), to: repository({ url }) },
  {
    what: 'another renderer of the same repository',
    kind: 'Application',
    from: repository({ url }),
    to: repository({ url, renderedBy: 'External' }),
  },
  {
    what: 'another model repository',
    kind: 'Application',
    from: model({ url }),
    to: model({ url: other }),
    error: fixedModel,
  },
  {
    what: 'another branch of the model',
    kind: 'Application',
    from: model({ url }),
    to: model({ url, branch: 'b' }),
    error: fixedModel,
  },
  { what: 'a first model repository', kind: 'Application', to: model({ url }) },
  {
    what: 'another name',
    kind: 'Component',
    to: { componentName: 'till' },
    error: 'spec.componentName: Invalid value: "till": componentName field cannot be updated to till',
  },
  {
    what: 'another application',
    kind: 'Component',
    to: { application: 'other' },
    error: 'spec.application: Invalid value: "other": application field cannot be updated to other',
  },
  {
    what: 'another source',
    kind: 'Component',
    from: git(url),
    to: git(other),
    error: 'spec.source.git.url: Invalid value: source.git.url cannot be updated once it is set',
  },
  {
    what: 'no source any more',
    kind: 'Component',
    from: git(url),
    to: {},
    error: 'spec.source.git.url: Invalid value: source.git.url cannot be updated once it is set',
  },
  { what: 'a first source', kind: 'Component', to: git(url) },
  { what: 'another image', kind: 'Component', to: { containerImage: 'quay.io/shop/cart:2', replicas: 3 } },
  {
    what: 'another provisioner',
    kind: 'DeploymentTargetClass',
    to: { provisioner: 'other' },
    error: 'spec: Invalid value: spec of a DeploymentTargetClass cannot be updated: create another class',
  },
  {
    what: 'other parameters',
    kind: 'DeploymentTargetClass',
    from: { parameters: { numOfNodes: 3 } },
    to: { parameters: { numOfNodes: 4 } },
    error: 'spec: Invalid value: spec of a DeploymentTargetClass cannot be updated: create another class',
  },
  {
    what: 'the same again',
    kind: 'DeploymentTargetClass',
    from: { parameters: { a: [1] } },
    to: { parameters: { a: [1] } },
  },
  {
    what: 'another snapshot',
    kind: 'PromotionRun',
    to: { snapshot: 'second' },
    error: 'spec: Invalid value: spec cannot be updated to snapshot second of application shop',
  },
  { what: 'the same again', kind: 'PromotionRun', to: {} },
  {
    what: 'another application',
    kind: 'SnapshotEnvironmentBinding',
    to: { application: 'other' },
    error: 'spec.application: Invalid value: "other": application field cannot be updated to other',
  },
  {
    what: 'another environment',
    kind: 'SnapshotEnvironmentBinding',
    to: { environment: 'prod' },
    error: 'spec.environment: Invalid value: "prod": environment field cannot be updated to prod',
  },
  {
    what: 'another snapshot',
    kind: 'SnapshotEnvironmentBinding',
    to: { snapshot: 'second', components: [{ name: 'cart' }] },
  },
  {
    what: 'another application',
    kind: 'Snapshot',
    from: { application: 'shop' },
    to: { application: 'other' },
    error: 'spec.application: Invalid value: application field cannot be updated to other',
  },
  {
    what: 'a first application',
    kind: 'Snapshot',
    to: { application: 'shop' },
    error: 'spec.application: Invalid value: application field cannot be updated to shop',
  },
  {
    what: 'another image',
    kind: 'Snapshot',
    from: { components: [cart] },
    to: { components: [{ ...cart, containerImage: 'a:2' }] },
    error: 'spec.components: Invalid value: components cannot be updated',
  },
  {
    what: 'no components any more',
    kind: 'Snapshot',
    from: { components: [cart] },
    to: {},
    error: 'spec.components: Invalid value: components cannot be updated',
  },
  {
    what: 'another display name',
    kind: 'Snapshot',
    from: { application: 'shop', components: [cart] },
    to: { application: 'shop', components: [cart], displayName: 'Best' },
  },
  ...claimCases,
];
