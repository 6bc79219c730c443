import type { ServedKind } from '../kinds/served-kind.ts';
import type { ServedGroup } from './served-groups.ts';
import { subresourceFacts } from './subresource-facts.ts';

/** All of discovery in one answer: `/api` for the core group, `/apis` for the others. */
export function aggregatedDocument(groups: readonly ServedGroup[], root: 'api' | 'apis', version: string): unknown {
  const shown = groups.filter(({ group }) => (group === '') === (root === 'api'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: shown.map(({ group, versions }) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map((served) => ({
        version: served.version,
        resources: served.kinds.map(resource),
        freshness: 'Current',
      })),
    })),
  };
}

function resource(kind: ServedKind): Record<string, unknown> {
  const { plural, singular, namespaced, verbs, shortNames, categories } = kind;
  const subresources = subresourceFacts(kind);
  return {
    resource: plural,
    responseKind: responseKind(kind, kind.kind),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map(({ name, group, version, kind: answer, verbs: allowed }) => ({
            subresource: name,
            responseKind: group === undefined ? responseKind(kind, answer) : { group, version, kind: answer },
            verbs: allowed,
          })),
        }),
  };
}

/** Built-in kinds leave the group out and mean the one they are listed under; seen on the real server. */
function responseKind({ isCustom, group, version }: ServedKind, kind: string): Record<string, string> {
  return isCustom ? { group, version, kind } : { group: '', version: '', kind };
}
