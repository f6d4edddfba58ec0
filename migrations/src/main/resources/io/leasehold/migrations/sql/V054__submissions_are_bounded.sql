-- What a tenant's statement submits is within the bounds that the Java API has: a job that no worker could
-- read would hold up other tenants' jobs. Each check is written once, as an expression that the server puts
-- in the place of the call, and answers what is wrong, or null.

-- A value for an error message: short, and of one line.
CREATE FUNCTION leasehold.shown(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(
    '"' || regexp_replace(left(value, 60), '[\x01-\x1f\x7f-\x9f]', '?', 'g') || '"', 'NULL');

CREATE FUNCTION leasehold.number_problem(what text, value bigint, low bigint, high bigint)
  RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN (value BETWEEN low AND high) IS NOT TRUE THEN
    format('%s must be %s to %s, not %s', what, low, high, coalesce(value::text, 'NULL')) END;

-- The length in bytes is checked first: a text of many megabytes is not counted through.
CREATE FUNCTION leasehold.length_problem(what text, value text, low integer, high integer)
  RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN value IS NULL THEN what || ' must be a text, not NULL'
    WHEN octet_length(value) > 4 * high THEN
      format('%s must have %s to %s characters, not %s bytes', what, low, high, octet_length(value))
    WHEN length(value) NOT BETWEEN low AND high THEN
      format('%s must have %s to %s characters, not %s', what, low, high, length(value)) END;

CREATE FUNCTION leasehold.text_problem(what text, value text, low integer, high integer)
  RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(
    leasehold.length_problem(what, value, low, high),
    CASE WHEN value ~ '[\x01-\x1f\x7f-\x9f]' THEN
      format('%s must have no control characters, not %s', what, leasehold.shown(value)) END);

-- The name of a queue or a schedule. Two cheap checks: a bound in the pattern would cost ten times as much.
CREATE FUNCTION leasehold.name_problem(what text, value text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN (octet_length(value) <= 64 AND value ~ '^[a-z0-9][a-z0-9_.-]*$') IS NOT TRUE THEN
      format('%s must be up to 64 of a-z, 0-9, _, . and -, the first a letter or digit, not %s',
        what, leasehold.shown(value)) END;

-- By its beginning and its characters: the whole form would cost five times as much, and who reads rows
-- knows what to do with an id that has another.
CREATE FUNCTION leasehold.handler_problem(value text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN (octet_length(value) BETWEEN 28 AND 255 AND starts_with(value, 'gts.x.core.jobs.handler.v1~')
      AND value !~ '[^a-z0-9_.~]') IS NOT TRUE THEN
      format('handler must be gts.x.core.jobs.handler.v1~vendor.package.namespace.type.v1 of up to 255 '
        'characters, not %s', leasehold.shown(value)) END;

-- Who calls: not only blanks, and no control characters.
CREATE FUNCTION leasehold.principal_problem(value text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN (octet_length(value) <= 1020 AND length(value) <= 255 AND value ~
        '^[ \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*[^\x01-\x1f\x7f-\x9f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000][^\x01-\x1f\x7f-\x9f]*$')
      IS NOT TRUE THEN
      format('principal must have 1 to 255 characters, not only blanks and no control characters, not %s',
        leasehold.shown(value)) END;

-- JSON that has at most so many characters. Up to 4,000 stored bytes cannot be more of them, however well
-- they are compressed; only what is larger is written out to be counted.
CREATE FUNCTION leasehold.json_problem(what text, value json, most integer) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN value IS NULL THEN what || ' must be JSON, not NULL'
    WHEN pg_column_size(value) > 4 * most + 100 THEN
      format('%s must have at most %s characters, not %s bytes', what, most, pg_column_size(value))
    WHEN pg_column_size(value) > 4000 AND octet_length(value::text) > most
      AND length(value::text) > most THEN
      format('%s must have at most %s characters, not %s', what, most, length(value::text)) END;

-- 32 names of 64 characters with values of 1,000, each character written as \u0001, are fewer.
CREATE FUNCTION leasehold.metadata_problem(value json) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN value IS NULL THEN NULL
    WHEN pg_column_size(value) > 262244 THEN
      format('metadata must have at most 262144 bytes, not %s', pg_column_size(value))
    WHEN pg_column_size(value) > 1000 AND octet_length(value::text) > 262144 THEN
      format('metadata must have at most 262144 bytes, not %s', octet_length(value::text))
    WHEN json_typeof(value) <> 'object' THEN
      format('metadata must be an object, not %s', json_typeof(value)) END;

-- An array of at most so many elements, in one dimension.
CREATE FUNCTION leasehold.array_problem(what text, value anyarray, most integer) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN value IS NULL THEN what || ' must be an array, not NULL'
    WHEN cardinality(value) > most THEN
      format('%s must have at most %s elements, not %s', what, most, cardinality(value))
    WHEN cardinality(value) > 0 AND (array_ndims(value) > 1 OR array_lower(value, 1) <> 1) THEN
      what || ' must have one dimension, counted from 1' END
$$;

-- As many elements as the inputs, or no array at all.
CREATE FUNCTION leasehold.beside_problem(what text, value anyarray, inputs json[]) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN value IS NULL THEN NULL
    WHEN cardinality(value) <> cardinality(inputs) THEN
      format('%s must have %s element%s, as inputs, not %s', what, cardinality(inputs),
        CASE cardinality(inputs) WHEN 1 THEN '' ELSE 's' END, cardinality(value))
    ELSE leasehold.array_problem(what, value, cardinality(inputs)) END
$$;

-- Refuses a call that has a problem.
CREATE FUNCTION leasehold.refuse(problem text) RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  IF problem IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = problem;
  END IF;
END $$;

-- The tenant that submits, if it may and what is said about its jobs is within bounds. This is called for
-- each single submission, and the server prepares an expression anew in each transaction. So there is a
-- short one that what is usual passes; only of the rest it is asked what the problem is, and whether there is.
CREATE FUNCTION leasehold.submitter(
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

-- What is wrong with the arrays of many submissions. Elements are visited only where one of them can be
-- wrong: an array of inputs that is small as a whole has no large one.
CREATE FUNCTION leasehold.inputs_problem(inputs json[], metadata json[], keys text[]) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  problem text := coalesce(
    leasehold.array_problem('inputs', inputs, 1000),
    CASE WHEN num_nulls(VARIADIC inputs) > 0 THEN 'inputs must have no NULL' END,
    leasehold.beside_problem('metadata', metadata, inputs),
    leasehold.beside_problem('keys', keys, inputs));
  value json;
  key text;
BEGIN
  IF problem IS NULL AND pg_column_size(inputs) > 4000 THEN
    FOREACH value IN ARRAY inputs LOOP
      problem := leasehold.json_problem('input', value, 1048576);
      EXIT WHEN problem IS NOT NULL;
    END LOOP;
  END IF;
  IF problem IS NULL AND num_nonnulls(VARIADIC metadata) > 0 THEN
    FOREACH value IN ARRAY metadata LOOP
      problem := leasehold.metadata_problem(value);
      EXIT WHEN problem IS NOT NULL;
    END LOOP;
  END IF;
  IF problem IS NULL AND keys IS NOT NULL THEN
    FOREACH key IN ARRAY keys LOOP
      problem := CASE WHEN key IS NOT NULL THEN leasehold.length_problem('key', key, 1, 255) END;
      EXIT WHEN problem IS NOT NULL;
    END LOOP;
  END IF;
  RETURN problem;
END $$;

-- As before, and within bounds: as many keys and metadata as inputs.
CREATE OR REPLACE FUNCTION leasehold.submit_all(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text,
    inputs json[], metadata json[], keys text[])
  RETURNS TABLE (id uuid, repeated boolean)
  LANGUAGE plpgsql
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

-- As before, and within bounds; each of "ofs" is the number of an input.
CREATE OR REPLACE FUNCTION leasehold.submit_after(
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

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.submit_leased(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    principal text, correlation_id text, input json, metadata json, key text,
    worker uuid, lease_ms bigint, when_lost text)
  RETURNS TABLE (id uuid, token bigint)
  LANGUAGE plpgsql
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
  PERFORM FROM leasehold.worker AS its WHERE its.id = worker;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  IF leasehold.is_paused(tenant, queue) THEN
    id := (SELECT its.id FROM leasehold.job_key AS its
      WHERE its.tenant_id = tenant AND its.handler_id = handler AND its.key = submit_leased.key);
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
  INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until, when_lost,
    attempt_started_at, started_at)
  VALUES (tenant, id, worker, token, 1, now + lease_ms * interval '1 ms', when_lost, now, now);
  RETURN NEXT;
END $$;

DROP FUNCTION leasehold.submitter(text, smallint, bigint, bigint);

REVOKE ALL ON FUNCTION
  leasehold.submitter(text, text, smallint, smallint, bigint, bigint, text, text),
  leasehold.inputs_problem(json[], json[], text[]), leasehold.handler_problem(text),
  leasehold.principal_problem(text), leasehold.json_problem(text, json, integer),
  leasehold.metadata_problem(json), leasehold.array_problem(text, anyarray, integer),
  leasehold.beside_problem(text, anyarray, json[]), leasehold.name_problem(text, text),
  leasehold.length_problem(text, text, integer, integer),
  leasehold.text_problem(text, text, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  leasehold.submitter(text, text, smallint, smallint, bigint, bigint, text, text),
  leasehold.inputs_problem(json[], json[], text[]), leasehold.handler_problem(text),
  leasehold.principal_problem(text), leasehold.json_problem(text, json, integer),
  leasehold.metadata_problem(json), leasehold.array_problem(text, anyarray, integer),
  leasehold.beside_problem(text, anyarray, json[]), leasehold.name_problem(text, text),
  leasehold.length_problem(text, text, integer, integer),
  leasehold.text_problem(text, text, integer, integer) TO leasehold_engine;

-- What lists a page runs with the tenant's own rights.
REVOKE ALL ON FUNCTION leasehold.number_problem(text, bigint, bigint, bigint),
  leasehold.shown(text), leasehold.refuse(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.number_problem(text, bigint, bigint, bigint),
  leasehold.shown(text), leasehold.refuse(text) TO leasehold_tenant, leasehold_engine;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.submit_all(text, text, smallint, smallint, bigint, bigint, text, text, json[], json[], text[])',
  'leasehold.submit_after(text, text, smallint, smallint, bigint, bigint, text, text, json[], json[],
    text[], bigint, uuid[], integer[], boolean)',
  'leasehold.submit_leased(text, text, smallint, smallint, bigint, text, text, json, json, text, uuid,
    bigint, text)'
]::regprocedure[]) AS its;
