-- What goes with a job, said once for each way to remove one: a table that comes to belong to jobs
-- is added here, and to the engine's own list.

-- Of one job of the transaction's tenant.
CREATE FUNCTION leasehold.forget_job(job_id uuid) RETURNS void
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
END $$;

-- Of all jobs of a day.
CREATE FUNCTION leasehold.forget_jobs(first uuid, beyond uuid) RETURNS void
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
END $$;

-- As before.
CREATE OR REPLACE FUNCTION leasehold.delete(job_id uuid) RETURNS TABLE (answer text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  gone boolean;
BEGIN
  LOOP
    gone := (leasehold.withdraw(job_id)).was_there;
    IF gone IS NOT TRUE THEN
      DELETE FROM leasehold.outcome WHERE tenant_id = tenant AND id = job_id;
      gone := FOUND;
    END IF;
    IF gone THEN
      PERFORM leasehold.forget_job(job_id);
      DELETE FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
      answer := 'deleted';
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant;
    IF FOUND THEN
      answer := 'running';
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END LOOP;
END $$;

-- As before.
CREATE OR REPLACE FUNCTION leasehold.empty_day(its date, retention interval) RETURNS text
  LANGUAGE plpgsql
AS $$
DECLARE
  first uuid := leasehold.first_id_of(its);
  beyond uuid := leasehold.first_id_of(its + 1);
  since timestamptz := clock_timestamp() - retention;
BEGIN
  PERFORM FROM leasehold.day WHERE day.day = its FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 'busy';
  END IF;

  IF EXISTS (SELECT FROM leasehold.lease WHERE id >= first AND id < beyond)
    OR EXISTS (SELECT FROM leasehold.scheduled WHERE id >= first AND id < beyond)
    OR EXISTS (SELECT FROM leasehold.ready WHERE id >= first AND id < beyond)
    OR EXISTS (
      SELECT FROM leasehold.outcome WHERE id >= first AND id < beyond AND finished_at >= since)
    OR EXISTS (
      SELECT FROM leasehold.job WHERE id >= first AND id < beyond AND NOT EXISTS (
        SELECT FROM leasehold.outcome
        WHERE outcome.tenant_id = job.tenant_id AND outcome.id = job.id
          AND outcome.id >= first AND outcome.id < beyond))
  THEN
    RETURN 'kept';
  END IF;

  PERFORM leasehold.forget_jobs(first, beyond);
  RETURN 'empty';
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.forget_job(uuid)', 'leasehold.forget_jobs(uuid, uuid)',
  'leasehold.delete(uuid)', 'leasehold.empty_day(date, interval)'
]::regprocedure[]) AS its;
