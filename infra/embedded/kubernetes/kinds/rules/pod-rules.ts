import type { KindRules } from '../served-kind.ts';
import { forbiddenValue } from './field-errors.ts';
import { type Fields, fieldsAt, isSame, listAt, openFields, setDefault, textAt } from './fields.ts';
import { defaultPodSpec } from './pod-defaults.ts';
import { validatePodSpec } from './validate-pod-spec.ts';

const awhile = ['not-ready', 'unreachable'].map((state) => ({
  key: `node.kubernetes.io/${state}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

/** A limit without a request asks for as much as the limit. */
function requestLimits(container: Fields): void {
  const resources = openFields(container, 'resources');
  const limits = fieldsAt(resources, 'limits');
  if (Object.keys(limits).length === 0) return;
  resources['requests'] = { ...limits, ...fieldsAt(resources, 'requests') };
}

function qualityOf(spec: unknown): string {
  const all = [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')].map((one) =>
    fieldsAt(one, 'resources'),
  );
  const asksNothing = (one: Fields) =>
    Object.keys({ ...fieldsAt(one, 'limits'), ...fieldsAt(one, 'requests') }).length === 0;
  if (all.every(asksNothing)) return 'BestEffort';
  const isFixed = (one: Fields) =>
    ['cpu', 'memory'].every((name) => {
      const limit = fieldsAt(one, 'limits')[name];
      return limit !== undefined && limit === fieldsAt(one, 'requests')[name];
    });
  return all.every(isFixed) ? 'Guaranteed' : 'Burstable';
}

/** The specification without what an update may change. */
function lasting(spec: Fields): Fields {
  const { tolerations: _tolerations, activeDeadlineSeconds: _deadline, ...rest } = spec;
  delete rest['terminationGracePeriodSeconds'];
  for (const list of ['containers', 'initContainers']) {
    rest[list] = listAt(spec, list).map((container) => ({ ...(container as Fields), image: '' }));
  }
  return rest;
}

export const podRules: KindRules = {
  setDefaults(object) {
    const spec = openFields(object, 'spec');
    defaultPodSpec(spec);
    for (const list of ['containers', 'initContainers']) {
      for (const container of listAt(spec, list) as readonly Fields[]) requestLimits(container);
    }
    setDefault(spec, 'enableServiceLinks', true);
    setDefault(spec, 'serviceAccountName', 'default');
    setDefault(spec, 'serviceAccount', textAt(spec, 'serviceAccountName'));
    setDefault(spec, 'priority', 0);
    setDefault(spec, 'preemptionPolicy', 'PreemptLowerPriority');
    setDefault(spec, 'tolerations', structuredClone(awhile));
  },
  prepareCreate(object) {
    object['status'] = { phase: 'Pending', qosClass: qualityOf(fieldsAt(object, 'spec')) };
  },
  validate(object, old) {
    const spec = fieldsAt(object, 'spec');
    const said = validatePodSpec(spec, 'spec');
    const words =
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
    const isChanged = old !== undefined && !isSame(lasting(spec), lasting(fieldsAt(old, 'spec')));
    return isChanged ? [...said, forbiddenValue('spec', words)] : said;
  },
};
