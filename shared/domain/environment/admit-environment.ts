import { letIn, type Verdict } from '../gitops/admit.ts';
import { readRequestUri } from '../gitops/request-uri.ts';

/** As much of an Environment as is looked at when somebody writes it. */
export interface WrittenEnvironment {
  readonly name: string;
  readonly clusterType: string | undefined;
  readonly ingressDomain: string;
  readonly apiURL: string;
}

const label = /^[a-z\d]([-a-z\d]{0,61}[a-z\d])?$/;
const domain = /^[a-z\d]([-a-z\d]{0,61}[a-z\d])?(\.[a-z\d]([-a-z\d]{0,61}[a-z\d])?)*$/;
const address = /^https:\/\/[^/?#\s]+\S*$/i;
const mustBeName =
  "an environment resource name must start with a lower case alphabetical character, be under 63 characters, and can only consist of lower case alphanumeric characters or '-'";
const mustBeDomain =
  "an ingress domain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const mustBeAddress = "API URL must be an absolute URL starting with an 'https' scheme";

/**
 * The rules of one Environment by itself. They are those of its CRD, in the same words, for API servers that ask. As in
 * the CRD, what was wrong before is not held against a write that leaves it as it was: otherwise nobody could put a
 * finalizer on it, or take one off.
 */
export function admitEnvironment(written: WrittenEnvironment, stored: WrittenEnvironment | undefined): Verdict {
  const problem = (stored === undefined ? nameProblem(written) : undefined) ?? clusterProblem(written);
  if (problem === undefined) return letIn;
  const isOld = stored !== undefined && clusterProblem(stored) === problem;
  return isOld ? { refused: undefined, warnings: [problem] } : { refused: problem, warnings: [] };
}

function nameProblem({ name }: WrittenEnvironment): string | undefined {
  return label.test(name) ? undefined : `invalid environment name: ${name}, ${mustBeName}`;
}

function clusterProblem({ clusterType, ingressDomain, apiURL }: WrittenEnvironment): string | undefined {
  if (clusterType === 'Kubernetes' && ingressDomain === '')
    return 'ingress domain cannot be empty if cluster is of type Kubernetes';
  if (ingressDomain !== '' && !domain.test(ingressDomain))
    return `invalid ingress domain: ${JSON.stringify(ingressDomain)}: ${mustBeDomain}`;
  return apiURL === '' ? undefined : addressProblem(apiURL);
}

function addressProblem(url: string): string | undefined {
  const read = readRequestUri(url);
  if ('problem' in read) return `${read.problem}: ${mustBeAddress}`;
  // The answer of the API server is audited, so a password in the address is left out of it.
  return address.test(url) ? undefined : `${JSON.stringify(url.replace(/\/\/[^/@]*@/, '//***@'))}: ${mustBeAddress}`;
}
