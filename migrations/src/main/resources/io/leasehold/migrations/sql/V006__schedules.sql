-- Schedules: jobs that a tenant has submitted repeatedly, at the slots of a cron expression.
--
-- The row contains the next slot. The transaction that submits a slot's job also advances the row, if that slot is
-- still the next one. So each slot has exactly one job, however many processes try and however long ago the job was
-- removed.
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

  -- what is submitted, and on whose behalf
  handler_id    text        NOT NULL,
  queue         text        NOT NULL,
  priority      smallint    NOT NULL,
  max_attempts  smallint    NOT NULL,
  time_limit_ms bigint,
  input         json        NOT NULL,
  metadata      json,
  principal     text        NOT NULL,

  -- position: the revision that was put last, and its next slot; no next slot while the schedule is paused or set
  -- aside, or after its last slot
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

  -- when the next slot was computed, and how often it was computed again because the clock went back
  reckoned_at   timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp()),
  rewinds       integer     NOT NULL DEFAULT 0,

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
  CONSTRAINT schedule_rests CHECK (next_at IS NULL OR (paused_at IS NULL AND aside_at IS NULL)),

  -- A safety net: next_at is the only value of a schedule that decides when other schedules are checked. A schedule
  -- that is set aside, paused or replaced is outside this check. Other bounds are not constraints, because they would
  -- prevent a row from being set aside.
  CONSTRAINT schedule_next_is_an_instant CHECK (
    next_at BETWEEN timestamptz '1970-01-01 00:00:00+00' AND timestamptz '9999-12-31 00:00:00+00')
) WITH (fillfactor = 80);

-- The schedules that have a next slot, of all tenants, in the order in which they are due.
CREATE INDEX schedule_when_due ON leasehold.schedule (next_at, tenant_id, name)
  WHERE next_at IS NOT NULL;

-- Serves HealSchedules.
CREATE INDEX schedule_when_reckoned ON leasehold.schedule (reckoned_at) WHERE next_at IS NOT NULL;

SELECT leasehold.protect('leasehold.schedule', for_engine => true);

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.schedule TO leasehold_engine;

-- A tenant's users never read the input.
GRANT SELECT (tenant_id, name, cron, zone, start_at, end_at, jitter_ms, missed, handler_id, queue,
  priority, principal, revision, next_at, last_slot_at, last_job_id, paused_at, paused_by, aside_at,
  error, created_at, updated_at) ON leasehold.schedule TO leasehold_tenant;
