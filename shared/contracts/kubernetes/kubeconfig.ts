import { z } from 'zod';
import type { Kubeconfig as Usable } from '../../domain/gitops/kubeconfig-choice.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

function entries<Item extends z.ZodType>(item: Item) {
  // A kubeconfig with a thousand clusters is a mistake, or meant to keep somebody busy.
  return z
    .array(item)
    .max(1_000)
    .nullish()
    .transform((value) => value ?? []);
}

const Cluster = z.object({
  name: text,
  cluster: z
    .object({ server: text, 'certificate-authority-data': text, 'certificate-authority': text })
    .nullish()
    .transform((value) => value ?? undefined),
});

const Context = z.object({
  name: text,
  context: z
    .object({ cluster: text, user: text })
    .nullish()
    .transform((value) => value ?? undefined),
});

const User = z.object({
  name: text,
  user: z
    .object({ token: text })
    .nullish()
    .transform((value) => value ?? undefined),
});

/**
 * A kubeconfig that a tenant wrote, cut down to what may be used of it. Programs, plugins, files and certificates of users
 * are not even read: what a tenant writes must not make this machine run or open anything.
 */
export const Kubeconfig = z
  .object({
    'current-context': text,
    clusters: entries(Cluster),
    contexts: entries(Context),
    users: entries(User),
  })
  .transform(
    (read): Usable => ({
      currentContext: read['current-context'],
      clusters: read.clusters.map(({ name, cluster }) => {
        const authority = cluster?.['certificate-authority-data'] ?? '';
        return {
          name,
          server: cluster?.server ?? '',
          certificateAuthority: authority === '' ? undefined : Buffer.from(authority, 'base64').toString('utf8'),
          namesFile: (cluster?.['certificate-authority'] ?? '') !== '',
        };
      }),
      contexts: read.contexts.map(({ name, context }) => ({
        name,
        cluster: context?.cluster ?? '',
        user: context?.user ?? '',
      })),
      users: read.users.map(({ name, user }) => {
        const token = user?.token.trim() ?? '';
        return { name, token: token === '' ? undefined : token };
      }),
    }),
  );
