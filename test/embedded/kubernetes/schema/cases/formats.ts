import type { Scenario } from '../play-scenario.ts';
import { fieldWith } from './types-and-limits.ts';

const times = [
  ...['2020-01-01T00:00:00Z', '2020-01-01', 'x', '', '2020-13-01T00:00:00Z', '2020-01-01T00:00:00.123+02:00'],
  ...['2020-02-30T00:00:00Z', '2020-02-29T00:00:00Z', '2021-02-29T00:00:00Z', '2020-01-01t00:00:00z'],
  ...['2020-01-01 00:00:00Z', '2020-01-01T24:00:00Z', '2020-01-01T00:00:60Z', 3, 1.5, [], {}, true, null],
];

const samples: Readonly<Record<string, readonly unknown[]>> = {
  'date-time': times,
  date: ['2020-01-01', 'x', '2020-02-30', '', '20-1-1'],
  duration: ['1h', '1h30m', '22 ns', 'x', '', '1', '3 days', '1.5h', '-5s', '0', '5 parsecs', '10 minutes', '1 week'],
  byte: ['aGk=', 'x', '', 'a*b=', 'aGk'],
  uri: ['http://x/y', '/x', 'x', '', 'a b', 'mailto:x@y', 'http://', 'x:y', '//host'],
  email: ['a@b.c', 'x', '', 'A <a@b.c>', 'a@b'],
  hostname: ['a.b.com', 'x', '', '-a', 'a_b', 'a.1', '1a.com', 'a..b', 'a-b'],
  ipv4: ['1.2.3.4', '::1', 'x', ''],
  ipv6: ['1.2.3.4', '::1', 'x', ''],
  cidr: ['1.2.3.0/24', '1.2.3.4/33', '::/0', 'x', '1.2.3.4'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', 'x', '123E4567e89b12d3a456426614174000'],
  mac: ['00:11:22:33:44:55', 'x', '00-11-22-33-44-55', '0011.2233.4455'],
  'k8s-short-name': ['ab-c', 'A', '-a', ''],
  password: ['x', 3],
  'something-else': ['x', 3],
};

export const formats: readonly Scenario[] = Object.entries(samples).map(([format, values]) =>
  fieldWith(`the format ${format}`, { type: 'string', format }, values),
);
