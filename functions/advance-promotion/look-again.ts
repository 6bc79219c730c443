import type { GitOpsDeploymentSyncRun } from '../../shared/contracts/kubernetes/gitops-deployment-sync-run.ts';
import { bindings, components, environments, syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { graphEnvironmentOf, promotedBindingOf } from '../../shared/contracts/promotions.ts';
import {
  type Answer,
  type AwaitedQuestion,
  openQuestions,
  type Question,
  withAnswer,
} from '../../shared/domain/promotion/open-questions.ts';
import type { Run, SeenPromotion, Sighting } from '../../shared/domain/promotion/promotion.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { listOfApplication } from '../../shared/runtime/list-of-application.ts';
import type { World } from '../../shared/runtime/world.ts';
import { type Services as AskingServices, askGit } from './ask-git.ts';

type Services = Pick<World, 'clusters' | 'promotions'> & AskingServices;

/** Asks until there is nothing left to ask: an answer may lead to the next question. Mostly there is none. */
export async function lookAgain(
  first: SeenPromotion,
  run: Run,
  services: Services,
  signal: AbortSignal,
): Promise<SeenPromotion> {
  const stored = first.open.find(({ uid }) => uid === run.uid);
  if (stored === undefined) return first;
  const asked = new Set<string>();
  let seen = first;
  for (;;) {
    const questions = openQuestions(seen, run, stored).filter((one) => !asked.has(JSON.stringify(one)));
    if (questions.length === 0) return seen;
    for (const one of questions) asked.add(JSON.stringify(one));
    const known = seen;
    const answers = await Promise.all(questions.map((one) => answer(one, known, run, services, signal)));
    seen = answers.reduce(withAnswer, seen);
  }
}

async function answer(
  question: Question,
  seen: SeenPromotion,
  run: Run,
  services: Services,
  signal: AbortSignal,
): Promise<Answer> {
  const { namespace } = seen;
  const { application } = run;
  const { local } = services.clusters;
  const isOf = ({ spec }: { readonly spec: { readonly application: string } }): boolean =>
    spec.application === application;
  switch (question.ask) {
    case 'environments': {
      const all = await listAll(local, environments, { namespace, signal });
      return { ask: 'environments', found: all.map(graphEnvironmentOf) };
    }
    case 'bindings': {
      const all = await listOfApplication(local, bindings, application, { namespace, signal });
      return { ask: 'bindings', found: all.map(promotedBindingOf) };
    }
    case 'components': {
      const own = (await listAll(local, components, { namespace, signal })).filter(isOf);
      const staying = own.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const skipped = own.filter(({ spec }) => spec.skipGitOpsResourceGeneration);
      return { ask: 'components', found: staying.map(nameOf), skipped: skipped.map(nameOf) };
    }
    case 'environment': {
      const { name } = question;
      const found = await local.read(environments, { namespace, name }, { signal });
      return { ask: 'environment', name, found: found && graphEnvironmentOf(found) };
    }
    case 'binding': {
      const { name } = question;
      const found = await local.read(bindings, { namespace, name }, { signal });
      const ours = found !== undefined && isOf(found) ? promotedBindingOf(found) : undefined;
      return { ask: 'binding', name, isTaken: found !== undefined, found: ours };
    }
    case 'deployments':
      return { ask: 'deployments', found: await sight(question, seen, run, services, signal) };
    default: {
      const { name } = question;
      const found = await local.read(syncRuns, { namespace, name }, { signal });
      return { ask: 'sync', name, problem: found && problemOf(found) };
    }
  }
}

/** As it is seen of what was awaited before: with Git's word, where it takes that. */
async function sight(
  { environment, awaited }: AwaitedQuestion,
  seen: SeenPromotion,
  run: Run,
  services: Services,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Sighting>> {
  const { namespace } = seen;
  const step = seen.steps.find((one) => one.environment === environment);
  if (step === undefined) return new Map();
  const names = awaited.map(({ deployment }) => deployment);
  const said = await services.promotions.sight({ namespace, name: step.binding }, names);
  const evidence = awaited.map((one) => ({ ...one, ...said.get(one.deployment) }));
  const [judged] = await askGit(run, [{ ...step, evidence }], seen, services, signal);
  return new Map(
    judged?.evidence.map(({ deployment, report, argo, isManual, isRefused }) => [
      deployment,
      { report, argo, isManual, isRefused },
    ]),
  );
}

function nameOf({ metadata }: { readonly metadata: { readonly name: string } }): string {
  return metadata.name;
}

function problemOf({ status }: GitOpsDeploymentSyncRun): string {
  const failed = status?.conditions.find(({ type, status: is }) => type === 'ErrorOccurred' && is === 'True');
  return failed?.message ?? '';
}
