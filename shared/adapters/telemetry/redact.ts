/**
 * Takes what looks like a secret out of a text before it is logged. A net under the rule, not the rule itself:
 * code never hands a secret to the logger, but errors of others quote what they were given.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  // user:password@ or token@ in any URL, whatever characters the token is made of; the last @ before the path ends it.
  [/([a-z][a-z\d+.-]*:\/\/)[^\s/'"]+@/gi, '$1***@'],
  // The same in a URL that is a part of another one, and escaped.
  [/([a-z][a-z\d+.-]*%3a%2f%2f)(?:(?!%2f)[^\s/'"&])+%40/gi, '$1***%40'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 ***'],
  [/-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g, '***'],
  [/\b(gh[pousr]_|github_pat_|glpat-|xox[abps]-|AKIA|ASIA)[\w-]{8,}/g, '$1***'],
  // A signed token, wherever it stands.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '***'],
  // key: value and key=value, in words, JSON or a kubeconfig.
  [
    /((?:password|passwd|secret|token|apikey|api_key|client-key-data|client-certificate-data|sshPrivateKey)["']?\s*[:=]\s*["']?)[^\s"',;&}]+/gi,
    '$1***',
  ],
];

export function redact(text: string): string {
  return secrets.reduce((clean, [secret, instead]) => clean.replace(secret, instead), text);
}
