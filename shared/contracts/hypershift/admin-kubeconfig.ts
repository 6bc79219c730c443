import { z } from 'zod';

// The kubeconfig that HyperShift writes for the administrator of a hosted cluster: it holds a client certificate. Files
// and programs are not even read.

const encoded = z
  .string()
  .nullish()
  .transform((value) => (value ? Buffer.from(value, 'base64').toString('utf8') : undefined));

const Cluster = z.object({
  server: z.url({ protocol: /^https$/ }),
  'certificate-authority-data': encoded,
});

const User = z.object({
  token: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  'client-certificate-data': encoded,
  'client-key-data': encoded,
});

function named<Name extends string, Item extends z.ZodType>(name: Name, item: Item) {
  return z.array(z.object({ name: z.string(), [name]: item } as { name: z.ZodString } & Record<Name, Item>)).max(16);
}

/** How the administrator reaches the cluster of the current context. */
export const AdminKubeconfig = z
  .object({
    'current-context': z.string(),
    clusters: named('cluster', Cluster),
    contexts: named('context', z.object({ cluster: z.string(), user: z.string() })),
    users: named('user', User),
  })
  .transform((read, problems) => {
    const context = read.contexts.find(({ name }) => name === read['current-context'])?.context;
    const cluster = read.clusters.find(({ name }) => name === context?.cluster)?.cluster;
    const user = read.users.find(({ name }) => name === context?.user)?.user;
    const certificate = user?.['client-certificate-data'];
    const key = user?.['client-key-data'];
    const hasCertificate = certificate !== undefined && key !== undefined;
    if (cluster === undefined || user === undefined || (!hasCertificate && user.token === '')) {
      problems.addIssue({ code: 'custom', message: 'it opens nothing' });
      return z.NEVER;
    }
    return {
      server: cluster.server.replace(/\/+$/, ''),
      token: user.token,
      certificateAuthority: cluster['certificate-authority-data'],
      ...(hasCertificate && { clientCertificate: { certificate, key } }),
      insecure: false,
    };
  });
