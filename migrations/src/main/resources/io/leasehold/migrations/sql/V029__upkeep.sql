-- What keeping the queue in order needs besides.

-- To lock rows that others may hold, and to skip those: nothing ever updates one.
GRANT UPDATE (id) ON leasehold.outcome, leasehold.cancel_request TO leasehold_engine;

-- Autovacuum looks at partitions and not at their parents, by which queries over several days are
-- planned. Answers whether it could.
CREATE FUNCTION leasehold.analyse_days() RETURNS boolean
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

REVOKE ALL ON FUNCTION leasehold.analyse_days() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.analyse_days() TO leasehold_engine;
