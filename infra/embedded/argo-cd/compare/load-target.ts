import type { Application, Source } from '../application.ts';
import { type KubeObject, stableJson } from '../kube-object.ts';
import type { Kustomize } from '../source/find-kustomize.ts';
import { type Rendered, renderSource } from '../source/render-source.ts';
import type { Remote, Repositories } from '../source/repositories.ts';
import { type ArgoSecret, chooseCredentials } from '../source/repository-credentials.ts';
import { normalizeRepositoryUrl } from '../source/repository-url.ts';
import { isCommitId } from '../source/resolve-revision.ts';
import { SourceError } from '../source/source-error.ts';

export interface TargetState {
  readonly revision: string;
  readonly sourceType: Rendered['sourceType'];
  readonly objects: readonly KubeObject[];
}

export interface LoadSettings {
  readonly repositories: Repositories;
  readonly kustomize: Kustomize;
  readonly secrets: () => readonly ArgoSecret[];
  readonly knownHosts: () => string | undefined;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export interface LoadRequest {
  readonly app: Application;
  readonly source: Source;
  readonly revision: string;
  /** Ask the remote what a branch is now, whatever was known a moment ago. */
  readonly resolveAnew: boolean;
  /** Render again, whatever was rendered before. */
  readonly renderAnew: boolean;
}

// As long as Argo CD remembers what a branch was.
const resolvedForMs = 180_000;
const maxRendered = 50;

/** Loads what Git wants. Throws a SourceError in the words of Argo CD. */
export function openTargetLoader(settings: LoadSettings): (request: LoadRequest) => Promise<TargetState> {
  const { repositories, kustomize, secrets, knownHosts, now, signal } = settings;
  const resolved = new Map<string, { commit: string; at: number }>();
  const rendered = new Map<string, TargetState>();

  async function resolve(remote: Remote, project: string, request: LoadRequest): Promise<string> {
    const revision = request.revision || request.source.targetRevision || '';
    if (isCommitId(revision)) return revision;
    // By project: what one tenant may ask a private repository says nothing to another.
    const key = JSON.stringify([project, normalizeRepositoryUrl(remote.url), revision]);
    const known = resolved.get(key);
    if (!request.resolveAnew && known !== undefined && now() - known.at < resolvedForMs) return known.commit;
    const commit = await repositories.resolve(remote, revision);
    if (resolved.size > 1_000) resolved.clear();
    resolved.set(key, { commit, at: now() });
    return commit;
  }

  return async (request) => {
    const { app, source } = request;
    const project = app.spec.project || 'default';
    const credentials = chooseCredentials(secrets(), source.repoURL, project);
    const remote = { url: source.repoURL, credentials, knownHosts: knownHosts() };
    if (typeof source['chart'] === 'string')
      throw new SourceError('Helm charts are not supported by the Argo CD stand-in');
    const commit = await resolve(remote, project, request);
    const key = stableJson([project, source, commit, credentials]);
    const known = rendered.get(key);
    if (known !== undefined && !request.renderAnew) return known;

    const { commit: revision, checkout } = await repositories.checkOut(remote, commit);
    try {
      const target = { revision, ...(await renderSource(checkout.folder, source, kustomize, signal)) };
      const [oldest] = rendered.keys();
      if (rendered.size >= maxRendered && oldest !== undefined) rendered.delete(oldest);
      rendered.set(key, target);
      return target;
    } finally {
      await checkout.remove();
    }
  };
}
