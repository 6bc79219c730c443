import { isFields } from '../core/fields.ts';
import { billionthsOf, type Resources } from '../core/quantity.ts';
import type { TargetClass } from './target.ts';

/** What a class makes of the wish of a claim. */
type Allotment =
  | { readonly resources: Resources | undefined }
  /** Undefined would be a guess: somebody has to change the claim or the class. */
  | { readonly reason: 'ResourcesExceedClass' | 'ClassParametersInvalid'; readonly message: string };

/** The claim's own wish, or what its class gives to those who wish for nothing; never more than the class allows. */
export function allotResources(
  asked: Resources | undefined,
  { name, parameters }: Pick<TargetClass, 'name' | 'parameters'>,
): Allotment {
  const given = resourcesOf(parameters['resources']);
  const maximum = resourcesOf(parameters['maximum']);
  const wrong = given === 'malformed' ? 'resources' : maximum === 'malformed' ? 'maximum' : undefined;
  if (wrong !== undefined || given === 'malformed' || maximum === 'malformed')
    return {
      reason: 'ClassParametersInvalid',
      message: `Parameter ${wrong} of DeploymentTargetClass ${name} is not a list of requests and limits`,
    };
  const resources = asked ?? given;
  const above = excessOf(resources, maximum);
  if (above === undefined) return { resources };
  return {
    reason: 'ResourcesExceedClass',
    message: `DeploymentTargetClass ${name} gives at most ${above.most} of ${above.what}, and ${above.asked} is asked for`,
  };
}

/** Amounts that somebody wrote where anything may be written. */
export function resourcesOf(value: unknown): Resources | undefined | 'malformed' {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) return 'malformed';
  const requests = amountsOf(value['requests']);
  const limits = amountsOf(value['limits']);
  if (requests === 'malformed' || limits === 'malformed') return 'malformed';
  return { ...(requests !== undefined && { requests }), ...(limits !== undefined && { limits }) };
}

function amountsOf(value: unknown): Readonly<Record<string, string>> | undefined | 'malformed' {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) return 'malformed';
  const amounts = Object.entries(value).map(([name, amount]) => [name, String(amount)] as const);
  // What is no amount counts as nothing, so zero is the only amount that may look like nothing.
  if (amounts.some(([, amount]) => billionthsOf(amount) === 0n && !/^[+-]?0/.test(amount))) return 'malformed';
  return Object.fromEntries(amounts);
}

/** What a maximum does not name, it does not limit. */
function excessOf(
  asked: Resources | undefined,
  maximum: Resources | undefined,
): { readonly what: string; readonly most: string; readonly asked: string } | undefined {
  for (const kind of ['requests', 'limits'] as const)
    for (const [name, most] of Object.entries(maximum?.[kind] ?? {})) {
      const amount = asked?.[kind]?.[name];
      if (amount !== undefined && billionthsOf(amount) > billionthsOf(most))
        return { what: `${kind}.${name}`, most, asked: amount };
    }
  return undefined;
}
