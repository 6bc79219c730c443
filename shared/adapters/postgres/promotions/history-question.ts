import { moment } from './told-promotions.ts';

/**
 * $1 namespace, $2 application, $3 environment, $4 how many.
 *
 * Most arrivals are a commit, with the step of a promotion that brought it or without one. A step that waited for something
 * else to the end knows of no commit: the first with its name is its own. There is none at all where it failed before anything
 * was written, where the same stood there already, and where somebody else writes.
 * Runs take their turns in the order in which they were made, so that their newest steps are those of the newest runs.
 */
export const historyQuestion = `
  select snapshot, commit, promotion, ${moment('at')} as at, status, message from (
    (select c.snapshot, c.commit_id as commit, c.promotion, c.committed_at as at, s.status, s.message
     from snapshot_commit c
     left join lateral (
       select t.status, t.message from promotion p join promotion_step t on t.promotion_id = p.id
       where p.namespace = c.namespace and p.name = c.promotion and p.application = c.application and c.promotion_id in ('', p.id)
         and t.environment = c.environment and (t.commit_id = c.commit_id or t.commit_id = '' and not exists (
           select from snapshot_commit b where b.namespace = $1 and b.application = $2 and b.environment = $3
             and b.promotion = c.promotion and b.promotion_id = c.promotion_id and b.committed_at < c.committed_at))
       order by p.created_at desc limit 1) s on true
     where c.namespace = $1 and c.application = $2 and c.environment = $3
     order by c.committed_at desc, c.commit_id limit $4)
    union all
    (select p.snapshot, t.commit_id, p.name, t.began_at, t.status, t.message
     from promotion p join promotion_step t on t.promotion_id = p.id and t.environment = $3
     where p.namespace = $1 and p.application = $2 and not exists (
       select from snapshot_commit c where c.namespace = $1 and c.application = $2 and c.environment = $3
         and c.promotion = p.name and c.promotion_id in ('', p.id) and (c.commit_id = t.commit_id or t.commit_id = ''))
     order by p.created_at desc, p.name limit $4)) arrived
  order by arrived.at desc, commit limit $4`;
