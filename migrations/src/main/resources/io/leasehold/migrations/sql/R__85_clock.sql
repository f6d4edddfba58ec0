-- Handles a server clock that goes back, and times that were written ahead of it.

-- Notes the time, at most once a second, and whether it is before the noted time. A correction of less than a second
-- is ignored. Returns the last step back, if there was one. Waits for no lock: if several processes call this at
-- once, one notes the time.
CREATE OR REPLACE FUNCTION leasehold.watch_clock()
  RETURNS TABLE (back_at timestamptz, back_by_ms bigint, ago_ms bigint)
  LANGUAGE plpgsql ROWS 1
AS $$
#variable_conflict use_column
DECLARE
  mark leasehold.clock;
  read_at timestamptz;
BEGIN
  SELECT * INTO mark FROM leasehold.clock;
  read_at := clock_timestamp();
  IF read_at NOT BETWEEN mark.seen_at - interval '1 s' AND mark.seen_at + interval '1 s'
    AND current_setting('transaction_read_only') = 'off'
  THEN
    PERFORM FROM leasehold.clock AS noted WHERE noted.seen_at = mark.seen_at
    FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND AND read_at > mark.seen_at THEN
      UPDATE leasehold.clock SET seen_at = read_at;
    ELSIF FOUND THEN
      UPDATE leasehold.clock AS noted
      SET seen_at = read_at, back_at = read_at, back_by = noted.seen_at - read_at
      RETURNING * INTO mark;
    END IF;
  END IF;
  IF mark.back_at IS NOT NULL THEN
    RETURN QUERY SELECT mark.back_at, (extract(epoch FROM mark.back_by) * 1000)::bigint,
      (extract(epoch FROM read_at - mark.back_at) * 1000)::bigint;
  END IF;
END $$;

-- The steps of the last day, for operators: listed by doctor.
CREATE OR REPLACE FUNCTION leasehold.clock_advice()
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT 'server-clock', 'server', format('its clock went back by %s, to %s',
      date_trunc('milliseconds', clock.back_by), date_trunc('seconds', clock.back_at)),
    'have the server''s clock slewed, and never stepped while the server runs'
  FROM leasehold.clock
  WHERE clock.back_at BETWEEN now() - interval '1 day' AND now();
END;

-- When something is due that was written in the future: after the clock went back, it keeps the delay that was left
-- before the step, and at most its whole delay. It is never due earlier than it would have been, because the last
-- noted time is not later than the clock at the moment of the step.
CREATE OR REPLACE FUNCTION leasehold.healed_due(due timestamptz, written timestamptz) RETURNS timestamptz
  LANGUAGE plpgsql
AS $$
DECLARE
  read_at timestamptz := clock_timestamp();
  step interval := (
    SELECT back_by FROM leasehold.clock WHERE written BETWEEN back_at AND back_at + back_by);
BEGIN
  RETURN least(read_at + (due - written), greatest(read_at, due - coalesce(step, interval '0')));
END $$;

GRANT EXECUTE ON FUNCTION
  leasehold.watch_clock(), leasehold.clock_advice(),
  leasehold.healed_due(timestamp with time zone,timestamp with time zone)
  TO leasehold_engine;
