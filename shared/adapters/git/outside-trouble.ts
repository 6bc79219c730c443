import type { RepositoryVerdict } from '../../domain/gitops/repo-credential.ts';

/**
 * What can go wrong between us and a host, in words of our own. They stand in a condition, and a condition that changes
 * is a write that somebody notices: the words of a program, with its ports, addresses and milliseconds, would never be
 * the same twice.
 */
export const troubles = {
  unknownName: 'the name of the host is not known',
  refused: 'the host refuses the connection',
  unreachable: 'there is no way to the host',
  silent: 'the host did not answer in time',
  untrusted: 'the certificate of the host is not trusted',
  unproven: 'the key of the host is not the one that it is known by',
  broken: 'the connection to the host broke',
  busy: 'the host is too busy',
  failing: 'the host answers with an error of its own',
  moved: 'the host sends on to another one: name the address that it leads to',
  noSsh: 'ssh is not installed where the service runs: an operator has to install the OpenSSH client',
  noAccount: 'ssh does not run under an account without a name: an operator has to give the service one',
  noFolder:
    'there is no place for the key where the service runs: an operator has to let it write to its temporary folder',
} as const;

export function outside(detail: (typeof troubles)[keyof typeof troubles]): RepositoryVerdict {
  return { kind: 'unknown', detail };
}
