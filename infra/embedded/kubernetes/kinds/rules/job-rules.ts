import type { ApiObject } from '../../api-object.ts';
import type { FieldError } from '../../status-error.ts';
import type { KindRules } from '../served-kind.ts';
import { invalidValue, requiredValue } from './field-errors.ts';
import { type Fields, fieldsAt, isSame, openFields, setDefault, textAt, valueAt } from './fields.ts';
import { defaultPodTemplate } from './pod-defaults.ts';
import { notBelowZero, validateTemplate } from './workload-rules.ts';

function defaultJobSpec(spec: Fields): void {
  defaultPodTemplate(spec);
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) setDefault(spec, 'completions', 1);
  setDefault(spec, 'parallelism', 1);
  setDefault(spec, 'backoffLimit', 6);
  setDefault(spec, 'completionMode', 'NonIndexed');
  setDefault(spec, 'suspend', false);
  setDefault(spec, 'podReplacementPolicy', 'TerminatingOrFailed');
  setDefault(spec, 'manualSelector', false);
}

/** A Job's template never runs on: its pods must be able to end. */
function endsSomeDay(spec: unknown, field: string): FieldError[] {
  const policy = textAt(spec, 'template', 'spec', 'restartPolicy');
  if (policy === 'OnFailure' || policy === 'Never') return [];
  return [requiredValue(`${field}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"')];
}

/** Marks the template so that the Job finds its own pods again. */
function selectByUid(object: ApiObject): void {
  const spec = openFields(object, 'spec');
  if (spec['manualSelector'] === true) return;
  const uid = object.metadata.uid ?? '';
  const name = object.metadata.name ?? '';
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const metadata = openFields(openFields(spec, 'template'), 'metadata');
  Object.assign(openFields(metadata, 'labels'), labels);
  object.metadata.labels = { ...object.metadata.labels, ...labels };
  spec['selector'] = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
}

export const jobRules: KindRules = {
  setDefaults(object) {
    defaultJobSpec(openFields(object, 'spec'));
  },
  prepareCreate(object) {
    selectByUid(object);
    object['status'] = {};
  },
  validate(object, old) {
    const spec = fieldsAt(object, 'spec');
    const fixed = ['selector', 'completions', 'template', 'completionMode'];
    const changed = old === undefined ? [] : fixed.filter((name) => !isSame(spec[name], valueAt(old, 'spec', name)));
    return [
      ...notBelowZero(spec, 'spec', 'parallelism', 'completions', 'backoffLimit', 'ttlSecondsAfterFinished'),
      ...validateTemplate(spec, 'spec'),
      ...endsSomeDay(spec, 'spec'),
      ...changed.map((name) => invalidValue(`spec.${name}`, spec[name] ?? null, 'field is immutable')),
    ];
  },
};

export const cronJobRules: KindRules = {
  setDefaults(object) {
    const spec = openFields(object, 'spec');
    setDefault(spec, 'concurrencyPolicy', 'Allow');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'successfulJobsHistoryLimit', 3);
    setDefault(spec, 'failedJobsHistoryLimit', 1);
    const template = openFields(spec, 'jobTemplate');
    openFields(template, 'metadata');
    // A Job gets the rest of its defaults when it is made from the template.
    defaultPodTemplate(openFields(template, 'spec'));
  },
  prepareCreate(object) {
    object['status'] = {};
  },
  validate(object) {
    const spec = fieldsAt(object, 'spec');
    const schedule = textAt(spec, 'schedule');
    const parts = schedule.trim().split(/\s+/);
    const said: FieldError[] = [];
    if (schedule === '') said.push(requiredValue('spec.schedule'));
    else if (parts.length !== 5 && !schedule.startsWith('@')) {
      const words = `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
      said.push(invalidValue('spec.schedule', schedule, words));
    }
    const jobSpec = fieldsAt(spec, 'jobTemplate', 'spec');
    return [
      ...said,
      ...validateTemplate(jobSpec, 'spec.jobTemplate.spec'),
      ...endsSomeDay(jobSpec, 'spec.jobTemplate.spec'),
      ...notBelowZero(spec, 'spec', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'),
    ];
  },
};
