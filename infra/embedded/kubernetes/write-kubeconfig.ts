import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';

/** A kubeconfig for one cluster and one user, readable by this user of the machine only: the token is all-powerful. */
export function writeKubeconfig(
  file: string,
  to: { readonly url: string; readonly ca: string; readonly token: string },
): void {
  const name = 'stagecoach-embedded';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name, cluster: { server: to.url, 'certificate-authority-data': Buffer.from(to.ca).toString('base64') } },
    ],
    users: [{ name, user: { token: to.token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
}
