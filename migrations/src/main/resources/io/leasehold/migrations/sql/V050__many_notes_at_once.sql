-- Notes are settled a thousand at a time, however many there are, and dead ones beside them: what
-- several say of one tenant is done once. And nobody who ends jobs is held up for long by those that
-- wait for them: neither by a chain of jobs that fail, nor by thousands for each job of a batch, nor
-- by those that have waited, whose dead rows a long snapshot keeps.

-- As before, but for how long a chain is followed: each job of it is a look of its own. What this
-- ends itself is told by a setting: also a module's own trigger may have ended a job.
CREATE OR REPLACE FUNCTION leasehold.follow_outcomes() RETURNS trigger
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  its record;
  failed uuid[];
  many integer := 0;
  looks integer := 0;
BEGIN
  IF current_setting('leasehold.follows', true) = 'on' THEN
    RETURN NULL;
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM leasehold.note(tenant_id, 'ended', array_agg(id), interval '0')
    FROM ended GROUP BY tenant_id;
    RETURN NULL;
  END IF;

  -- Mostly nobody waits: one look at an index for each job, that has none but who waits for it.
  FOR its IN
    SELECT ended.tenant_id, array_agg(ended.id) AS ids
    FROM ended CROSS JOIN LATERAL (
      SELECT FROM leasehold.dependency
      WHERE dependency.tenant_id = ended.tenant_id AND dependency.on_id = ended.id
        AND dependency.state = 'unmet' LIMIT 1) AS awaited
    GROUP BY ended.tenant_id
  LOOP
    failed := its.ids;
    WHILE cardinality(failed) > 0 LOOP
      IF many >= 1000 OR looks >= 100 THEN
        PERFORM leasehold.note(its.tenant_id, 'ended', failed, interval '0');
        EXIT;
      END IF;
      PERFORM set_config('leasehold.follows', 'on', true);
      failed := leasehold.follow_ended(its.tenant_id, failed, 1000);
      PERFORM set_config('leasehold.follows', '', true);
      many := many + cardinality(failed);
      looks := looks + 1;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

-- Looks at what was noted and is due: about so many jobs, and for about a fifth of a second; what is
-- left keeps its turn. Answers a row for each tenant of which something was noted, and besides the
-- jobs that have changed, and the queues that have got jobs.
CREATE OR REPLACE FUNCTION leasehold.settle(most integer) RETURNS TABLE (id uuid, queue text)
  LANGUAGE plpgsql ROWS 100
AS $$
#variable_conflict use_column
DECLARE
  its record;
  until timestamptz := clock_timestamp() + interval '200 ms';
BEGIN
  FOR its IN
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
      array_agg(DISTINCT noted.id) AS ids, array_agg(DISTINCT noted.queue) AS queues
    FROM taken CROSS JOIN LATERAL (
      SELECT unnest(taken.ids), NULL UNION ALL SELECT NULL, unnest(taken.queues))
      AS noted (id, queue)
    GROUP BY taken.tenant_id, taken.what
    ORDER BY taken.what <> 'changed', min(taken.due_at), taken.tenant_id, taken.what
  LOOP
    id := NULL;
    queue := NULL;
    RETURN NEXT;
    its.ids := array_remove(its.ids, NULL);
    IF its.what = 'changed' THEN
      RETURN QUERY SELECT changed, NULL FROM unnest(its.ids) AS changed;
      RETURN QUERY SELECT NULL::uuid, got FROM unnest(array_remove(its.queues, NULL)) AS got;
    ELSIF clock_timestamp() > until THEN
      INSERT INTO leasehold.unsettled (tenant_id, what, ids, due_at)
      VALUES (its.tenant_id, its.what, its.ids, its.due_at);
    ELSIF its.what = 'ended' THEN
      PERFORM leasehold.follow_ended(its.tenant_id, ARRAY(
        SELECT ended FROM unnest(its.ids) AS ended
        WHERE NOT leasehold.hold_unfinished(its.tenant_id, ended)), most);
    ELSE
      PERFORM leasehold.look_at_waiting(its.tenant_id, its.ids);
    END IF;
  END LOOP;
END $$;

-- As before, and for about five seconds: a thousand may wait for each of them, and fail with it.
CREATE OR REPLACE FUNCTION leasehold.cancel_batch(
    batch uuid, after_id uuid, most integer, principal text)
  RETURNS TABLE (job_id uuid, status text, became boolean)
  LANGUAGE plpgsql ROWS 500
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  until timestamptz := clock_timestamp() + interval '5 s';
BEGIN
  FOR job_id IN
    SELECT id FROM leasehold.batch_job
    WHERE tenant_id = tenant AND batch_id = batch AND id > after_id AND NOT is_callback
    ORDER BY tenant_id, batch_id, id LIMIT most
  LOOP
    SELECT its.status, its.became INTO status, became
    FROM leasehold.cancel(job_id, principal, false) AS its;
    became := became IS TRUE;
    RETURN NEXT;
    EXIT WHEN clock_timestamp() > until;
  END LOOP;
END $$;

SELECT leasehold.run_as_engine('leasehold.cancel_batch(uuid, uuid, integer, text)');
