-- Ends a job in its handler's own transaction, as that one's last statement: what the handler wrote
-- and the job's success commit together, or neither does.
--
-- Answers the job's id, or nothing when the lease is no longer the one that the worker was given:
-- then the transaction has to be rolled back. The worker's id is random and shown to nobody, so that module code cannot
-- finish what it does not run.

CREATE FUNCTION leasehold.finish(job_id uuid, worker uuid, its_token bigint, its_result json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease
    WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant()
    RETURNING *)
  INSERT INTO leasehold.outcome
    (tenant_id, id, status, finished_at, started_at, attempts, token, result)
  SELECT tenant_id, id, 'succeeded', clock_timestamp(), started_at, attempt, token, its_result
  FROM ended
  RETURNING outcome.id;
END $$;

SELECT leasehold.run_as_engine('leasehold.finish(uuid, uuid, bigint, json)');
GRANT EXECUTE ON FUNCTION leasehold.finish(uuid, uuid, bigint, json) TO leasehold_tenant;
