-- What a worker does with its leases. Functions with several arrays return them as rows, side by side, for one
-- statement of the engine to process. The server inlines their bodies into that statement.

-- The lanes of a claim: a tenant's jobs of one priority, from one id on.
CREATE OR REPLACE FUNCTION leasehold.lanes(tenants uuid[], priorities smallint[], floors uuid[], shares int[])
  RETURNS TABLE (tenant_id uuid, priority smallint, floor uuid, share int)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT * FROM unnest(tenants, priorities, floors, shares);
END;

-- How attempts ended, each under its fence.
CREATE OR REPLACE FUNCTION leasehold.endings(
    ids uuid[], tokens bigint[], statuses text[], results json[], errors text[], delays_ms bigint[])
  RETURNS TABLE (id uuid, token bigint, status text, result json, error text, delay interval)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT ending.id, ending.token, ending.status, ending.result, ending.error, ending.delay_ms * interval '1 ms'
  FROM unnest(ids, tokens, statuses, results, errors, delays_ms)
    AS ending (id, token, status, result, error, delay_ms);
END;

-- Leases, each with its fence.
CREATE OR REPLACE FUNCTION leasehold.leases(ids uuid[], tokens bigint[])
  RETURNS TABLE (id uuid, token bigint)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT * FROM unnest(ids, tokens);
END;

-- Locks the lease until the transaction ends. A transaction that would take the lease away waits for that, or skips
-- the lease. A renewal changes no key, so it does neither.
CREATE OR REPLACE FUNCTION leasehold.hold_lease(job_id uuid, worker uuid, its_token bigint) RETURNS boolean
  LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM FROM leasehold.lease
  WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
    AND lease.tenant_id = leasehold.own_tenant()
  FOR KEY SHARE;
  RETURN FOUND;
END $$;

-- Ends a job in its handler's own transaction, as the last statement: the handler's writes and the job's success
-- commit together, or neither does. Mirror records are looked up only for a job with a mirror.
--
-- Returns the job's id, or nothing if the lease is no longer the one that the worker was given: then the transaction
-- has to be rolled back. The worker's id is random and not visible to any tenant, so module code cannot finish a job
-- that it does not run.
CREATE OR REPLACE FUNCTION leasehold.finish(job_id uuid, worker uuid, its_token bigint, its_result json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(CASE WHEN its_result IS NOT NULL THEN
    leasehold.json_problem('result', its_result, 1048576) END);
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease
    WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant()
    RETURNING *)
  INSERT INTO leasehold.outcome
    (tenant_id, id, status, finished_at, started_at, attempts, token, result,
      mirror)
  SELECT tenant_id, id, 'succeeded', clock_timestamp(), started_at, attempt, token, its_result,
    mirror
  FROM ended
  RETURNING outcome.id;
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.finish(uuid,uuid,bigint,json)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.lanes(uuid[],smallint[],uuid[],integer[]),
  leasehold.endings(uuid[],bigint[],text[],json[],text[],bigint[]), leasehold.leases(uuid[],bigint[]),
  leasehold.hold_lease(uuid,uuid,bigint)
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.finish(uuid,uuid,bigint,json)
  TO leasehold_tenant;
