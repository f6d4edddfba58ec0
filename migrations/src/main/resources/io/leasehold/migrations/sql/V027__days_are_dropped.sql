-- Old days of jobs are dropped whole. A day has a row here as long as it has partitions, and that row
-- is the lock: who revives an ended job of the day holds it against the drop, and the drop against
-- who would revive one.

CREATE TABLE leasehold.day (
  day date NOT NULL CONSTRAINT day_is_prepared_once PRIMARY KEY
);

INSERT INTO leasehold.day (day)
SELECT to_date(substring(relname FROM 'job_(\d{8})$'), 'YYYYMMDD')
FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
WHERE inhparent = 'leasehold.job'::regclass AND relname ~ 'job_\d{8}$';

-- UPDATE to lock rows.
GRANT SELECT, UPDATE ON leasehold.day TO leasehold_engine;

CREATE FUNCTION leasehold.day_of(id uuid) RETURNS date
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN (leasehold.created_at(id) AT TIME ZONE 'UTC')::date;

GRANT EXECUTE ON FUNCTION leasehold.day_of(uuid) TO leasehold_engine;

-- As before, and each day has its row.
CREATE OR REPLACE FUNCTION leasehold.prepare_days(first integer, last integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms'
AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  day date;
  parent text;
  made integer := 0;
BEGIN
  FOR day IN SELECT today + its FROM generate_series(first, last) AS its LOOP
    CONTINUE WHEN to_regclass(format('leasehold.job_%s', to_char(day, 'YYYYMMDD'))) IS NOT NULL;
    BEGIN
      FOREACH parent IN ARRAY ARRAY['job', 'outcome'] LOOP
        EXECUTE format('CREATE TABLE leasehold.%I (LIKE leasehold.%I INCLUDING ALL)',
          parent || to_char(day, '_YYYYMMDD'), parent);
        PERFORM leasehold.protect(
          format('leasehold.%I', parent || to_char(day, '_YYYYMMDD'))::regclass, true);
        EXECUTE format('ALTER TABLE leasehold.%I ATTACH PARTITION leasehold.%I FOR VALUES FROM (%L) TO (%L)',
          parent, parent || to_char(day, '_YYYYMMDD'),
          leasehold.first_id_of(day), leasehold.first_id_of(day + 1));
      END LOOP;
      INSERT INTO leasehold.day VALUES (day);
      made := made + 1;
    EXCEPTION WHEN check_violation OR lock_not_available OR duplicate_table THEN
      NULL; -- The default partition has jobs of the day, or somebody is in the way.
    END;
  END LOOP;
  RETURN made;
END $$;

-- As before, but that it holds the job's day.
CREATE OR REPLACE FUNCTION leasehold.retry(job_id uuid)
  RETURNS TABLE (status text, became boolean)
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

SELECT leasehold.run_as_engine('leasehold.retry(uuid)');

-- Takes a day from those who revive jobs, looks whether all of it is over, and removes what belongs
-- to its jobs. Answers 'busy' when somebody holds it, 'kept' when a job of it is unfinished or
-- ended less than a retention ago, else 'empty'.
--
-- What is cheap is asked first, and all of it of one snapshot: a job on its way from one table to
-- another is in one of them. The last question holds whatever tables there may be.
CREATE FUNCTION leasehold.empty_day(its date, retention interval) RETURNS text
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

  DELETE FROM leasehold.attempt WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.job_key WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.cancel_request WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.progress WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.event WHERE id >= first AND id < beyond;
  RETURN 'empty';
END $$;

SELECT leasehold.run_as_engine('leasehold.empty_day(date, interval)');

-- Drops a day of which nothing is unfinished or young. Answers 'dropped', or why not: see empty_day.
--
-- A partition does not go without its parent's and the default partition's lock, which everybody
-- needs. So all that takes time is done before, and finishes wait first, claims last: for the time
-- that this may wait for one lock, and two drops. Whoever has the parents' has the parts' at once,
-- or somebody is at work on the part itself: then another time. Files go after the commit.
CREATE FUNCTION leasehold.drop_day(its date, retention interval) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms'
AS $$
DECLARE
  suffix text := to_char(its, 'YYYYMMDD');
  state text;
BEGIN
  IF retention < interval '24 hours' THEN
    RAISE EXCEPTION 'retention must be at least 24 hours, not %', retention
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  state := leasehold.empty_day(its, retention);
  IF state <> 'empty' THEN
    RETURN state;
  END IF;

  DELETE FROM leasehold.day WHERE day.day = its;
  LOCK TABLE ONLY leasehold.outcome IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE ONLY leasehold.job IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('LOCK TABLE leasehold.job_default, leasehold.outcome_default, leasehold.%I,
    leasehold.%I IN ACCESS EXCLUSIVE MODE NOWAIT', 'job_' || suffix, 'outcome_' || suffix);
  EXECUTE format('DROP TABLE leasehold.%I, leasehold.%I', 'job_' || suffix, 'outcome_' || suffix);
  RETURN 'dropped';
EXCEPTION WHEN lock_not_available THEN
  RETURN 'busy';
END $$;

REVOKE ALL ON FUNCTION leasehold.drop_day(date, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.drop_day(date, interval) TO leasehold_engine;
