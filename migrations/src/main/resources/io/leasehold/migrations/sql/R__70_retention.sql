-- Day partitions are created and dropped here. prepare_days and drop_day run as the owner, for the engine only.
-- Forced row level security hides rows from the owner, so checks of rows are functions of the engine. Neither
-- function waits for a lock longer than a claim may wait behind it: it gives up, and is called again.

-- Creates the partitions of future days, from "first" to "last" days ahead. Returns how many it created. Creating
-- today's partition would conflict with submissions at this moment: a row on its way to the default partition is
-- refused once its day has a partition. Nor is a partition created for a day that has jobs in the default partition.
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
  FOR day IN SELECT today + ahead FROM generate_series(first, last) AS ahead LOOP
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
      NULL; -- The default partition has jobs of the day, or another transaction is in the way.
    END;
  END LOOP;
  RETURN made;
END $$;

-- Old days of jobs are dropped whole. The row of a day is the lock: a transaction that retries an ended job of the
-- day holds it against the drop, and the drop holds it against retries.
--
-- Takes the day's row against retries, checks that all jobs of the day ended, and removes what belongs to them.
-- Returns 'busy' if another transaction holds the row, 'kept' if a job of the day is unfinished or ended less than
-- the retention period ago, else 'empty'.
--
-- Cheap checks come first, and all checks use one snapshot, so a job that moves between two tables is in one of them.
-- Jobs that wait for other jobs keep their day. The last check covers all tables, whichever there are.
CREATE OR REPLACE FUNCTION leasehold.empty_day(day date, retention interval) RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first uuid := leasehold.first_id_of(day);
  beyond uuid := leasehold.first_id_of(day + 1);
  since timestamptz := clock_timestamp() - retention;
BEGIN
  PERFORM FROM leasehold.partition_day WHERE partition_day.day = empty_day.day FOR UPDATE SKIP LOCKED;
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

-- Drops a day without unfinished or young jobs. Returns 'dropped', or the reason why not: see empty_day.
--
-- Dropping a partition requires locks on its parent and on the default partition, which every transaction needs. All
-- slow work is therefore done before. Finishes wait first and claims last, for the lock timeout of one lock plus the
-- two drops. A transaction that has locked the parents gets the partitions' locks at once, unless a partition itself
-- is in use: then the drop gives up until the next call. Files are removed after the commit.
CREATE OR REPLACE FUNCTION leasehold.drop_day(day date, retention interval) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms'
AS $$
DECLARE
  suffix text := to_char(day, 'YYYYMMDD');
  state text;
BEGIN
  IF retention < interval '24 hours' THEN
    RAISE EXCEPTION 'retention must be at least 24 hours, not %', retention
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  state := leasehold.empty_day(day, retention);
  IF state <> 'empty' THEN
    RETURN state;
  END IF;

  DELETE FROM leasehold.partition_day WHERE partition_day.day = drop_day.day;
  LOCK TABLE ONLY leasehold.outcome IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE ONLY leasehold.job IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('LOCK TABLE leasehold.job_default, leasehold.outcome_default, leasehold.%I,
    leasehold.%I IN ACCESS EXCLUSIVE MODE NOWAIT', 'job_' || suffix, 'outcome_' || suffix);
  EXECUTE format('DROP TABLE leasehold.%I, leasehold.%I', 'job_' || suffix, 'outcome_' || suffix);
  RETURN 'dropped';
EXCEPTION WHEN lock_not_available THEN
  RETURN 'busy';
END $$;

-- Autovacuum analyses partitions but not their parents, whose statistics are used to plan queries over several days.
-- Returns whether it succeeded.
CREATE OR REPLACE FUNCTION leasehold.analyse_days() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms'
AS $$
BEGIN
  -- From PostgreSQL 18 on, the partitions need not be analysed again.
  IF current_setting('server_version_num')::int >= 180000 THEN
    EXECUTE 'ANALYZE ONLY leasehold.job, ONLY leasehold.outcome';
  ELSE
    ANALYZE leasehold.job, leasehold.outcome;
  END IF;
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false; -- Partitions are being created or dropped. The next run is soon enough.
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.empty_day(date,interval)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.prepare_days(integer,integer), leasehold.drop_day(date,interval), leasehold.analyse_days()
  TO leasehold_engine;

-- There are no submissions yet in a new database.
SELECT leasehold.prepare_days(0, 7) WHERE NOT EXISTS (SELECT FROM leasehold.partition_day);
