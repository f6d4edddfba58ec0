-- The state of jobs, and lists of them. A list begins with an index that has the wanted jobs in the order of their
-- ids, the newest last; how the jobs found there fare, the status view tells.

-- What people see of a job: where its row is, in one word, and never its input. Row level security of the tables
-- beneath applies to whoever asks.
--
-- Where an unfinished job is, is asked job by job, and of an ended one not at all: a join could be planned as a scan of
-- all that wait, once for each job. Of the attempts only the newest are read, by attempt_ended_once and
-- attempt_with_error: their tokens grow, and so do their ends. A given back attempt, which failed with nothing, hides
-- no error.
CREATE OR REPLACE VIEW leasehold.job_status_v WITH (security_invoker = true) AS
SELECT job.tenant_id, job.id AS job_id, job.handler_id,
  CASE
    WHEN outcome.id IS NOT NULL THEN outcome.status
    WHEN lease.id IS NOT NULL THEN 'running'
    ELSE 'queued'
  END AS status,
  job.correlation_id, job.queue, job.priority,
  coalesce(outcome.attempts, lease.attempt, ready.attempts, scheduled.attempts, waiting.attempts)
    AS attempts,
  job.max_attempts,
  progress.percent AS progress, progress.note AS progress_note,
  leasehold.created_at(job.id) AS created_at,
  coalesce(ready.available_at, scheduled.available_at, waiting.available_at) AS available_at,
  coalesce(outcome.started_at, lease.started_at, ready.started_at, scheduled.started_at,
    waiting.started_at) AS started_at,
  outcome.finished_at,
  greatest(leasehold.created_at(job.id), ready.available_at, lease.attempt_started_at,
    outcome.finished_at, progress.updated_at, CASE WHEN outcome.id IS NULL THEN (
      SELECT ended_at FROM leasehold.attempt
      WHERE attempt.tenant_id = job.tenant_id AND attempt.id = job.id
      ORDER BY token DESC LIMIT 1) END) AS updated_at,
  CASE WHEN outcome.id IS NULL THEN (
    SELECT error FROM leasehold.attempt
    WHERE attempt.tenant_id = job.tenant_id AND attempt.id = job.id
      AND attempt.status NOT IN ('released', 'put_off')
    ORDER BY token DESC LIMIT 1) ELSE outcome.error END AS last_error
FROM leasehold.job
LEFT JOIN leasehold.outcome ON outcome.tenant_id = job.tenant_id AND outcome.id = job.id
LEFT JOIN LATERAL (
  SELECT lease.id, attempt, started_at, attempt_started_at FROM leasehold.lease
  WHERE lease.tenant_id = job.tenant_id AND lease.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS lease ON true
LEFT JOIN LATERAL (
  SELECT attempts, available_at, started_at FROM leasehold.ready
  WHERE ready.queue = job.queue AND ready.tenant_id = job.tenant_id
    AND ready.priority = job.priority AND ready.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS ready ON true
LEFT JOIN LATERAL (
  SELECT attempts, available_at, started_at FROM leasehold.scheduled
  WHERE scheduled.tenant_id = job.tenant_id AND scheduled.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS scheduled ON true
LEFT JOIN LATERAL (
  SELECT attempts, available_at, started_at FROM leasehold.waiting
  WHERE waiting.tenant_id = job.tenant_id AND waiting.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS waiting ON true
LEFT JOIN leasehold.progress ON progress.tenant_id = job.tenant_id AND progress.id = job.id;

-- The newest jobs that the transaction may read and that are asked for; NULL asks for any. Ids are bounded: from the
-- first, to just before the last. An index gives one tenant's jobs in order, and not those of many: each readable
-- tenant is asked for its newest.
--
-- A function for its settings. The two conditions on the tenant, the statement's and the policy's, have the planner
-- expect next to no rows, and days to come are empty and cheap to read whole: either way it would rather read and sort
-- all of a tenant's jobs. And planning for all the days takes longer than reading: it is done once in a session, for
-- all values.
--
-- Serves FindJobs: job_by_correlation, outcome_by_status, lease_is_one_per_job, ready_in_turn (all that the tenant has
-- there), scheduled_once, waiting_once, and the key of job. What no index knows is asked job by job, and in a scalar
-- subquery: EXISTS could be planned as a table of all jobs.
CREATE OR REPLACE FUNCTION leasehold.newest_jobs(its_status text, its_handler text, its_queue text,
    its_correlation text, first uuid, beyond uuid, most integer)
  RETURNS TABLE (tenant_id uuid, job_id uuid)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  tenants uuid[] := leasehold.readable_tenants();
BEGIN
  PERFORM leasehold.refuse(leasehold.number_problem('most', most, 1, 1001));
  IF its_correlation IS NOT NULL THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT job.id FROM leasehold.job
        WHERE job.tenant_id = tenant AND job.correlation_id = its_correlation
          AND job.id >= first AND job.id < beyond
          AND (its_handler IS NULL OR job.handler_id = its_handler)
          AND (its_queue IS NULL OR job.queue = its_queue)
          AND (its_status IS NULL OR (SELECT seen.status = its_status
            FROM leasehold.job_status_v AS seen
            WHERE seen.tenant_id = job.tenant_id AND seen.job_id = job.id))
        ORDER BY job.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSIF its_status IS NULL THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT job.id FROM leasehold.job
        WHERE job.tenant_id = tenant AND job.id >= first AND job.id < beyond
          AND (its_handler IS NULL OR job.handler_id = its_handler)
          AND (its_queue IS NULL OR job.queue = its_queue)
        ORDER BY job.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSIF its_status = 'queued' THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT waiting.id FROM (
            SELECT ready.tenant_id, ready.id FROM leasehold.ready
            UNION ALL
            SELECT scheduled.tenant_id, scheduled.id FROM leasehold.scheduled
            UNION ALL
            SELECT waiting.tenant_id, waiting.id FROM leasehold.waiting) AS waiting
        WHERE waiting.tenant_id = tenant AND waiting.id >= first AND waiting.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = waiting.id))
        ORDER BY waiting.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSIF its_status = 'running' THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT lease.id FROM leasehold.lease
        WHERE lease.tenant_id = tenant AND lease.id >= first AND lease.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = lease.id))
        ORDER BY lease.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSE
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT outcome.id FROM leasehold.outcome
        WHERE outcome.tenant_id = tenant AND outcome.status = its_status
          AND outcome.id >= first AND outcome.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = outcome.id))
        ORDER BY outcome.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  END IF;
END $$;

-- How they fare. Each is looked up by itself, and again with settings: the tenants of a caller who
-- may read many would make the days' indexes look dear.
--
-- Serves FindJobs: the keys of all tables of the status view.
CREATE OR REPLACE FUNCTION leasehold.list_jobs(its_status text, its_handler text, its_queue text,
    its_correlation text, first uuid, beyond uuid, most integer)
  RETURNS SETOF leasehold.job_status_v
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
  RETURN QUERY
    SELECT its.* FROM leasehold.newest_jobs(
      its_status, its_handler, its_queue, its_correlation, first, beyond, most) AS page
    CROSS JOIN LATERAL (
      SELECT * FROM leasehold.job_status_v AS seen
      WHERE seen.tenant_id = page.tenant_id AND seen.job_id = page.job_id
      LIMIT 1) AS its
    ORDER BY its.job_id DESC;
END $$;

GRANT SELECT ON
  leasehold.job_status_v TO leasehold_tenant, leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.newest_jobs(text,text,text,text,uuid,uuid,integer),
  leasehold.list_jobs(text,text,text,text,uuid,uuid,integer)
  TO leasehold_tenant;
