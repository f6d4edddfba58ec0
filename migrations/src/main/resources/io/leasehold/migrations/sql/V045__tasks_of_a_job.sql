-- How the tasks of a job fare: the last word about each, out of what the job told of its tasks. A page
-- of a job's history shows all of it; this is for whoever wants to know where it is.

-- Among all that a job told, which may be much: the log of a build.
CREATE INDEX event_of_tasks ON leasehold.event (id, tenant_id) WHERE kind = 'task_status';

-- In the order of the plan; those of a job that the transaction may read, and no more than a plan has.
--
-- Any handler may tell events of this kind, with any body: what is no word about a task is passed over.
-- Texts with \u escapes are as well, of which PostgreSQL may not be able to make a text.
--
-- Serves ReadTasks: event_of_tasks.
CREATE FUNCTION leasehold.list_tasks(its_job uuid)
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
      SELECT DISTINCT ON (word.task_id) word.*
      FROM (
        SELECT told.token, told.n, told.attempt, told.told_at,
          told.body ->> 'task_id' AS task_id, told.body ->> 'status' AS status,
          CASE WHEN told.body ->> 'position' ~ '^[0-9]{1,6}$'
            THEN (told.body ->> 'position')::int ELSE 0 END AS position,
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
      ORDER BY word.task_id, word.token DESC, word.n DESC) AS its
    ORDER BY its.position, its.task_id LIMIT 500;
END $$;

GRANT EXECUTE ON FUNCTION leasehold.list_tasks(uuid) TO leasehold_tenant;
