-- Queues, and tenants in a queue, from which nothing is claimed for a while. Whoever looks for lanes
-- leaves them out; what runs goes on.

-- Queues of which there is something to say.
CREATE TABLE leasehold.queue (
  name      text        NOT NULL CONSTRAINT queue_is_set_once PRIMARY KEY,
  paused_at timestamptz,
  paused_by text,

  CONSTRAINT queue_name_is_one CHECK (name ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  CONSTRAINT queue_pause_is_whole CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT queue_paused_by_somebody CHECK (length(paused_by) BETWEEN 1 AND 255)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.queue TO leasehold_engine;

ALTER TABLE leasehold.turn
  ALTER COLUMN weight SET DEFAULT 1,
  ADD COLUMN paused_at timestamptz,
  ADD COLUMN paused_by text,
  ADD CONSTRAINT turn_queue_is_one CHECK (queue ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  ADD CONSTRAINT turn_pause_is_whole CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  ADD CONSTRAINT turn_paused_by_somebody CHECK (length(paused_by) BETWEEN 1 AND 255);
