import type { StoreReader } from '../internal-api.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import type { User } from '../user.ts';
import { forbiddenRequest } from './forbidden.ts';
import { joinedErrors } from './go-text.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';
import { createRbacIndex, type RoleReference } from './rbac-index.ts';

export interface Authorizer {
  authorize(attributes: RequestAttributes): { readonly allowed: boolean; readonly reason: string };
  /** Throws the refusal in the words of the API, and tells the audit event what was decided and why. */
  check(attributes: RequestAttributes, record?: { annotate(key: string, value: string): void }): void;
  /** Everything that is allowed to a user in a namespace (empty: everywhere), and what could not be found out. */
  rulesFor(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] };
  /** The rules that a binding in this namespace would grant; undefined where there is no such role. */
  rulesOfRole(reference: RoleReference, namespace: string): readonly PolicyRule[] | undefined;
  stop(): void;
}

/** Probes need no rights, so that whoever watches over the process can always ask. */
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/livez']);

const allowedAlways = { allowed: true, reason: '' };

/** RBAC from the roles and bindings in the store. */
export function createAuthorizer({ read }: { readonly read: StoreReader }): Authorizer {
  const index = createRbacIndex(read);

  function authorize(attributes: RequestAttributes): { allowed: boolean; reason: string } {
    if (attributes.user.groups.includes('system:masters')) return allowedAlways;
    if (!attributes.isResourceRequest && openPaths.has(attributes.path)) return allowedAlways;

    const { grants, errors } = index.grantsFor(attributes.user, attributes.namespace);
    for (const grant of grants) {
      if (ruleAllows(grant.rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${grant.source()}` };
    }
    return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${joinedErrors(errors)}` };
  }

  return {
    authorize,
    check(attributes, record) {
      const { allowed, reason } = authorize(attributes);
      record?.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
      record?.annotate('authorization.k8s.io/reason', reason);
      if (!allowed) throw forbiddenRequest(attributes, reason);
    },
    rulesFor(user, namespace) {
      const { grants, errors } = index.grantsFor(user, namespace);
      return { rules: grants.map(({ rule }) => rule), errors };
    },
    rulesOfRole: index.rulesOfRole,
    stop: index.stop,
  };
}
