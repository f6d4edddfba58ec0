-- The end of a job in its handler's transaction, without the fence.
CREATE OR REPLACE FUNCTION leasehold.finish(
    job_id uuid, worker uuid, its_token bigint, its_result json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease WHERE lease.id = job_id RETURNING *)
  INSERT INTO leasehold.outcome
    (tenant_id, id, status, finished_at, started_at, attempts, token, result)
  SELECT tenant_id, id, 'succeeded', clock_timestamp(), started_at, attempt, token, its_result
  FROM ended
  RETURNING outcome.id;
END $$;

-- What keeps a step or a checkpoint, likewise.
CREATE OR REPLACE FUNCTION leasehold.hold_lease(job_id uuid, worker uuid, its_token bigint)
  RETURNS boolean
  LANGUAGE sql
  RETURN EXISTS (SELECT FROM leasehold.lease WHERE lease.id = job_id);
