import { Refused, Transient, type Trouble, Uncertain } from '../../ports/trouble.ts';
import { sshTrouble } from './call-ssh.ts';
import { troubles } from './outside-trouble.ts';
import { saysNotFound } from './read-advertisement.ts';
import { GitFailure } from './run-git.ts';

/** What was asked, as far as it matters for what a failure means. No part has a credential in it. */
export interface Asked {
  readonly url: string;
  readonly branch: string;
  readonly hasCredential: boolean;
}

/**
 * The only place that knows what the words of git, of curl, of ssh and of the hosts mean to us. Undefined: it is about the
 * clone. No word of theirs is repeated: conditions must not change with ports and times, and a host may say what it was
 * sent.
 */
export function translateGit(failure: GitFailure, asked: Asked): Trouble | undefined {
  const { command, end, said } = failure;
  const say = wordsFor(failure, asked);

  if (end === 'not-installed' || /spawn git ENOENT/.test(said))
    return say.later('git is not installed where the service runs: an operator has to install it');
  if (end === 'timed-out') return command === 'push' ? say.unknown() : say.away('silent');
  if (end === 'printed-too-much')
    return say.refused('RepositoryTooLarge', `${asked.url} has too many files: use one that has only manifests in it`);
  if (isAboutDisk(said))
    return say.later('There is no space left for clones where the service runs: an operator has to make some');
  if ((command !== 'fetch' && command !== 'push') || isAboutClone(said)) return undefined;

  const rejection = rejectionOf(said);
  if (rejection !== undefined) return translateRejection(rejection.why, said, say);
  // The first question is answered with "The requested URL returned error: 403" (http.c), the push itself with "RPC failed;
  // HTTP 403 curl 22" (remote-curl.c).
  const status = Number(/(?:returned error: |RPC failed; HTTP )(\d{3})/.exec(said)?.[1]);
  if (status === 429 || /rate limit/i.test(said)) return say.away('busy');
  if (status >= 500) return say.broken('failing');
  if (status === 404 || status === 410) return say.missing();
  if (status === 413) return say.refused('PushTooLarge', `The host of ${say.place} does not take a push of this size`);
  if (status >= 400) return say.denied();
  if (status >= 300) return say.moved();
  // A host that wants a password (401), or another one than it got, makes git ask for it (http.c); nobody answers. OpenSSH
  // says which ways of signing in were left.
  if (/could not read (?:username|password)|authentication failed|permission denied \(/i.test(said))
    return say.denied();
  if (/host key verification failed/i.test(said)) return say.away('unproven');
  // A shell says so, or git (run-command.c).
  if (/ssh: (?:command )?not found|cannot run .*ssh/i.test(said)) return say.away('noSsh');
  // GitLab over ssh: "The project you were looking for could not be found". A page that is no repository: remote-curl.c.
  if (saysNotFound(said) || /could not be found|is this a git repository/i.test(said)) return say.missing();
  // A host that says no in the language of git (gitprotocol-pack, ERR).
  if (/^fatal: remote error: /m.test(said)) return say.denied();
  if (/mismatched algorithms/.test(said))
    return say.refused('RepositoryUnsupported', `${asked.url} names commits with SHA-256: use a repository with SHA-1`);
  const why = sshTrouble(said) ?? curlTrouble(said);
  return why === undefined ? undefined : say.broken(why);
}

/** Somebody was faster: the branch is no longer where the push began. */
export function isOvertaken(error: unknown): boolean {
  const rejection = error instanceof GitFailure && error.command === 'push' ? rejectionOf(error.said) : undefined;
  if (rejection === undefined) return false;
  // Seen by git before it sent anything, or by the other side, which holds a lock or compares once more (receive-pack.c,
  // refs.c).
  const words = /failed to update ref|cannot lock ref|incorrect old value|already exists|fetch first|non-fast-forward/i;
  return rejection.by === 'rejected' || words.test(rejection.why);
}

/** The line of `git push --porcelain`: `!`, the references, and `[rejected] (why)` or `[remote rejected] (why)`. */
function rejectionOf(said: string): { readonly by: string; readonly why: string } | undefined {
  const { by, why = '' } = /^!\t[^\t]*\t\[(?<by>[^\]]*)\](?: \((?<why>.*)\))?$/m.exec(said)?.groups ?? {};
  return by === undefined ? undefined : { by, why };
}

function translateRejection(why: string, said: string, say: Words): Trouble {
  // "[remote failure] (remote failed to report status)": it ended in the middle (transport.c).
  if (/failed to report status/i.test(why)) return say.unknown();
  // GitHub: GH009, or GH013 with "GITHUB PUSH PROTECTION". GitLab: "PUSH BLOCKED: Secrets detected in code changes".
  if (/GH009|push protection|secrets? detected/i.test(said))
    return say.refused(
      'PushProtected',
      `The host of ${say.place} sees a secret in what would be pushed, and keeps it out: put secrets into Secrets and refer to them`,
    );
  // A disk that is full or a program that failed, over there (receive-pack.c). GitHub: "failure", where it has a bad day.
  if (/unpack|internal|failure|out of memory/i.test(why))
    return say.later(`The host of ${say.place} could not take a push: ${troubles.failing}`);
  // GitHub: "protected branch hook declined" (GH006), "push declined due to repository rule violations" (GH013). GitLab,
  // Gitea, Bitbucket: "pre-receive hook declined". Azure DevOps: "TF402455: Pushes to this branch are not permitted".
  if (/declined|protected|not permitted|not allowed|denied|prohibited/i.test(why)) return say.protected();
  return say.refused(
    'PushRejected',
    `The host of ${say.place} does not take a push: look at its rules for this branch`,
  );
}

type Words = ReturnType<typeof wordsFor>;

/** What is said to users and operators. */
function wordsFor(failure: GitFailure, { url, branch, hasCredential }: Asked) {
  const cause = { cause: failure };
  const place = `the branch ${branch} of ${url}`;
  // curl and ssh got no answer to the first question (http.c, connect.c): nothing was sent yet.
  const isBeforeSending = /unable to access|could not read from remote repository/i.test(failure.said);

  const refused = (reason: string, text: string) => new Refused(reason, text, cause);
  const later = (text: string) => new Transient('git', text, cause);
  const away = (why: keyof typeof troubles) => later(`${url} cannot be reached: ${troubles[why]}`);
  const unknown = () =>
    new Uncertain('git', `The answer to a push to ${place} was lost: look before doing it again`, cause);
  return {
    place,
    refused,
    later,
    away,
    unknown,
    /** It ended before the answer. */
    broken: (why: keyof typeof troubles) => (failure.command === 'push' && !isBeforeSending ? unknown() : away(why)),
    protected: () =>
      refused(
        'BranchProtected',
        `The branch ${branch} of ${url} does not take pushes from this credential: allow it to push, or name another branch`,
      ),
    missing: () =>
      refused(
        'RepositoryNotFound',
        `There is no repository at ${url}, or the credential may not see it: create it, correct the address, or give the credential access`,
      ),
    moved: () =>
      refused(
        'RepositoryMoved',
        `${url} sends on to another address: name that one, which often is the same with .git at its end`,
      ),
    denied() {
      if (!hasCredential)
        return refused(
          'RepositoryDenied',
          `${url} does not open without a credential: name a Secret with one in a GitOpsDeploymentRepositoryCredential`,
        );
      return failure.command === 'push'
        ? refused('PushDenied', `The credential may not push to ${place}: give it the right to write`)
        : refused('RepositoryDenied', `The credential does not open ${url}: renew it, or give it the right to read`);
    },
  };
}

function isAboutDisk(said: string): boolean {
  return /no space left on device|disk quota exceeded/i.test(said) && !/^remote:/m.test(said);
}

/** What the programs say that read and write the clone; to the one that talks to the host it then looks like silence. */
function isAboutClone(said: string): boolean {
  return /not a git repository|(?:pack-objects|index-pack|unpack-objects) died|is empty$|is corrupt|unable to read [\da-f]{40}/m.test(
    said,
  );
}

/** The words of curl (lib/strerror.c, and its own sentences), and of git where a connection ends too early. */
const meanings: readonly (readonly [RegExp, keyof typeof troubles])[] = [
  [/could not resolve/i, 'unknownName'],
  [/timed out|timeout was reached|operation too slow/i, 'silent'],
  [/no route to host|network is unreachable/i, 'unreachable'],
  [/connection refused|failed to connect|couldn't connect/i, 'refused'],
  [/certificate|\bSSL\b|\bTLS\b|gnutls/i, 'untrusted'],
  [/empty reply|connection (?:was )?reset|(?:recv|send) failure|transfer closed|early eof/i, 'broken'],
  [/unexpected disconnect|hung up|RPC failed/i, 'broken'],
];

function curlTrouble(said: string): keyof typeof troubles | undefined {
  return meanings.find(([words]) => words.test(said))?.[1];
}
