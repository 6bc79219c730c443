import { branchProblem } from '../../domain/application/repository-place.ts';
import type { GitCredential } from '../../domain/gitops/repo-credential.ts';
import { readRepositoryUrl, repositoryUrlProblem } from '../../domain/gitops/repository-url.ts';
import { withoutCredentials } from '../../domain/gitops/without-credentials.ts';
import type { RepositoryPlace } from '../../ports/gitops-repositories.ts';
import { Refused } from '../../ports/trouble.ts';
import { basicAuthorization } from './authorization.ts';
import { lendKey, quote, sshOptions, usualUser } from './call-ssh.ts';
import type { Environment, Setting } from './git-environment.ts';

/** With a token hosts look at no user name, but want one: GitHub and Gitea any, GitLab any that is not empty. */
const tokenUser = 'git';

export interface RemoteSettings {
  /** For each git that is started. */
  readonly timeoutMs: number;
  /** Hosts that may be given a credential in the clear. Nobody listens in on a way that does not leave the machine. */
  readonly plainHttpHosts?: readonly string[] | undefined;
  /** Another program than the `ssh` of the machine. */
  readonly sshProgram?: string | undefined;
  /** The hosts to believe over ssh. Without it their keys are taken as they come. */
  readonly knownHostsFile?: string | undefined;
}

/** What a git needs to get to the other side, and nowhere else. */
export interface Way {
  readonly environment: Environment;
  readonly settings: readonly Setting[];
}

/** The other side of a clone. */
export interface Remote {
  /** Without a user name, for messages. */
  readonly url: string;
  readonly branch: string;
  readonly hasCredential: boolean;
  /** Opens the way for as long as it is used. */
  reach<T>(use: (way: Way) => Promise<T>): Promise<T>;
}

/** Throws Refused for an address or a branch that git is not sent to. */
export function openRemote(
  { url, branch }: RepositoryPlace,
  credential: GitCredential | undefined,
  { timeoutMs, plainHttpHosts = ['127.0.0.1', 'localhost'], sshProgram = 'ssh', knownHostsFile }: RemoteSettings,
): Remote {
  const problem = repositoryUrlProblem(url);
  if (problem !== undefined) throw new Refused('InvalidRepositoryUrl', problem);
  const address = readRepositoryUrl(url);
  if (address === undefined || (address.transport === 'http' && !plainHttpHosts.includes(address.host)))
    throw new Refused('InvalidRepositoryUrl', 'repository must begin with ssh:// or https://');
  const wrongName = branchProblem(branch);
  if (wrongName !== undefined) throw new Refused('InvalidBranch', `the name of the branch ${wrongName}`);

  const { transport, user } = address;
  const bare = withoutCredentials(url);
  const environment = {
    GIT_ALLOW_PROTOCOL: transport,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    // A host that falls silent is given up.
    GIT_HTTP_LOW_SPEED_LIMIT: '1',
    GIT_HTTP_LOW_SPEED_TIME: String(Math.ceil(timeoutMs / 1_000)),
  };

  if (transport !== 'ssh') {
    const header = credential && basicAuthorization(url, credential, tokenUser);
    const settings: Setting[] = [['remote.origin.url', bare]];
    if (header !== undefined) settings.push([`http.${bare}.extraHeader`, `Authorization: ${header}`]);
    return {
      url: bare,
      branch,
      hasCredential: header !== undefined,
      reach: (use) => use({ environment, settings }),
    };
  }

  const privateKey = credential?.sshPrivateKey ?? '';
  if (privateKey.trim() === '')
    throw new Refused('RepositoryDenied', `${bare} opens with a key alone: put one into the Secret, as sshPrivateKey`);
  return {
    url: bare,
    branch,
    hasCredential: true,
    reach: (use) =>
      lendKey(privateKey, (key) => {
        const call = [sshProgram, ...sshOptions({ key, timeoutMs, knownHostsFile }), '-l', user || usualUser];
        return use({
          environment: { ...environment, GIT_SSH_VARIANT: 'ssh', GIT_SSH_COMMAND: call.map(quote).join(' ') },
          settings: [['remote.origin.url', bare]],
        });
      }),
  };
}
