import type { Release, SnapshotUse } from '../../shared/ports/release-reader.ts';
import { stamp } from './in-words.ts';
import { columns } from './lay-out.ts';
import type { Paint } from './paint.ts';

/** Rows under their titles. A text of others with a line end in it must not look like one row more. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string[] {
  return columns([titles.map(paint.dim), ...rows.map((row) => row.map(inOneLine))]);
}

export function inOneLine(text: string): string {
  return text.replace(/[\n\t\p{Zl}\p{Zp}]+/gu, ' ');
}

/** As much of a commit as tells it from others; `snapshots of` takes it, and so does git. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10);
}

export function placesInWords({ runsIn, awaitedIn }: Pick<SnapshotUse, 'runsIn' | 'awaitedIn'>, paint: Paint): string {
  return [...runsIn.map(paint.good), ...awaitedIn.map((name) => paint.wait(`${name} (waits)`))].join(', ') || '-';
}

/** Commits and what they were made of, each row beginning with what the reader did not ask by. */
export function releaseTable(
  title: string,
  first: (release: Release) => string,
  releases: readonly Release[],
  paint: Paint,
): string[] {
  const titles = [title, 'application', 'environment', 'generation', 'promotion', 'when', 'branch', 'repository'];
  const rows = releases.map((release) => [
    first(release),
    release.application,
    release.environment,
    String(release.generation),
    release.promotion || '-',
    stamp(release.at),
    release.branch,
    release.url,
  ]);
  return table(titles, rows, paint);
}
