import { describe, expect, it } from 'vitest';
import { GitFailure } from '../../../shared/adapters/git/run-git.ts';
import { isOvertaken, translateGit } from '../../../shared/adapters/git/translate-git.ts';

const asked = { url: 'https://example.com/team/repo.git', branch: 'main', hasCredential: true };
const lostConnection =
  'send-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly\nDone\n';

/** The words are those that git 2.39, curl 7.88, OpenSSH 9.2 and the hosts were seen to say. */
const fetches: Record<string, string> = {
  "fatal: unable to access 'https://example.com/team/repo.git/': Could not resolve host: example.com":
    'transient: https://example.com/team/repo.git cannot be reached: the name of the host is not known',
  "fatal: unable to access 'https://e.com/r.git/': Failed to connect to e.com port 443 after 7 ms: Couldn't connect to server":
    'transient: https://example.com/team/repo.git cannot be reached: the host refuses the connection',
  "fatal: unable to access 'https://e.com/r.git/': Failed to connect to e.com port 443 after 130001 ms: Connection timed out":
    'transient: https://example.com/team/repo.git cannot be reached: the host did not answer in time',
  "fatal: unable to access 'https://e.com/r.git/': server certificate verification failed. CAfile: none CRLfile: none":
    'transient: https://example.com/team/repo.git cannot be reached: the certificate of the host is not trusted',
  "fatal: unable to access 'https://e.com/r.git/': Empty reply from server":
    'transient: https://example.com/team/repo.git cannot be reached: the connection to the host broke',
  'error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF':
    'transient: https://example.com/team/repo.git cannot be reached: the connection to the host broke',
  "fatal: unable to access 'https://e.com/r.git/': The requested URL returned error: 503":
    'transient: https://example.com/team/repo.git cannot be reached: the host answers with an error of its own',
  'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502':
    'transient: https://example.com/team/repo.git cannot be reached: the host answers with an error of its own',
  "fatal: unable to access 'https://e.com/r.git/': The requested URL returned error: 429":
    'transient: https://example.com/team/repo.git cannot be reached: the host is too busy',
  "fatal: unable to access 'https://e.com/r.git/': The requested URL returned error: 301": 'RepositoryMoved',
  "fatal: unable to access 'https://e.com/r.git/': The requested URL returned error: 403": 'RepositoryDenied',
  "remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://gitlab.com/a/b.git/'":
    'RepositoryDenied',
  "error: unable to read askpass response from '/bin/false'\nfatal: could not read Username for 'https://github.com': terminal prompts disabled":
    'RepositoryDenied',
  'git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.': 'RepositoryDenied',
  'fatal: remote error: access denied or repository not exported: /r.git': 'RepositoryDenied',
  "remote: Repository not found.\nfatal: repository 'https://github.com/a/b.git/' not found": 'RepositoryNotFound',
  'ERROR: Repository not found.\nfatal: Could not read from remote repository.': 'RepositoryNotFound',
  "remote: ERROR: The project you were looking for could not be found or you don't have permission to view it.\nfatal: Could not read from remote repository.":
    'RepositoryNotFound',
  "fatal: 'r.git' does not appear to be a git repository\nfatal: Could not read from remote repository.":
    'RepositoryNotFound',
  'fatal: https://example.com/r.git/info/refs not valid: is this a git repository?': 'RepositoryNotFound',
  'fatal: mismatched algorithms: client sha1; server sha256': 'RepositoryUnsupported',
  'ssh: Could not resolve hostname host: Name or service not known\nfatal: Could not read from remote repository.':
    'transient: https://example.com/team/repo.git cannot be reached: the name of the host is not known',
  'Host key verification failed.\nfatal: Could not read from remote repository.':
    'transient: https://example.com/team/repo.git cannot be reached: the key of the host is not the one that it is known by',
  'ssh: 1: ssh: not found\nfatal: Could not read from remote repository.':
    'transient: https://example.com/team/repo.git cannot be reached: ssh is not installed where the service runs: an operator has to install the OpenSSH client',
  'fatal: write error: No space left on device':
    'transient: There is no space left for clones where the service runs: an operator has to make some',
  'fatal: bad object 1234567890123456789012345678901234567890': 'about the clone',
  "error: cannot lock ref 'refs/stagecoach/x': Unable to create '/c/refs/stagecoach/x.lock': File exists.":
    'about the clone',
  'fatal: fetch-pack: invalid index-pack output': 'about the clone',
};

const pushes: Record<string, string> = {
  [`error: RPC failed; curl 52 Empty reply from server\n${lostConnection}`]: 'uncertain',
  [`error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\n${lostConnection}`]: 'uncertain',
  [`error: RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly\n${lostConnection}`]: 'uncertain',
  [lostConnection]: 'uncertain',
  'Connection to host closed by remote host.\nfatal: the remote end hung up unexpectedly': 'uncertain',
  [rejection('[remote failure] (remote failed to report status)')]: 'uncertain',
  "fatal: unable to access 'https://e.com/r.git/': Empty reply from server":
    'transient: https://example.com/team/repo.git cannot be reached: the connection to the host broke',
  'Connection closed by 192.0.2.1 port 22\nfatal: Could not read from remote repository.':
    'transient: https://example.com/team/repo.git cannot be reached: the connection to the host broke',
  [`error: RPC failed; HTTP 403 curl 22 The requested URL returned error: 403\n${lostConnection}`]: 'PushDenied',
  [`error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\n${lostConnection}`]: 'PushTooLarge',
  "remote: Permission to a/b.git denied to somebody.\nfatal: unable to access 'https://github.com/a/b.git/': The requested URL returned error: 403":
    'PushDenied',
  "remote: You are not allowed to push code to this project.\nfatal: unable to access 'https://gitlab.com/a/b.git/': The requested URL returned error: 403":
    'PushDenied',
  [`remote: error: GH006: Protected branch update failed for refs/heads/main.\n${rejection('[remote rejected] (protected branch hook declined)')}`]:
    'BranchProtected',
  [`remote: error: GH013: Repository rule violations found for refs/heads/main.\nremote: - Changes must be made through a pull request.\n${rejection('[remote rejected] (push declined due to repository rule violations)')}`]:
    'BranchProtected',
  [`remote: GitLab: You are not allowed to push code to protected branches on this project.\n${rejection('[remote rejected] (pre-receive hook declined)')}`]:
    'BranchProtected',
  [rejection('[remote rejected] (TF402455: Pushes to this branch are not permitted; you must use a pull request.)')]:
    'BranchProtected',
  [`remote: error: GH013: Repository rule violations found for refs/heads/main.\nremote: - GITHUB PUSH PROTECTION\n${rejection('[remote rejected] (push declined due to repository rule violations)')}`]:
    'PushProtected',
  [`remote: error: GH009: Secrets detected! This push failed.\n${rejection('[remote rejected] (pre-receive hook declined)')}`]:
    'PushProtected',
  [`remote: PUSH BLOCKED: Secrets detected in code changes\n${rejection('[remote rejected] (pre-receive hook declined)')}`]:
    'PushProtected',
  [rejection('[remote rejected] (unpacker error)')]:
    'transient: The host of the branch main of https://example.com/team/repo.git could not take a push: the host answers with an error of its own',
  [`remote: fatal error in commit_refs\n${rejection('[remote rejected] (failure)')}`]:
    'transient: The host of the branch main of https://example.com/team/repo.git could not take a push: the host answers with an error of its own',
  [rejection('[remote rejected] (branch is currently checked out)')]: 'PushRejected',
  'fatal: unable to read 1234567890123456789012345678901234567890\nfatal: the remote end hung up unexpectedly':
    'about the clone',
  [`fatal: loose object 1234 (stored in ./objects/12/34) is corrupt\nerror: pack-objects died of signal 13\n${lostConnection}`]:
    'about the clone',
};

describe('what git says', () => {
  it.each(Object.entries(fetches))('in a fetch, %j, is understood', (said, meaning) => {
    expect(meant('fetch', said)).toBe(meaning);
  });

  it.each(Object.entries(pushes))('in a push, %j, is understood', (said, meaning) => {
    expect(meant('push', said)).toBe(meaning);
  });

  it.each([
    ['stale info', '[rejected] (stale info)'],
    ['a commit that nobody knows here', '[rejected] (fetch first)'],
    ['another line of commits', '[rejected] (non-fast-forward)'],
    ['a lock on the other side', '[remote rejected] (failed to update ref)'],
    ['a branch that was made meanwhile', '[remote rejected] (reference already exists)'],
    ['a branch that was moved meanwhile', '[remote rejected] (incorrect old value provided)'],
  ])('somebody was faster: %s', (_what, words) => {
    expect(isOvertaken(new GitFailure('push', 'failed', rejection(words)))).toBe(true);
    expect(isOvertaken(new GitFailure('fetch', 'failed', rejection(words)))).toBe(false);
  });

  it('and does not say, as it took too long, is told apart by what it was about to do', () => {
    expect(translateGit(new GitFailure('fetch', 'timed-out'), asked)).toMatchObject({ kind: 'transient' });
    expect(translateGit(new GitFailure('push', 'timed-out'), asked)).toMatchObject({ kind: 'uncertain' });
  });

  it('and does not come to an end with is more than we can hold', () => {
    expect(translateGit(new GitFailure('ls-tree', 'printed-too-much'), asked)).toMatchObject({
      reason: 'RepositoryTooLarge',
    });
  });

  it('without a credential is answered with how to give one', () => {
    const anonymous = { ...asked, hasCredential: false };

    expect(
      translateGit(new GitFailure('push', 'failed', 'fatal: could not read Username for'), anonymous),
    ).toMatchObject({
      reason: 'RepositoryDenied',
      forUser: expect.stringContaining('GitOpsDeploymentRepositoryCredential'),
    });
  });

  it('is told to users in words that say what to do', () => {
    const said = rejection('[remote rejected] (protected branch hook declined)');

    expect(translateGit(new GitFailure('push', 'failed', said), asked)).toMatchObject({
      forUser:
        'The branch main of https://example.com/team/repo.git does not take pushes from this credential: allow it to push, or name another branch',
    });
  });

  it('is not repeated, not even by the failure itself', () => {
    const failure = new GitFailure('push', 'failed', 'remote: https://user:to-ken@example.com');

    expect(JSON.stringify(failure)).not.toContain('to-ken');
    expect(failure.message).toBe('git push failed');
  });
});

function rejection(words: string): string {
  return `error: failed to push some refs to 'https://example.com/team/repo.git'\nTo https://example.com/team/repo.git\n!\t${'1'.repeat(40)}:refs/heads/main\t${words}\nDone\n`;
}

function meant(command: string, said: string): string {
  const trouble = translateGit(new GitFailure(command, 'failed', `${said}\n`), asked);
  if (trouble === undefined) return 'about the clone';
  if (trouble.kind === 'refused') return trouble.reason;
  return trouble.kind === 'transient' ? `transient: ${trouble.message}` : trouble.kind;
}
