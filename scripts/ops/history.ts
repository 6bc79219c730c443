import { applications, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { isObjectName } from '../../shared/domain/core/object-name.ts';
import type { ToldArrival } from '../../shared/ports/promotion-reader.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { expectNamespace } from './expect-namespace.ts';
import { stamp } from './in-words.ts';
import type { Paint } from './paint.ts';
import { readKey } from './read-names.ts';
import { shortCommit, table } from './render-releases.ts';

export interface History {
  readonly namespace: string;
  readonly application: string;
  readonly environment: string;
  /** The newest first. */
  readonly arrivals: readonly ToldArrival[];
}

/** What arrived in an environment, as far as the ledger goes back. Reads only. */
export async function runHistory(
  context: Context,
  args: { readonly application: string; readonly environment: string; readonly limit: number },
): Promise<Result<History>> {
  const { namespace, name: application } = readKey('application', args.application);
  const { environment } = args;
  if (!isObjectName(environment))
    throw new Exit(exits.wrongUsage, `"${environment}" is no name of an Environment; it has no namespace before it.`);
  const arrivals = await context.promotions.history({ namespace, application, environment }, args.limit);
  // Those that are gone have a history as well: only where there is none may the name be wrong.
  if (arrivals.length === 0) await expectPlace(context, namespace, application, environment);
  return { code: exits.ok, value: { namespace, application, environment, arrivals } };
}

export function renderHistory({ namespace, application, environment, arrivals }: History, paint: Paint): string {
  if (arrivals.length === 0)
    return paint.dim(
      `Nothing has arrived in ${environment} of ${namespace}/${application} yet. To promote there: npm run ops -- promote ${namespace}/${application} --snapshot <snapshot> --to ${environment}`,
    );
  const rows = arrivals.map(({ at, snapshot, commit, promotion, status, message = '' }) => [
    stamp(at),
    snapshot,
    commit === '' ? '-' : shortCommit(commit),
    promotion || '-',
    resultInWords(status, promotion, paint),
    message,
  ]);
  const titles = ['when', 'snapshot', 'commit', 'promotion', 'result', ''];
  return table(titles, rows, paint).join('\n');
}

/** What a Binding asked for by itself has no result: nobody waited for it. */
function resultInWords(status: ToldArrival['status'], promotion: string, paint: Paint): string {
  if (status === undefined) return paint.dim(promotion === '' ? 'by hand' : 'Binding changed');
  if (status === 'success') return paint.good(status);
  return status === 'failed' ? paint.bad(status) : paint.wait(status);
}

async function expectPlace(context: Context, namespace: string, application: string, name: string): Promise<void> {
  const { local } = context.world().clusters;
  const [found, environment] = await Promise.all([
    local.read(applications, { namespace, name: application }),
    local.read(environments, { namespace, name }),
  ]);
  if (found !== undefined && environment !== undefined) return;
  await expectNamespace(context, namespace);
  throw new Exit(
    exits.notFound,
    found === undefined
      ? `There is no Application ${namespace}/${application}, and nothing of one ever arrived. What there is: npm run ops -- status ${namespace}`
      : `There is no Environment ${namespace}/${name}, and nothing ever arrived in one. Those there are: npm run ops -- environments list ${namespace}`,
  );
}
