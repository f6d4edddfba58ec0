-- A worker's load is in its row, and a job that ran out of time says so in its dependents' errors.

-- Stored jobs that the worker runs, as of its last heartbeat: of capacity slots. A worker of an
-- older version writes none.
ALTER TABLE leasehold.worker
  ADD COLUMN running integer NOT NULL DEFAULT 0
    CONSTRAINT worker_running_is_a_count CHECK (running >= 0);

-- The error of a job that fails because of one that it waited for: it names the job at the root.
-- The error of a job that timed out is a sentence that follows the job's name.
CREATE OR REPLACE FUNCTION leasehold.why_broken(its_tenant uuid, its_on uuid) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  root record;
BEGIN
  SELECT job.handler_id, outcome.status, outcome.error, (
    SELECT true FROM leasehold.dependency
    WHERE tenant_id = its_tenant AND id = its_on AND state = 'broken' LIMIT 1) AS by_another
  INTO root
  FROM leasehold.job LEFT JOIN leasehold.outcome
    ON outcome.tenant_id = job.tenant_id AND outcome.id = job.id
  WHERE job.tenant_id = its_tenant AND job.id = its_on;
  IF NOT FOUND THEN
    RETURN format('job %s was removed', its_on);
  END IF;
  IF root.by_another AND root.error IS NOT NULL THEN
    RETURN root.error;
  END IF;
  RETURN left(format('job %s (%s) %s', its_on, root.handler_id, CASE
    WHEN root.status = 'timed_out' AND root.error LIKE 'timed out after %' THEN root.error
    ELSE CASE root.status WHEN 'timed_out' THEN 'timed out' WHEN 'cancelled' THEN 'was cancelled'
      ELSE 'failed' END || coalesce(': ' || root.error, '') END), 8000);
END $$;
