import { type Config, readConfig } from '../../shared/runtime/config.ts';
import { readMap, type ServiceMap } from '../map.ts';

const always = [
  'database',
  'queues',
  'steps',
  'webhooks',
  'console',
  'host',
  'cluster',
  'engines',
  'retention',
  'upkeep',
  'spaces',
  'git',
  'hosted',
  'telemetry',
] as const;

/** The map, and the settings of a host that serves it: keys for credentials only where a function of it needs them. */
export function readHostConfig(environment?: Readonly<Record<string, string | undefined>>): {
  map: ServiceMap;
  config: Config<(typeof always)[number]> & Partial<Config<'credentials'>>;
} {
  const map = readMap(readConfig(['host'], environment).host.MAP_FILE);
  const sealed = map.functions.some(({ needs }) => needs.includes('credentials'));
  return {
    map,
    config: sealed ? readConfig([...always, 'credentials'], environment) : readConfig(always, environment),
  };
}
