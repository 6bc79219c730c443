import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepositoryProbe } from '../../../shared/adapters/git/open-repository-probe.ts';

const nothing = { username: '', password: '', sshPrivateKey: '' };
const withKey = { ...nothing, sshPrivateKey: '-----BEGIN KEY-----\r\nAAAA\r\n-----END KEY-----' };
const branches = line('0123456789012345678901234567890123456789 refs/heads/main\0agent=x\n');

/** As git sends a line: its length in front of it. */
function line(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}

interface Noted {
  readonly args: readonly string[];
  readonly key: string;
  readonly mode: number;
  readonly keyFile: string;
  readonly environment: readonly string[];
}

// There is no ssh server on every machine that runs this, so a script stands in for the ssh program: what it is given is
// what ssh would be given, and what it says is what OpenSSH says.
describe('a repository over ssh, asked with a stand-in for the ssh program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-ssh-test-'));
  const program = join(folder, 'ssh');
  const notes = join(folder, 'notes.json');
  const probe = openRepositoryProbe({ timeoutMs: 5_000, sshProgram: program });

  beforeAll(() => {
    writeFileSync(
      program,
      `#!${process.execPath}
const { readFileSync, statSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const keyFile = args.find((word) => word.startsWith('IdentityFile=')).slice('IdentityFile='.length);
writeFileSync(${JSON.stringify(notes)}, JSON.stringify({
  args, keyFile, key: readFileSync(keyFile, 'utf8'), mode: statSync(keyFile).mode & 0o777, environment: Object.keys(process.env) }));
const { out = '', problems = '', hangs = false } = JSON.parse(readFileSync(${JSON.stringify(join(folder, 'says.json'))}, 'utf8'));
process.stderr.write(problems);
process.stdout.write(out);
if (hangs) setInterval(() => {}, 1000); else process.exitCode = out === '' ? 255 : 0;
`,
    );
    chmodSync(program, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function play(says: { readonly out?: string; readonly problems?: string; readonly hangs?: boolean }): void {
    writeFileSync(join(folder, 'says.json'), JSON.stringify(says));
  }
  const noted = () => JSON.parse(readFileSync(notes, 'utf8')) as Noted;
  const ask = (url: string, credential = withKey) => probe.ask(url, credential, AbortSignal.timeout(20_000));

  it('the key is in a file that nobody else may read, and is gone afterwards; it is no argument and no variable', async () => {
    play({ out: branches, hangs: true });

    expect(await ask('ssh://git@git.example.com/Team/Repo.git')).toEqual({ kind: 'listed' });

    const { args, key, mode, keyFile, environment } = noted();
    expect(key).toBe('-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n');
    expect(mode).toBe(0o600);
    expect(existsSync(keyFile)).toBe(false);
    expect(args.join(' ')).not.toContain('AAAA');
    expect(environment.filter((name) => !['PATH', 'HOME', 'LC_ALL'].includes(name))).toEqual([]);
  });

  it('nobody is asked for a password, and no configuration or agent is used', async () => {
    play({ out: branches });
    await ask('ssh://git@git.example.com/r');

    const { args } = noted();
    expect(args.slice(0, 2)).toEqual(['-F', '/dev/null']);
    expect(args).toEqual(
      expect.arrayContaining([
        'BatchMode=yes',
        'IdentitiesOnly=yes',
        'IdentityAgent=none',
        'StrictHostKeyChecking=accept-new',
      ]),
    );
  });

  it('only hosts that are known are believed, where somebody says which', async () => {
    play({ out: branches });
    const wary = openRepositoryProbe({ timeoutMs: 5_000, sshProgram: program, knownHostsFile: '/etc/known' });
    await wary.ask('ssh://git@git.example.com/r', withKey, AbortSignal.timeout(20_000));

    expect(noted().args).toEqual(
      expect.arrayContaining(['StrictHostKeyChecking=yes', 'UserKnownHostsFile=/etc/known']),
    );
  });

  it.each([
    [
      'ssh://git@git.example.com/Team/Repo.git',
      ['-l', 'git', '--', 'git.example.com', "git-upload-pack '/Team/Repo.git'"],
    ],
    ['ssh://git.example.com:2222/r', ['-p', '2222', '-l', 'git', '--', 'git.example.com', "git-upload-pack '/r'"]],
    ['ssh://me@git.example.com/~me/r', ['-l', 'me', '--', 'git.example.com', "git-upload-pack '~me/r'"]],
    ['git@git.example.com:Team/Repo.git', ['-l', 'git', '--', 'git.example.com', "git-upload-pack 'Team/Repo.git'"]],
    [
      "git@git.example.com:a';reboot;'",
      ['-l', 'git', '--', 'git.example.com', "git-upload-pack 'a'\\'';reboot;'\\'''"],
    ],
  ])('defect 39: %s goes to its host as it was written', async (url, last) => {
    play({ out: branches });

    expect(await ask(url)).toEqual({ kind: 'listed' });
    expect(noted().args.slice(-last.length)).toEqual(last);
  });

  it.each([
    ['git@host: Permission denied (publickey).', { kind: 'denied' }],
    ['Load key "/tmp/key": error in libcrypto\ngit@host: Permission denied (publickey).', { kind: 'denied' }],
    ['something new', { kind: 'denied' }],
    [
      'ERROR: Repository not found.\nfatal: Could not read from remote repository.',
      { kind: 'missing', detail: 'repository not found' },
    ],
    ["fatal: '/r' does not appear to be a git repository", { kind: 'missing', detail: 'repository not found' }],
    [
      'ssh: Could not resolve hostname host: Name or service not known',
      { kind: 'unknown', detail: 'the name of the host is not known' },
    ],
    [
      'ssh: connect to host host port 22: Connection refused',
      { kind: 'unknown', detail: 'the host refuses the connection' },
    ],
    [
      'ssh: connect to host host port 22: Connection timed out',
      { kind: 'unknown', detail: 'the host did not answer in time' },
    ],
    ['Connection closed by 192.0.2.1 port 22', { kind: 'unknown', detail: 'the connection to the host broke' }],
    ['No user exists for uid 1000830000', { kind: 'unknown', detail: expect.stringContaining('an operator') }],
  ])('%s', async (problems, verdict) => {
    play({ problems });

    expect(await ask('ssh://git@host.example.com/r')).toEqual(verdict);
  });

  it('a host that says what is wrong in the language of git is understood', async () => {
    play({ out: line('ERR Repository x was not found') });
    expect(await ask('ssh://git@host.example.com/r')).toEqual({ kind: 'missing', detail: 'repository not found' });

    play({ out: line('ERR you may not read it') });
    expect(await ask('ssh://git@host.example.com/r')).toEqual({ kind: 'denied' });
  });

  it('a host that says nothing is given up in time, and the program with it', async () => {
    play({ hangs: true });
    const impatient = openRepositoryProbe({ timeoutMs: 1_000, sshProgram: program });

    expect(await impatient.ask('ssh://git@host.example.com/r', withKey, AbortSignal.timeout(20_000))).toEqual({
      kind: 'unknown',
      detail: 'the host did not answer in time',
    });
  });

  it('a password opens nothing over ssh: nobody is asked', async () => {
    rmSync(notes, { force: true });

    expect(await ask('git@host.example.com:r', { ...nothing, username: 'me', password: 'hunter2' })).toEqual({
      kind: 'denied',
    });
    expect(existsSync(notes)).toBe(false);
  });

  it('a machine without ssh says so to its operator', async () => {
    const poor = openRepositoryProbe({ timeoutMs: 1_000, sshProgram: join(folder, 'nothing') });

    expect(await poor.ask('git@host.example.com:r', withKey, AbortSignal.timeout(20_000))).toEqual({
      kind: 'unknown',
      detail: 'ssh is not installed where the service runs: an operator has to install the OpenSSH client',
    });
  });
});

// A port of the loopback where nobody listens needs no server: the real program finds that out by itself.
describe.skipIf(!['/usr/local/bin/ssh', '/usr/bin/ssh', '/bin/ssh'].some((file) => existsSync(file)))(
  'the ssh of this machine (skipped where there is none)',
  () => {
    it('takes all its options, and says that nobody is there', async () => {
      const probe = openRepositoryProbe({ timeoutMs: 10_000 });

      expect(await probe.ask('ssh://git@127.0.0.1:1/r', withKey, AbortSignal.timeout(20_000))).toEqual({
        kind: 'unknown',
        detail: 'the host refuses the connection',
      });
    });
  },
);
