-- A batch: jobs that were submitted together, and perhaps one that waits for the end of all of them.
-- It is no more than the rows of its jobs, and is gone with the last of them.

CREATE TABLE leasehold.batch_job (
  tenant_id uuid    NOT NULL,
  id        uuid    NOT NULL,
  batch_id  uuid    NOT NULL,

  -- that it waits for the others
  is_callback boolean NOT NULL,

  CONSTRAINT batch_job_is_in_it_once PRIMARY KEY (id, batch_id, tenant_id)
);

-- The jobs of a batch, in the order of their ids.
CREATE UNIQUE INDEX batch_job_of_batch ON leasehold.batch_job (tenant_id, batch_id, id);

SELECT leasehold.protect('leasehold.batch_job', for_engine => true);

GRANT SELECT, INSERT, DELETE ON leasehold.batch_job TO leasehold_engine;
GRANT SELECT ON leasehold.batch_job TO leasehold_tenant;

-- Puts the tenant's own jobs into a batch, or into a new one where none is named; those that are in
-- it stay as they are. Answers which batch.
CREATE FUNCTION leasehold.add_to_batch(batch uuid, job_ids uuid[], callback boolean)
  RETURNS TABLE (batch_id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  batch_id := coalesce(batch, leasehold.new_id());
  INSERT INTO leasehold.batch_job (tenant_id, id, batch_id, is_callback)
  SELECT DISTINCT tenant, its.id, add_to_batch.batch_id, callback
  FROM unnest(job_ids) AS its (id)
  WHERE (SELECT true FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = its.id)
  ON CONFLICT DO NOTHING;
  RETURN NEXT;
END $$;

-- How many jobs of a batch that the transaction may read are where in their lives; nothing for any
-- other. Reads each of them. The callback stands in a row of its own, and counts as no job.
--
-- Serves FindBatch: batch_job_of_batch, and the keys of outcome and lease.
CREATE FUNCTION leasehold.find_batch(batch uuid)
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
    SELECT its.status, count(*), its.callback
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
        AND batch_job.batch_id = batch) AS its
    GROUP BY its.status, its.callback;
END $$;

-- Asks for the end of the next so many unfinished jobs of a batch of the tenant's own, behind an id;
-- answers those that it looked at, and what came of each.
CREATE FUNCTION leasehold.cancel_batch(batch uuid, after_id uuid, most integer, principal text)
  RETURNS TABLE (job_id uuid, status text, became boolean)
  LANGUAGE plpgsql ROWS 500
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  FOR job_id IN
    SELECT id FROM leasehold.batch_job
    WHERE tenant_id = tenant AND batch_id = batch AND id > after_id AND NOT is_callback
    ORDER BY tenant_id, batch_id, id LIMIT most
  LOOP
    SELECT its.status, its.became INTO status, became
    FROM leasehold.cancel(job_id, principal, false) AS its;
    became := became IS TRUE;
    RETURN NEXT;
  END LOOP;
END $$;

-- As before, and their places in batches.
CREATE OR REPLACE FUNCTION leasehold.forget_job(job_id uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  DELETE FROM leasehold.attempt WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.job_key WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.progress WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.event WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.step WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.checkpoint WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.dependency WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.batch_job WHERE id = job_id AND tenant_id = tenant;
END $$;

CREATE OR REPLACE FUNCTION leasehold.forget_jobs(first uuid, beyond uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM leasehold.attempt WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.job_key WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.cancel_request WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.progress WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.event WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.step WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.checkpoint WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.dependency WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.batch_job WHERE id >= first AND id < beyond;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.add_to_batch(uuid, uuid[], boolean)',
  'leasehold.cancel_batch(uuid, uuid, integer, text)',
  'leasehold.forget_job(uuid)', 'leasehold.forget_jobs(uuid, uuid)'
]::regprocedure[]) AS its;

GRANT EXECUTE ON FUNCTION leasehold.add_to_batch(uuid, uuid[], boolean),
  leasehold.find_batch(uuid), leasehold.cancel_batch(uuid, uuid, integer, text)
  TO leasehold_tenant;
