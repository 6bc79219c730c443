import type { RequestAttributes } from '../request-attributes.ts';
import { badRequest, forbidden, StatusError } from '../status-error.ts';
import type { User } from '../user.ts';
import type { Authorizer } from './authorize.ts';
import { quoted } from './go-text.ts';

/** Headers as node gives them in `headersDistinct`: lower-case name, every value. */
export type HeaderLists = Readonly<Record<string, readonly string[] | undefined>>;

interface Impersonated {
  readonly user: User;
  /** How it was allowed where it was not the plain `impersonate` verb, as the audit log writes it. */
  readonly constraint: string;
}

export interface Impersonator {
  /** Whom the request acts as; undefined where it has no Impersonate- headers. Throws 400 and 403. */
  impersonate(attributes: RequestAttributes, headers: HeaderLists): Impersonated | undefined;
}

interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

interface Mode {
  readonly verb: string;
  /** `user-info`, `serviceaccount`, `arbitrary-node`; empty for the plain verb. */
  readonly name: string;
  applies(wanted: Wanted): boolean;
}

const extraPrefix = 'impersonate-extra-';

/** Users whose last way of impersonating is remembered, so that a refusal speaks of that way first. */
const rememberedUsers = 1_000;

function accountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
  return namespace === undefined || account === undefined ? undefined : { namespace, name: account };
}

function nodeOf(name: string): string | undefined {
  return /^system:node:([a-z0-9]([-.a-z0-9]*[a-z0-9])?)$/.exec(name)?.[1];
}

function isOnlyName({ uid, groups, extra }: Wanted): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

/** The narrow ways first: each asks for the right to impersonate and for the right to do just this while doing so. */
const modes: readonly Mode[] = [
  {
    verb: 'impersonate:arbitrary-node',
    name: 'arbitrary-node',
    applies: (wanted) => isOnlyName(wanted) && nodeOf(wanted.name) !== undefined,
  },
  {
    verb: 'impersonate:serviceaccount',
    name: 'serviceaccount',
    applies: (wanted) => isOnlyName(wanted) && accountOf(wanted.name) !== undefined,
  },
  {
    verb: 'impersonate:user-info',
    name: 'user-info',
    applies: ({ name }) => nodeOf(name) === undefined && accountOf(name) === undefined,
  },
  { verb: 'impersonate', name: '', applies: () => true },
];

function extraKey(header: string): string {
  const key = header.slice(extraPrefix.length).toLowerCase();
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function describe({ name, uid, groups, extra }: Wanted): string {
  const list = (items: readonly string[]) => `[]string{${items.map(quoted).join(', ')}}`;
  const pairs = [...extra].map(([key, values]) => `${quoted(key)}:${list(values)}`);
  const groupText = groups.length === 0 ? '[]string(nil)' : list(groups);
  const extraText = pairs.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${pairs.join(', ')}}`;
  return `&user.DefaultInfo{Name:${quoted(name)}, UID:${quoted(uid)}, Groups:${groupText}, Extra:${extraText}}`;
}

function wantedIn(headers: HeaderLists): Wanted | undefined {
  const extra = new Map<string, readonly string[]>();
  for (const [header, values] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix) || values === undefined) continue;
    const key = extraKey(header);
    extra.set(key, [...(extra.get(key) ?? []), ...values]);
  }
  const wanted: Wanted = {
    name: headers['impersonate-user']?.[0] ?? '',
    uid: headers['impersonate-uid']?.[0] ?? '',
    groups: headers['impersonate-group'] ?? [],
    extra: new Map([...extra].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
  if (wanted.name !== '') return wanted;
  if (isOnlyName(wanted)) return undefined;
  throw badRequest(`requested ${describe(wanted)} without impersonating a user name`);
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}

function actualUser(wanted: Wanted, mode: Mode): User {
  const account = accountOf(wanted.name);
  const isNode = mode.name === 'arbitrary-node';
  const own = account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const given = isNode ? ['system:nodes'] : wanted.groups.length === 0 ? own : wanted.groups;
  const groups =
    wanted.name === 'system:anonymous'
      ? withGroup(given, 'system:unauthenticated')
      : given.includes('system:unauthenticated')
        ? given
        : withGroup(given, 'system:authenticated');
  return {
    name: wanted.name,
    ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
    groups,
    ...(wanted.extra.size === 0 ? {} : { extra: Object.fromEntries(wanted.extra) }),
  };
}

function checkFields(authorizer: Authorizer, attributes: RequestAttributes, wanted: Wanted, mode: Mode): void {
  const ask = (group: string, resource: string, name: string, more: { namespace?: string; subresource?: string }) =>
    authorizer.check({
      user: attributes.user,
      verb: mode.verb,
      isResourceRequest: true,
      path: attributes.path,
      group,
      version: 'v1',
      resource,
      subresource: more.subresource ?? '',
      namespace: more.namespace ?? '',
      name,
    });
  const isNarrow = mode.name !== '';
  const people = isNarrow ? 'authentication.k8s.io' : '';
  const account = accountOf(wanted.name);
  const node = isNarrow ? nodeOf(wanted.name) : undefined;

  if (account !== undefined) ask(people, 'serviceaccounts', account.name, { namespace: account.namespace });
  else if (node !== undefined) ask(people, 'nodes', node, {});
  else ask(people, 'users', wanted.name, {});
  if (wanted.uid !== '') ask('authentication.k8s.io', 'uids', wanted.uid, {});
  for (const group of wanted.groups) {
    if (isNarrow && group === 'system:masters') {
      const resource = { group: people, resource: 'groups' };
      throw forbidden(resource, group, 'impersonating the system:masters group is not allowed');
    }
    ask(people, 'groups', group, {});
  }
  for (const [key, values] of wanted.extra) {
    for (const value of values) ask('authentication.k8s.io', 'userextras', value, { subresource: key });
  }
}

function attempt(
  authorizer: Authorizer,
  attributes: RequestAttributes,
  wanted: Wanted,
  mode: Mode,
): StatusError | undefined {
  try {
    if (mode.name !== '') {
      authorizer.check({ ...attributes, verb: `impersonate-on:${mode.name}:${attributes.verb}` });
    }
    checkFields(authorizer, attributes, wanted, mode);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

export function createImpersonator(authorizer: Authorizer): Impersonator {
  const lastModes = new Map<string, Mode>();

  function remember(user: string, mode: Mode): void {
    if (lastModes.size >= rememberedUsers) lastModes.clear();
    lastModes.set(user, mode);
  }

  return {
    impersonate(attributes, headers) {
      const wanted = wantedIn(headers);
      if (wanted === undefined) return undefined;
      const last = lastModes.get(attributes.user.name);
      const order = last === undefined ? modes : [last, ...modes.filter((mode) => mode !== last)];
      let refusal: StatusError | undefined;
      for (const mode of order.filter(({ applies }) => applies(wanted))) {
        const refused = attempt(authorizer, attributes, wanted, mode);
        if (refused === undefined) {
          remember(attributes.user.name, mode);
          return { user: actualUser(wanted, mode), constraint: mode.name === '' ? '' : mode.verb };
        }
        refusal ??= refused;
      }
      throw refusal ?? new StatusError(403, 'Forbidden', 'all impersonation modes failed', {});
    },
  };
}
