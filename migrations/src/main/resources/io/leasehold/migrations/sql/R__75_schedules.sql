-- Schedules: the commands for them, and the functions that fire them.

CREATE OR REPLACE VIEW leasehold.schedule_v WITH (security_invoker = true) AS
SELECT tenant_id, name, cron, zone, start_at, end_at, jitter_ms, missed, handler_id, queue,
  priority, principal, revision, next_at, last_slot_at, last_job_id, paused_at, paused_by, aside_at,
  error, created_at, updated_at
FROM leasehold.schedule;

-- Creates a schedule, or replaces its definition. If its times are the same as before, it continues at its position,
-- so that missed slots are not forgotten. A paused schedule stays paused; one that was set aside resumes.
CREATE OR REPLACE FUNCTION leasehold.put_schedule(
    its_name text, its_cron text, its_zone text, its_start timestamptz, its_end timestamptz,
    its_jitter_ms bigint, its_missed text, its_handler text, its_queue text, its_priority smallint,
    its_max_attempts smallint, its_time_limit_ms bigint, its_input json, its_metadata json,
    its_principal text, its_next timestamptz)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'schedules are put in a transaction of a tenant'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM leasehold.refuse(coalesce(
    leasehold.name_problem('name', its_name),
    leasehold.number_problem('jitter_ms', its_jitter_ms, 0, 86400000),
    CASE WHEN (its_missed IN ('skip', 'once', 'all')) IS NOT TRUE THEN
      'missed must be skip, once or all, not ' || leasehold.shown(its_missed) END,
    leasehold.schedule_problem(its_cron, its_zone, its_start, its_end, its_handler, its_queue,
      its_priority, its_max_attempts, its_time_limit_ms, its_input, its_metadata, its_principal,
      its_next)));
  RETURN QUERY
    INSERT INTO leasehold.schedule AS old (tenant_id, name, cron, zone, start_at, end_at, jitter_ms,
      missed, handler_id, queue, priority, max_attempts, time_limit_ms, input, metadata, principal,
      next_at)
    VALUES (tenant, its_name, its_cron, its_zone, its_start, its_end, its_jitter_ms, its_missed,
      its_handler, its_queue, its_priority, its_max_attempts, its_time_limit_ms, its_input,
      its_metadata, its_principal, its_next)
    ON CONFLICT ON CONSTRAINT schedule_is_named_once_per_tenant DO UPDATE
    SET cron = excluded.cron, zone = excluded.zone, start_at = excluded.start_at,
      end_at = excluded.end_at, jitter_ms = excluded.jitter_ms, missed = excluded.missed,
      handler_id = excluded.handler_id, queue = excluded.queue, priority = excluded.priority,
      max_attempts = excluded.max_attempts, time_limit_ms = excluded.time_limit_ms,
      input = excluded.input, metadata = excluded.metadata, principal = excluded.principal,
      revision = old.revision + 1,
      next_at = CASE
        WHEN old.paused_at IS NOT NULL THEN NULL
        WHEN old.aside_at IS NULL AND (old.cron, old.zone, old.start_at, old.end_at)
          IS NOT DISTINCT FROM (excluded.cron, excluded.zone, excluded.start_at, excluded.end_at)
        THEN old.next_at
        ELSE excluded.next_at END,
      aside_at = NULL, error = NULL, updated_at = clock_timestamp()
    RETURNING old.name;
END $$;

-- Keeps the name of the first caller that paused it.
CREATE OR REPLACE FUNCTION leasehold.pause_schedule(its_name text, its_by text) RETURNS TABLE (name text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.principal_problem(its_by));
  RETURN QUERY
    UPDATE leasehold.schedule
    SET paused_at = coalesce(schedule.paused_at, clock_timestamp()),
      paused_by = coalesce(schedule.paused_by, its_by),
      next_at = NULL, updated_at = clock_timestamp()
    WHERE schedule.tenant_id = leasehold.own_tenant() AND schedule.name = its_name
    RETURNING schedule.name;
END $$;

-- Resumes a schedule that was paused or set aside, at a slot of its revision.
CREATE OR REPLACE FUNCTION leasehold.resume_schedule(
    its_name text, its_revision bigint, its_next timestamptz)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.instant_problem('next', its_next));
  RETURN QUERY
    UPDATE leasehold.schedule
    SET paused_at = NULL, paused_by = NULL, aside_at = NULL, error = NULL, next_at = its_next,
      updated_at = clock_timestamp()
    WHERE schedule.tenant_id = leasehold.own_tenant() AND schedule.name = its_name
      AND schedule.revision = its_revision AND (schedule.paused_at IS NOT NULL OR schedule.aside_at IS NOT NULL)
    RETURNING schedule.name;
END $$;

CREATE OR REPLACE FUNCTION leasehold.remove_schedule(its_name text) RETURNS TABLE (name text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    DELETE FROM leasehold.schedule
    WHERE schedule.tenant_id = leasehold.own_tenant() AND schedule.name = its_name
    RETURNING schedule.name;
END $$;

-- Locks a schedule with this next slot until the transaction ends. Returns nothing if the next slot has changed, or
-- another transaction holds the row, because that transaction fires the slot or changes the schedule. The rest of the
-- transaction waits at most 50 ms for a lock: otherwise a tenant that holds the key of a slot's job would keep the
-- schedules of other tenants from firing.
CREATE OR REPLACE FUNCTION leasehold.hold_schedule(
    its_name text, its_revision bigint, its_slot timestamptz) RETURNS TABLE (name text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('lock_timeout', '50ms', true);
  RETURN QUERY
    SELECT schedule.name FROM leasehold.schedule
    WHERE schedule.tenant_id = leasehold.own_tenant() AND schedule.name = its_name
      AND schedule.revision = its_revision AND schedule.next_at = its_slot
    FOR NO KEY UPDATE SKIP LOCKED;
END $$;

-- Advances a schedule from a slot. Leaves the last job unchanged if none was submitted.
CREATE OR REPLACE FUNCTION leasehold.advance_schedule(
    its_name text, its_revision bigint, its_slot timestamptz, its_next timestamptz,
    its_last timestamptz, its_job uuid)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.instant_problem('next', its_next), leasehold.instant_problem('last', its_last)));
  RETURN QUERY
    UPDATE leasehold.schedule
    SET next_at = its_next, last_slot_at = coalesce(its_last, schedule.last_slot_at),
      last_job_id = coalesce(its_job, schedule.last_job_id)
    WHERE schedule.tenant_id = leasehold.own_tenant() AND schedule.name = its_name
      AND schedule.revision = its_revision AND schedule.next_at = its_slot
    RETURNING schedule.name;
END $$;

-- Sets a schedule aside that cannot be fired, until its owner puts it again or resumes it.
CREATE OR REPLACE FUNCTION leasehold.put_schedule_aside(
    its_name text, its_revision bigint, its_slot timestamptz, its_error text)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.length_problem('error', its_error, 1, 8000));
  RETURN QUERY
    UPDATE leasehold.schedule
    SET next_at = NULL, aside_at = clock_timestamp(), error = its_error,
      updated_at = clock_timestamp()
    WHERE schedule.tenant_id = leasehold.own_tenant() AND schedule.name = its_name
      AND schedule.revision = its_revision AND schedule.next_at = its_slot
    RETURNING schedule.name;
END $$;

-- No slot is fired before its time. If the clock goes back while a slot is fired, the slot's time is therefore a
-- lower bound of the time at which the next slot was computed.
CREATE OR REPLACE FUNCTION leasehold.reckoned() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.reckoned_at := greatest(now(), clock_timestamp(), CASE
    WHEN NEW.last_slot_at IS DISTINCT FROM OLD.last_slot_at THEN NEW.last_slot_at END);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER schedule_is_reckoned BEFORE UPDATE ON leasehold.schedule
  FOR EACH ROW
  WHEN (NEW.next_at IS DISTINCT FROM OLD.next_at AND NEW.reckoned_at = OLD.reckoned_at)
  EXECUTE FUNCTION leasehold.reckoned();

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.put_schedule(text,text,text,timestamp with time zone,timestamp with time zone,bigint,text,text,text,smallint,smallint,bigint,json,json,text,timestamp with time zone)',
  'leasehold.pause_schedule(text,text)', 'leasehold.resume_schedule(text,bigint,timestamp with time zone)',
  'leasehold.remove_schedule(text)', 'leasehold.hold_schedule(text,bigint,timestamp with time zone)',
  'leasehold.advance_schedule(text,bigint,timestamp with time zone,timestamp with time zone,timestamp with time zone,uuid)',
  'leasehold.put_schedule_aside(text,bigint,timestamp with time zone,text)'
]::regprocedure[]) AS routine;

GRANT SELECT ON
  leasehold.schedule_v TO leasehold_tenant;

GRANT EXECUTE ON FUNCTION
  leasehold.put_schedule(text,text,text,timestamp with time zone,timestamp with time zone,bigint,text,text,text,smallint,smallint,bigint,json,json,text,timestamp with time zone),
  leasehold.pause_schedule(text,text), leasehold.resume_schedule(text,bigint,timestamp with time zone),
  leasehold.remove_schedule(text), leasehold.hold_schedule(text,bigint,timestamp with time zone),
  leasehold.advance_schedule(text,bigint,timestamp with time zone,timestamp with time zone,timestamp with time zone,uuid),
  leasehold.put_schedule_aside(text,bigint,timestamp with time zone,text)
  TO leasehold_tenant;
