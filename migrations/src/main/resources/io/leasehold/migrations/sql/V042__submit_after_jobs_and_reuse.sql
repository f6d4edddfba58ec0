-- Submissions that wait for other jobs, or that are content with a job that there is. The others
-- enter by the functions that they always entered by.

-- To lock the job that a key stands for, and to give a key to another.
GRANT UPDATE ON leasehold.job_key TO leasehold_engine;

-- Whether a job is unfinished or has succeeded, and was made so long ago at most. Without a limit,
-- whenever it was made.
CREATE FUNCTION leasehold.is_reusable(its_tenant uuid, job_id uuid, most interval) RETURNS boolean
  LANGUAGE plpgsql
AS $$
DECLARE
  its record;
BEGIN
  SELECT outcome.status INTO its
  FROM leasehold.job LEFT JOIN leasehold.outcome
    ON outcome.tenant_id = job.tenant_id AND outcome.id = job.id
  WHERE job.tenant_id = its_tenant AND job.id = job_id;
  RETURN FOUND AND coalesce(its.status, 'succeeded') = 'succeeded'
    AND leasehold.created_at(job_id) >= clock_timestamp() - most;
END $$;

-- The ids that a handler's keys stand for: those that are offered, or those of jobs that can be
-- reused. A key that stands for another job is taken from that. Waits for a transaction that takes
-- the same key, and for no other; keys are taken in their order, so that none waits for one that
-- waits for it.
CREATE FUNCTION leasehold.take_or_reuse_keys(
    handler text, keys text[], offered uuid[], most interval) RETURNS uuid[]
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
  its record;
  held uuid;
  taken uuid[] := offered;
BEGIN
  FOR its IN
    SELECT key, min(id::text)::uuid AS id, array_agg(place) AS places
    FROM unnest(keys, offered) WITH ORDINALITY AS asked (key, id, place)
    WHERE key IS NOT NULL GROUP BY key ORDER BY key
  LOOP
    LOOP
      INSERT INTO leasehold.job_key (tenant_id, handler_id, key, id)
      VALUES (tenant, handler, its.key, its.id) ON CONFLICT DO NOTHING;
      held := its.id;
      EXIT WHEN FOUND;

      SELECT id INTO held FROM leasehold.job_key
      WHERE tenant_id = tenant AND handler_id = handler AND key = its.key FOR UPDATE;
      -- Its job may have been deleted in between: then the key is free.
      CONTINUE WHEN NOT FOUND;
      EXIT WHEN leasehold.is_reusable(tenant, held, most);

      UPDATE leasehold.job_key SET id = its.id
      WHERE tenant_id = tenant AND handler_id = handler AND key = its.key;
      held := its.id;
      EXIT;
    END LOOP;
    FOR place IN 1 .. cardinality(its.places) LOOP
      taken[its.places[place]] := held;
    END LOOP;
  END LOOP;
  RETURN taken;
END $$;

-- Many jobs, which are alike but for input, metadata, key, and what they wait for: the job of the
-- input that "ofs" numbers waits for that in "on_ids" beside it, for its success or for any end.
-- Without reuse_ms, a key stands for its job whatever became of that.
--
-- Answers an id for each input, in their order, as submit_all does; nothing, and stores nothing, if
-- one of the jobs to wait for is not the tenant's, or is not there.
CREATE FUNCTION leasehold.submit_after(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text,
    inputs json[], metadata json[], keys text[], reuse_ms bigint,
    on_ids uuid[], ofs integer[], until_end boolean)
  RETURNS TABLE (id uuid, repeated boolean)
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.submitter(queue, max_attempts, time_limit_ms, delay_ms);
  offered uuid[];
  chosen uuid[];
  fresh uuid[];
BEGIN
  PERFORM FROM unnest(on_ids) AS its (id)
  WHERE (SELECT true FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = its.id) IS NULL
  LIMIT 1;
  IF FOUND THEN
    RETURN;
  END IF;

  offered := ARRAY(SELECT leasehold.new_id() FROM unnest(inputs));
  chosen := CASE
    WHEN keys IS NULL THEN offered
    WHEN reuse_ms IS NULL THEN leasehold.take_keys(handler, keys, offered)
    ELSE leasehold.take_or_reuse_keys(handler, keys, offered, reuse_ms * interval '1 ms') END;

  fresh := ARRAY(
    SELECT its.id FROM unnest(offered, chosen) AS its (id, taken) WHERE its.taken = its.id);

  INSERT INTO leasehold.job (tenant_id, id, handler_id, input, metadata, queue, priority,
    max_attempts, time_limit, principal, correlation_id)
  SELECT tenant, its.id, handler, its.input, its.metadata, submit_after.queue,
    submit_after.priority, submit_after.max_attempts,
    submit_after.time_limit_ms * interval '1 ms', submit_after.principal,
    submit_after.correlation_id
  FROM unnest(offered, chosen, inputs, submit_after.metadata) AS its (id, taken, input, metadata)
  WHERE its.taken = its.id;

  INSERT INTO leasehold.dependency (tenant_id, id, on_id, until_end, state)
  SELECT tenant, its.id, its.on_id, submit_after.until_end, CASE
    WHEN its.status IS NULL THEN 'unmet'
    WHEN its.status = 'succeeded' OR submit_after.until_end THEN 'met'
    ELSE 'broken' END
  FROM (
    SELECT offered[asked.place] AS id, chosen[asked.place] AS taken, asked.on_id, (
      SELECT outcome.status FROM leasehold.outcome
      WHERE outcome.tenant_id = tenant AND outcome.id = asked.on_id) AS status
    FROM unnest(on_ids, ofs) AS asked (on_id, place)) AS its
  WHERE its.taken = its.id
  ON CONFLICT DO NOTHING;

  INSERT INTO leasehold.waiting (tenant_id, id, queue, priority, attempts, available_at)
  SELECT tenant, its.id, submit_after.queue, submit_after.priority, 0,
    clock_timestamp() + delay_ms * interval '1 ms'
  FROM unnest(fresh) AS its (id);
  PERFORM leasehold.look_at_waiting(tenant, fresh);

  -- Whoever ends one of these at this moment does not see who waits for it by now. Of one that this
  -- transaction made, nobody else knows yet.
  PERFORM leasehold.note(tenant, 'ended', array_agg(its.id), interval '0')
  FROM (
    SELECT on_id AS id, row_number() OVER () AS place FROM (
      SELECT DISTINCT dependency.on_id FROM leasehold.dependency
      WHERE dependency.tenant_id = tenant AND dependency.id = ANY (fresh)
        AND dependency.state = 'unmet') AS unmet
    WHERE (
      SELECT job.xmin = pg_current_xact_id()::xid FROM leasehold.job
      WHERE job.tenant_id = tenant AND job.id = on_id) IS NOT TRUE) AS its
  GROUP BY its.place / 1000;

  RETURN QUERY
    SELECT its.taken, its.taken <> its.id
    FROM unnest(offered, chosen) WITH ORDINALITY AS its (id, taken, place)
    ORDER BY its.place;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.take_or_reuse_keys(text, text[], uuid[], interval)',
  'leasehold.submit_after(text, text, smallint, smallint, bigint, bigint, text, text, json[], json[],
    text[], bigint, uuid[], integer[], boolean)'
]::regprocedure[]) AS its;

REVOKE ALL ON FUNCTION leasehold.is_reusable(uuid, uuid, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.is_reusable(uuid, uuid, interval) TO leasehold_engine;
GRANT EXECUTE ON FUNCTION leasehold.submit_after(text, text, smallint, smallint, bigint, bigint,
  text, text, json[], json[], text[], bigint, uuid[], integer[], boolean) TO leasehold_tenant;
