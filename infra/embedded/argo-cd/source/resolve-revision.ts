export interface RemoteRefs {
  /** What HEAD points to, as refs/heads/main. */
  readonly head: string | undefined;
  readonly commits: ReadonlyMap<string, string>;
}

export function isCommitId(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision);
}

/** Reads what `git ls-remote --symref` prints. Of an annotated tag the commit counts, which comes second with ^{}. */
export function readRemoteRefs(text: string): RemoteRefs {
  let head: string | undefined;
  const commits = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [left = '', name = ''] = line.split('\t');
    if (left.startsWith('ref: ') && name === 'HEAD') head = left.slice('ref: '.length);
    else if (isCommitId(left)) commits.set(name.replace(/\^\{\}$/, ''), left);
  }
  return { head, commits };
}

/** The commit that a branch, a tag, a full ref name or HEAD stands for; a short commit id stands for itself. */
export function resolveRevision({ head, commits }: RemoteRefs, revision: string): string | undefined {
  if (revision === '' || revision === 'HEAD') return commits.get('HEAD') ?? (head && commits.get(head));
  const names = [revision, `refs/heads/${revision}`, `refs/tags/${revision}`, `refs/remotes/${revision}`];
  const found = names.map((name) => commits.get(name)).find((commit) => commit !== undefined);
  return found ?? (/^[0-9a-f]{7,39}$/.test(revision) ? revision : undefined);
}
