import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import type { PromotionReader, ToldArrival, ToldPromotion } from '../../../ports/promotion-reader.ts';
import { asked } from '../translate.ts';
import { historyQuestion } from './history-question.ts';
import { readBoard } from './read-board.ts';
import { promotionColumns, toldPromotion } from './told-promotions.ts';

type Parameter = string | number | null | readonly string[];

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Reads what migrations/0007_promotions.sql keeps, and what stands in the environments, and writes nothing. */
export function openPromotionReader(sql: Sql): PromotionReader {
  function read<Row extends object>(text: string, parameters: readonly Parameter[]): Promise<Row[]> {
    return asked('read', async () => [
      ...(await sql.unsafe<Row[]>(text, parameters as (string | number)[], { prepare: true })),
    ]);
  }

  async function promotions(text: string, parameters: readonly (string | number)[]): Promise<readonly ToldPromotion[]> {
    const rows = await read<object>(`select ${promotionColumns} from promotion p ${text}`, parameters);
    return rows.map(toldPromotion);
  }

  return {
    open: (namespace) =>
      promotions(
        `where p.state <> 'Completed' ${namespace === undefined ? '' : 'and p.namespace = $1'}
         order by p.namespace, p.application, p.state = 'Active' desc, p.created_at, p.name`,
        namespace === undefined ? [] : [namespace],
      ),

    failed: (namespace) =>
      promotions(
        `where p.result = 'Failure' ${namespace === undefined ? '' : 'and p.namespace = $1'}
           and not exists (
             select from promotion later
             where later.namespace = p.namespace and later.application = p.application and later.result <> 'Deleted'
               and (later.state <> 'Completed'
                 or (later.completed_at, later.created_at, later.name) > (p.completed_at, p.created_at, p.name)))
         order by p.namespace, p.application`,
        namespace === undefined ? [] : [namespace],
      ),

    of: ({ namespace, name }, limit) =>
      promotions('where p.namespace = $1 and p.application = $2 order by p.created_at desc, p.name limit $3', [
        namespace,
        name,
        limit,
      ]),

    async one({ namespace, name }) {
      const [found] = await promotions('where p.namespace = $1 and p.name = $2 order by p.created_at desc limit 1', [
        namespace,
        name,
      ]);
      return found;
    },

    board: (namespace) => readBoard(read, digest, namespace),

    async history({ namespace, application, environment }, limit) {
      const rows = await read<ArrivalRow>(historyQuestion, [namespace, application, environment, limit]);
      return rows.map(({ status, message, ...arrival }) => ({
        ...arrival,
        ...(status !== null && { status }),
        ...(message !== null && message !== '' && { message }),
      }));
    },

    async version() {
      const [row] = await read<{ version: string }>('select version_of_promotions() as version', []);
      return row?.version ?? '';
    },
  };
}

interface ArrivalRow extends Omit<ToldArrival, 'status' | 'message'> {
  readonly status: NonNullable<ToldArrival['status']> | null;
  readonly message: string | null;
}
