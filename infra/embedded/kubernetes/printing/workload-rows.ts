import { fieldsAt, listAt, numberAt, textAt, valueAt } from '../kinds/rules/fields.ts';
import { humanDuration } from './human-duration.ts';
import {
  age,
  containersAndImages,
  hasTrueCondition,
  orElse,
  type RowPrinter,
  selectorInWords,
  selectorOrNone,
  since,
} from './row-printer.ts';

const deployment: RowPrinter = {
  columns: ['Name:string:name', 'Ready', 'Up-to-date', 'Available', 'Age', '+Containers', '+Images', '+Selector'],
  cells: (object, now) => [
    object.metadata.name,
    `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`,
    numberAt(object, 'status', 'updatedReplicas'),
    numberAt(object, 'status', 'availableReplicas'),
    age(object, now),
    ...containersAndImages(fieldsAt(object, 'spec', 'template', 'spec')),
    selectorInWords(valueAt(object, 'spec', 'selector')),
  ],
};

/** The number of copies alone, as `kubectl get --subresource=scale` shows it. */
export const scaleRow: RowPrinter = {
  columns: ['Name', 'Desired:integer', 'Available:integer', 'Age'],
  cells: (object, now) => [
    object.metadata.name,
    numberAt(object, 'spec', 'replicas'),
    numberAt(object, 'status', 'replicas'),
    age(object, now),
  ],
};

const replicaSet: RowPrinter = {
  columns: [
    'Name:string:name',
    'Desired:integer',
    'Current:integer',
    'Ready:integer',
    'Age',
    '+Containers',
    '+Images',
    '+Selector',
  ],
  cells: (object, now) => [
    object.metadata.name,
    numberAt(object, 'spec', 'replicas'),
    numberAt(object, 'status', 'replicas'),
    numberAt(object, 'status', 'readyReplicas'),
    age(object, now),
    ...containersAndImages(fieldsAt(object, 'spec', 'template', 'spec')),
    selectorOrNone(valueAt(object, 'spec', 'selector')),
  ],
};

const statefulSet: RowPrinter = {
  columns: ['Name:string:name', 'Ready', 'Age', '+Containers', '+Images'],
  cells: (object, now) => [
    object.metadata.name,
    `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`,
    age(object, now),
    ...containersAndImages(fieldsAt(object, 'spec', 'template', 'spec')),
  ],
};

function jobStatus(object: unknown): string {
  if (hasTrueCondition(object, 'Complete')) return 'Complete';
  if (hasTrueCondition(object, 'Failed')) return 'Failed';
  if (valueAt(object, 'metadata', 'deletionTimestamp') !== undefined) return 'Terminating';
  const unfinished = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'];
  return unfinished.find((type) => hasTrueCondition(object, type)) ?? 'Running';
}

function jobCompletions(object: unknown): string {
  const succeeded = numberAt(object, 'status', 'succeeded');
  const completions = valueAt(object, 'spec', 'completions');
  if (typeof completions === 'number') return `${succeeded}/${completions}`;
  const parallelism = numberAt(object, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(object: unknown, now: number): string {
  const start = textAt(object, 'status', 'startTime');
  if (start === '') return '';
  const completion = textAt(object, 'status', 'completionTime');
  return humanDuration((completion === '' ? now : Date.parse(completion)) - Date.parse(start));
}

const job: RowPrinter = {
  columns: ['Name:string:name', 'Status', 'Completions', 'Duration', 'Age', '+Containers', '+Images', '+Selector'],
  cells: (object, now) => [
    object.metadata.name,
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object, now),
    age(object, now),
    ...containersAndImages(fieldsAt(object, 'spec', 'template', 'spec')),
    selectorOrNone(valueAt(object, 'spec', 'selector')),
  ],
};

const cronJob: RowPrinter = {
  columns: [
    'Name:string:name',
    'Schedule',
    'Timezone',
    'Suspend:boolean',
    'Active:integer',
    'Last Schedule',
    'Age',
    '+Containers',
    '+Images',
    '+Selector',
  ],
  cells: (object, now) => {
    const suspend = valueAt(object, 'spec', 'suspend');
    const last = textAt(object, 'status', 'lastScheduleTime');
    return [
      object.metadata.name,
      textAt(object, 'spec', 'schedule'),
      orElse(valueAt(object, 'spec', 'timeZone'), '<none>'),
      // The cell is a text although the column says boolean; seen on the real server.
      typeof suspend === 'boolean' ? (suspend ? 'True' : 'False') : '<unset>',
      listAt(object, 'status', 'active').length,
      last === '' ? '<none>' : since(last, now),
      age(object, now),
      ...containersAndImages(fieldsAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec')),
      selectorOrNone(valueAt(object, 'spec', 'jobTemplate', 'spec', 'selector')),
    ];
  },
};

export const workloadRows: Readonly<Record<string, RowPrinter>> = {
  'apps/Deployment': deployment,
  'apps/ReplicaSet': replicaSet,
  'apps/StatefulSet': statefulSet,
  'batch/Job': job,
  'batch/CronJob': cronJob,
};
