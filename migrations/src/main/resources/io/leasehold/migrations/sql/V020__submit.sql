-- Jobs enter the queue by these functions alone: the tenant role has no right to write its tables.
-- The tenant is the transaction's; no argument can name one.

-- The tenant that submits, if it may and what it says is within bounds. That is checked here, once
-- a call, and not by constraints for each row.
CREATE FUNCTION leasehold.submitter(
    queue text, max_attempts smallint, time_limit_ms bigint, delay_ms bigint) RETURNS uuid
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'jobs are submitted in a transaction of a tenant'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF queue !~ '^[a-z0-9][a-z0-9_.-]{0,63}$' OR max_attempts < 1 OR time_limit_ms < 1
    OR delay_ms < 0 THEN
    RAISE EXCEPTION 'queue "%", max_attempts %, time_limit_ms % or delay_ms % is out of bounds',
      queue, max_attempts, time_limit_ms, delay_ms USING ERRCODE = 'check_violation';
  END IF;
  RETURN tenant;
END $$;

-- One job without a key, with as little ado as there can be.
CREATE FUNCTION leasehold.submit(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text, input json, metadata json)
  RETURNS uuid
  LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  tenant uuid := leasehold.submitter(queue, max_attempts, time_limit_ms, delay_ms);
  id uuid := leasehold.new_id();
BEGIN
  INSERT INTO leasehold.job (tenant_id, id, handler_id, input, metadata, queue, priority,
    max_attempts, time_limit, principal, correlation_id)
  VALUES (tenant, id, handler, input, metadata, queue, priority,
    max_attempts, time_limit_ms * interval '1 ms', principal, correlation_id);
  IF delay_ms = 0 THEN
    INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
    VALUES (tenant, id, queue, priority, 0, clock_timestamp());
  ELSE
    INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
    VALUES (tenant, id, queue, priority, 0, clock_timestamp() + delay_ms * interval '1 ms');
  END IF;
  RETURN id;
END $$;

-- The ids that a handler's keys stand for: those that are offered, or those that came first. Waits
-- for a transaction that takes the same key, and for no other.
--
-- What was added here is not looked up: a transaction with an old snapshot would also see a row that
-- was deleted since.
CREATE FUNCTION leasehold.take_keys(handler text, keys text[], offered uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
  own_keys text[];
  own_ids uuid[];
  taken uuid[];
BEGIN
  LOOP
    WITH added AS (
      INSERT INTO leasehold.job_key (tenant_id, handler_id, key, id)
      SELECT tenant, handler, its.key, min(its.id::text)::uuid
      FROM unnest(keys, offered) AS its (key, id)
      WHERE its.key IS NOT NULL
      GROUP BY its.key
      ORDER BY its.key -- So that two submissions of the same keys wait, and do not deadlock.
      ON CONFLICT DO NOTHING
      RETURNING job_key.key, job_key.id)
    SELECT own_keys || array_agg(added.key), own_ids || array_agg(added.id)
    INTO own_keys, own_ids
    FROM added;

    SELECT array_agg(
      CASE WHEN its.key IS NULL THEN its.id ELSE coalesce(own.id, job_key.id) END ORDER BY its.place)
    INTO taken
    FROM unnest(keys, offered) WITH ORDINALITY AS its (key, id, place)
    LEFT JOIN unnest(own_keys, own_ids) AS own (key, id) ON own.key = its.key
    LEFT JOIN leasehold.job_key
      ON own.key IS NULL
        AND job_key.tenant_id = tenant AND job_key.handler_id = handler AND job_key.key = its.key;

    -- The job that had a key may have been deleted in between: then the key is free.
    IF array_position(taken, NULL) IS NULL THEN
      RETURN taken;
    END IF;
  END LOOP;
END $$;

-- Many jobs, which are alike but for input, metadata and key. Answers an id for each input, in their
-- order: the new job's or, where a key was taken, that of the job which has it.
CREATE FUNCTION leasehold.submit_all(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text,
    inputs json[], metadata json[], keys text[])
  RETURNS TABLE (id uuid, repeated boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.submitter(queue, max_attempts, time_limit_ms, delay_ms);
  offered uuid[];
  taken uuid[];
BEGIN
  IF keys IS NOT NULL THEN
    offered := ARRAY(SELECT leasehold.new_id() FROM unnest(inputs));
    taken := leasehold.take_keys(handler, keys, offered);
  END IF;

  RETURN QUERY
    WITH its AS MATERIALIZED (
      SELECT coalesce(its.id, leasehold.new_id()) AS id, its.taken, its.input, its.metadata
      FROM unnest(offered, taken, inputs, submit_all.metadata) AS its (id, taken, input, metadata)),
    asked AS (
      INSERT INTO leasehold.job (tenant_id, id, handler_id, input, metadata, queue, priority,
        max_attempts, time_limit, principal, correlation_id)
      SELECT tenant, its.id, handler, its.input, its.metadata, submit_all.queue, submit_all.priority,
        submit_all.max_attempts, submit_all.time_limit_ms * interval '1 ms', submit_all.principal,
        submit_all.correlation_id
      FROM its
      WHERE its.taken IS NULL OR its.taken = its.id),
    due AS (
      INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant, its.id, submit_all.queue, submit_all.priority, 0, clock_timestamp()
      FROM its
      WHERE delay_ms = 0 AND (its.taken IS NULL OR its.taken = its.id)),
    due_later AS (
      INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant, its.id, submit_all.queue, submit_all.priority, 0,
        clock_timestamp() + delay_ms * interval '1 ms'
      FROM its
      WHERE delay_ms > 0 AND (its.taken IS NULL OR its.taken = its.id))
    SELECT coalesce(its.taken, its.id), its.taken IS NOT NULL AND its.taken <> its.id FROM its;
END $$;

REVOKE ALL ON FUNCTION leasehold.submitter(text, smallint, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.submitter(text, smallint, bigint, bigint) TO leasehold_engine;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.take_keys(text, text[], uuid[])',
  'leasehold.submit(text, text, smallint, smallint, bigint, bigint, text, text, json, json)',
  'leasehold.submit_all(text, text, smallint, smallint, bigint, bigint, text, text, json[], json[], text[])'
]::regprocedure[]) AS its;

GRANT EXECUTE ON FUNCTION
  leasehold.submit(text, text, smallint, smallint, bigint, bigint, text, text, json, json),
  leasehold.submit_all(
    text, text, smallint, smallint, bigint, bigint, text, text, json[], json[], text[])
  TO leasehold_tenant;
