-- Schedules: what a tenant has submitted again and again, at the slots of a cron expression.
--
-- The row says which slot is next. Whoever submits a slot's job moves the row on in the same
-- transaction, if that slot is the next one still: so a slot has one job, whoever else tries, and
-- however long ago its job was removed.

CREATE TABLE leasehold.schedule (
  tenant_id     uuid        NOT NULL,
  name          text        NOT NULL,

  -- when
  cron          text        NOT NULL,
  zone          text        NOT NULL,
  start_at      timestamptz,
  end_at        timestamptz,
  jitter_ms     bigint      NOT NULL,
  missed        text        NOT NULL,

  -- what is submitted, and for whom
  handler_id    text        NOT NULL,
  queue         text        NOT NULL,
  priority      smallint    NOT NULL,
  max_attempts  smallint    NOT NULL,
  time_limit_ms bigint,
  input         json        NOT NULL,
  metadata      json,
  principal     text        NOT NULL,

  -- where it is: its next slot, of what was put last; none while it is paused or put aside, and when
  -- it is over
  revision      bigint      NOT NULL DEFAULT 1,
  next_at       timestamptz,
  last_slot_at  timestamptz,
  last_job_id   uuid,
  paused_at     timestamptz,
  paused_by     text,
  aside_at      timestamptz,
  error         text,

  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT schedule_is_named_once_per_tenant PRIMARY KEY (tenant_id, name),
  CONSTRAINT schedule_name_is_one CHECK (name ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  CONSTRAINT schedule_cron_is_bounded CHECK (length(cron) BETWEEN 1 AND 255),
  CONSTRAINT schedule_zone_is_bounded CHECK (length(zone) BETWEEN 1 AND 64),
  CONSTRAINT schedule_starts_before_its_end CHECK (start_at < end_at),
  CONSTRAINT schedule_jitter_is_bounded CHECK (jitter_ms BETWEEN 0 AND 86400000),
  CONSTRAINT schedule_missed_is_known CHECK (missed IN ('skip', 'once', 'all')),
  CONSTRAINT schedule_queue_is_one CHECK (queue ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  CONSTRAINT schedule_input_is_bounded CHECK (length(input::text) <= 1048576),
  CONSTRAINT schedule_pause_is_whole CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT schedule_aside_is_whole CHECK ((aside_at IS NULL) = (error IS NULL)),
  CONSTRAINT schedule_error_is_bounded CHECK (length(error) <= 8000),
  CONSTRAINT schedule_rests CHECK (next_at IS NULL OR (paused_at IS NULL AND aside_at IS NULL))
) WITH (fillfactor = 80);

-- Those that are due, of all tenants; the others are not in it.
CREATE INDEX schedule_when_due ON leasehold.schedule (next_at, tenant_id, name)
  WHERE next_at IS NOT NULL;

SELECT leasehold.protect('leasehold.schedule', for_engine => true);

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.schedule TO leasehold_engine;

-- A tenant's people never read the input.
GRANT SELECT (tenant_id, name, cron, zone, start_at, end_at, jitter_ms, missed, handler_id, queue,
  priority, principal, revision, next_at, last_slot_at, last_job_id, paused_at, paused_by, aside_at,
  error, created_at, updated_at) ON leasehold.schedule TO leasehold_tenant;

CREATE VIEW leasehold.schedule_v WITH (security_invoker = true) AS
SELECT tenant_id, name, cron, zone, start_at, end_at, jitter_ms, missed, handler_id, queue,
  priority, principal, revision, next_at, last_slot_at, last_job_id, paused_at, paused_by, aside_at,
  error, created_at, updated_at
FROM leasehold.schedule;

GRANT SELECT ON leasehold.schedule_v TO leasehold_tenant;

-- Makes the schedule of that name, or replaces what it says. One that runs at the same times as
-- before goes on where it is, so that what was missed in between is not forgotten; a paused one
-- stays paused; one that was put aside goes on.
CREATE FUNCTION leasehold.put_schedule(
    its_name text, its_cron text, its_zone text, its_start timestamptz, its_end timestamptz,
    its_jitter_ms bigint, its_missed text, its_handler text, its_queue text, its_priority smallint,
    its_max_attempts smallint, its_time_limit_ms bigint, its_input json, its_metadata json,
    its_principal text, its_next timestamptz)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.submitter(its_queue, its_max_attempts, its_time_limit_ms, 0);
BEGIN
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

-- Whoever paused it first is kept.
CREATE FUNCTION leasehold.pause_schedule(its_name text, its_by text) RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET paused_at = coalesce(its.paused_at, clock_timestamp()),
      paused_by = coalesce(its.paused_by, its_by),
      next_at = NULL, updated_at = clock_timestamp()
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
    RETURNING its.name;
END $$;

-- Goes on with a schedule that was paused or put aside, at a slot of its revision.
CREATE FUNCTION leasehold.resume_schedule(
    its_name text, its_revision bigint, its_next timestamptz)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET paused_at = NULL, paused_by = NULL, aside_at = NULL, error = NULL, next_at = its_next,
      updated_at = clock_timestamp()
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND (its.paused_at IS NOT NULL OR its.aside_at IS NOT NULL)
    RETURNING its.name;
END $$;

CREATE FUNCTION leasehold.remove_schedule(its_name text) RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    DELETE FROM leasehold.schedule AS its
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
    RETURNING its.name;
END $$;

-- Holds a schedule whose next slot is this one, until the transaction ends. Answers nothing if it is
-- another by now, or somebody holds it: then that one fires the slot, or changes the schedule.
CREATE FUNCTION leasehold.hold_schedule(its_name text, its_revision bigint, its_slot timestamptz)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT its.name FROM leasehold.schedule AS its
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND its.next_at = its_slot
    FOR NO KEY UPDATE SKIP LOCKED;
END $$;

-- Moves a schedule on from a slot. Says nothing of a last job where none was submitted.
CREATE FUNCTION leasehold.advance_schedule(
    its_name text, its_revision bigint, its_slot timestamptz, its_next timestamptz,
    its_last timestamptz, its_job uuid)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET next_at = its_next, last_slot_at = coalesce(its_last, its.last_slot_at),
      last_job_id = coalesce(its_job, its.last_job_id)
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND its.next_at = its_slot
    RETURNING its.name;
END $$;

-- Puts a schedule aside that cannot be fired, until its owner puts it anew, or resumes it.
CREATE FUNCTION leasehold.put_schedule_aside(
    its_name text, its_revision bigint, its_slot timestamptz, its_error text)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET next_at = NULL, aside_at = clock_timestamp(), error = its_error,
      updated_at = clock_timestamp()
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND its.next_at = its_slot
    RETURNING its.name;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.put_schedule(text, text, text, timestamptz, timestamptz, bigint, text, text, text, smallint, smallint, bigint, json, json, text, timestamptz)',
  'leasehold.pause_schedule(text, text)',
  'leasehold.resume_schedule(text, bigint, timestamptz)',
  'leasehold.remove_schedule(text)',
  'leasehold.hold_schedule(text, bigint, timestamptz)',
  'leasehold.advance_schedule(text, bigint, timestamptz, timestamptz, timestamptz, uuid)',
  'leasehold.put_schedule_aside(text, bigint, timestamptz, text)'
]::regprocedure[]) AS its;

GRANT EXECUTE ON FUNCTION
  leasehold.put_schedule(text, text, text, timestamptz, timestamptz, bigint, text, text, text,
    smallint, smallint, bigint, json, json, text, timestamptz),
  leasehold.pause_schedule(text, text),
  leasehold.resume_schedule(text, bigint, timestamptz),
  leasehold.remove_schedule(text),
  leasehold.hold_schedule(text, bigint, timestamptz),
  leasehold.advance_schedule(text, bigint, timestamptz, timestamptz, timestamptz, uuid),
  leasehold.put_schedule_aside(text, bigint, timestamptz, text)
  TO leasehold_tenant;
