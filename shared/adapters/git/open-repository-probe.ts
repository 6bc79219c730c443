import { readRepositoryUrl } from '../../domain/gitops/repository-url.ts';
import type { RepositoryProbe } from '../../ports/repository-probe.ts';
import { askOverHttp } from './ask-over-http.ts';
import { askOverSsh } from './ask-over-ssh.ts';

interface ProbeSettings {
  /** The address comes from a tenant: it may be anywhere and may never answer. */
  readonly timeoutMs: number;
  /** Hosts that may be given a credential in the clear. Nobody listens in on a way that does not leave the machine. */
  readonly plainHttpHosts?: readonly string[] | undefined;
  readonly sshProgram?: string | undefined;
  /** The hosts to believe over ssh. Without it their keys are taken as they come. */
  readonly knownHostsFile?: string | undefined;
}

/**
 * Asks repository hosts without git: over HTTP the question is one request, and over ssh one command. So there is no
 * configuration, helper, hook or transport of git that an address could set in motion, and git need not be installed.
 */
export function openRepositoryProbe({
  timeoutMs,
  plainHttpHosts = ['127.0.0.1', 'localhost'],
  sshProgram = 'ssh',
  knownHostsFile,
}: ProbeSettings): RepositoryProbe {
  return {
    async ask(url, credential, signal) {
      const address = readRepositoryUrl(url);
      if (address === undefined || (address.transport === 'http' && !plainHttpHosts.includes(address.host)))
        return { kind: 'refused', detail: 'repository must begin with ssh:// or https://' };
      if (address.transport === 'ssh')
        return askOverSsh(address, credential, { program: sshProgram, timeoutMs, knownHostsFile, signal });
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const verdict = await askOverHttp(url, credential, limit);
      signal.throwIfAborted();
      return verdict;
    },
  };
}
