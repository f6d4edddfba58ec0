-- Schedules: what a tenant has submitted again and again, at the slots of a cron expression.
--
-- The row says which slot is next. Whoever submits a slot's job moves the row on in the same transaction, if that
-- slot is still the next one: so a slot has one job, whoever else tries, and however long ago its job was removed.
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

  -- when the next slot was reckoned, and how often it was again because the clock went back
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

  -- A net: of all that a schedule says, only this decides about when others are looked at. What is put aside,
  -- paused or replaced leaves it. Other bounds are no constraints: they would keep a row from being put aside.
  CONSTRAINT schedule_next_is_an_instant CHECK (
    next_at BETWEEN timestamptz '1970-01-01 00:00:00+00' AND timestamptz '9999-12-31 00:00:00+00')
) WITH (fillfactor = 80);

-- Those that are due, of all tenants; the others are not in it.
CREATE INDEX schedule_when_due ON leasehold.schedule (next_at, tenant_id, name)
  WHERE next_at IS NOT NULL;

-- Serves HealSchedules.
CREATE INDEX schedule_when_reckoned ON leasehold.schedule (reckoned_at) WHERE next_at IS NOT NULL;

SELECT leasehold.protect('leasehold.schedule', for_engine => true);

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.schedule TO leasehold_engine;

-- A tenant's people never read the input.
GRANT SELECT (tenant_id, name, cron, zone, start_at, end_at, jitter_ms, missed, handler_id, queue,
  priority, principal, revision, next_at, last_slot_at, last_job_id, paused_at, paused_by, aside_at,
  error, created_at, updated_at) ON leasehold.schedule TO leasehold_tenant;
