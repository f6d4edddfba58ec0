-- Notes of jobs that others wait for are settled however long the server takes to find them.

-- Serves settle: the notes that are due, the oldest first, without a look at the others.
CREATE INDEX unsettled_when_due ON leasehold.unsettled (due_at);

-- As before, but the time limit begins when the notes are found, and the first group of them is settled
-- whatever the time is. A server that was slow to find them put all of them back, again and again.
CREATE OR REPLACE FUNCTION leasehold.settle(most integer) RETURNS TABLE (id uuid, queue text)
  LANGUAGE plpgsql ROWS 100
AS $$
#variable_conflict use_column
DECLARE
  noted record;
  until timestamptz;
BEGIN
  FOR noted IN
    WITH due AS MATERIALIZED (
      SELECT ctid AS place, cardinality(ids) AS size, due_at FROM leasehold.unsettled
      WHERE due_at <= clock_timestamp()
      ORDER BY due_at LIMIT most FOR UPDATE SKIP LOCKED),
    counted AS (
      SELECT place, sum(size) OVER (ORDER BY due_at, place) - size AS before FROM due),
    taken AS (
      DELETE FROM leasehold.unsettled USING counted
      WHERE unsettled.ctid = counted.place AND counted.before < most
      RETURNING unsettled.*)
    SELECT taken.tenant_id, taken.what, min(taken.due_at) AS due_at,
      array_remove(array_agg(DISTINCT one.id), NULL) AS ids,
      array_remove(array_agg(DISTINCT one.queue), NULL) AS queues
    FROM taken CROSS JOIN LATERAL (
      SELECT unnest(taken.ids), NULL UNION ALL SELECT NULL, unnest(taken.queues))
      AS one (id, queue)
    GROUP BY taken.tenant_id, taken.what
    ORDER BY taken.what <> 'changed', min(taken.due_at), taken.tenant_id, taken.what
  LOOP
    id := NULL;
    queue := NULL;
    RETURN NEXT;
    IF noted.what = 'changed' THEN
      RETURN QUERY SELECT changed, NULL FROM unnest(noted.ids) AS changed;
      RETURN QUERY SELECT NULL::uuid, got FROM unnest(noted.queues) AS got;
    ELSIF clock_timestamp() > until THEN
      INSERT INTO leasehold.unsettled (tenant_id, what, ids, due_at)
      VALUES (noted.tenant_id, noted.what, noted.ids, noted.due_at);
    ELSE
      until := coalesce(until, clock_timestamp() + interval '200 ms');
      IF noted.what = 'ended' THEN
        PERFORM leasehold.follow_ended(noted.tenant_id, ARRAY(
          SELECT ended FROM unnest(noted.ids) AS ended
          WHERE NOT leasehold.hold_unfinished(noted.tenant_id, ended)), most);
      ELSE
        PERFORM leasehold.look_at_waiting(noted.tenant_id, noted.ids);
      END IF;
    END IF;
  END LOOP;
END $$;
