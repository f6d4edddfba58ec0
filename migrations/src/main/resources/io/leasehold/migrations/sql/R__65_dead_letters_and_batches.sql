-- Dead letters (jobs that failed or timed out for good) and batches. Functions that list them read with the caller's
-- rights, under row level security; functions that change them affect only the own tenant's jobs.

-- A page of the dead letters that the transaction may read, newest first, like list_jobs; NULL matches both statuses.
CREATE OR REPLACE FUNCTION leasehold.list_dead(its_status text, its_handler text, its_queue text,
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
      WHERE its_status IS DISTINCT FROM 'failed') AS dead
    ORDER BY dead.job_id DESC LIMIT most;
END $$;

-- The same for the own tenant only, and only the ids and queues.
--
-- Serves bulk retries and bulk removals: outcome_by_status, and the key of job. Its settings are those of
-- newest_jobs, for the same reason.
CREATE OR REPLACE FUNCTION leasehold.own_dead(its_status text, its_handler text, its_queue text,
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
  PERFORM leasehold.refuse(leasehold.number_problem('most', most, 1, 1001));
  RETURN QUERY
    SELECT dead.id, dead.queue FROM unnest(ARRAY['failed', 'timed_out']) AS kind
    CROSS JOIN LATERAL (
      SELECT outcome.id, job.queue FROM leasehold.outcome
      JOIN leasehold.job ON job.tenant_id = tenant AND job.id = outcome.id
      WHERE outcome.tenant_id = tenant AND outcome.status = kind
        AND outcome.id >= first AND outcome.id < beyond
        AND (its_handler IS NULL OR job.handler_id = its_handler)
        AND (its_queue IS NULL OR job.queue = its_queue)
        AND (its_correlation IS NULL OR job.correlation_id = its_correlation)
      ORDER BY outcome.id DESC LIMIT most) AS dead
    WHERE its_status IS NULL OR kind = its_status
    ORDER BY dead.id DESC LIMIT most;
END $$;

-- The number of dead letters that the transaction may read. Reads each of them.
CREATE OR REPLACE FUNCTION leasehold.count_dead()
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

-- Locks a dead letter of the own tenant, and returns whether it still is one.
CREATE OR REPLACE FUNCTION leasehold.hold_dead(job_id uuid) RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM leasehold.outcome
  WHERE tenant_id = leasehold.own_tenant() AND id = job_id AND status IN ('failed', 'timed_out')
  FOR UPDATE;
  RETURN FOUND;
END $$;

-- Queues the given jobs that are dead letters of the own tenant again, and returns them. In the order of their ids,
-- so that two calls with the same jobs wait for each other instead of deadlocking.
CREATE OR REPLACE FUNCTION leasehold.retry_all(job_ids uuid[]) RETURNS TABLE (job_id uuid)
  LANGUAGE plpgsql ROWS 500
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.array_problem('job_ids', job_ids, 1000));
  FOR job_id IN SELECT DISTINCT id FROM unnest(job_ids) AS id ORDER BY id DESC LOOP
    IF leasehold.hold_dead(job_id) AND (SELECT became FROM leasehold.retry(job_id)) THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Removes the given jobs that are dead letters of the own tenant, and returns them.
CREATE OR REPLACE FUNCTION leasehold.discard_all(job_ids uuid[]) RETURNS TABLE (job_id uuid)
  LANGUAGE plpgsql ROWS 500
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.array_problem('job_ids', job_ids, 1000));
  FOR job_id IN SELECT DISTINCT id FROM unnest(job_ids) AS id ORDER BY id DESC LOOP
    IF leasehold.hold_dead(job_id) AND (SELECT answer FROM leasehold.delete(job_id)) = 'deleted' THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Adds the tenant's own jobs to a batch, or to a new one if none is named; jobs that are already in it stay as they
-- are. Returns the batch.
CREATE OR REPLACE FUNCTION leasehold.add_to_batch(batch uuid, job_ids uuid[], callback boolean)
  RETURNS TABLE (batch_id uuid)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.array_problem('job_ids', job_ids, 1000),
    CASE WHEN callback IS NULL THEN 'callback must be true or false, not NULL' END));
  batch_id := coalesce(batch, leasehold.new_id());
  INSERT INTO leasehold.batch_job (tenant_id, id, batch_id, is_callback)
  SELECT DISTINCT tenant, member.id, add_to_batch.batch_id, callback
  FROM unnest(job_ids) AS member (id)
  WHERE (SELECT true FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = member.id)
  ON CONFLICT DO NOTHING;
  RETURN NEXT;
END $$;

-- How many jobs of a batch are in which state; nothing for a batch that the transaction may not read. Reads each job.
-- The callback has a row of its own, and does not count as a job.
--
-- Serves FindBatch: batch_job_of_batch, and the keys of outcome and lease.
CREATE OR REPLACE FUNCTION leasehold.find_batch(batch uuid)
  RETURNS TABLE (status text, jobs bigint, callback uuid)
  LANGUAGE plpgsql STABLE ROWS 7
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT member.status, count(*), member.callback
    FROM (
      SELECT coalesce((
          SELECT outcome.status FROM leasehold.outcome
          WHERE outcome.tenant_id = batch_job.tenant_id AND outcome.id = batch_job.id), (
          SELECT 'running' FROM leasehold.lease
          WHERE lease.tenant_id = batch_job.tenant_id AND lease.id = batch_job.id), 'queued')
          AS status,
        CASE WHEN batch_job.is_callback THEN batch_job.id END AS callback
      FROM leasehold.batch_job
      WHERE batch_job.tenant_id = ANY (leasehold.readable_tenants())
        AND batch_job.batch_id = batch) AS member
    GROUP BY member.status, member.callback;
END $$;

-- Cancels the next unfinished jobs of a batch of the own tenant, after an id, up to a number of jobs, for about five
-- seconds: each of them may have a thousand dependents, which fail with it. Returns the jobs that it processed, and
-- the result for each.
CREATE OR REPLACE FUNCTION leasehold.cancel_batch(
    batch uuid, after_id uuid, most integer, principal text)
  RETURNS TABLE (job_id uuid, status text, became boolean)
  LANGUAGE plpgsql ROWS 500
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  until timestamptz := clock_timestamp() + interval '5 s';
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.principal_problem(principal), leasehold.number_problem('most', most, 1, 1000)));
  FOR job_id IN
    SELECT id FROM leasehold.batch_job
    WHERE tenant_id = tenant AND batch_id = batch AND id > after_id AND NOT is_callback
    ORDER BY tenant_id, batch_id, id LIMIT most
  LOOP
    SELECT cancelled.status, cancelled.became INTO status, became
    FROM leasehold.cancel(job_id, principal, false) AS cancelled;
    became := became IS TRUE;
    RETURN NEXT;
    EXIT WHEN clock_timestamp() > until;
  END LOOP;
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.hold_dead(uuid)', 'leasehold.retry_all(uuid[])', 'leasehold.discard_all(uuid[])',
  'leasehold.add_to_batch(uuid,uuid[],boolean)', 'leasehold.cancel_batch(uuid,uuid,integer,text)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.list_dead(text,text,text,text,uuid,uuid,integer),
  leasehold.own_dead(text,text,text,text,uuid,uuid,integer), leasehold.count_dead(),
  leasehold.retry_all(uuid[]), leasehold.discard_all(uuid[]), leasehold.add_to_batch(uuid,uuid[],boolean),
  leasehold.find_batch(uuid), leasehold.cancel_batch(uuid,uuid,integer,text)
  TO leasehold_tenant;
