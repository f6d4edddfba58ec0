-- What lists of jobs begin with: an index that has the wanted jobs in the order of their ids, the
-- newest last. How the jobs found there fare, the status view tells.

-- A tenant's jobs that are due later: those of others, be they millions, are not in the way. Whoever
-- looks one up knows its tenant.
ALTER TABLE leasehold.scheduled DROP CONSTRAINT scheduled_once;
ALTER TABLE leasehold.scheduled ADD CONSTRAINT scheduled_once PRIMARY KEY (tenant_id, id);

-- The newest jobs that the transaction may read and that are asked for; null asks for any. Ids are
-- bounded: from the first, to just before the last. An index gives one tenant's jobs in order, and
-- not those of many: each readable tenant is asked for its newest.
--
-- A function for its settings. The two conditions on the tenant, the statement's and the policy's,
-- have the planner expect next to no rows, and days to come are empty and cheap to read whole:
-- either way it would rather read and sort all of a tenant's jobs. And planning for all the days
-- takes longer than reading: it is done once in a session, for all values.
--
-- Serves ListJobs: job_by_correlation, outcome_by_status, lease_is_one_per_job, ready_in_turn (all
-- that the tenant has there), scheduled_once, and the key of job. What no index knows is asked job
-- by job, and in a scalar subquery: EXISTS could be planned as a table of all jobs.
CREATE FUNCTION leasehold.newest_jobs(its_status text, its_handler text, its_queue text,
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
            SELECT scheduled.tenant_id, scheduled.id FROM leasehold.scheduled) AS waiting
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
-- Serves ListJobs: the keys of all tables of the status view.
CREATE FUNCTION leasehold.list_jobs(its_status text, its_handler text, its_queue text,
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

GRANT EXECUTE ON FUNCTION
  leasehold.newest_jobs(text, text, text, text, uuid, uuid, integer),
  leasehold.list_jobs(text, text, text, text, uuid, uuid, integer)
  TO leasehold_tenant;
