-- The tenant of a transaction is proven and cannot be set: only leasehold.enter_tenant can make the
-- value that policies read, and it demands a MAC over the tenants with a key that the tenant role
-- cannot read. So any SQL in a tenant's transaction sees that tenant's rows and no others.

-- The keys of the MAC. Processes sign with the newest; a replaced key is accepted for one more hour,
-- in which every process takes up the new one.
CREATE TABLE leasehold.tenant_key (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

  secret bytea NOT NULL CHECK (octet_length(secret) = 32),
  inner_pad bytea NOT NULL CHECK (octet_length(inner_pad) = 64),
  outer_pad bytea NOT NULL CHECK (octet_length(outer_pad) = 64),

  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  accepted_until timestamptz NOT NULL DEFAULT 'infinity'
);

-- The engine's processes sign with the secret; its functions verify with the rest.
GRANT SELECT ON leasehold.tenant_key TO leasehold_engine;

-- A key of HMAC-SHA256, prepared as the standard says: filled up to a block, and combined with a byte.
CREATE FUNCTION leasehold.hmac_pad(secret bytea, with_byte integer) RETURNS bytea
  LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  pad bytea := secret || decode(repeat('00', 64 - octet_length(secret)), 'hex');
BEGIN
  FOR place IN 0 .. 63 LOOP
    pad := set_byte(pad, place, get_byte(pad, place) # with_byte);
  END LOOP;
  RETURN pad;
END $$;

-- Makes a new key. The old ones are accepted for another hour; or not at all, if they were stolen:
-- then transactions fail until their process reads the new key, which it does at the first failure.
CREATE FUNCTION leasehold.rotate_tenant_key(old_is_stolen boolean DEFAULT false) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  fresh bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()));
  made integer;
BEGIN
  DELETE FROM leasehold.tenant_key
  WHERE old_is_stolen OR accepted_until < clock_timestamp();
  UPDATE leasehold.tenant_key SET accepted_until = clock_timestamp() + interval '1 hour'
  WHERE accepted_until = 'infinity';
  INSERT INTO leasehold.tenant_key (secret, inner_pad, outer_pad)
  VALUES (fresh, leasehold.hmac_pad(fresh, 54), leasehold.hmac_pad(fresh, 92))
  RETURNING id INTO made;
  -- Without statistics the server assumes hundreds of keys, and plans each transaction's proof again.
  ANALYZE leasehold.tenant_key;
  RETURN made;
END $$;

SELECT leasehold.rotate_tenant_key();

-- Whether a proof is that of these tenants, made with this key: "b" and a MAC over the server process
-- and the tenants, or "p" and a MAC over the tenants alone, where a pooler chooses the process.
--
-- This compares digests of two MACs and not the MACs: how long a comparison takes then says nothing
-- about the right one. The server puts the expression in the place of the call.
CREATE FUNCTION leasehold.is_proof(proof text, tenants text, inner_pad bytea, outer_pad bytea)
  RETURNS boolean
  LANGUAGE sql STABLE
  RETURN sha256(decode(substr(proof, 2), 'hex')) = sha256(sha256(
    outer_pad || sha256(inner_pad || CASE left(proof, 1)
      WHEN 'b' THEN 'b'::bytea || int4send(pg_backend_pid()) ELSE 'p'::bytea END
      || convert_to(tenants, 'UTF8'))));

REVOKE ALL ON FUNCTION leasehold.is_proof(text, text, bytea, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.is_proof(text, text, bytea, bytea) TO leasehold_engine;

-- Refuses a proof.
CREATE FUNCTION leasehold.refuse_proof() RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'the tenant of the transaction is not proven' USING ERRCODE = '28L01',
    HINT = 'the proof is signed with the newest key of leasehold.tenant_key';
END $$;

REVOKE ALL ON FUNCTION leasehold.refuse_proof() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.refuse_proof() TO leasehold_engine;

-- The functions by which a tenant enters a transaction and is read back have two forms.
--
-- "parameter": the tenants stand in backtrace_functions, a parameter of the server that does nothing
-- here. An administrator lent it to leasehold_owner, and nobody else but a superuser may set it. The
-- functions that read it are part of the statement that calls them, and cost nothing.
--
-- "seal", where the parameter was not lent: the tenants stand in a setting that anybody may change,
-- beside a MAC over them, the server process and the start of the transaction. Each reading verifies
-- it.
--
-- Both first take back what was left on the connection, settings and locks, and set how the text of
-- statements is read; search_path comes with the call, because these functions have one of their own.
CREATE FUNCTION leasehold.prove_tenants_by(way text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $prove$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION leasehold.tenant_proof() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %L', way);
  GRANT EXECUTE ON FUNCTION leasehold.tenant_proof() TO leasehold_tenant, leasehold_engine;

  IF way = 'parameter' THEN
    CREATE OR REPLACE FUNCTION leasehold.enter_tenant(tenants text, proof text) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
    BEGIN
      RESET ALL;
      PERFORM pg_advisory_unlock_all(), set_config('standard_conforming_strings', 'on', true),
        set_config('backtrace_functions', translate(tenants, '-', ''), true)
      FROM leasehold.tenant_key AS key
      WHERE key.accepted_until > now()
        AND leasehold.is_proof(proof, tenants, key.inner_pad, key.outer_pad);
      IF NOT FOUND THEN
        PERFORM leasehold.refuse_proof();
      END IF;
    END $$;

    CREATE OR REPLACE FUNCTION leasehold.own_tenant() RETURNS uuid
      LANGUAGE sql STABLE PARALLEL SAFE
      RETURN split_part(nullif(current_setting('backtrace_functions'), ''), ',', 1)::uuid;

    CREATE OR REPLACE FUNCTION leasehold.readable_tenants() RETURNS uuid[]
      LANGUAGE sql STABLE PARALLEL SAFE
      RETURN string_to_array(nullif(current_setting('backtrace_functions'), ''), ',')::uuid[];
  ELSIF way = 'seal' THEN
    CREATE OR REPLACE FUNCTION leasehold.enter_tenant(tenants text, proof text) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
    BEGIN
      RESET ALL;
      PERFORM pg_advisory_unlock_all(), set_config('standard_conforming_strings', 'on', true),
        set_config('leasehold.tenants', tenants, true),
        set_config('leasehold.seal', encode(sha256(key.outer_pad || sha256(key.inner_pad
          || 's'::bytea || int4send(pg_backend_pid()) || timestamptz_send(now())
          || convert_to(tenants, 'UTF8'))), 'hex'), true)
      FROM leasehold.tenant_key AS key
      WHERE key.accepted_until > now()
        AND leasehold.is_proof(proof, tenants, key.inner_pad, key.outer_pad);
      IF NOT FOUND THEN
        PERFORM leasehold.refuse_proof();
      END IF;
    END $$;

    CREATE OR REPLACE FUNCTION leasehold.own_tenant() RETURNS uuid
      LANGUAGE plpgsql STABLE PARALLEL RESTRICTED SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp
    AS $$
    BEGIN
      RETURN (
        SELECT split_part(current_setting('leasehold.tenants'), ',', 1)::uuid
        FROM leasehold.tenant_key AS key
        WHERE sha256(convert_to(current_setting('leasehold.seal', true), 'UTF8'))
          = sha256(convert_to(encode(sha256(key.outer_pad || sha256(key.inner_pad || 's'::bytea
            || int4send(pg_backend_pid()) || timestamptz_send(now())
            || convert_to(current_setting('leasehold.tenants', true), 'UTF8'))), 'hex'), 'UTF8')));
    END $$;

    CREATE OR REPLACE FUNCTION leasehold.readable_tenants() RETURNS uuid[]
      LANGUAGE plpgsql STABLE PARALLEL RESTRICTED SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp
    AS $$
    BEGIN
      RETURN (
        SELECT string_to_array(current_setting('leasehold.tenants'), ',')::uuid[]
        FROM leasehold.tenant_key AS key
        WHERE sha256(convert_to(current_setting('leasehold.seal', true), 'UTF8'))
          = sha256(convert_to(encode(sha256(key.outer_pad || sha256(key.inner_pad || 's'::bytea
            || int4send(pg_backend_pid()) || timestamptz_send(now())
            || convert_to(current_setting('leasehold.tenants', true), 'UTF8'))), 'hex'), 'UTF8')));
    END $$;
  ELSE
    RAISE EXCEPTION 'way must be parameter or seal, not %', way
      USING ERRCODE = 'invalid_parameter_value';
  END IF;

  GRANT EXECUTE ON FUNCTION leasehold.enter_tenant(text, text) TO leasehold_tenant;
END $prove$;

-- By the parameter wherever it is lent. Every migration asks again, because rights do not travel with
-- a database.
CREATE FUNCTION leasehold.choose_tenant_proof() RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  chosen text := CASE
    WHEN has_parameter_privilege('leasehold_owner', 'backtrace_functions', 'SET') THEN 'parameter'
    ELSE 'seal' END;
BEGIN
  IF to_regprocedure('leasehold.tenant_proof()') IS NOT NULL THEN
    IF leasehold.tenant_proof() = chosen THEN
      RETURN;
    END IF;
  END IF;
  PERFORM leasehold.prove_tenants_by(chosen);
END $$;

SELECT leasehold.choose_tenant_proof();

-- Stores one job. If the statement is the whole transaction, it brings the proof of its tenants; entering
-- them first, in a function of its own, was an eighth of what a submission costs. Only the platform's
-- Java makes proofs, and its requests are within the bounds, so but for sizes they are not checked once
-- more. Without a proof the job is one of the tenant that the transaction has entered, whatever SQL asks for it.
--
-- It takes back no settings: the connection is cleaned before another tenant's call.
CREATE FUNCTION leasehold.submit_as(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text, input json, metadata json,
    tenants text, proof text)
  RETURNS uuid
  LANGUAGE plpgsql
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

SELECT leasehold.run_as_engine('leasehold.submit_as(text, text, smallint, smallint, bigint, bigint, text,
  text, json, json, text, text)');
GRANT EXECUTE ON FUNCTION leasehold.submit_as(text, text, smallint, smallint, bigint, bigint, text,
  text, json, json, text, text) TO leasehold_tenant;

-- As before, in a transaction that has entered its tenant.
DROP FUNCTION leasehold.submit(text, text, smallint, smallint, bigint, bigint, text, text, json, json);
CREATE FUNCTION leasehold.submit(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    delay_ms bigint, principal text, correlation_id text, input json, metadata json)
  RETURNS uuid
  LANGUAGE sql
  RETURN leasehold.submit_as(handler, queue, priority, max_attempts, time_limit_ms, delay_ms,
    principal, correlation_id, input, metadata, NULL, NULL);

REVOKE ALL ON FUNCTION leasehold.submit(text, text, smallint, smallint, bigint, bigint, text, text,
  json, json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.submit(text, text, smallint, smallint, bigint, bigint, text, text,
  json, json) TO leasehold_tenant;

-- Leaves a session as if it were new, behind the COMMIT or ROLLBACK of a transaction in which code of a
-- module may have run: settings, cursors, subscriptions, temporary tables, values of sequences, advisory
-- locks and the role. Answers whether SQL of a tenant prepared a statement, which could stand where the driver keeps one of its own: then
-- the session has to be closed.
CREATE FUNCTION leasehold.clean_session() RETURNS boolean
  LANGUAGE plpgsql
AS $$
BEGIN
  RESET ALL;
  UNLISTEN *;
  EXECUTE 'CLOSE ALL';
  DISCARD TEMP;
  DISCARD SEQUENCES;
  PERFORM pg_catalog.pg_advisory_unlock_all(), pg_catalog.set_config('role', 'none', false);
  RETURN EXISTS (SELECT FROM pg_catalog.pg_prepared_statement() WHERE from_sql);
END $$;

GRANT EXECUTE ON FUNCTION leasehold.clean_session() TO leasehold_tenant;

-- The policies ask the two functions, in a subquery that runs once per statement. Of what the engine
-- inserts into tables of the platform nothing is asked: the subquery was a tenth of what a submission
-- costs, and the owner, who is a member of the engine's role, still reads and changes no row there.
CREATE OR REPLACE FUNCTION leasehold.protect_one(protected regclass, for_engine boolean)
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  readable text := 'tenant_id = ANY ((SELECT leasehold.readable_tenants())::uuid[])';
  own text := 'tenant_id = (SELECT leasehold.own_tenant())';
  not_as_owner text := $q$(SELECT NOT pg_has_role('leasehold_owner', 'MEMBER'))$q$;
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', protected);
  PERFORM leasehold.replace_policy(protected, 'tenant_reads',
    format('FOR SELECT TO leasehold_tenant USING (%s)', readable));
  PERFORM leasehold.replace_policy(protected, 'tenant_inserts',
    format('FOR INSERT TO leasehold_tenant WITH CHECK (%s)', own));
  PERFORM leasehold.replace_policy(protected, 'tenant_updates',
    format('FOR UPDATE TO leasehold_tenant USING (%s) WITH CHECK (%s)', own, own));
  PERFORM leasehold.replace_policy(protected, 'tenant_deletes',
    format('FOR DELETE TO leasehold_tenant USING (%s)', own));
  PERFORM leasehold.replace_policy(protected, 'engine_does_all',
    CASE WHEN for_engine
      THEN format('TO leasehold_engine USING (%s) WITH CHECK (%s)', not_as_owner, CASE (
        SELECT relnamespace FROM pg_class WHERE oid = protected)
        WHEN 'leasehold'::regnamespace THEN 'true' ELSE not_as_owner END) ELSE '' END);
  PERFORM leasehold.revoke_what_reaches_past_policies(protected);
END $$;

-- Every table that was protected before, of the platform and of modules.
SELECT leasehold.protect_one(polrelid::regclass, EXISTS (
  SELECT FROM pg_policy AS engines
  WHERE engines.polrelid = pg_policy.polrelid AND engines.polname = 'engine_does_all'))
FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
WHERE polname = 'tenant_reads' AND relowner = to_regrole('leasehold_owner')
ORDER BY polrelid;

CREATE OR REPLACE VIEW leasehold.examined_model WITH (security_invoker = true) AS
WITH word AS (
  SELECT '(tenant_id = ANY (( SELECT leasehold.readable_tenants() AS readable_tenants)::uuid[]))'
      AS readable,
    '(tenant_id = ( SELECT leasehold.own_tenant() AS own_tenant))' AS own,
    $q$( SELECT (NOT pg_has_role('leasehold_owner'::name, 'MEMBER'::text)))$q$ AS not_as_owner)
SELECT model.name, ROW(model.name, command, true, ARRAY[to_regrole(role)::oid],
  qualification, check_of_new)::text AS definition
FROM word CROSS JOIN LATERAL (VALUES
  ('tenant_reads', 'r', 'leasehold_tenant', readable, NULL),
  ('tenant_inserts', 'a', 'leasehold_tenant', NULL, own),
  ('tenant_updates', 'w', 'leasehold_tenant', own, own),
  ('tenant_deletes', 'd', 'leasehold_tenant', own, NULL),
  ('engine_does_all', '*', 'leasehold_engine', not_as_owner, not_as_owner),
  ('engine_does_all', '*', 'leasehold_engine', not_as_owner, 'true'),
  ('tenants_share', 'r', 'leasehold_tenant', 'true', NULL))
  AS model (name, command, role, qualification, check_of_new);

-- That tenants can be proven at all: the parameter is still lent, and there is a key.
CREATE VIEW leasehold.finding_of_proof WITH (security_invoker = true) AS
SELECT 'proof-parameter' AS rule, 'leasehold_owner' AS object, to_regrole('leasehold_owner')::oid AS owner,
  'may not set the parameter backtrace_functions, in which transactions say whose they are' AS problem,
  'GRANT SET ON PARAMETER backtrace_functions TO leasehold_owner' AS remedy
WHERE leasehold.tenant_proof() = 'parameter'
  AND NOT has_parameter_privilege('leasehold_owner', 'backtrace_functions', 'SET')

UNION ALL
SELECT 'proof-key', 'leasehold.tenant_key', to_regrole('leasehold_owner')::oid,
  'has no key to prove tenants with', 'SELECT leasehold.rotate_tenant_key()'
WHERE NOT EXISTS (SELECT FROM leasehold.tenant_key WHERE accepted_until = 'infinity');

CREATE OR REPLACE VIEW leasehold.finding WITH (security_invoker = true) AS
SELECT DISTINCT rule, object, problem, remedy || ';' AS remedy, owner FROM (
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_tables
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_keys
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_grants
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_views
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_functions
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_roles
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_server
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_proof) AS finding;
