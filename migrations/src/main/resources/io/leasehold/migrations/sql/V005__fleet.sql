-- Worker processes, the handlers they can run, how tenants share a queue, and the server's clock.

-- The processes that claim jobs, for display only. Whether a worker holds a job is decided by the lease alone.
CREATE TABLE leasehold.worker (
  id         uuid        NOT NULL CONSTRAINT worker_is_a_process PRIMARY KEY,
  name       text        NOT NULL,
  version    text        NOT NULL,
  queues     text[]      NOT NULL,
  capacity   integer     NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL,
  stale      boolean     NOT NULL DEFAULT false,

  -- the handlers that it can run, and its slots per queue, in the order of queues
  handlers   text[]      NOT NULL DEFAULT '{}',
  slots      integer[]   NOT NULL DEFAULT '{}',

  -- Stored jobs that the worker runs, out of capacity slots, as of its last heartbeat. Workers of older versions do
  -- not write it.
  running    integer     NOT NULL DEFAULT 0
    CONSTRAINT worker_running_is_a_count CHECK (running >= 0)
) WITH (fillfactor = 50);

-- The process that leads each duty that only one process at a time may do. A row instead of a session lock, because
-- it works through a pooler and expires by itself.
CREATE TABLE leasehold.leader (
  duty      text        NOT NULL CONSTRAINT leader_is_one_per_duty PRIMARY KEY,
  worker_id uuid        NOT NULL,
  until     timestamptz NOT NULL
);

-- Every handler that a worker had recently, whether or not a worker has it now. It is used to explain to users why a
-- job does not run and which handlers they can request; nothing else depends on it.
CREATE TABLE leasehold.handler (
  handler_id text        NOT NULL CONSTRAINT handler_is_known_once PRIMARY KEY,
  queue      text        NOT NULL,
  seen_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Queues with their own settings. Nothing is claimed from a paused queue; running jobs continue.
CREATE TABLE leasehold.queue (
  name      text        NOT NULL CONSTRAINT queue_is_set_once PRIMARY KEY,
  paused_at timestamptz,
  paused_by text,

  CONSTRAINT queue_name_is_one CHECK (name ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  CONSTRAINT queue_pause_is_whole CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT queue_paused_by_somebody CHECK (length(paused_by) BETWEEN 1 AND 255)
);

-- Tenants that have their own weight in a queue, or are paused in it.
CREATE TABLE leasehold.tenant_queue (
  tenant_id uuid     NOT NULL,
  queue     text     NOT NULL,
  weight    smallint NOT NULL DEFAULT 1,
  paused_at timestamptz,
  paused_by text,

  CONSTRAINT tenant_queue_is_one_per_queue PRIMARY KEY (queue, tenant_id),
  CONSTRAINT tenant_queue_weight_is_a_share CHECK (weight BETWEEN 1 AND 100),
  CONSTRAINT tenant_queue_queue_is_one CHECK (queue ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  CONSTRAINT tenant_queue_pause_is_whole CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT tenant_queue_paused_by_somebody CHECK (length(paused_by) BETWEEN 1 AND 255)
);

-- The latest time that processes saw, and when and by how much the clock last went back from it. After the server's
-- clock goes back, earlier writes are ahead of it. Each row with a time therefore records when it was written, or how
-- long it lasts; a row that was written in the future is healed by that.
CREATE TABLE leasehold.clock (
  one     boolean     NOT NULL DEFAULT true CONSTRAINT clock_is_one PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  back_at timestamptz,
  back_by interval,

  CONSTRAINT clock_has_one_row CHECK (one),
  CONSTRAINT clock_step_is_whole CHECK ((back_at IS NULL) = (back_by IS NULL))
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

INSERT INTO leasehold.clock (seen_at) VALUES (clock_timestamp());

SELECT leasehold.protect('leasehold.tenant_queue', for_engine => true);

GRANT SELECT, INSERT, UPDATE, DELETE
  ON leasehold.worker, leasehold.leader, leasehold.handler, leasehold.queue, leasehold.tenant_queue
  TO leasehold_engine;
GRANT SELECT, UPDATE ON leasehold.clock TO leasehold_engine;
