import { getCACertificates } from 'node:tls';
import { Agent } from 'undici';

let agent: Agent | undefined;

/** Connections to hosts of repositories. It trusts what git trusts: Node's own authorities, and those that the machine was given. */
export function trustingAgent(): Agent {
  agent ??= new Agent({
    keepAliveTimeout: 1,
    connect: { ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])] },
  });
  return agent;
}
