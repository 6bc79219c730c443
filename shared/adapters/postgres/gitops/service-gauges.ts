import type { Sql } from 'postgres';
import type { ServiceGauges, ServiceNumbers } from '../../../ports/service-gauges.ts';
import { asked } from '../translate.ts';

export function openServiceGauges(sql: Sql): ServiceGauges {
  return {
    async read() {
      return asked('read', async () => {
        const [row] = await sql.unsafe<ServiceNumbers[]>(numbers, [], { prepare: true });
        if (row === undefined) throw new Error('the database counted nothing');
        return row;
      });
    },
  };
}

/** The rows of operations are read once for all their numbers. A state that no row is in counts 0. */
const numbers = `
  select d.*, o.* from (
    select (select count(*) from deployment_to_application_mapping)::float8 + count(*) filter (where m.id is null) as deployments,
      count(*)::float8 as "faultyDeployments"
    from deployment_trouble t left join deployment_to_application_mapping m on m.id = t.id) d,
  (select count(*) filter (where state = 'Waiting')::float8 as waiting,
      count(*) filter (where state = 'In_Progress')::float8 as "inProgress",
      count(*) filter (where state = 'Completed')::float8 as completed,
      count(*) filter (where state = 'Failed')::float8 as failed,
      count(*) filter (where state = 'Completed' and is_recent)::float8 as "completedLately",
      count(*) filter (where state = 'Failed' and is_recent)::float8 as "failedLately"
    from (select state, last_state_update > now() - interval '10 minutes' as is_recent from operation) s) o`;
