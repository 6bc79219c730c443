import type { Run, SeenPromotion, StoredEvidence, StoredStep } from '../../shared/domain/promotion/promotion.ts';
import { isGood } from '../../shared/domain/promotion/prove.ts';
import { isTrouble } from '../../shared/ports/trouble.ts';
import type { World } from '../../shared/runtime/world.ts';

export type Services = Pick<World, 'gitOpsRepositories' | 'credentials' | 'repositoryHost' | 'places'>;

/** A third of what a step has: Git may be slow, and is asked again. */
const mostMs = 20_000;

type Around = Pick<SeenPromotion, 'namespace' | 'bindings' | 'application'>;

/**
 * Whether what Argo CD has compared with holds the commit, where our own pushes do not tell: somebody else has pushed, or
 * renders. Only asked about reports that would be proof, and once for all components that ask the same.
 */
export async function askGit(
  run: Run,
  steps: readonly StoredStep[],
  { namespace, bindings, application }: Around,
  services: Services,
  signal: AbortSignal,
): Promise<readonly StoredStep[]> {
  const isRenderedByOthers = application?.isRenderedByOthers ?? false;
  const answers = new Map<string, Promise<boolean | undefined>>();
  const askOnce = (question: GitQuestion): Promise<boolean | undefined> => {
    const key = JSON.stringify(question);
    const answer = answers.get(key) ?? ask(namespace, run, question, services, signal);
    answers.set(key, answer);
    return answer;
  };
  return Promise.all(
    steps.map(async (step) => {
      if (step.status !== 'in-progress') return step;
      const binding = bindings.find(({ name }) => name === step.binding);
      const evidence = await Promise.all(
        step.evidence.map(async (one): Promise<StoredEvidence> => {
          const { report, seen, component } = one;
          const place = binding?.components.find(({ name }) => name === component);
          const commit = isRenderedByOthers ? (place?.commit ?? '') : (step.rendering?.commit ?? '');
          if (seen !== undefined || report === undefined || commit === '') return one;
          const known = report.revision === commit ? true : isRenderedByOthers ? undefined : report.contains;
          if (known !== undefined || !isGood(report)) return { ...one, report: { ...report, contains: known } };
          const theirs = isRenderedByOthers ? place?.repository : undefined;
          const contains = await askOnce({ commit, revision: report.revision, theirs });
          return { ...one, report: { ...report, contains } };
        }),
      );
      return { ...step, evidence };
    }),
  );
}

interface GitQuestion {
  readonly commit: string;
  readonly revision: string;
  /** Where somebody else writes, it is in the repository that they name, and opened with what the tenant has for it. */
  readonly theirs: { readonly url: string; readonly branch: string } | undefined;
}

async function placeOf(namespace: string, { application }: Run, { places }: Services) {
  const rows = await places.observe({ namespace, name: application });
  return rows.find(({ repository }) => repository !== undefined)?.repository;
}

async function ask(
  namespace: string,
  run: Run,
  { theirs, ...question }: GitQuestion,
  services: Services,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { credentials, repositoryHost, gitOpsRepositories } = services;
  const place = theirs === undefined ? await placeOf(namespace, run, services) : { ...theirs, isMade: false };
  if (place === undefined) return undefined;
  const { url, branch, isMade } = place;
  const credential = isMade ? repositoryHost.credential() : await credentials.opening({ namespace, url });
  const patience = AbortSignal.any([signal, AbortSignal.timeout(mostMs)]);
  try {
    return await gitOpsRepositories.contains({ tenant: namespace, url, branch }, credential, question, patience);
  } catch (error) {
    signal.throwIfAborted();
    // Git is away, or does not let us look. What cannot be proved does not count, and that is said; but the deadlines of this
    // run, and whoever waits behind it, do not wait for Git.
    if (isTrouble(error) || patience.aborted) return undefined;
    throw error;
  }
}
