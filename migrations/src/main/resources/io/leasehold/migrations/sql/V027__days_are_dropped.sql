-- Old days of jobs are dropped whole. The row of a day is the lock: who revives an ended job of the
-- day holds it against the drop, and the drop against who would revive one.

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
