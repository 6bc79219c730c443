-- The machine's own memory: who works on what, what is to be woken, what happened.
-- A step is two round trips here, begin_steps and finish_step; each is one function call, so that
-- lease, outbox, wake-up, step log and ledger are one transaction and one trip over the wire.

-- Who works under a serial key just now. Unlogged: taking and giving back a lease costs no disk flush, and
-- after a crash of the database an empty table is right, because finish_step refuses whoever lost their lease.
create unlogged table lease (
  key text primary key,
  holder text not null,
  until timestamptz not null
);

-- Knocks that wait to be served: the outbox and the pending knocks in one. A row stands from the commit that
-- decided it until the commit of the step that served it, so a message lost anywhere in between is sent again.
-- One row per function and subject: knocking at a door where somebody waits already only counts up `seq`.
create table knock (
  function text not null,
  subject text not null,
  id text not null,
  seq bigint not null default 1,
  -- sent: a message is on its way. marked: waits until the lease on its serial key is given back.
  -- aside: waits until its tenant has room again.
  state text not null check (state in ('sent', 'marked', 'aside')),
  type text not null,
  data jsonb not null,
  tenant text not null,
  serial_key text not null,
  cause text,
  correlation text,
  traceparent text,
  created_at timestamptz not null default clock_timestamp(),
  -- When the sweeper sends it (again) if nobody served it by then.
  due_at timestamptz not null,
  sends integer not null default 0,
  primary key (function, subject)
);
create index knock_due on knock (due_at);
create index knock_marked on knock (serial_key) where state = 'marked';
create index knock_aside on knock (tenant, created_at) where state = 'aside';

-- Everything that waits, with the reason and the end of its patience.
create table wakeup (
  function text not null,
  subject text not null,
  type text not null,
  data jsonb not null,
  tenant text not null,
  serial_key text not null,
  reason text not null,
  message text not null,
  blocked_on text,
  since timestamptz not null,
  due_at timestamptz not null,
  deadline timestamptz not null,
  cause text,
  correlation text,
  traceparent text,
  primary key (function, subject)
);
create index wakeup_due on wakeup (due_at);
create index wakeup_tenant on wakeup (tenant, subject);

-- The cluster revision up to which a function has looked at a subject. An event from before needs no run.
create table served (
  function text not null,
  subject text not null,
  version bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (function, subject)
) with (fillfactor = 80);

-- One row per handled message.
create table step_log (
  id text not null,
  at timestamptz not null default clock_timestamp(),
  function text not null,
  subject text not null,
  tenant text not null,
  type text not null,
  data jsonb not null,
  message_id text not null,
  cause text,
  correlation text,
  trace text,
  attempt integer not null,
  outcome text not null,
  reason text,
  next jsonb,
  effects jsonb not null,
  emitted jsonb not null,
  -- Messages for the same subject that this step served along with its own.
  covered integer not null,
  waited_ms integer,
  ms integer not null
) partition by range (at);
-- Every index here is paid for by every step, so there are three, and none for what the others can answer.
create index step_log_subject on step_log (subject, at);
create index step_log_correlation on step_log (correlation, at);
create index step_log_message on step_log (message_id);
-- By time and function, over days in the order they were written: a block range index costs next to nothing.
create index step_log_at on step_log using brin (at);

-- What happened to what, by which cause. Rows are never changed; whole days are dropped when their time is over.
create table ledger (
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  step text,
  actor text not null,
  subject text not null,
  tenant text not null,
  action text not null,
  details jsonb not null,
  cause text,
  correlation text
) partition by range (at);
create index ledger_subject on ledger (subject, at);
create index ledger_correlation on ledger (correlation, at);

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_is_append_only before update or delete on ledger
  for each row execute function ledger_is_append_only();

-- A schedule fires once for each slot, however many hosts tick.
create table tick (
  schedule text not null,
  slot timestamptz not null,
  primary key (schedule, slot)
);

-- Rows of a day that has no partition yet go here: a late clean-up never stops a step.
create table step_log_default partition of step_log default;
create table ledger_default partition of ledger default;

-- Makes the partitions of the coming days and drops those older than the retention. Returns what it dropped.
create function keep_partitions(parent text, keep_days integer, ahead_days integer) returns setof text language plpgsql as $$
declare
  day date;
  child text;
begin
  for day in select generate_series(current_date, current_date + ahead_days, interval '1 day')::date loop
    child := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
    continue when to_regclass(child) is not null;
    begin
      execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent, day, day + 1);
    exception when check_violation then
      -- The default partition holds rows of that day already: it keeps them, and the day.
      null;
    end;
  end loop;
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < current_date - keep_days
  loop
    execute format('drop table %I', child);
    return next child;
  end loop;
end $$;

-- The data of a knock that another one joins. It keeps a version only if both have one, and then the later: whoever
-- observed that has served both.
create function joined_data(one jsonb, other jsonb) returns jsonb language sql immutable as $$
  select case
    when one ? 'version' and other ? 'version' then
      case when (other->>'version')::bigint > (one->>'version')::bigint then other else one end
    else one - 'version'
  end
$$;

-- Takes the leases of serial keys and says for each message, by its place in the array, whether there is anything to do:
--   go      the lease is ours; `pending` is the seq of the knock row that this step serves, if there is one,
--           and `waiting` what the subject has waited for until now
--   served  somebody observed later than this message, or its row is gone: nothing to do
--   busy    somebody works under that key; a mark is left, and whoever gives the lease back sends it
-- All leases come before all marks, and each in order: two who begin and finish at once never wait in a circle.
create function begin_steps(requests jsonb) returns table (place integer, state text, pending bigint, waiting jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  seen text[];
  taken text[];
  gone text[];
begin
  select coalesce(array_agg(r->>'step'), '{}') into seen from jsonb_array_elements(requests) r
  join served v on v.function = r->>'function' and v.subject = r->>'subject'
  where v.version >= (r->>'version')::bigint;

  -- The conflicting row is locked even where it is not taken over. The holder's finish_step therefore waits for our
  -- mark before it gives the lease back, and sees it: no knock falls between the two.
  with leased as (
    insert into lease as l (key, holder, until)
    select distinct on (r->>'key') r->>'key', r->>'step', clock_timestamp() + make_interval(secs => (r->>'lease_seconds')::double precision)
    from jsonb_array_elements(requests) r where not (r->>'step' = any (seen)) order by r->>'key'
    on conflict (key) do update set holder = excluded.holder, until = excluded.until
    where l.until < clock_timestamp() or l.holder = excluded.holder
    returning l.holder)
  select coalesce(array_agg(holder), '{}') into taken from leased;

  if cardinality(taken) + cardinality(seen) < jsonb_array_length(requests) then
    insert into knock as k (function, subject, id, state, type, data, tenant, serial_key, cause, correlation, traceparent, due_at)
    select distinct on (r->>'function', r->>'subject')
           r->>'function', r->>'subject', m->>'id', 'marked', m->>'type', m->'data', m->>'tenant', r->>'key',
           m->>'cause', m->>'correlation', m->>'traceparent',
           clock_timestamp() + make_interval(secs => (r->>'lease_seconds')::double precision)
    from jsonb_array_elements(requests) r, jsonb_extract_path(r, 'message') m
    where not (r->>'step' = any (seen)) and not (r->>'step' = any (taken))
    order by r->>'function', r->>'subject', (r->>'version')::bigint desc nulls first
    on conflict (function, subject) do update
      set state = 'marked', seq = k.seq + 1, due_at = excluded.due_at, data = joined_data(k.data, excluded.data);
  end if;

  select coalesce(array_agg(r->>'step'), '{}') into gone from jsonb_array_elements(requests) r
  where (r->>'from_row')::boolean and r->>'step' = any (taken)
    and not exists (select from knock k where k.function = r->>'function' and k.subject = r->>'subject');
  if cardinality(gone) > 0 then
    delete from lease l using jsonb_array_elements(requests) r
    where l.key = r->>'key' and l.holder = r->>'step' and r->>'step' = any (gone);
  end if;

  return query
  select (r.place - 1)::integer,
    case when r.it->>'step' = any (seen) or r.it->>'step' = any (gone) then 'served'
         when r.it->>'step' = any (taken) then 'go' else 'busy' end,
    k.seq,
    case when w.function is not null then
      jsonb_build_object('reason', w.reason, 'since', extract(epoch from w.since) * 1000, 'deadline', extract(epoch from w.deadline) * 1000)
    end
  from jsonb_array_elements(requests) with ordinality r (it, place)
  left join knock k on k.function = r.it->>'function' and k.subject = r.it->>'subject'
  left join wakeup w on w.function = r.it->>'function' and w.subject = r.it->>'subject';
end $$;

-- Ends a step: gives back the lease, and in the same transaction writes what it leaves behind.
-- Raises SC409 where the lease was lost: then somebody else works under the key, and nothing of this step counts.
create function finish_step(s jsonb, resend_seconds double precision) returns jsonb language plpgsql as $$
declare
  fn text := s->>'function';
  subj text := s->>'subject';
  -- One moment for the whole step: what is equal must stay equal.
  moment timestamptz := clock_timestamp();
  to_send jsonb := '[]';
  more jsonb;
begin
  if s ? 'key' then
    delete from lease l where l.key = s->>'key' and l.holder = s->>'id';
    if not found then
      raise exception 'the lease on % was lost', s->>'key' using errcode = 'SC409';
    end if;
  end if;

  -- The row this step has served goes. If somebody knocked meanwhile it stays, as a knock that nobody has answered.
  if s ? 'pending' then
    if (s->>'done')::boolean or (s->>'buried')::boolean then
      delete from knock k where k.function = fn and k.subject = subj and k.seq = (s->>'pending')::bigint;
      if not found then
        update knock k set id = gen_random_uuid()::text, seq = 1, state = 'sent', sends = k.sends + 1,
                           due_at = moment + make_interval(secs => resend_seconds)
        where k.function = fn and k.subject = subj
        returning jsonb_build_array(to_jsonb(k)) into more;
        to_send := to_send || coalesce(more, '[]');
      end if;
    else
      -- Put off: the runtime sends the message again by itself, the sweeper only if that got lost too.
      update knock k set due_at = moment + make_interval(secs => resend_seconds + coalesce((s->>'retry_seconds')::double precision, 0))
      where k.function = fn and k.subject = subj;
    end if;
  end if;

  if jsonb_array_length(s->'knocks') > 0 then
    with added as (
      insert into knock as k (function, subject, id, state, type, data, tenant, serial_key, cause, correlation, traceparent, due_at, sends)
      select n.function, n.subject, n.id, 'sent', n.type, n.data, n.tenant, n.serial_key, n.cause, n.correlation, n.traceparent,
             moment + make_interval(secs => resend_seconds), 1
      from jsonb_to_recordset(s->'knocks') as n (function text, subject text, id text, type text, data jsonb, tenant text,
                                                 serial_key text, cause text, correlation text, traceparent text)
      -- Always in the same order: two steps that knock at the same doors must not wait for each other in a circle.
      order by n.function, n.subject
      on conflict (function, subject) do update set seq = k.seq + 1, data = joined_data(k.data, excluded.data)
      returning k.id, k.seq)
    -- The caller knows what it gave; which of them are new, and so are to be sent, only their ids can tell.
    select to_send || coalesce(jsonb_agg(jsonb_build_object('id', a.id)), '[]') into to_send from added a where a.seq = 1;
  end if;

  if (s->>'done')::boolean then
    if s ? 'wakeup' then
      insert into wakeup as w (function, subject, type, data, tenant, serial_key, reason, message, blocked_on, since, due_at, deadline, cause, correlation, traceparent)
      values (fn, subj, s->>'type', s->'data', s->>'tenant', s->>'serial_key', s->'wakeup'->>'reason', s->'wakeup'->>'message',
              s->'wakeup'->>'blocked_on', moment,
              moment + make_interval(secs => (s->'wakeup'->>'after_seconds')::double precision),
              moment + make_interval(secs => (s->'wakeup'->>'deadline_seconds')::double precision),
              s->>'message_id', s->>'correlation', s->>'traceparent')
      on conflict (function, subject) do update set
        reason = excluded.reason, message = excluded.message, blocked_on = excluded.blocked_on, due_at = excluded.due_at,
        type = excluded.type, data = excluded.data, serial_key = excluded.serial_key,
        cause = excluded.cause, correlation = excluded.correlation, traceparent = excluded.traceparent,
        -- The patience for one reason runs from the first time it was given.
        since = case when w.reason = excluded.reason then w.since else excluded.since end,
        deadline = case when w.reason = excluded.reason then least(w.deadline, w.since + (excluded.deadline - excluded.since)) else excluded.deadline end;
    else
      delete from wakeup w where w.function = fn and w.subject = subj;
    end if;

    if s ? 'version' then
      insert into served as v (function, subject, version) values (fn, subj, (s->>'version')::bigint)
      on conflict (function, subject) do update set version = excluded.version, at = excluded.at where v.version < excluded.version;
    end if;
  end if;

  insert into step_log (id, function, subject, tenant, type, data, message_id, cause, correlation, trace, attempt, outcome, reason, next, effects, emitted, covered, waited_ms, ms)
  values (s->>'id', fn, subj, s->>'tenant', s->>'type', s->'data', s->>'message_id', s->>'cause', s->>'correlation', s->>'traceparent',
          (s->>'attempt')::integer, s->>'outcome', s->>'reason', s->'next', s->'effects', s->'emitted', (s->>'covered')::integer,
          (s->>'waited_ms')::integer, (s->>'ms')::integer);

  if (s->>'done')::boolean and jsonb_array_length(s->'effects') > 0 then
    insert into ledger (step, actor, subject, tenant, action, details, cause, correlation)
    select s->>'id', fn, subj, s->>'tenant', e->>'do', e - 'do', s->>'message_id', s->>'correlation'
    from jsonb_array_elements(s->'effects') e;
  end if;

  -- Who came while we worked under this key left a mark; now there is room for them. Those who only bring what has been
  -- observed meanwhile have nothing to come for.
  if s ? 'key' and exists (select from knock k where k.serial_key = s->>'key' and k.state = 'marked') then
    delete from knock k using served v
    where k.serial_key = s->>'key' and k.state = 'marked' and k.data ? 'version'
      and v.function = k.function and v.subject = k.subject and v.version >= (k.data->>'version')::bigint;
    with freed as (
      update knock k set state = 'sent', sends = k.sends + 1, due_at = moment + make_interval(secs => resend_seconds)
      where k.serial_key = s->>'key' and k.state = 'marked' returning to_jsonb(k) as row)
    select jsonb_agg(row) into more from freed;
    to_send := to_send || coalesce(more, '[]');
  end if;
  return to_send;
end $$;

-- Puts knocks of a tenant that has had its share aside: they wait in rows instead of in everybody's way.
create function put_aside(knocks jsonb) returns void language sql as $$
  insert into knock as k (function, subject, id, state, type, data, tenant, serial_key, cause, correlation, traceparent, due_at)
  select distinct on (n.function, n.subject)
         n.function, n.subject, n.id, 'aside', n.type, n.data, n.tenant, n.serial_key, n.cause, n.correlation, n.traceparent,
         clock_timestamp() + interval '5 minutes'
  from jsonb_to_recordset(knocks) as n (function text, subject text, id text, type text, data jsonb, tenant text,
                                        serial_key text, cause text, correlation text, traceparent text)
  -- Of several for one look in one call: the one without a version, else the latest.
  order by n.function, n.subject, (n.data->>'version')::bigint desc nulls first
  on conflict (function, subject) do update
    set seq = k.seq + 1, state = 'aside', due_at = excluded.due_at, data = joined_data(k.data, excluded.data);
$$;

-- Takes the oldest knocks that a tenant has aside. Whoever takes them runs them; if it dies, the sweeper sends them.
create function take_aside(of_tenant text, functions text[], most integer, resend_seconds double precision) returns setof knock language sql as $$
  update knock k set state = 'sent', sends = k.sends + 1, due_at = clock_timestamp() + make_interval(secs => resend_seconds)
  where (k.function, k.subject) in (
    select c.function, c.subject from knock c
    where c.state = 'aside' and c.tenant = of_tenant and c.function = any (functions)
    order by c.created_at limit most for update skip locked)
  returning k.*;
$$;

-- What is due and has nobody on its way to it: wake-ups knock, and knocks that got lost are sent again, later each time.
-- A wake-up stays until a step has settled its subject: it knows since when that waits, and until when.
create function take_due(most integer, resend_seconds double precision) returns setof knock language plpgsql as $$
begin
  with due as (
    update wakeup w set due_at = clock_timestamp() + interval '10 minutes' where (w.function, w.subject) in (
      select d.function, d.subject from wakeup d where d.due_at <= clock_timestamp() order by d.due_at limit most for update skip locked)
    returning w.*)
  insert into knock as k (function, subject, id, state, type, data, tenant, serial_key, cause, correlation, traceparent, due_at)
  select d.function, d.subject, gen_random_uuid()::text, 'sent', d.type, d.data, d.tenant, d.serial_key, d.cause, d.correlation, d.traceparent, clock_timestamp()
  from due d order by d.function, d.subject
  on conflict (function, subject) do update set seq = k.seq + 1, data = k.data - 'version';

  return query
    update knock k set state = 'sent', sends = k.sends + 1,
      due_at = clock_timestamp() + make_interval(secs => resend_seconds * 2 ^ least(k.sends, 5))
    where (k.function, k.subject) in (
      select d.function, d.subject from knock d where d.due_at <= clock_timestamp() order by d.due_at limit most for update skip locked)
    returning k.*;
end $$;

-- A store's write that touched another number of rows than it saw: somebody wrote first.
create function expect_rows(actual bigint, expected bigint) returns void language plpgsql as $$
begin
  if actual <> expected then
    raise exception '% rows were written where % were expected', actual, expected using errcode = 'SC409';
  end if;
end $$;
