import { fieldsAt, listAt, numberAt, textAt, valueAt } from '../kinds/rules/fields.ts';

const sources: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/** The targets of a HorizontalPodAutoscaler, each as `what is / what is wanted`. */
export function metricsInWords(autoscaler: unknown): string {
  const specs = listAt(autoscaler, 'spec', 'metrics');
  if (specs.length === 0) return '<none>';
  const statuses = listAt(autoscaler, 'status', 'currentMetrics');
  const words = specs.map((spec, index) => metricInWords(spec, statuses[index]));
  const shown = words.slice(0, 2).join(', ');
  return words.length > 2 ? `${shown} + ${words.length - 2} more...` : shown;
}

function metricInWords(spec: unknown, status: unknown): string {
  const source = sources[textAt(spec, 'type')];
  if (source === undefined) return '<unknown type>';
  const target = fieldsAt(spec, source, 'target');
  const isKnown = valueAt(status, source) !== undefined;
  const current = fieldsAt(status, source, 'current');
  const read = (name: string) => (isKnown && current[name] !== undefined ? String(current[name]) : '<unknown>');
  if (source === 'pods') return `${read('averageValue')}/${textAt(target, 'averageValue')}`;
  if (source === 'resource' || source === 'containerResource') {
    const name = textAt(spec, source, 'name');
    if (target['averageValue'] !== undefined) {
      return `${name}: ${read('averageValue')}/${textAt(target, 'averageValue')}`;
    }
    const utilization = current['averageUtilization'];
    const now = typeof utilization === 'number' ? `${utilization}%` : '<unknown>';
    const wanted = target['averageUtilization'] === undefined ? '<auto>' : `${numberAt(target, 'averageUtilization')}%`;
    return `${name}: ${now}/${wanted}`;
  }
  if (target['averageValue'] !== undefined) return `${read('averageValue')}/${textAt(target, 'averageValue')} (avg)`;
  return `${read('value')}/${textAt(target, 'value')}`;
}
