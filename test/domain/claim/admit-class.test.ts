import { expect, it } from 'vitest';
import { admitClass } from '../../../shared/domain/claim/admit-class.ts';
import { letIn } from '../../../shared/domain/gitops/admit.ts';

const spec = {
  provisioner: 'appstudio.redhat.com/devsandbox',
  reclaimPolicy: 'Delete',
  parameters: { tierName: 'appstudio-env', resources: { requests: { cpu: '1' } } },
};

it('a class may be created as anything', () => {
  expect(admitClass(spec, undefined)).toEqual(letIn);
});

it('a class that stays the same may be written, in whatever order', () => {
  const { parameters, ...rest } = spec;

  expect(admitClass({ parameters, ...rest }, spec)).toEqual(letIn);
});

it.each<[string, object]>([
  ['policy', { ...spec, reclaimPolicy: 'Retain' }],
  ['provisioner', { ...spec, provisioner: 'appstudio.redhat.com/hypershift' }],
  ['expansion', { ...spec, allowTargetResourceExpansion: true }],
  ['a parameter', { ...spec, parameters: { ...spec.parameters, tierName: 'other' } }],
  ['a parameter deep down', { ...spec, parameters: { ...spec.parameters, resources: { requests: { cpu: '2' } } } }],
  ['parameters that are gone', { ...spec, parameters: undefined }],
])('a class may not change: %s', (_what, changed) => {
  expect(admitClass(changed, spec)).toEqual({
    refused: 'spec of a DeploymentTargetClass cannot be updated: create another class',
    warnings: [],
  });
});

it('parameters that are not there differ from empty ones, as they do for the API server', () => {
  const { parameters: _parameters, ...without } = spec;

  expect(admitClass({ ...without, parameters: {} }, without).refused).toContain('cannot be updated');
});
