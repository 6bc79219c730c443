import { applications } from '../../shared/contracts/kubernetes/kinds.ts';
import type { ApplicationEffect } from '../../shared/domain/application/application.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import { chooseEngine } from '../../shared/domain/gitops/placement.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import { Conflict, Refused } from '../../shared/ports/trouble.ts';
import type { SeenByStep, Services } from './observe.ts';

/** The repository, then what is told about the Application, over the version of it that was seen. */
export async function applyApplication(
  seen: SeenByStep,
  step: Step<ApplicationEffect>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  for (const effect of step.effects) {
    if (effect.do === 'make-repository') await make(effect.url, services, signal);
    else if (effect.do === 'tell-user') await tell(seen, step, effect, services, signal);
  }
}

/** What the host refuses is for the user to know: the next look tells it. */
async function make(url: string, { repositoryHost, memory }: Services, signal: AbortSignal): Promise<void> {
  try {
    await repositoryHost.make(url, signal);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    memory.refusal = error.forUser;
    throw new Conflict(error.message, { cause: error });
  }
}

async function tell(
  { namespace, name, application, version: resourceVersion }: SeenByStep,
  { conditions }: Step<ApplicationEffect>,
  { at, gitops }: Extract<ApplicationEffect, { do: 'tell-user' }>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  const told = withConditions(application?.said ?? [], conditions, at);
  // One that is gone by now has nothing left to be told; its end makes a knock of its own.
  await clusters.local.patch(
    applications,
    { namespace, name },
    {
      metadata: { resourceVersion },
      status: { ...(told && { conditions: told }), ...(gitops !== undefined && { gitops }) },
    },
    { subresource: 'status', signal },
  );
}

export function applicationRows(
  seen: SeenByStep,
  { effects }: Step<ApplicationEffect>,
  services: Services,
): RowWrite[] {
  const { namespace, name } = seen;
  const { places, credentials } = services;
  return effects.flatMap((effect): readonly RowWrite[] => {
    switch (effect.do) {
      case 'keep-place':
        return places.keep({ namespace, name, uid: effect.uid }, effect.place);
      case 'forget-application':
        return [places.forget(effect.uid)];
      case 'store-credential':
        return storeCredential(seen, effect, services);
      case 'remove-credential':
        return seen.credentials.filter(({ id }) => id === effect.uid).flatMap((row) => credentials.remove(row));
      default:
        return [];
    }
  });
}

/** With the rows of the tenant, where it is the first thing that an Argo CD does for it. */
function storeCredential(
  { name, own, credentials: stored }: SeenByStep,
  { uid, url }: Extract<ApplicationEffect, { do: 'store-credential' }>,
  { tenants, credentials }: Services,
): readonly RowWrite[] {
  const engine = own && chooseEngine(own.tenant);
  if (own === undefined || engine === undefined) return [];
  const { credential, tenant } = own;
  const wanted = { ...credential, owner: 'Application' as const, id: uid, name, url, secretName: name };
  const over = stored.find(({ id }) => id === uid);
  return [
    ...(tenant.placed === undefined ? tenants.place(tenant, engine) : []),
    ...credentials.store(wanted, tenant, engine, over),
  ];
}
