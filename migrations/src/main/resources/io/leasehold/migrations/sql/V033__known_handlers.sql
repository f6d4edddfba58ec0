-- Which handlers there are, and which worker has which: by this is told why a job does not run, and
-- what can be asked for. Nothing else decides by it.

-- Every handler that a worker had lately, whether or not one has it now.
CREATE TABLE leasehold.handler (
  handler_id text        NOT NULL CONSTRAINT handler_is_known_once PRIMARY KEY,
  queue      text        NOT NULL,
  seen_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.handler TO leasehold_engine;

-- What it can run, and how many jobs at once of each of its queues, in their order.
ALTER TABLE leasehold.worker
  ADD COLUMN handlers text[] NOT NULL DEFAULT '{}',
  ADD COLUMN slots integer[] NOT NULL DEFAULT '{}';

-- The workers that live: each signs in every five seconds, and off when it stops.
CREATE VIEW leasehold.live_worker WITH (security_invoker = true) AS
SELECT id, handlers, queues, slots FROM leasehold.worker
WHERE seen_at > clock_timestamp() - interval '15 s';

GRANT SELECT ON leasehold.live_worker TO leasehold_engine;

-- For tenants: no worker, not even how many there are.
CREATE FUNCTION leasehold.known_handlers()
  RETURNS TABLE (handler_id text, queue text, is_live boolean)
  LANGUAGE plpgsql STABLE ROWS 50
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT known.handler_id, known.queue, EXISTS (
      SELECT FROM leasehold.live_worker WHERE known.handler_id = ANY (handlers))
    FROM leasehold.handler AS known
    WHERE leasehold.own_tenant() IS NOT NULL
    ORDER BY known.handler_id;
END $$;

SELECT leasehold.run_as_engine('leasehold.known_handlers()');
GRANT EXECUTE ON FUNCTION leasehold.known_handlers() TO leasehold_tenant;
