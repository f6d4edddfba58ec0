-- The history of a job, over all of its attempts. It is the same for every reader at any time, because events are
-- only ever added after those that could already be read.
--
-- An event's place is the token of a lease and a number under it. Most of a history is not stored but derived from
-- other rows, so a job that reports nothing has no row in event:
--
--   0, 0                    the job was submitted
--   token, 0                an attempt began
--   token, 1 …              reported by the worker, under the fence: the lease is locked meanwhile, so that
--                           the transaction that ends the attempt waits, and nothing is reported after it
--   token, 1000000000       the attempt ended
--   token, 1000000001 …     what happened to the job between two leases, by the transaction that held its row
--
-- Tokens grow from lease to lease. The beginning of an attempt is visible only once there is lasting evidence of it:
-- a lease that is given back before its handler began leaves no trace.

-- The events that are derived from other rows. An attempt that continues with another worker is reclaimed, whatever
-- its number.
CREATE OR REPLACE VIEW leasehold.job_milestone_v WITH (security_invoker = true) AS
SELECT job.tenant_id, job.id AS job_id, 0::bigint AS token, 0 AS number,
  leasehold.created_at(job.id) AS at, 'queued' AS kind, 0::smallint AS attempt, '{}'::json AS body
FROM leasehold.job

UNION ALL
SELECT began.tenant_id, began.id, began.token, 0, began.at,
  CASE WHEN (
      SELECT former.continues OR (former.status = 'lost' AND began.attempt > 1)
      FROM leasehold.attempt AS former
      WHERE former.tenant_id = began.tenant_id AND former.id = began.id
        AND former.token < began.token
      ORDER BY former.token DESC LIMIT 1)
    THEN 'reclaimed' ELSE 'started' END,
  began.attempt, '{}'::json
FROM (
  SELECT tenant_id, id, token, attempt, coalesce(started_at, ended_at) AS at FROM leasehold.attempt
  UNION ALL
  SELECT tenant_id, id, token, attempts, coalesce(attempt_started_at, started_at, finished_at)
  FROM leasehold.outcome WHERE token IS NOT NULL
  UNION ALL
  SELECT tenant_id, id, token, attempt, attempt_started_at
  FROM leasehold.lease WHERE handler_begun
) AS began

UNION ALL
SELECT tenant_id, id, token, 1000000000, ended_at,
  CASE WHEN status = 'lost' THEN 'worker_lost' WHEN status IN ('released', 'put_off') THEN status
    WHEN retry_at IS NOT NULL THEN 'retry_scheduled' ELSE status END,
  attempt,
  json_strip_nulls(json_build_object('error', error,
    'status', CASE WHEN retry_at IS NOT NULL AND status <> 'put_off' THEN status END,
    'retry_at',
    to_char(retry_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
FROM leasehold.attempt

UNION ALL
SELECT tenant_id, id, token, 1000000000, finished_at, status, attempts,
  json_strip_nulls(json_build_object('error', error))
FROM leasehold.outcome WHERE token IS NOT NULL;

CREATE OR REPLACE VIEW leasehold.job_event_v WITH (security_invoker = true) AS
SELECT tenant_id, job_id, token, number, at, kind, attempt, body FROM leasehold.job_milestone_v
UNION ALL
SELECT tenant_id, id, token, number, told_at, kind, attempt, body FROM leasehold.event;

-- A page of the history: up to "most" events after a place, of a job that the transaction may read.
--
-- This is a function because of its settings, and because the index has the reported events in the right order, so
-- that only one page of them is read. Only as many attempts are read as a page can show, because each has at least
-- one event.
--
-- Serves ReadEvents: event_has_its_place, and the keys of job, outcome, lease and attempt.
CREATE OR REPLACE FUNCTION leasehold.list_events(
    its_job uuid, after_token bigint, after_number int, most int)
  RETURNS TABLE (token bigint, number int, at timestamptz, kind text, attempt smallint, body json)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  tenants uuid[] := leasehold.readable_tenants();
  last_token bigint;
BEGIN
  PERFORM leasehold.refuse(leasehold.number_problem('most', most, 1, 1001));
  -- The attempt of the cursor may have no event left.
  last_token := coalesce((
    SELECT token FROM leasehold.attempt
    WHERE id = its_job AND tenant_id = ANY (tenants) AND token >= after_token
    ORDER BY token LIMIT 1 OFFSET most), 9223372036854775807);
  RETURN QUERY
    SELECT entry.token, entry.number, entry.at, entry.kind, entry.attempt, entry.body
    FROM (
      SELECT token, number, at, kind, attempt, body FROM leasehold.job_milestone_v
      WHERE job_id = its_job AND tenant_id = ANY (tenants)
        AND token >= after_token AND token <= last_token
        AND (token, number) > (after_token, after_number)
      UNION ALL
      (SELECT token, number, told_at, kind, attempt, body FROM leasehold.event
      WHERE id = its_job AND tenant_id = ANY (tenants)
        AND (token, number) > (after_token, after_number)
      ORDER BY token, number LIMIT most)) AS entry
    ORDER BY entry.token, entry.number LIMIT most;
END $$;

-- What a worker reports in one call: numbers, ages, and contents.
CREATE OR REPLACE FUNCTION leasehold.tellings(numbers int[], ages_ms bigint[], kinds text[], bodies json[])
  RETURNS TABLE (number int, age interval, kind text, body json)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT telling.number, telling.age_ms * interval '1 ms', telling.kind, telling.body
  FROM unnest(numbers, ages_ms, kinds, bodies) AS telling (number, age_ms, kind, body);
END;

-- The next place in the history of a job without a lease. The caller holds the job's row, so no place is used twice.
CREATE OR REPLACE FUNCTION leasehold.place_between(job_id uuid) RETURNS TABLE (token bigint, number int)
  LANGUAGE plpgsql STABLE ROWS 1
AS $$
BEGIN
  token := greatest(0,
    (SELECT max(attempt.token) FROM leasehold.attempt WHERE attempt.id = job_id),
    (SELECT max(event.token) FROM leasehold.event WHERE event.id = job_id));
  number := 1 + greatest(1000000000,
    (SELECT max(event.number) FROM leasehold.event WHERE event.id = job_id AND event.token = place_between.token));
  RETURN NEXT;
END $$;

-- The state of a job's tasks: the last event about each, from the events that the job reported about its tasks, in
-- the order of the plan; for a job that the transaction may read, and no more tasks than a plan may have. Any handler
-- may report events of this kind with any body, so bodies that do not describe a task are skipped. Texts with \u
-- escapes are skipped too, because PostgreSQL may not be able to convert them to text.
--
-- The tasks are those of the present plan: once an attempt has reported on as many tasks as its plan has ("of"),
-- tasks that it did not report are left out. Until then, for some milliseconds, they stay, so that a list never loses
-- a task that reappears.
--
-- Serves ReadTasks: event_of_tasks.
CREATE OR REPLACE FUNCTION leasehold.list_tasks(its_job uuid)
  RETURNS TABLE (task_id text, "position" int, status text, attempt smallint, at timestamptz,
    snapshot text, error text)
  LANGUAGE plpgsql STABLE ROWS 20
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT task.task_id, task.position, task.status, task.attempt, task.told_at, task.snapshot, task.error
    FROM (
      SELECT one.*, count(*) FILTER (WHERE one.token = one.newest) OVER () AS named,
        max(one.tasks) FILTER (WHERE one.token = one.newest) OVER () AS in_plan
      FROM (
        SELECT last.*, max(last.token) OVER () AS newest
        FROM (
          SELECT DISTINCT ON (word.task_id) word.*
          FROM (
            SELECT told.token, told.number, told.attempt, told.told_at,
              told.body ->> 'task_id' AS task_id, told.body ->> 'status' AS status,
              CASE WHEN told.body ->> 'position' ~ '^[0-9]{1,6}$'
                THEN (told.body ->> 'position')::int ELSE 0 END AS position,
              CASE WHEN told.body ->> 'of' ~ '^[0-9]{1,6}$'
                THEN (told.body ->> 'of')::int END AS tasks,
              left(told.body ->> 'snapshot', 200) AS snapshot,
              left(told.body ->> 'error', 8000) AS error
            FROM (
              SELECT event.token, event.number, event.attempt, event.told_at,
                CASE WHEN event.body::text !~ '(^|[^\\])(\\\\)*\\u'
                  AND json_typeof(event.body) = 'object' THEN event.body END AS body
              FROM leasehold.event
              WHERE event.id = its_job AND event.tenant_id = ANY (leasehold.readable_tenants())
                AND event.kind = 'task_status') AS told
          ) AS word
          WHERE word.task_id ~ '^[a-z0-9][a-z0-9_.-]{0,99}$'
            AND word.status IN ('pending', 'running', 'succeeded', 'skipped', 'failed', 'cancelled')
          ORDER BY word.task_id, word.token DESC, word.number DESC) AS last
      ) AS one
    ) AS task
    WHERE task.token = task.newest OR task.in_plan IS NULL OR task.named < task.in_plan
    ORDER BY task.position, task.task_id LIMIT 500;
END $$;

GRANT SELECT ON
  leasehold.job_milestone_v, leasehold.job_event_v TO leasehold_tenant;

GRANT EXECUTE ON FUNCTION
  leasehold.list_events(uuid,bigint,integer,integer), leasehold.list_tasks(uuid)
  TO leasehold_tenant;

GRANT EXECUTE ON FUNCTION
  leasehold.tellings(integer[],bigint[],text[],json[]), leasehold.place_between(uuid)
  TO leasehold_engine;
