import type { FieldError } from '../../status-error.ts';
import type { KindRules } from '../served-kind.ts';
import { invalidValue, requiredValue } from './field-errors.ts';
import { fieldsAt, hasField, listAt, numberAt, openFields, setDefault, textAt, valueAt } from './fields.ts';
import { validateSelector } from './label-selector.ts';
import { canonicalQuantity } from './quantity.ts';
import { validateIntOrPercent } from './validate-rolling-update.ts';
import { notBelowZero } from './workload-rules.ts';

const metricSources = ['resource', 'pods', 'object', 'external', 'containerResource'];

function settleTarget(metric: unknown): void {
  for (const source of metricSources) {
    const target = fieldsAt(metric, source, 'target');
    for (const name of ['averageValue', 'value']) {
      if (hasField(target, name)) target[name] = canonicalQuantity(target[name]);
    }
  }
}

const eightyPercent = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

export const autoscalerRules: KindRules = {
  setDefaults(object) {
    const spec = openFields(object, 'spec');
    setDefault(spec, 'minReplicas', 1);
    if (listAt(spec, 'metrics').length === 0) spec['metrics'] = [structuredClone(eightyPercent)];
    for (const metric of listAt(spec, 'metrics')) settleTarget(metric);
  },
  prepareCreate(object) {
    object['status'] = { desiredReplicas: 0, currentMetrics: null };
  },
  validate(object) {
    const spec = fieldsAt(object, 'spec');
    const target = fieldsAt(spec, 'scaleTargetRef');
    const most = numberAt(spec, 'maxReplicas');
    const said: FieldError[] = [];
    const least = numberAt(spec, 'minReplicas');
    if (least < 1) said.push(invalidValue('spec.minReplicas', least, 'must be greater than or equal to 1'));
    if (most < 1) said.push(requiredValue('spec.maxReplicas', 'must be set and greater than 0'));
    if (most < least)
      said.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
    for (const name of ['kind', 'name']) {
      if (textAt(target, name) === '') said.push(requiredValue(`spec.scaleTargetRef.${name}`));
    }
    const version = textAt(target, 'apiVersion');
    if (!version.includes('/') && version !== 'v1') {
      said.push(invalidValue('spec.scaleTargetRef.apiVersion', version, 'apiVersion must specify API group'));
    }
    return said;
  },
};

export const disruptionBudgetRules: KindRules = {
  prepareCreate(object) {
    object['status'] = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  validate(object) {
    const spec = fieldsAt(object, 'spec');
    const { minAvailable, maxUnavailable } = spec;
    const said: FieldError[] = [];
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      const shown = {
        MinAvailable: minAvailable,
        Selector: spec['selector'] ?? null,
        MaxUnavailable: maxUnavailable,
        UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
      };
      said.push(invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
    }
    return [
      ...said,
      ...validateIntOrPercent(minAvailable, 'spec.minAvailable'),
      ...validateIntOrPercent(maxUnavailable, 'spec.maxUnavailable'),
      ...validateSelector(spec['selector'], 'spec.selector'),
    ];
  },
};

export const leaseRules: KindRules = {
  validate(object) {
    const spec = fieldsAt(object, 'spec');
    const duration = valueAt(spec, 'leaseDurationSeconds');
    const isBad = typeof duration === 'number' && duration <= 0;
    return [
      ...(isBad ? [invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0')] : []),
      ...notBelowZero(spec, 'spec', 'leaseTransitions'),
    ];
  },
};
