import { type Amounts, billionthsOf, type Resources } from '../core/quantity.ts';

const requests: Amounts = { cpu: '10m', memory: '50Mi' };
const limits: Amounts = { cpu: '1', memory: '512Mi' };

/** Fills in whichever of the two is not given at all. Kubernetes refuses a request above its limit, so no default makes one. */
export function withDefaults(given: Resources): Resources {
  return {
    requests: orDefault(given.requests, requests, (name, amount) => isAtMost(amount, given.limits?.[name])),
    limits: orDefault(given.limits, limits, (name, amount) => isAtMost(given.requests?.[name], amount)),
  };
}

function orDefault(
  given: Amounts | undefined,
  usual: Amounts,
  fits: (name: string, amount: string) => boolean,
): Amounts | undefined {
  if (given !== undefined && Object.keys(given).length > 0) return given;
  const fitting = Object.entries(usual).filter(([name, amount]) => fits(name, amount));
  return fitting.length === 0 ? undefined : Object.fromEntries(fitting);
}

function isAtMost(request: string | undefined, limit: string | undefined): boolean {
  return request === undefined || limit === undefined || billionthsOf(request) <= billionthsOf(limit);
}
