import { randomBytes } from 'node:crypto';
import type { GitOpsRepositories, RepositoryPlace, Tree } from '../../shared/ports/gitops-repositories.ts';
import type { RepositoryHost } from '../../shared/ports/repository-host.ts';
import type { Watched } from './audited-connection.ts';
import { type GitOpsWorld, openGitOpsWorld } from './gitops-world.ts';
import type { ReleaseWorld } from './release-world.ts';

interface Commit {
  readonly id: string;
  readonly files: ReadonlyMap<string, string>;
  readonly touched: readonly string[];
}

/**
 * Repositories in memory, for stories that are told a hundred times and are not about Git: no process is started for them.
 * A push is a call to the outside, at which a process may die.
 */
export function playRepositories() {
  const root = 'http://played.example.com/git';
  const branches = new Map<string, Commit[]>();
  const way: Watched = { trouble: undefined };
  const commitsOf = ({ url, branch }: Pick<RepositoryPlace, 'url' | 'branch'>): Commit[] => {
    const key = `${url}#${branch}`;
    const found = branches.get(key) ?? [];
    branches.set(key, found);
    return found;
  };

  function throwIfAny(url: string, when: 'before' | 'after'): void {
    const trouble = way.trouble?.({ method: 'PUSH', path: new URL(url).pathname }, when);
    if (trouble !== undefined) throw trouble;
  }

  const repositories: GitOpsRepositories = {
    async write(place, _credential, plan) {
      const commits = commitsOf(place);
      const tree = treeOf(commits);
      const change = await plan(tree);
      if (change === undefined) return { kind: 'unchanged', tree };
      throwIfAny(place.url, 'before');
      const files = new Map(commits.at(-1)?.files);
      for (const [path, text] of change.files)
        if (text === undefined) files.delete(path);
        else files.set(path, text);
      const id = randomBytes(20).toString('hex');
      commits.push({ id, files, touched: [...change.files.keys()] });
      throwIfAny(place.url, 'after');
      return { kind: 'pushed', commit: id, parent: tree.head };
    },
    async contains(place, _credential, { commit, revision }) {
      const ids = commitsOf(place).map(({ id }) => id);
      if (!ids.includes(commit) || !ids.includes(revision)) return undefined;
      return ids.indexOf(revision) >= ids.indexOf(commit);
    },
    async forget() {},
  };
  const host: RepositoryHost = {
    root,
    credential: () => ({ username: 'git', password: 'played', sshPrivateKey: '' }),
    async make() {},
  };
  return {
    way,
    world: { gitOpsRepositories: repositories, repositoryHost: host },
    head: async (url: string, branch = 'main'): Promise<string> => commitsOf({ url, branch }).at(-1)?.id ?? '',
    commits: async (url: string, branch = 'main'): Promise<number> => commitsOf({ url, branch }).length,
  };
}

export type PlayedRepositories = ReturnType<typeof playRepositories>;

/** A world for stories about releases, on repositories in memory. Of Git it shows the newest commit, and nothing else. */
export async function openPlayedReleaseWorld(
  played: PlayedRepositories,
  settings: Parameters<typeof openGitOpsWorld>[0] = {},
): Promise<ReleaseWorld> {
  const world: GitOpsWorld = await openGitOpsWorld({ ...settings, world: { ...settings.world, ...played.world } });
  const { head } = played;
  return { ...world, git: { head } as ReleaseWorld['git'] };
}

function treeOf(commits: readonly Commit[]): Tree {
  const newest = commits.at(-1);
  const files = newest?.files ?? new Map<string, string>();
  return {
    head: newest?.id,
    entries: [...files.keys()].toSorted().map((path) => ({ path, kind: 'file' as const })),
    read: async (paths) =>
      new Map(
        [...paths].flatMap((path) => (files.has(path) ? [[path, { text: files.get(path) ?? '' }] as const] : [])),
      ),
    lastCommitOf: async (paths) =>
      commits.findLast(({ touched }) =>
        touched.some((one) => paths.some((path) => one === path || one.startsWith(`${path}/`))),
      )?.id,
  };
}
