-- The tasks of a job are those of its plan as it is now: what an earlier attempt told of tasks that have
-- been renamed or taken out since is history, and no more a task that failed or is still to come.

-- As before; and once an attempt has told a word about as many tasks as its plan has (of), those that it
-- did not name are left out. Until then, some milliseconds, they stay: a list never loses what comes back.
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
    SELECT its.task_id, its.position, its.status, its.attempt, its.told_at, its.snapshot, its.error
    FROM (
      SELECT one.*, count(*) FILTER (WHERE one.token = one.newest) OVER () AS named,
        max(one.tasks) FILTER (WHERE one.token = one.newest) OVER () AS in_plan
      FROM (
        SELECT last.*, max(last.token) OVER () AS newest
        FROM (
          SELECT DISTINCT ON (word.task_id) word.*
          FROM (
            SELECT told.token, told.n, told.attempt, told.told_at,
              told.body ->> 'task_id' AS task_id, told.body ->> 'status' AS status,
              CASE WHEN told.body ->> 'position' ~ '^[0-9]{1,6}$'
                THEN (told.body ->> 'position')::int ELSE 0 END AS position,
              CASE WHEN told.body ->> 'of' ~ '^[0-9]{1,6}$'
                THEN (told.body ->> 'of')::int END AS tasks,
              left(told.body ->> 'snapshot', 200) AS snapshot,
              left(told.body ->> 'error', 8000) AS error
            FROM (
              SELECT event.token, event.n, event.attempt, event.told_at,
                CASE WHEN event.body::text !~ '(^|[^\\])(\\\\)*\\u'
                  AND json_typeof(event.body) = 'object' THEN event.body END AS body
              FROM leasehold.event
              WHERE event.id = its_job AND event.tenant_id = ANY (leasehold.readable_tenants())
                AND event.kind = 'task_status') AS told
          ) AS word
          WHERE word.task_id ~ '^[a-z0-9][a-z0-9_.-]{0,99}$'
            AND word.status IN ('pending', 'running', 'succeeded', 'skipped', 'failed', 'cancelled')
          ORDER BY word.task_id, word.token DESC, word.n DESC) AS last
      ) AS one
    ) AS its
    WHERE its.token = its.newest OR its.in_plan IS NULL OR its.named < its.in_plan
    ORDER BY its.position, its.task_id LIMIT 500;
END $$;
