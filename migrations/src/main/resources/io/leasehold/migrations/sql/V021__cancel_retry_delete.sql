-- What a tenant's people may do to their jobs. None of it locks a row that the engine waits for,
-- save a waiting job's own, which claims and moves skip.
--
-- There is no lock for the whole job, so one that moves from state to state may be missed by looks
-- at each of them in turn. Each look is a statement of its own with a snapshot of its own; they are
-- repeated until one finds it, and a job is unknown only when it has no row in job.

-- Takes an unfinished, not running job out of the queue, and tells what it had been through.
CREATE FUNCTION leasehold.withdraw(
    job_id uuid, OUT attempts smallint, OUT started_at timestamptz, OUT was_there boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  DELETE FROM leasehold.ready USING leasehold.job
  WHERE job.tenant_id = tenant AND job.id = job_id
    AND ready.queue = job.queue AND ready.tenant_id = tenant AND ready.priority = job.priority
    AND ready.id = job_id
  RETURNING ready.attempts, ready.started_at, true INTO attempts, started_at, was_there;
  IF was_there THEN
    RETURN;
  END IF;

  DELETE FROM leasehold.scheduled
  WHERE id = job_id AND tenant_id = tenant
  RETURNING scheduled.attempts, scheduled.started_at, true INTO attempts, started_at, was_there;
END $$;

-- Answers nothing for an unknown job, 'requested' for a running one, whose worker will end it, else
-- the status that it has now; became is whether it got it by this call.
CREATE FUNCTION leasehold.cancel(job_id uuid, principal text, then_delete boolean)
  RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  withdrawn record;
BEGIN
  became := false;
  LOOP
    withdrawn := leasehold.withdraw(job_id);
    IF withdrawn.was_there THEN
      INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts)
      VALUES (tenant, job_id, 'cancelled', clock_timestamp(), withdrawn.started_at,
        withdrawn.attempts);
      status := 'cancelled';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant;
    IF FOUND THEN
      INSERT INTO leasehold.cancel_request
        (tenant_id, id, requested_at, requested_by, then_delete)
      VALUES (tenant, job_id, clock_timestamp(), principal, cancel.then_delete);
      status := 'requested';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    SELECT outcome.status INTO status FROM leasehold.outcome
    WHERE tenant_id = tenant AND id = job_id;
    IF FOUND THEN
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Queues a job anew that failed, timed out or was cancelled, its attempts counted from the start,
-- or one that waits for a later time. Answers nothing for an unknown job, else the status that it
-- has now; became is whether it was queued by this call.
CREATE FUNCTION leasehold.retry(job_id uuid) RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  its_job record;
  ended record;
BEGIN
  became := false;
  LOOP
    SELECT queue, priority INTO its_job FROM leasehold.job
    WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;

    -- Until this commits, its day is not dropped; while it is being dropped, this waits, and then
    -- finds no job.
    PERFORM FROM leasehold.day WHERE day = leasehold.day_of(job_id) FOR KEY SHARE;

    DELETE FROM leasehold.outcome AS its
    WHERE tenant_id = tenant AND id = job_id AND its.status <> 'succeeded'
    RETURNING its.* INTO ended;
    IF FOUND THEN
      IF ended.token IS NOT NULL THEN
        INSERT INTO leasehold.attempt
          (tenant_id, id, token, attempt, status, started_at, ended_at, error)
        VALUES (tenant, job_id, ended.token, ended.attempts, ended.status, ended.started_at,
          ended.finished_at, ended.error);
      END IF;
      -- What was asked of its former life does not hold for the new one.
      DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
      INSERT INTO leasehold.ready
        (tenant_id, id, queue, priority, attempts, available_at, started_at)
      VALUES (tenant, job_id, its_job.queue, its_job.priority, 0, clock_timestamp(),
        ended.started_at);
      status := 'queued';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    WITH moved AS (
      DELETE FROM leasehold.scheduled WHERE id = job_id AND tenant_id = tenant RETURNING *)
    INSERT INTO leasehold.ready
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant_id, id, queue, priority, attempts, clock_timestamp(), started_at FROM moved;
    IF FOUND THEN
      status := 'queued';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    status := (
      SELECT 'queued' FROM leasehold.ready
      WHERE queue = its_job.queue AND tenant_id = tenant AND priority = its_job.priority
        AND id = job_id
      UNION ALL
      SELECT 'running' FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant
      UNION ALL
      SELECT outcome.status FROM leasehold.outcome
      WHERE tenant_id = tenant AND id = job_id AND outcome.status = 'succeeded'
      LIMIT 1);
    IF status IS NOT NULL THEN
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Removes a job that does not run, with all that belongs to it. Answers nothing for an unknown job,
-- 'running' for one that runs, else 'deleted'.
CREATE FUNCTION leasehold.delete(job_id uuid) RETURNS TABLE (answer text)
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
      DELETE FROM leasehold.attempt WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.job_key WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.progress WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.event WHERE id = job_id AND tenant_id = tenant;
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

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.withdraw(uuid)', 'leasehold.cancel(uuid, text, boolean)', 'leasehold.retry(uuid)',
  'leasehold.delete(uuid)'
]::regprocedure[]) AS its;

GRANT EXECUTE ON FUNCTION leasehold.cancel(uuid, text, boolean), leasehold.retry(uuid),
  leasehold.delete(uuid) TO leasehold_tenant;
