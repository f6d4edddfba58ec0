-- What a tenant's users may do to their jobs: cancel, retry, delete. None of these commands locks a row that the
-- engine waits for, except the row of a waiting job, which claims and moves skip.
--
-- There is no lock on a job as a whole, so checking each state in turn may miss a job that moves between states. Each
-- check is a statement with its own snapshot. The checks are repeated until one finds the job; a job is unknown only
-- if it has no row in job.

-- Removes an unfinished job that does not run from its state, even if it waits for other jobs, and returns its
-- attempts and start so far.
CREATE OR REPLACE FUNCTION leasehold.withdraw(
    job_id uuid, OUT attempts smallint, OUT started_at timestamptz, OUT was_there boolean)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  DELETE FROM leasehold.waiting
  WHERE id = job_id AND tenant_id = tenant
  RETURNING waiting.attempts, waiting.started_at, true INTO attempts, started_at, was_there;
  IF was_there THEN
    RETURN;
  END IF;

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

-- Whether a job of the transaction's tenant is in none of the state tables. This is one statement with one snapshot,
-- so a job that moves between two tables is in one of them.
CREATE OR REPLACE FUNCTION leasehold.is_in_no_state(job_id uuid) RETURNS boolean
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  RETURN EXISTS (
    SELECT FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = job_id
      AND NOT EXISTS (
        SELECT FROM leasehold.outcome WHERE outcome.tenant_id = tenant AND outcome.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.lease WHERE lease.tenant_id = tenant AND lease.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.ready WHERE ready.queue = job.queue AND ready.tenant_id = tenant
          AND ready.priority = job.priority AND ready.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.scheduled
        WHERE scheduled.tenant_id = tenant AND scheduled.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.waiting WHERE waiting.tenant_id = tenant AND waiting.id = job_id));
END $$;

-- Returns nothing for an unknown job, 'requested' for a running job, which its worker will end, else the current
-- status. "became" is true if this call set that status, which the job's history then contains. A job that is in no
-- state is cancelled like a waiting one.
CREATE OR REPLACE FUNCTION leasehold.cancel(job_id uuid, principal text, then_delete boolean)
  RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  withdrawn record;
  in_no_state boolean := false;
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.principal_problem(principal),
    CASE WHEN cancel.then_delete IS NULL THEN
      'then_delete must be true or false, not NULL' END));
  became := false;
  LOOP
    withdrawn := leasehold.withdraw(job_id);
    IF withdrawn.was_there OR in_no_state THEN
      INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts)
      VALUES (tenant, job_id, 'cancelled', clock_timestamp(), withdrawn.started_at,
        coalesce(withdrawn.attempts, 0::smallint));
      PERFORM leasehold.record_event(tenant, job_id, token, number, 'cancelled',
        coalesce(withdrawn.attempts, 0::smallint), '{}')
      FROM leasehold.place_between(job_id);
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
    in_no_state := leasehold.is_in_no_state(job_id);
  END LOOP;
END $$;

-- Queues a job again that failed, timed out or was cancelled, with its attempts counted from zero; or queues a job
-- that waits for a later time, or is in no state. Returns nothing for an unknown job, else the current status;
-- "became" is true if this call queued the job. The job's history keeps the earlier end, and the job's records become
-- queued too.
CREATE OR REPLACE FUNCTION leasehold.retry(job_id uuid)
  RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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

    -- Until this commits, the job's day is not dropped. If the day is being dropped, this waits, and then finds no
    -- job.
    PERFORM FROM leasehold.partition_day WHERE day = leasehold.day_of(job_id) FOR KEY SHARE;

    DELETE FROM leasehold.outcome
    WHERE tenant_id = tenant AND id = job_id AND outcome.status <> 'succeeded'
    RETURNING outcome.* INTO ended;
    IF FOUND THEN
      IF ended.token IS NOT NULL THEN
        INSERT INTO leasehold.attempt
          (tenant_id, id, token, attempt, status, started_at, ended_at, error)
        VALUES (tenant, job_id, ended.token, ended.attempts, ended.status,
          coalesce(ended.attempt_started_at, ended.started_at), ended.finished_at, ended.error);
      END IF;
      -- Earlier cancel requests do not apply to the retried job.
      DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
      PERFORM leasehold.queue_anew(job_id, ended.started_at);
      PERFORM leasehold.record_event(tenant, job_id, token, number, 'queued', 0::smallint, '{}')
      FROM leasehold.place_between(job_id);
      PERFORM leasehold.mirror_as_they_are(ARRAY[job_id]);
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
      PERFORM leasehold.record_event(tenant, job_id, token, number, 'queued', 0::smallint, '{}')
      FROM leasehold.place_between(job_id);
      status := 'queued';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    status := (
      SELECT 'queued' FROM leasehold.waiting WHERE tenant_id = tenant AND id = job_id
      UNION ALL
      SELECT 'queued' FROM leasehold.ready
      WHERE queue = its_job.queue AND tenant_id = tenant AND priority = its_job.priority
        AND id = job_id
      UNION ALL
      SELECT 'running' FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant
      UNION ALL
      SELECT outcome.status FROM leasehold.outcome
      WHERE tenant_id = tenant AND id = job_id AND outcome.status = 'succeeded'
      LIMIT 1);
    IF status IS NULL AND leasehold.is_in_no_state(job_id) THEN
      PERFORM leasehold.queue_anew(job_id, NULL);
      status := 'queued';
      became := true;
    END IF;
    IF status IS NOT NULL THEN
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Removes a job that does not run, with everything that belongs to it, and updates its dependents. If the job never
-- ended, its records become cancelled, because they would otherwise stay queued for ever. Returns nothing for an
-- unknown job, 'running' for a running one, else 'deleted'.
CREATE OR REPLACE FUNCTION leasehold.delete(job_id uuid) RETURNS TABLE (answer text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  gone boolean;
  withdrawn record;
  in_no_state boolean := false;
BEGIN
  LOOP
    withdrawn := leasehold.withdraw(job_id);
    gone := withdrawn.was_there;
    IF gone THEN
      PERFORM leasehold.mirror_jobs('{0}', ARRAY[tenant], ARRAY[job_id], '{cancelled}',
        ARRAY[withdrawn.started_at]::timestamptz[], ARRAY[clock_timestamp()],
        ARRAY['the job was deleted before it ended']);
    ELSE
      DELETE FROM leasehold.outcome WHERE tenant_id = tenant AND id = job_id;
      gone := FOUND;
    END IF;
    IF gone OR in_no_state THEN
      PERFORM leasehold.forget_job(job_id);
      DELETE FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
      PERFORM leasehold.follow_removed(job_id);
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
    in_no_state := leasehold.is_in_no_state(job_id);
  END LOOP;
END $$;

-- The tables of what belongs to a job besides its two records and its state. Each has the columns id and tenant_id,
-- and a comment that marks it; generated code reads the same comments.
CREATE OR REPLACE FUNCTION leasehold.tables_of_jobs() RETURNS SETOF regclass
  LANGUAGE sql STABLE
  SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT oid::regclass FROM pg_class
  WHERE relnamespace = 'leasehold'::regnamespace
    AND obj_description(oid, 'pg_class') = 'belongs to a job'
  ORDER BY relname;
END;

-- Removes what belongs to a job of the transaction's tenant. A record that mirrored the job keeps the job's last
-- state and mirrors no job any more. Files are removed once no output names them.
CREATE OR REPLACE FUNCTION leasehold.forget_job(job_id uuid) RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  belonging regclass;
BEGIN
  FOR belonging IN SELECT leasehold.tables_of_jobs() LOOP
    EXECUTE format('DELETE FROM %s WHERE id = $1 AND tenant_id = $2', belonging)
    USING job_id, leasehold.own_tenant();
  END LOOP;
END $$;

-- The same for all jobs of a day.
CREATE OR REPLACE FUNCTION leasehold.forget_jobs(first uuid, beyond uuid) RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  belonging regclass;
BEGIN
  FOR belonging IN SELECT leasehold.tables_of_jobs() LOOP
    EXECUTE format('DELETE FROM %s WHERE id >= $1 AND id < $2', belonging) USING first, beyond;
  END LOOP;
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.withdraw(uuid)', 'leasehold.cancel(uuid,text,boolean)', 'leasehold.retry(uuid)',
  'leasehold.delete(uuid)', 'leasehold.forget_job(uuid)', 'leasehold.forget_jobs(uuid,uuid)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.is_in_no_state(uuid)
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.cancel(uuid,text,boolean), leasehold.retry(uuid), leasehold.delete(uuid)
  TO leasehold_tenant;

GRANT EXECUTE ON FUNCTION leasehold.tables_of_jobs() TO leasehold_engine;
