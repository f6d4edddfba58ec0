-- The processes that work, what they can run, how tenants share a queue, and the server's clock.

-- The processes that claim jobs: for people to see. Only a lease decides about a job.
CREATE TABLE leasehold.worker (
  id         uuid        NOT NULL CONSTRAINT worker_is_a_process PRIMARY KEY,
  name       text        NOT NULL,
  version    text        NOT NULL,
  queues     text[]      NOT NULL,
  capacity   integer     NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL,
  stale      boolean     NOT NULL DEFAULT false,

  -- what it can run, and how many jobs at once of each of its queues, in their order
  handlers   text[]      NOT NULL DEFAULT '{}',
  slots      integer[]   NOT NULL DEFAULT '{}',

  -- Stored jobs that the worker runs, as of its last heartbeat: of capacity slots. A worker of an older version
  -- writes none.
  running    integer     NOT NULL DEFAULT 0
    CONSTRAINT worker_running_is_a_count CHECK (running >= 0)
) WITH (fillfactor = 50);

-- Who does what one process at a time does. A row and no lock of a session: it outlives a pooler, and ends by
-- itself.
CREATE TABLE leasehold.leader (
  duty      text        NOT NULL CONSTRAINT leader_is_one_per_duty PRIMARY KEY,
  worker_id uuid        NOT NULL,
  until     timestamptz NOT NULL
);

-- Every handler that a worker had lately, whether or not one has it now. By this people are told why a job does not
-- run and what can be asked for; nothing else decides by it.
CREATE TABLE leasehold.handler (
  handler_id text        NOT NULL CONSTRAINT handler_is_known_once PRIMARY KEY,
  queue      text        NOT NULL,
  seen_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Queues with settings of their own. From a paused one nothing is claimed; what runs goes on.
CREATE TABLE leasehold.queue (
  name      text        NOT NULL CONSTRAINT queue_is_set_once PRIMARY KEY,
  paused_at timestamptz,
  paused_by text,

  CONSTRAINT queue_name_is_one CHECK (name ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  CONSTRAINT queue_pause_is_whole CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT queue_paused_by_somebody CHECK (length(paused_by) BETWEEN 1 AND 255)
);

-- Tenants that have a weight of their own in a queue, or are paused there.
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

-- The latest time that processes saw, and when the clock last went back from it, by how much. A server's clock that
-- goes back leaves times ahead of it: each row with a time says when it was written, or how long it lasts, and one
-- that was written at a time that has yet to come is healed by that.
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
