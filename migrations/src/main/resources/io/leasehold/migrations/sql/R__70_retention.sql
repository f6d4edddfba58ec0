-- Days of jobs come and go. prepare_days and drop_day run as the owner, for the engine alone; what needs to look at
-- rows, which forced row level security keeps from the owner, asks functions of the engine. Neither waits for a lock
-- longer than a claim may wait behind it: they give up and are called again.

-- Makes the partitions of days to come: the first is so many days away, and so is the last. Answers
-- how many it made. Today's would be in the way of those who submit at this moment: a row on its way
-- to the default partition is refused when its day gets one of its own. Nor does a day get one of
-- which the default partition has jobs.
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
      INSERT INTO leasehold.partition_day VALUES (day);
      made := made + 1;
    EXCEPTION WHEN check_violation OR lock_not_available OR duplicate_table THEN
      NULL; -- The default partition has jobs of the day, or somebody is in the way.
    END;
  END LOOP;
  RETURN made;
END $$;

-- Old days of jobs are dropped whole. The row of a day is the lock: who revives an ended job of the day holds it against
-- the drop, and the drop against who would revive one.
--
-- Takes a day from those who revive jobs, looks whether all of it is over, and removes what belongs to its jobs. Answers
-- 'busy' when somebody holds it, 'kept' when a job of it is unfinished or ended less than a retention ago, else 'empty'.
--
-- What is cheap is asked first, and all of it of one snapshot: a job on its way from one table to another is in one of
-- them. What waits for others keeps its day. The last question holds whatever tables there may be.
CREATE OR REPLACE FUNCTION leasehold.empty_day(its date, retention interval) RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first uuid := leasehold.first_id_of(its);
  beyond uuid := leasehold.first_id_of(its + 1);
  since timestamptz := clock_timestamp() - retention;
BEGIN
  PERFORM FROM leasehold.partition_day WHERE partition_day.day = its FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 'busy';
  END IF;

  IF EXISTS (SELECT FROM leasehold.lease WHERE id >= first AND id < beyond)
    OR EXISTS (SELECT FROM leasehold.scheduled WHERE id >= first AND id < beyond)
    OR EXISTS (SELECT FROM leasehold.waiting WHERE id >= first AND id < beyond)
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

-- Drops a day of which nothing is unfinished or young. Answers 'dropped', or why not: see empty_day.
--
-- A partition does not go without its parent's and the default partition's lock, which everybody
-- needs. So all that takes time is done before, and finishes wait first, claims last: for the time
-- that this may wait for one lock, and two drops. Whoever has the parents' has the parts' at once,
-- or somebody is at work on the part itself: then another time. Files go after the commit.
CREATE OR REPLACE FUNCTION leasehold.drop_day(its date, retention interval) RETURNS text
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

  DELETE FROM leasehold.partition_day WHERE partition_day.day = its;
  LOCK TABLE ONLY leasehold.outcome IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE ONLY leasehold.job IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('LOCK TABLE leasehold.job_default, leasehold.outcome_default, leasehold.%I,
    leasehold.%I IN ACCESS EXCLUSIVE MODE NOWAIT', 'job_' || suffix, 'outcome_' || suffix);
  EXECUTE format('DROP TABLE leasehold.%I, leasehold.%I', 'job_' || suffix, 'outcome_' || suffix);
  RETURN 'dropped';
EXCEPTION WHEN lock_not_available THEN
  RETURN 'busy';
END $$;

-- Autovacuum looks at partitions and not at their parents, by which queries over several days are planned. Answers
-- whether it could.
CREATE OR REPLACE FUNCTION leasehold.analyse_days() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms'
AS $$
BEGIN
  -- From PostgreSQL 18 on, the parts need not be looked at one by one once more.
  IF current_setting('server_version_num')::int >= 180000 THEN
    EXECUTE 'ANALYZE ONLY leasehold.job, ONLY leasehold.outcome';
  ELSE
    ANALYZE leasehold.job, leasehold.outcome;
  END IF;
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false; -- Partitions come or go. The next day is soon enough.
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.empty_day(date,interval)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.prepare_days(integer,integer), leasehold.drop_day(date,interval), leasehold.analyse_days()
  TO leasehold_engine;

-- In a new database nobody submits yet.
SELECT leasehold.prepare_days(0, 7) WHERE NOT EXISTS (SELECT FROM leasehold.partition_day);
