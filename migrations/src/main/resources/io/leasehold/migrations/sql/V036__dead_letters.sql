-- Dead letters: jobs that failed or timed out for good. What lists them reads as its caller may,
-- under row level security; what changes them touches the own tenant's only.

-- A page of those that the transaction may read, the newest first, as list_jobs has it; null asks
-- for both kinds.
CREATE FUNCTION leasehold.list_dead(its_status text, its_handler text, its_queue text,
    its_correlation text, first uuid, beyond uuid, most integer)
  RETURNS SETOF leasehold.job_status_v
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT * FROM (
      SELECT * FROM leasehold.list_jobs(
        'failed', its_handler, its_queue, its_correlation, first, beyond, most)
      WHERE its_status IS DISTINCT FROM 'timed_out'
      UNION ALL
      SELECT * FROM leasehold.list_jobs(
        'timed_out', its_handler, its_queue, its_correlation, first, beyond, most)
      WHERE its_status IS DISTINCT FROM 'failed') AS its
    ORDER BY its.job_id DESC LIMIT most;
END $$;

-- The same of the own tenant alone, and no more of them than their ids and queues.
--
-- Serves retries and removals of many: outcome_by_status, and the key of job. Its settings are those
-- of newest_jobs, for the same reason.
CREATE FUNCTION leasehold.own_dead(its_status text, its_handler text, its_queue text,
    its_correlation text, first uuid, beyond uuid, most integer)
  RETURNS TABLE (job_id uuid, queue text)
  LANGUAGE plpgsql STABLE ROWS 500
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  RETURN QUERY
    SELECT its.id, its.queue FROM unnest(ARRAY['failed', 'timed_out']) AS kind
    CROSS JOIN LATERAL (
      SELECT outcome.id, job.queue FROM leasehold.outcome
      JOIN leasehold.job ON job.tenant_id = tenant AND job.id = outcome.id
      WHERE outcome.tenant_id = tenant AND outcome.status = kind
        AND outcome.id >= first AND outcome.id < beyond
        AND (its_handler IS NULL OR job.handler_id = its_handler)
        AND (its_queue IS NULL OR job.queue = its_queue)
        AND (its_correlation IS NULL OR job.correlation_id = its_correlation)
      ORDER BY outcome.id DESC LIMIT most) AS its
    WHERE its_status IS NULL OR kind = its_status
    ORDER BY its.id DESC LIMIT most;
END $$;

-- How many there are that the transaction may read. Reads each of them.
CREATE FUNCTION leasehold.count_dead()
  RETURNS TABLE (tenant_id uuid, handler_id text, status text, jobs bigint)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT outcome.tenant_id, job.handler_id, outcome.status, count(*)
    FROM leasehold.outcome
    JOIN leasehold.job ON job.tenant_id = outcome.tenant_id AND job.id = outcome.id
    WHERE outcome.tenant_id = ANY (leasehold.readable_tenants())
      AND outcome.status IN ('failed', 'timed_out')
    GROUP BY outcome.tenant_id, job.handler_id, outcome.status
    ORDER BY outcome.tenant_id, job.handler_id, outcome.status;
END $$;

-- Locks a dead letter of the own tenant, and answers whether it is one still.
CREATE FUNCTION leasehold.hold_dead(job_id uuid) RETURNS boolean
  LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM FROM leasehold.outcome
  WHERE tenant_id = leasehold.own_tenant() AND id = job_id AND status IN ('failed', 'timed_out')
  FOR UPDATE;
  RETURN FOUND;
END $$;

-- Queues those of the jobs anew that are dead letters of the own tenant, and answers them. In the
-- order of their ids, so that two who do it to the same ones wait and do not deadlock.
CREATE FUNCTION leasehold.retry_all(job_ids uuid[]) RETURNS TABLE (job_id uuid)
  LANGUAGE plpgsql ROWS 500
AS $$
#variable_conflict use_column
BEGIN
  FOR job_id IN SELECT DISTINCT id FROM unnest(job_ids) AS id ORDER BY id DESC LOOP
    IF leasehold.hold_dead(job_id) AND (SELECT became FROM leasehold.retry(job_id)) THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Removes those of the jobs that are dead letters of the own tenant, and answers them.
CREATE FUNCTION leasehold.discard_all(job_ids uuid[]) RETURNS TABLE (job_id uuid)
  LANGUAGE plpgsql ROWS 500
AS $$
#variable_conflict use_column
BEGIN
  FOR job_id IN SELECT DISTINCT id FROM unnest(job_ids) AS id ORDER BY id DESC LOOP
    IF leasehold.hold_dead(job_id) AND (SELECT answer FROM leasehold.delete(job_id)) = 'deleted' THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.hold_dead(uuid)', 'leasehold.retry_all(uuid[])', 'leasehold.discard_all(uuid[])'
]::regprocedure[]) AS its;

GRANT EXECUTE ON FUNCTION
  leasehold.list_dead(text, text, text, text, uuid, uuid, integer),
  leasehold.own_dead(text, text, text, text, uuid, uuid, integer),
  leasehold.count_dead(), leasehold.retry_all(uuid[]), leasehold.discard_all(uuid[])
  TO leasehold_tenant;
