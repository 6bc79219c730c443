import { closeSync, fstatSync, ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Below this size a journal is not worth rewriting. */
const CompactAboveBytes = 32 * 1024 * 1024;
/** Entries written per turn of the event loop while compacting: about a millisecond of work. */
const EntriesPerSlice = 250;
const ReadChunkBytes = 1024 * 1024;

type Done = (error: Error | undefined) => void;

interface JournalOptions<Entry> {
  readonly folder: string;
  /** Whose journal this is, for the person who finds it damaged. */
  readonly owner: string;
  /** How an entry is written, where JSON.stringify would do work that is done already. */
  readonly encode?: ((entry: Entry) => string) | undefined;
  readonly compactAboveBytes?: number | undefined;
  /** The whole state as entries. It is read in slices while work goes on. */
  readonly snapshot: () => Iterable<Entry>;
  /** Called before each write; what it appends goes into the same write. */
  readonly beforeWrite: () => void;
}

/**
 * An append-only file of entries. All entries of one turn of the event loop go to the operating system in one write,
 * and nobody is answered before it: an answered change survives the death of the process, though not of the machine.
 */
export class Journal<Entry> {
  /** How often the file has been rewritten. */
  compactions = 0;
  private readonly options: JournalOptions<Entry>;
  private readonly encode: (entry: Entry) => string;
  private readonly path: string;
  private readonly compactAbove: number;
  private fd: number;
  private size = 0;
  private sizeAfterCompaction = 0;
  private nextFd: number | undefined;
  private pending = '';
  private unwritten: Buffer | undefined;
  private waiting: Done[] = [];
  private scheduled = false;
  private closed = false;

  constructor(options: JournalOptions<Entry>) {
    this.options = options;
    this.encode = options.encode ?? JSON.stringify;
    this.path = join(options.folder, 'journal.log');
    this.compactAbove = options.compactAboveBytes ?? CompactAboveBytes;
    rmSync(`${this.path}.next`, { force: true });
    this.fd = openSync(this.path, 'a+', 0o600);
  }

  /** Reads all entries. What a killed process left of its last line is cut off. */
  load(apply: (entry: Entry) => void): void {
    const chunk = Buffer.allocUnsafe(ReadChunkBytes);
    const total = fstatSync(this.fd).size;
    let rest = Buffer.alloc(0);
    let good = 0;
    for (let position = 0; position < total; ) {
      const count = readSync(this.fd, chunk, 0, chunk.length, position);
      if (count === 0) break;
      position += count;
      let data = Buffer.concat([rest, chunk.subarray(0, count)]);
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
        apply(this.parseLine(data.toString('utf8', 0, end), good));
        good += end + 1;
        data = data.subarray(end + 1);
      }
      rest = data;
    }
    if (good < total) ftruncateSync(this.fd, good);
    this.size = good;
  }

  append(entry: Entry): void {
    this.pending += `${this.encode(entry)}\n`;
    this.schedule();
  }

  /** Calls back when all that was appended until now has reached the operating system. */
  afterWrite(done: Done): void {
    this.waiting.push(done);
    this.schedule();
  }

  flush(): void {
    this.scheduled = false;
    if (this.closed) return;
    this.options.beforeWrite();
    const waiting = this.waiting;
    this.waiting = [];
    let failure: Error | undefined;
    try {
      this.write();
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    for (const done of waiting) done(failure);
    this.compactIfWorthIt();
  }

  close(): void {
    if (this.closed) return;
    this.flush();
    this.closed = true;
    this.abandonCompaction();
    closeSync(this.fd);
  }

  private schedule(): void {
    if (this.scheduled || this.closed) return;
    this.scheduled = true;
    setImmediate(() => this.flush());
  }

  /** A write that failed is tried again, from the byte where it stopped, with the next one. */
  private write(): void {
    if (this.pending === '' && this.unwritten === undefined) return;
    const fresh = Buffer.from(this.pending);
    this.pending = '';
    this.unwritten = this.unwritten === undefined ? fresh : Buffer.concat([this.unwritten, fresh]);
    if (this.nextFd !== undefined) this.writeNext(fresh);
    while (this.unwritten.length > 0) {
      const count = writeSync(this.fd, this.unwritten);
      this.size += count;
      this.unwritten = this.unwritten.subarray(count);
    }
    this.unwritten = undefined;
  }

  private compactIfWorthIt(): void {
    if (this.nextFd !== undefined || this.closed) return;
    if (this.size < this.compactAbove || this.size < 2 * this.sizeAfterCompaction) return;
    this.nextFd = openSync(`${this.path}.next`, 'w', 0o600);
    this.compactSlice(this.options.snapshot()[Symbol.iterator]());
  }

  /** While this goes on, changes are written to both files, so the new one is complete when the last slice is. */
  private compactSlice(entries: Iterator<Entry>): void {
    if (this.closed || this.nextFd === undefined) return;
    let slice = '';
    let done = false;
    for (let count = 0; count < EntriesPerSlice && !done; count += 1) {
      const entry = entries.next();
      if (entry.done === true) done = true;
      else slice += `${this.encode(entry.value)}\n`;
    }
    if (!this.writeNext(Buffer.from(slice))) return;
    if (done) this.finishCompaction();
    else setImmediate(() => this.compactSlice(entries));
  }

  private finishCompaction(): void {
    if (this.nextFd === undefined || this.unwritten !== undefined) {
      this.abandonCompaction();
      return;
    }
    renameSync(`${this.path}.next`, this.path);
    closeSync(this.fd);
    this.fd = this.nextFd;
    this.nextFd = undefined;
    this.size = fstatSync(this.fd).size;
    this.sizeAfterCompaction = this.size;
    this.compactions += 1;
  }

  /** Trouble with the new file costs nothing but the compaction: the old file has everything. */
  private writeNext(data: Buffer): boolean {
    if (this.nextFd === undefined) return false;
    try {
      for (let from = 0; from < data.length; ) from += writeSync(this.nextFd, data, from);
      return true;
    } catch {
      this.abandonCompaction();
      return false;
    }
  }

  private abandonCompaction(): void {
    if (this.nextFd === undefined) return;
    closeSync(this.nextFd);
    this.nextFd = undefined;
    this.sizeAfterCompaction = this.size;
    rmSync(`${this.path}.next`, { force: true });
  }

  private parseLine(line: string, offset: number): Entry {
    try {
      return JSON.parse(line) as Entry;
    } catch (cause) {
      throw new Error(
        `${this.path} is damaged at byte ${offset}: this is not a line that ${this.options.owner} wrote. Move the file away to start empty.`,
        { cause },
      );
    }
  }
}
