-- How many jobs wait in each queue, and since when the oldest has waited, without reading all of them: whatever the
-- backlog, this takes at most some tens of milliseconds per queue.

-- Counts up to "most" jobs of a queue along ready_in_turn. For a longer queue, its share of a few hundred randomly
-- chosen pages of the table is taken as its share of all rows. The planner's own estimate was measured to be wrong by
-- a factor of ten with old statistics, and is halved by the policy, which it cannot estimate. The oldest job is
-- searched among those counted and at the beginning of up to "lanes" lanes.
CREATE OR REPLACE FUNCTION leasehold.queue_depths(queues int, most int, lanes int, pages int)
  RETURNS TABLE (queue text, depth bigint, exact boolean, oldest_age double precision)
  LANGUAGE plpgsql STABLE
  SET search_path = pg_catalog, pg_temp
  -- Always by the index: a scan of a small or a new table would look cheaper to the planner.
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  queue_name text;
  percent double precision := least(100, 100.0 * pages * current_setting('block_size')::int
    / greatest(pg_relation_size('leasehold.ready'), 1));
  parts jsonb;
  since timestamptz;
BEGIN
  FOR queue_name IN
    WITH RECURSIVE found (queue) AS (
      (SELECT queue FROM leasehold.ready ORDER BY queue LIMIT 1)
      UNION ALL
      SELECT (SELECT ready.queue FROM leasehold.ready WHERE ready.queue > found.queue
        ORDER BY ready.queue LIMIT 1)
      FROM found WHERE found.queue IS NOT NULL)
    SELECT found.queue FROM found WHERE found.queue IS NOT NULL LIMIT queues
  LOOP
    SELECT count(*), min(first.available_at) INTO depth, since
    FROM (SELECT available_at FROM leasehold.ready WHERE ready.queue = queue_name
      ORDER BY ready.queue, tenant_id, priority DESC, id LIMIT most + 1) AS first;
    exact := depth <= most;
    IF NOT exact THEN
      parts := coalesce(parts, leasehold.parts_of_ready(percent));
      depth := greatest(depth, (coalesce((parts->>queue_name)::bigint, 0) * 100 / percent)::bigint);
      since := least(since, leasehold.oldest_in_lanes(queue_name, lanes));
    END IF;
    queue := queue_name;
    oldest_age := extract(epoch FROM clock_timestamp() - since);
    RETURN NEXT;
  END LOOP;
END $$;

-- The number of rows per queue in a random sample of "percent" percent of the pages.
CREATE OR REPLACE FUNCTION leasehold.parts_of_ready(percent double precision) RETURNS jsonb
  LANGUAGE plpgsql STABLE
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN (SELECT coalesce(jsonb_object_agg(part.queue, part.jobs), '{}')
  FROM (SELECT ready.queue, count(*) AS jobs
    FROM leasehold.ready TABLESAMPLE SYSTEM (percent) GROUP BY ready.queue) AS part);
END $$;

-- When the earliest due job of all lanes' first jobs became due.
CREATE OR REPLACE FUNCTION leasehold.oldest_in_lanes(queue text, most int) RETURNS timestamptz
  LANGUAGE plpgsql STABLE
  SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off
AS $$
BEGIN
  RETURN (WITH RECURSIVE lane (tenant_id, priority, available_at) AS (
    (SELECT ready.tenant_id, ready.priority, ready.available_at
      FROM leasehold.ready WHERE ready.queue = oldest_in_lanes.queue
      ORDER BY ready.queue, ready.tenant_id, ready.priority DESC, ready.id LIMIT 1)
    UNION ALL
    SELECT next.tenant_id, next.priority, next.available_at
    FROM lane CROSS JOIN LATERAL (
      SELECT candidate.tenant_id, candidate.priority, candidate.available_at FROM (
        (SELECT 1 AS turn, ready.tenant_id, ready.priority, ready.available_at
          FROM leasehold.ready
          WHERE ready.queue = oldest_in_lanes.queue AND ready.tenant_id = lane.tenant_id
            AND ready.priority < lane.priority
          ORDER BY ready.queue, ready.tenant_id, ready.priority DESC, ready.id LIMIT 1)
        UNION ALL
        (SELECT 2, ready.tenant_id, ready.priority, ready.available_at
          FROM leasehold.ready
          WHERE ready.queue = oldest_in_lanes.queue AND ready.tenant_id > lane.tenant_id
          ORDER BY ready.queue, ready.tenant_id, ready.priority DESC, ready.id LIMIT 1)
      ) AS candidate ORDER BY candidate.turn LIMIT 1) AS next)
  SELECT min(first.available_at)
  FROM (SELECT lane.available_at FROM lane LIMIT most) AS first);
END $$;

GRANT EXECUTE ON FUNCTION
  leasehold.queue_depths(integer,integer,integer,integer), leasehold.parts_of_ready(double precision),
  leasehold.oldest_in_lanes(text,integer)
  TO leasehold_engine;
