import { readFileSync } from 'node:fs';
import { type Material, readKubeconfig } from '../../shared/adapters/kubernetes/read-kubeconfig.ts';
import type { ClusterAccess } from '../../shared/ports/cluster.ts';
import { Exit, exits } from './exit.ts';

/** What the row of a cluster holds (shared/adapters/postgres/migrations). */
const longest = { server: 512, token: 8_192, authority: 65_536 } as const;

/**
 * The access that a kubeconfig gives, if it is one that can be kept: an address, a token, an authority. Programs and
 * client certificates belong to the person at this machine; the service would have neither.
 */
export function readEngineAccess(file: string, context: string | undefined): ClusterAccess {
  const { cluster, user } = read(file, context);
  if (user.token === undefined)
    throw refused(
      `The user "${user.name}" of ${file} has no token. Make a ServiceAccount on that cluster, with a token that does not end, and write it into a kubeconfig`,
    );
  if (Object.keys(user.impersonation).length > 0)
    throw refused(`The user "${user.name}" of ${file} acts for somebody else, which cannot be kept`);
  if (cluster.proxyUrl !== undefined || cluster.serverName !== undefined)
    throw refused(`The cluster of ${file} has a proxy-url or a tls-server-name, which cannot be kept`);
  const token = contentsOf(user.token).trim();
  const certificateAuthority = cluster.authority === undefined ? undefined : contentsOf(cluster.authority);
  if (!/^https:\/\/[^?&#@\s]+$/.test(cluster.server))
    throw refused(`The cluster of ${file} must have an address that begins with https://`);
  if (
    Buffer.byteLength(cluster.server) > longest.server ||
    Buffer.byteLength(token) > longest.token ||
    Buffer.byteLength(certificateAuthority ?? '') > longest.authority
  )
    throw refused(`The address, the token or the certificate authority of ${file} is too long to be kept`);
  return { server: cluster.server, token, certificateAuthority, insecure: cluster.insecure };
}

function read(file: string, context: string | undefined): ReturnType<typeof readKubeconfig> {
  try {
    return readKubeconfig(file, context);
  } catch (error) {
    throw new Exit(exits.wrongUsage, `${(error as Error).message}.`);
  }
}

function contentsOf(material: Material): string {
  if ('value' in material) return material.value;
  try {
    return readFileSync(material.file, 'utf8');
  } catch {
    throw refused(`${material.file}, which the kubeconfig names, cannot be read`);
  }
}

function refused(sentence: string): Exit {
  return new Exit(exits.wrongUsage, `${sentence}.`);
}
