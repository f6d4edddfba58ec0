-- The state of jobs, and lists of them. A list starts from an index that has the wanted jobs in the order of their
-- ids, and the status view adds the present state of these jobs.

-- What users see of a job: the table that its row is in, as one word, and never its input. Row level security of the
-- underlying tables applies to the caller.
--
-- The place of an unfinished job is looked up job by job, and is not looked up for an ended one: a join could be
-- planned as a scan of all waiting jobs for each job. Only the newest attempts are read, by attempt_ended_once and
-- attempt_with_error: tokens grow, and end times grow with them. An attempt that was given back has no error, and
-- hides none.
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

-- The newest jobs that match and that the transaction may read; NULL matches any. Ids range from the first,
-- inclusive, to the last, exclusive. An index has the jobs of one tenant in order, but not those of several, so each
-- readable tenant is queried for its newest jobs.
--
-- This is a function because of its settings. The tenant is in two conditions, the statement's and the policy's, so
-- the planner expects almost no rows. Partitions of future days are empty and look cheap to scan. For either reason
-- the planner would rather read and sort all of a tenant's jobs. Planning over all days also takes longer than
-- reading: it is done once per session, for all values.
--
-- Serves FindJobs: job_by_correlation, outcome_by_status, lease_is_one_per_job, ready_in_turn (all of the tenant's
-- rows there), scheduled_once, waiting_once, and the key of job. Conditions without an index are checked job by job,
-- in a scalar subquery: EXISTS could be planned as a hash of all jobs.
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
      SELECT tenant, newest.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT job.id FROM leasehold.job
        WHERE job.tenant_id = tenant AND job.correlation_id = its_correlation
          AND job.id >= first AND job.id < beyond
          AND (its_handler IS NULL OR job.handler_id = its_handler)
          AND (its_queue IS NULL OR job.queue = its_queue)
          AND (its_status IS NULL OR (SELECT seen.status = its_status
            FROM leasehold.job_status_v AS seen
            WHERE seen.tenant_id = job.tenant_id AND seen.job_id = job.id))
        ORDER BY job.id DESC LIMIT most) AS newest
      ORDER BY newest.id DESC LIMIT most;
  ELSIF its_status IS NULL THEN
    RETURN QUERY
      SELECT tenant, newest.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT job.id FROM leasehold.job
        WHERE job.tenant_id = tenant AND job.id >= first AND job.id < beyond
          AND (its_handler IS NULL OR job.handler_id = its_handler)
          AND (its_queue IS NULL OR job.queue = its_queue)
        ORDER BY job.id DESC LIMIT most) AS newest
      ORDER BY newest.id DESC LIMIT most;
  ELSIF its_status = 'queued' THEN
    RETURN QUERY
      SELECT tenant, newest.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
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
        ORDER BY waiting.id DESC LIMIT most) AS newest
      ORDER BY newest.id DESC LIMIT most;
  ELSIF its_status = 'running' THEN
    RETURN QUERY
      SELECT tenant, newest.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT lease.id FROM leasehold.lease
        WHERE lease.tenant_id = tenant AND lease.id >= first AND lease.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = lease.id))
        ORDER BY lease.id DESC LIMIT most) AS newest
      ORDER BY newest.id DESC LIMIT most;
  ELSE
    RETURN QUERY
      SELECT tenant, newest.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT outcome.id FROM leasehold.outcome
        WHERE outcome.tenant_id = tenant AND outcome.status = its_status
          AND outcome.id >= first AND outcome.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = outcome.id))
        ORDER BY outcome.id DESC LIMIT most) AS newest
      ORDER BY newest.id DESC LIMIT most;
  END IF;
END $$;

-- The state of the jobs in a list. Each is looked up separately, again with settings: with many readable tenants, the
-- days' indexes would look expensive to the planner.
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
    SELECT job.* FROM leasehold.newest_jobs(
      its_status, its_handler, its_queue, its_correlation, first, beyond, most) AS page
    CROSS JOIN LATERAL (
      SELECT * FROM leasehold.job_status_v AS seen
      WHERE seen.tenant_id = page.tenant_id AND seen.job_id = page.job_id
      LIMIT 1) AS job
    ORDER BY job.job_id DESC;
END $$;

GRANT SELECT ON
  leasehold.job_status_v TO leasehold_tenant, leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.newest_jobs(text,text,text,text,uuid,uuid,integer),
  leasehold.list_jobs(text,text,text,text,uuid,uuid,integer)
  TO leasehold_tenant;
