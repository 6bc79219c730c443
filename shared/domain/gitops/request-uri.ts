/** The scheme of an address, or what is wrong with the address, in the words of the service that clients know. */
type RequestUri = { readonly scheme: string } | { readonly problem: string };

/** Reads an address as the request line of HTTP has it: a scheme and what follows it, or a path from the root. */
export function readRequestUri(url: string): RequestUri {
  if (/\p{Cc}/u.test(url)) return wrong(url, 'net/url: invalid control character in URL');
  if (url === '') return wrong(url, 'empty url');
  if (url.startsWith(':')) return wrong(url, 'missing protocol scheme');
  const { scheme = '', rest = '' } = /^(?:(?<scheme>[a-z][a-z\d+.-]*):)?(?<rest>.*)$/i.exec(url)?.groups ?? {};
  if (scheme === '' && !rest.startsWith('/')) return wrong(url, 'invalid URI for request');
  const broken = /%(?![\da-f]{2}).{0,2}/i.exec(rest.split('?', 1)[0] ?? '')?.[0];
  if (broken !== undefined) return wrong(url, `invalid URL escape ${JSON.stringify(broken)}`);
  const host = /^\/\/(?:[^/?#]*@)?(?<host>[^/?#]*)/.exec(rest)?.groups?.['host'] ?? '';
  const stranger = /[\s"<>\\^`{|}]/.exec(host)?.[0];
  if (stranger !== undefined) return wrong(url, `invalid character ${JSON.stringify(stranger)} in host name`);
  const port = /:[^:]*$/.exec(host.replace(/^\[[^\]]*\]/, ''))?.[0] ?? '';
  if (!/^(?::\d*)?$/.test(port)) return wrong(url, `invalid port ${JSON.stringify(port)} after host`);
  return { scheme: scheme.toLowerCase() };
}

/** The answer of the API server is audited, so a password in the address is left out of it. */
function wrong(url: string, problem: string): RequestUri {
  return { problem: `parse ${JSON.stringify(url.replace(/\/\/[^/@]*@/, '//***@'))}: ${problem}` };
}
