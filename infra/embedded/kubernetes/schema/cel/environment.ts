import { Environment } from '@marcbachmann/cel-js';
import { addKubernetesFunctions } from './add-kubernetes-functions.ts';
import { addListFunctions } from './add-list-functions.ts';
import { addTextFunctions } from './add-text-functions.ts';

let known: Environment | undefined;

/** Everything a rule may call. Made once, because filling it takes milliseconds. */
function functions(): Environment {
  if (known === undefined) {
    known = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
    addTextFunctions(known);
    addListFunctions(known);
    addKubernetesFunctions(known);
  }
  return known;
}

/** To judge whether a rule fits its schema, types are declared in a copy of their own. */
export function checkingEnvironment(): Environment {
  return functions().clone();
}

const running = new Map<boolean, Environment>();

/**
 * To run a rule nothing is declared: its types were judged when the definition came in, and values that are not
 * wrapped are faster.
 */
export function runningEnvironment(isOldOptional = false): Environment {
  let environment = running.get(isOldOptional);
  if (environment === undefined) {
    // Seen: of an optional value that is not declared as one the interpreter cannot tell which comparison is meant.
    const old = isOldOptional ? 'optional<dyn>' : 'dyn';
    environment = functions().clone().registerVariable('self', 'dyn').registerVariable('oldSelf', old);
    running.set(isOldOptional, environment);
  }
  return environment;
}
