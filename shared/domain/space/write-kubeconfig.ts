import { spaceNames } from './space-names.ts';

interface Opening {
  readonly server: string;
  /** In base64; undefined: an authority that every machine trusts. */
  readonly certificateAuthorityData: string | undefined;
  readonly namespace: string;
  readonly token: string;
}

/**
 * The text that opens a provisioned namespace. The same facts always give the same bytes, so that a text that differs is
 * one to be written again. The certificate of the server is always checked.
 */
export function writeKubeconfig({ server, certificateAuthorityData, namespace, token }: Opening): string {
  const cluster = 'default-cluster';
  const context = 'default-context';
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${cluster}`,
    '  cluster:',
    `    server: ${quoted(server)}`,
    ...(certificateAuthorityData === undefined ? [] : [`    certificate-authority-data: ${certificateAuthorityData}`]),
    'contexts:',
    `- name: ${context}`,
    '  context:',
    `    cluster: ${cluster}`,
    `    namespace: ${quoted(namespace)}`,
    `    user: ${spaceNames.account}`,
    `current-context: ${context}`,
    'users:',
    `- name: ${spaceNames.account}`,
    '  user:',
    `    token: ${quoted(token)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A text of JSON is a text of YAML, whatever is in it: a namespace may be called 123 or null. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
