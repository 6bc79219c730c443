import { isFields } from '../core/fields.ts';
import type { Amounts, Resources } from '../core/quantity.ts';
import { billionthsOf } from '../core/quantity.ts';

/** `hard`: as a ResourceQuota says it. `json`: the same wish, written in one way only. */
type Wanted = { readonly hard: Amounts; readonly json: string } | { readonly problem: string };

const quantity = /^(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?$/;

// What a quota can count. It knows more names than these, and none of those is an amount of something.
const countable: Readonly<Record<keyof Resources, RegExp>> = {
  requests: /^(cpu|memory|storage|ephemeral-storage|hugepages-\S+|[a-z0-9.-]+\/[A-Za-z0-9._-]+)$/,
  limits: /^(cpu|memory|ephemeral-storage)$/,
};

/** Reads what a request says a namespace may use. What it says may have been written by anybody. */
export function readWanted(text: string): Wanted {
  const said = parse(text);
  if (!isFields(said)) return { problem: `${explained}: it is no JSON object` };
  const parts: Partial<Record<keyof Resources, Amounts>> = {};
  const hard: Record<string, string> = {};
  for (const side of ['requests', 'limits'] as const) {
    const amounts = said[side];
    if (amounts === undefined || amounts === null) continue;
    if (!isFields(amounts)) return { problem: `${explained}: ${side} is no JSON object` };
    const read: Record<string, string> = {};
    for (const [name, value] of Object.entries(amounts)) {
      const amount = typeof value === 'number' ? String(value) : value;
      if (typeof amount !== 'string' || !quantity.test(amount))
        return { problem: `${explained}: ${side}.${name} is no amount` };
      if (!countable[side].test(name))
        return { problem: `${explained}: a namespace has no ${side} of ${name} that could be counted` };
      read[name] = amount;
      hard[`${side}.${name}`] = amount;
    }
    parts[side] = read;
  }
  return { hard, json: JSON.stringify(parts) };
}

const explained = 'The annotation stagecoach.dev/wanted-resources should be JSON like {"requests":{"cpu":"2"}}';

/** Is it the same, however the API server writes an amount? */
export function isSameQuota(one: Amounts, other: Amounts): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => other[name] !== undefined && billionthsOf(one[name]) === billionthsOf(other[name]))
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
