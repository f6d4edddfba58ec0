-- Jobs enter the queue only through these functions: the tenant role has no right to write the queue's tables. The
-- tenant is the transaction's; no argument can name one.

-- The tenant that submits, if it may submit and the values are within bounds. This is called for each single
-- submission, and the server prepares an expression again in each transaction. There is therefore a short expression
-- that usual values pass; only other values are checked for a problem and its text.
CREATE OR REPLACE FUNCTION leasehold.submitter(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text) RETURNS uuid
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'jobs are submitted in a transaction of a tenant'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF (octet_length(handler) <= 255 AND handler LIKE 'gts.x.core.jobs.handler.v1~_%'
    AND handler !~ '[^a-z0-9_.~]' AND octet_length(queue) <= 64 AND queue ~ '^[a-z0-9][a-z0-9_.-]*$'
    AND priority BETWEEN -1000 AND 1000 AND max_attempts BETWEEN 1 AND 30000
    AND (time_limit_ms IS NULL OR time_limit_ms BETWEEN 1 AND 2592000000)
    AND delay_ms BETWEEN 0 AND 315360000000
    AND octet_length(principal) <= 255 AND principal ~ '^[!-~][ -~]*$'
    AND (correlation_id IS NULL OR octet_length(correlation_id) <= 255 AND correlation_id !~ '[^ -~]'))
    IS NOT TRUE
  THEN
    PERFORM leasehold.refuse(coalesce(
      leasehold.handler_problem(handler),
      leasehold.name_problem('queue', queue),
      leasehold.number_problem('priority', priority, -1000, 1000),
      leasehold.number_problem('max_attempts', max_attempts, 1, 30000),
      leasehold.number_problem('time_limit_ms', coalesce(time_limit_ms, 1), 1, 2592000000),
      leasehold.number_problem('delay_ms', delay_ms, 0, 315360000000),
      leasehold.principal_problem(principal),
      leasehold.text_problem('correlation_id', coalesce(correlation_id, ''), 0, 255)));
  END IF;
  RETURN tenant;
END $$;

-- Stores one job. If the statement is the whole transaction, it carries the proof of its tenants; entering the
-- tenants first, in a separate function, was an eighth of the cost of a submission. Only the platform's Java makes
-- proofs, and its requests are within the bounds, so apart from the sizes the bounds are not checked again. Without a
-- proof, the job belongs to the tenant that the transaction has entered, whichever SQL calls the function.
--
-- This function resets no settings: the connection is cleaned before another tenant's call.
CREATE OR REPLACE FUNCTION leasehold.submit_as(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text, input json, metadata json,
    tenants text, proof text)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  tenant uuid;
  id uuid := leasehold.new_id();
BEGIN
  IF proof IS NULL THEN
    tenant := leasehold.submitter(handler, queue, priority, max_attempts, time_limit_ms, delay_ms,
      principal, correlation_id);
  ELSE
    PERFORM FROM leasehold.tenant_key AS key
    WHERE key.accepted_until > now()
      AND leasehold.is_proof(proof, tenants, key.inner_pad, key.outer_pad);
    IF NOT FOUND THEN
      PERFORM leasehold.refuse_proof();
    END IF;
    tenant := split_part(tenants, ',', 1);
  END IF;
  IF (pg_column_size(input) <= 4000 AND metadata IS NULL) IS NOT TRUE THEN
    PERFORM leasehold.refuse(coalesce(
      leasehold.json_problem('input', input, 1048576), leasehold.metadata_problem(metadata)));
  END IF;
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

-- One job without a key, in a transaction that has entered its tenant.
CREATE OR REPLACE FUNCTION leasehold.submit(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text, input json, metadata json)
  RETURNS uuid
  LANGUAGE sql
  RETURN leasehold.submit_as(handler, queue, priority, max_attempts, time_limit_ms, delay_ms,
    principal, correlation_id, input, metadata, NULL, NULL);

-- The ids that a handler's keys stand for: the offered ids, or those of the jobs that took the keys first. Waits for
-- a transaction that takes the same key, and for no other.
--
-- Keys that this call inserted are not looked up: a transaction with an old snapshot would also see a row that was
-- deleted since.
CREATE OR REPLACE FUNCTION leasehold.take_keys(handler text, keys text[], offered uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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
      SELECT tenant, handler, asked.key, min(asked.id::text)::uuid
      FROM unnest(keys, offered) AS asked (key, id)
      WHERE asked.key IS NOT NULL
      GROUP BY asked.key
      ORDER BY asked.key -- Two submissions with the same keys wait for each other instead of deadlocking.
      ON CONFLICT DO NOTHING
      RETURNING job_key.key, job_key.id)
    SELECT own_keys || array_agg(added.key), own_ids || array_agg(added.id)
    INTO own_keys, own_ids
    FROM added;

    SELECT array_agg(
      CASE WHEN asked.key IS NULL THEN asked.id ELSE coalesce(own.id, job_key.id) END ORDER BY asked.place)
    INTO taken
    FROM unnest(keys, offered) WITH ORDINALITY AS asked (key, id, place)
    LEFT JOIN unnest(own_keys, own_ids) AS own (key, id) ON own.key = asked.key
    LEFT JOIN leasehold.job_key
      ON own.key IS NULL
        AND job_key.tenant_id = tenant AND job_key.handler_id = handler AND job_key.key = asked.key;

    -- The job that had a key may have been deleted in between: then the key is free.
    IF array_position(taken, NULL) IS NULL THEN
      RETURN taken;
    END IF;
  END LOOP;
END $$;

-- Many jobs that differ only in input, metadata and key: as many keys and metadata as inputs. Returns an id for each
-- input, in the order of the inputs: the id of the new job or, if the key was taken, of the job that has the key.
CREATE OR REPLACE FUNCTION leasehold.submit_all(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text,
    inputs json[], metadata json[], keys text[])
  RETURNS TABLE (id uuid, repeated boolean)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.submitter(handler, queue, priority, max_attempts, time_limit_ms, delay_ms,
    principal, correlation_id);
  problem text := leasehold.inputs_problem(inputs, submit_all.metadata, keys);
  offered uuid[];
  taken uuid[];
BEGIN
  IF problem IS NOT NULL THEN
    PERFORM leasehold.refuse(problem);
  END IF;
  IF keys IS NOT NULL THEN
    offered := ARRAY(SELECT leasehold.new_id() FROM unnest(inputs));
    taken := leasehold.take_keys(handler, keys, offered);
  END IF;

  RETURN QUERY
    WITH request AS MATERIALIZED (
      SELECT coalesce(request.id, leasehold.new_id()) AS id, request.taken, request.input, request.metadata
      FROM unnest(offered, taken, inputs, submit_all.metadata) AS request (id, taken, input, metadata)),
    asked AS (
      INSERT INTO leasehold.job (tenant_id, id, handler_id, input, metadata, queue, priority,
        max_attempts, time_limit, principal, correlation_id)
      SELECT tenant, request.id, handler, request.input, request.metadata, submit_all.queue, submit_all.priority,
        submit_all.max_attempts, submit_all.time_limit_ms * interval '1 ms', submit_all.principal,
        submit_all.correlation_id
      FROM request
      WHERE request.taken IS NULL OR request.taken = request.id),
    due AS (
      INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant, request.id, submit_all.queue, submit_all.priority, 0, clock_timestamp()
      FROM request
      WHERE delay_ms = 0 AND (request.taken IS NULL OR request.taken = request.id)),
    due_later AS (
      INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant, request.id, submit_all.queue, submit_all.priority, 0,
        clock_timestamp() + delay_ms * interval '1 ms'
      FROM request
      WHERE delay_ms > 0 AND (request.taken IS NULL OR request.taken = request.id))
    SELECT coalesce(request.taken, request.id), request.taken IS NOT NULL AND request.taken <> request.id FROM request;
END $$;

-- Whether a job is unfinished or has succeeded, and is at most "most" old. Without that limit, any age counts.
CREATE OR REPLACE FUNCTION leasehold.is_reusable(its_tenant uuid, job_id uuid, most interval) RETURNS boolean
  LANGUAGE plpgsql
AS $$
DECLARE
  status text;
BEGIN
  SELECT outcome.status INTO status
  FROM leasehold.job LEFT JOIN leasehold.outcome
    ON outcome.tenant_id = job.tenant_id AND outcome.id = job.id
  WHERE job.tenant_id = its_tenant AND job.id = job_id;
  RETURN FOUND AND coalesce(status, 'succeeded') = 'succeeded'
    AND leasehold.created_at(job_id) >= clock_timestamp() - most;
END $$;

-- The ids that a handler's keys stand for: the offered ids, or those of jobs that can be reused. A key that stands
-- for another job is taken from that job. Waits for a transaction that takes the same key, and for no other; keys are
-- taken in their order, so that two transactions never wait for each other.
CREATE OR REPLACE FUNCTION leasehold.take_or_reuse_keys(
    handler text, keys text[], offered uuid[], most interval) RETURNS uuid[]
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
  wanted record;
  held uuid;
  taken uuid[] := offered;
BEGIN
  FOR wanted IN
    SELECT key, min(id::text)::uuid AS id, array_agg(place) AS places
    FROM unnest(keys, offered) WITH ORDINALITY AS asked (key, id, place)
    WHERE key IS NOT NULL GROUP BY key ORDER BY key
  LOOP
    LOOP
      INSERT INTO leasehold.job_key (tenant_id, handler_id, key, id)
      VALUES (tenant, handler, wanted.key, wanted.id) ON CONFLICT DO NOTHING;
      held := wanted.id;
      EXIT WHEN FOUND;

      SELECT id INTO held FROM leasehold.job_key
      WHERE tenant_id = tenant AND handler_id = handler AND key = wanted.key FOR UPDATE;
      -- The job of the key may have been deleted in between: then the key is free.
      CONTINUE WHEN NOT FOUND;
      EXIT WHEN leasehold.is_reusable(tenant, held, most);

      UPDATE leasehold.job_key SET id = wanted.id
      WHERE tenant_id = tenant AND handler_id = handler AND key = wanted.key;
      held := wanted.id;
      EXIT;
    END LOOP;
    FOR place IN 1 .. cardinality(wanted.places) LOOP
      taken[wanted.places[place]] := held;
    END LOOP;
  END LOOP;
  RETURN taken;
END $$;

-- Many jobs that differ only in input, metadata, key and dependencies: the job of input number "ofs" waits for the
-- job at the same position of "on_ids", either for its success or for any end. Without reuse_ms, a key stands for its
-- job whatever the status of that job.
--
-- Returns an id for each input, in the order of the inputs, as submit_all does. If one of the jobs to wait for does
-- not exist or belongs to another tenant, stores nothing and returns nothing.
CREATE OR REPLACE FUNCTION leasehold.submit_after(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text,
    inputs json[], metadata json[], keys text[], reuse_ms bigint,
    on_ids uuid[], ofs integer[], until_end boolean)
  RETURNS TABLE (id uuid, repeated boolean)
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.submitter(handler, queue, priority, max_attempts, time_limit_ms, delay_ms,
    principal, correlation_id);
  offered uuid[];
  chosen uuid[];
  fresh uuid[];
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.inputs_problem(inputs, submit_after.metadata, keys),
    CASE WHEN reuse_ms IS NOT NULL THEN
      leasehold.number_problem('reuse_ms', reuse_ms, 0, 315360000000) END,
    leasehold.array_problem('on_ids', on_ids, 10000000),
    leasehold.array_problem('ofs', ofs, 10000000),
    CASE
      WHEN cardinality(on_ids) <> cardinality(ofs) THEN
        format('ofs must have as many elements as on_ids, %s, not %s', cardinality(on_ids),
          cardinality(ofs))
      WHEN num_nulls(VARIADIC on_ids) + num_nulls(VARIADIC ofs) > 0 THEN
        'on_ids and ofs must have no NULL'
      WHEN 1 > ANY (ofs) OR cardinality(inputs) < ANY (ofs) THEN
        format('ofs must be 1 to %s, the number of inputs', cardinality(inputs))
      WHEN until_end IS NULL THEN 'until_end must be true or false, not NULL' END));
  PERFORM FROM unnest(on_ids) AS awaited (id)
  WHERE (SELECT true FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = awaited.id) IS NULL
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
    SELECT request.id FROM unnest(offered, chosen) AS request (id, taken) WHERE request.taken = request.id);

  INSERT INTO leasehold.job (tenant_id, id, handler_id, input, metadata, queue, priority,
    max_attempts, time_limit, principal, correlation_id)
  SELECT tenant, request.id, handler, request.input, request.metadata, submit_after.queue,
    submit_after.priority, submit_after.max_attempts,
    submit_after.time_limit_ms * interval '1 ms', submit_after.principal,
    submit_after.correlation_id
  FROM unnest(offered, chosen, inputs, submit_after.metadata) AS request (id, taken, input, metadata)
  WHERE request.taken = request.id;

  INSERT INTO leasehold.dependency (tenant_id, id, on_id, until_end, state)
  SELECT tenant, wanted.id, wanted.on_id, submit_after.until_end, CASE
    WHEN wanted.status IS NULL THEN 'unmet'
    WHEN wanted.status = 'succeeded' OR submit_after.until_end THEN 'met'
    ELSE 'broken' END
  FROM (
    SELECT offered[asked.place] AS id, chosen[asked.place] AS taken, asked.on_id, (
      SELECT outcome.status FROM leasehold.outcome
      WHERE outcome.tenant_id = tenant AND outcome.id = asked.on_id) AS status
    FROM unnest(on_ids, ofs) AS asked (on_id, place)) AS wanted
  WHERE wanted.taken = wanted.id
  ON CONFLICT DO NOTHING;

  INSERT INTO leasehold.waiting (tenant_id, id, queue, priority, attempts, available_at)
  SELECT tenant, job.id, submit_after.queue, submit_after.priority, 0,
    clock_timestamp() + delay_ms * interval '1 ms'
  FROM unnest(fresh) AS job (id);
  PERFORM leasehold.look_at_waiting(tenant, fresh);

  -- A transaction that ends one of these jobs at this moment does not see the new dependents. Jobs that this
  -- transaction created need no note, because they are invisible to all other transactions.
  PERFORM leasehold.note(tenant, 'ended', array_agg(awaited.id), interval '0')
  FROM (
    SELECT on_id AS id, row_number() OVER () AS place FROM (
      SELECT DISTINCT dependency.on_id FROM leasehold.dependency
      WHERE dependency.tenant_id = tenant AND dependency.id = ANY (fresh)
        AND dependency.state = 'unmet') AS unmet
    WHERE (
      SELECT job.xmin = pg_current_xact_id()::xid FROM leasehold.job
      WHERE job.tenant_id = tenant AND job.id = on_id) IS NOT TRUE) AS awaited
  GROUP BY awaited.place / 1000;

  RETURN QUERY
    SELECT request.taken, request.taken <> request.id
    FROM unnest(offered, chosen) WITH ORDINALITY AS request (id, taken, place)
    ORDER BY request.place;
END $$;

-- Direct mode does not start paused jobs either: a submission is refused, because it may not wait.
CREATE OR REPLACE FUNCTION leasehold.is_paused(its_tenant uuid, its_queue text) RETURNS boolean
  LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN EXISTS (
      SELECT FROM leasehold.queue WHERE name = its_queue AND paused_at IS NOT NULL)
    OR EXISTS (
      SELECT FROM leasehold.tenant_queue
      WHERE queue = its_queue AND tenant_id = its_tenant AND paused_at IS NOT NULL);
END $$;

-- Direct mode: a job is stored as already leased by the worker of the process that accepts it, and never waits. Its
-- row goes to lease instead of ready.
--
-- Returns the job's id and the token of its lease. If the key was taken, returns the id of the job that has the key,
-- and no token. If the queue or the tenant is paused, returns no id, unless the key has a job. If there is no such
-- worker, stores nothing and returns nothing: the worker's id is random and not visible to any tenant, so module code
-- cannot create a lease under which it could then finish a job that it does not run.
CREATE OR REPLACE FUNCTION leasehold.submit_leased(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    principal text, correlation_id text, input json, metadata json, key text,
    worker uuid, lease_ms bigint, when_lost text)
  RETURNS TABLE (id uuid, token bigint)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  tenant uuid := leasehold.submitter(handler, queue, priority, max_attempts, time_limit_ms, 0,
    principal, correlation_id);
  now timestamptz;
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.json_problem('input', input, 1048576),
    leasehold.metadata_problem(metadata),
    CASE WHEN key IS NOT NULL THEN leasehold.length_problem('key', key, 1, 255) END,
    leasehold.number_problem('lease_ms', lease_ms, 1000, 3600000),
    CASE WHEN (when_lost IN ('requeue', 'fail', 'adopt')) IS NOT TRUE THEN
      'when_lost must be requeue, fail or adopt, not ' || leasehold.shown(when_lost) END));
  PERFORM FROM leasehold.worker AS registered WHERE registered.id = worker;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  IF leasehold.is_paused(tenant, queue) THEN
    id := (SELECT job_key.id FROM leasehold.job_key
      WHERE job_key.tenant_id = tenant AND job_key.handler_id = handler
        AND job_key.key = submit_leased.key);
    RETURN NEXT;
    RETURN;
  END IF;

  id := leasehold.new_id();
  IF key IS NOT NULL THEN
    DECLARE
      taken uuid := (leasehold.take_keys(handler, ARRAY[key], ARRAY[id]))[1];
    BEGIN
      IF taken <> id THEN
        id := taken;
        RETURN NEXT;
        RETURN;
      END IF;
    END;
  END IF;

  now := clock_timestamp();
  token := nextval('leasehold.lease_token');
  INSERT INTO leasehold.job (tenant_id, id, handler_id, input, metadata, queue, priority,
    max_attempts, time_limit, principal, correlation_id)
  VALUES (tenant, id, handler, input, metadata, queue, priority,
    max_attempts, time_limit_ms * interval '1 ms', principal, correlation_id);
  INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until, length_ms,
    when_lost, attempt_started_at, started_at)
  VALUES (tenant, id, worker, token, 1, now + lease_ms * interval '1 ms',
    lease_ms, when_lost, now, now);
  RETURN NEXT;
END $$;

-- The metadata of a job that the caller may read.
CREATE OR REPLACE FUNCTION leasehold.find_metadata(job_id uuid) RETURNS TABLE (id uuid, metadata json)
  LANGUAGE plpgsql STABLE ROWS 1
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT job.id, job.metadata FROM leasehold.job
    WHERE job.tenant_id = ANY (leasehold.readable_tenants()) AND job.id = job_id;
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.submit_as(text,text,smallint,smallint,bigint,bigint,text,text,json,json,text,text)',
  'leasehold.take_keys(text,text[],uuid[])',
  'leasehold.submit_all(text,text,smallint,smallint,bigint,bigint,text,text,json[],json[],text[])',
  'leasehold.take_or_reuse_keys(text,text[],uuid[],interval)',
  'leasehold.submit_after(text,text,smallint,smallint,bigint,bigint,text,text,json[],json[],text[],bigint,uuid[],integer[],boolean)',
  'leasehold.submit_leased(text,text,smallint,smallint,bigint,text,text,json,json,text,uuid,bigint,text)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.submitter(text,text,smallint,smallint,bigint,bigint,text,text),
  leasehold.is_reusable(uuid,uuid,interval), leasehold.is_paused(uuid,text)
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.submit_as(text,text,smallint,smallint,bigint,bigint,text,text,json,json,text,text),
  leasehold.submit(text,text,smallint,smallint,bigint,bigint,text,text,json,json),
  leasehold.submit_all(text,text,smallint,smallint,bigint,bigint,text,text,json[],json[],text[]),
  leasehold.submit_after(text,text,smallint,smallint,bigint,bigint,text,text,json[],json[],text[],bigint,uuid[],integer[],boolean),
  leasehold.submit_leased(text,text,smallint,smallint,bigint,text,text,json,json,text,uuid,bigint,text),
  leasehold.find_metadata(uuid)
  TO leasehold_tenant;
