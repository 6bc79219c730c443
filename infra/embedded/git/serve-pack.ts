import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { GitCommand } from './git-command.ts';
import type { GitService } from './git-request.ts';

export interface PackLimits {
  /** What git may be sent in one push, unpacked from gzip. */
  readonly pushBytes: number;
  /** What a fetch may ask for; a negotiation is a list of commits. */
  readonly fetchBytes: number;
  readonly timeoutMs: number;
}

export interface PackRequest {
  readonly place: string;
  readonly service: GitService;
  readonly ask: 'refs' | 'pack';
}

/** How it ended, for the log. */
export interface Served {
  readonly status: number;
  readonly error?: string | undefined;
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Stages = readonly (NodeJS.ReadableStream | NodeJS.ReadWriteStream)[];

const killAfterMs = 2_000;
// The last is what a pipeline calls a reader that was content before everything was written.
const closedPipe = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Connects one request with one git, bytes flowing both ways as they come, and ends the one when the other is gone. */
export async function servePack(
  git: GitCommand,
  { place, service, ask }: PackRequest,
  limits: PackLimits,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Served> {
  const body = ask === 'pack' ? readBody(request, service, limits) : undefined;
  if (body instanceof Refusal) return answer(response, body.status, body.message);
  const protocol = readProtocol(request, service);
  const verb = service.slice('git-'.length);
  const mode = ask === 'refs' ? ['--stateless-rpc', '--advertise-refs'] : ['--stateless-rpc'];
  const child = git.start([verb, ...(verb === 'upload-pack' ? ['--strict'] : []), ...mode, place], protocol);

  const end = new AbortController();
  const whenClosed = () => end.abort(new Refusal(499, 'the client went away'));
  response.once('close', whenClosed);
  const timer = setTimeout(() => end.abort(new Refusal(504, 'git took too long')), limits.timeoutMs);
  end.signal.addEventListener('abort', () => endGroup(child), { once: true });
  const errors = keepTail(child.stderr);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });

  try {
    const sending = send(body, child, end);
    await respond(child, response, { service, ask, protocol }, end.signal);
    const code = await exited;
    await sending;
    if (end.signal.aborted) throw end.signal.reason;
    // What git had to say to the client, it has said in the stream; an empty answer is ours to explain.
    if (!response.headersSent) {
      if (code !== 0) return answer(response, 500, 'git could not serve this request.', errors());
      startAnswer(response, service, ask);
    }
    response.end();
    return { status: 200, error: code === 0 ? undefined : errors() };
  } catch (error) {
    endGroup(child);
    await exited;
    const refusal = end.signal.reason instanceof Refusal ? end.signal.reason : error;
    const status = refusal instanceof Refusal ? refusal.status : 500;
    if (response.headersSent || response.destroyed) response.destroy();
    else answer(response, status, refusal instanceof Refusal ? refusal.message : 'git could not serve this request.');
    return { status, error: String(refusal) };
  } finally {
    clearTimeout(timer);
    response.off('close', whenClosed);
  }
}

async function send(body: Stages | undefined, child: ChildProcessWithoutNullStreams, end: AbortController) {
  if (body === undefined) return void child.stdin.on('error', () => {}).end();
  try {
    await pipeline([...body, child.stdin], { signal: end.signal });
  } catch (error) {
    // A git that has read enough closes its input, and goes on to answer: that is not our trouble.
    if (isClosedPipe(error)) return;
    end.abort(error instanceof Refusal ? error : new Refusal(400, 'The body of the request cannot be read.'));
  }
}

async function respond(
  child: ChildProcessWithoutNullStreams,
  response: ServerResponse,
  { service, ask, protocol }: Omit<PackRequest, 'place'> & { protocol: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (signal.aborted) return;
    if (!response.headersSent) {
      startAnswer(response, service, ask);
      // Version 2 begins with its capabilities; the older ones with the name of the service.
      if (ask === 'refs' && !isVersion2(protocol)) response.write(serviceLine(service));
    }
    if (response.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      response.once('drain', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function startAnswer(response: ServerResponse, service: GitService, ask: 'refs' | 'pack'): void {
  response.writeHead(200, {
    'content-type': `application/x-${service}-${ask === 'refs' ? 'advertisement' : 'result'}`,
    'cache-control': 'no-cache, max-age=0, must-revalidate',
  });
}

function serviceLine(service: GitService): string {
  const line = `# service=${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
}

function readBody(request: IncomingMessage, service: GitService, limits: PackLimits): Stages | Refusal {
  if (request.headers['content-type'] !== `application/x-${service}-request`)
    return new Refusal(415, `Send application/x-${service}-request.`);
  const limit = service === 'git-receive-pack' ? limits.pushBytes : limits.fetchBytes;
  if (Number(request.headers['content-length'] ?? 0) > limit)
    return new Refusal(413, `The request is longer than ${limit} bytes.`);
  switch (request.headers['content-encoding'] ?? 'identity') {
    case 'identity':
      return [request, limitTo(limit)];
    case 'gzip':
    case 'x-gzip':
      // Limited on both sides: a small body may unpack to a very large one.
      return [request, limitTo(limit), createGunzip(), limitTo(limit)];
    default:
      return new Refusal(415, 'Only gzip is understood as a content encoding.');
  }
}

function limitTo(limit: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > limit) done(new Refusal(413, `The request is longer than ${limit} bytes.`));
      else done(null, chunk);
    },
  });
}

/** Only what git itself would send, since it becomes a variable of the child. A push has no version 2. */
function readProtocol(request: IncomingMessage, service: GitService): string | undefined {
  const header = request.headers['git-protocol'];
  if (typeof header !== 'string' || !/^version=[012]$/.test(header)) return undefined;
  return service === 'git-receive-pack' && header === 'version=2' ? undefined : header;
}

function isVersion2(protocol: string | undefined): boolean {
  return protocol === 'version=2';
}

export function answer(response: ServerResponse, status: number, text: string, error?: string): Served {
  if (!response.headersSent) {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(`${text}\n`);
  }
  return { status, error: error ?? text };
}

function endGroup({ pid, exitCode, signalCode }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  signalGroup(pid, 'SIGTERM');
  // A receive-pack removes its quarantine on SIGTERM; one that does not end by itself is ended.
  setTimeout(() => signalGroup(pid, 'SIGKILL'), killAfterMs).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}

function keepTail(stream: Readable): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-2_000);
  });
  return () => text.trim();
}

function isClosedPipe(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && closedPipe.has(code);
}
