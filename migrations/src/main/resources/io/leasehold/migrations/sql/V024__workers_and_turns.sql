-- Who works, who keeps house, and how tenants share a queue.

-- The processes that claim jobs: for people to see. Only a lease decides about a job.
CREATE TABLE leasehold.worker (
  id         uuid        NOT NULL CONSTRAINT worker_is_a_process PRIMARY KEY,
  name       text        NOT NULL,
  version    text        NOT NULL,
  queues     text[]      NOT NULL,
  capacity   integer     NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL,
  stale      boolean     NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- Who does what one process at a time does. A row and no lock of a session: it outlives a pooler,
-- and ends by itself.
CREATE TABLE leasehold.leader (
  duty      text        NOT NULL CONSTRAINT leader_is_one_per_duty PRIMARY KEY,
  worker_id uuid        NOT NULL,
  until     timestamptz NOT NULL
);

-- Tenants whose share of a queue is not 1.
CREATE TABLE leasehold.turn (
  tenant_id uuid     NOT NULL,
  queue     text     NOT NULL,
  weight    smallint NOT NULL,

  CONSTRAINT turn_is_one_per_queue PRIMARY KEY (queue, tenant_id),
  CONSTRAINT turn_weight_is_a_share CHECK (weight BETWEEN 1 AND 100)
);

SELECT leasehold.protect('leasehold.turn', for_engine => true);

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.worker, leasehold.leader, leasehold.turn
  TO leasehold_engine;
