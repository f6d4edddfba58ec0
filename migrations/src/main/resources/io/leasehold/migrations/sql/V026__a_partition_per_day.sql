-- Days of jobs come and go. These run as the owner, for the engine alone; what needs to look at
-- rows, which forced row level security keeps from the owner, asks functions of the engine.
--
-- Neither waits for a lock longer than a claim may wait behind it: they give up and are called again.

CREATE FUNCTION leasehold.first_id_of(day date) RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN leasehold.first_id_at(day::timestamp AT TIME ZONE 'UTC');

-- Makes the partitions of days to come: the first is so many days away, and so is the last. Answers
-- how many it made. Today's would be in the way of those who submit at this moment: a row on its way
-- to the default partition is refused when its day gets one of its own. Nor does a day get one of
-- which the default partition has jobs.
CREATE FUNCTION leasehold.prepare_days(first integer, last integer) RETURNS integer
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

REVOKE ALL ON FUNCTION leasehold.prepare_days(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.prepare_days(integer, integer), leasehold.first_id_of(date)
  TO leasehold_engine;

-- Nobody submits yet.
SELECT leasehold.prepare_days(0, 7);
