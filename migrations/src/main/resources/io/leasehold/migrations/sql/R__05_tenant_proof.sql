-- The tenant of a transaction is proven and cannot be set: only leasehold.enter_tenant can produce the value that
-- policies read, and it requires a MAC over the tenants with a key that the tenant role cannot read. So any SQL in a
-- tenant's transaction sees that tenant's rows and no others.

-- A key of HMAC-SHA256, prepared as the standard requires: padded to a block and XORed with a byte.
CREATE OR REPLACE FUNCTION leasehold.hmac_pad(secret bytea, with_byte integer) RETURNS bytea
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

-- Creates a new key. The old keys are accepted for another hour, or not at all if they were stolen. In the latter
-- case transactions fail until their process reads the new key, which it does at the first failure.
CREATE OR REPLACE FUNCTION leasehold.rotate_tenant_key(old_is_stolen boolean DEFAULT false) RETURNS integer
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

-- Whether a proof is valid for these tenants and this key: "b" and a MAC over the server process and the tenants, or
-- "p" and a MAC over the tenants alone, where a pooler chooses the process.
--
-- This compares digests of the two MACs instead of the MACs, so that the duration of a comparison reveals nothing
-- about the right MAC. The server inlines the expression into the calling statement.
CREATE OR REPLACE FUNCTION leasehold.is_proof(proof text, tenants text, inner_pad bytea, outer_pad bytea)
  RETURNS boolean
  LANGUAGE sql STABLE
  RETURN sha256(decode(substr(proof, 2), 'hex')) = sha256(sha256(
    outer_pad || sha256(inner_pad || CASE left(proof, 1)
      WHEN 'b' THEN 'b'::bytea || int4send(pg_backend_pid()) ELSE 'p'::bytea END
      || convert_to(tenants, 'UTF8'))));

-- Refuses a proof.
CREATE OR REPLACE FUNCTION leasehold.refuse_proof() RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'the tenant of the transaction is not proven' USING ERRCODE = '28L01',
    HINT = 'the proof is signed with the newest key of leasehold.tenant_key';
END $$;

-- The functions that enter a tenant and read it back have two forms.
--
-- "parameter": the tenants are stored in backtrace_functions, a server parameter that does nothing here. An
-- administrator granted it to leasehold_owner, and apart from that only a superuser may set it. The functions that
-- read it are inlined into the calling statement, and cost nothing.
--
-- "seal", where the parameter was not granted: the tenants are stored in a setting that any SQL may change, beside a
-- MAC over them, the server process and the start of the transaction. Each read verifies the MAC.
--
-- Both forms first undo what was left on the connection (settings and locks), and set how statement text is parsed.
-- The caller sets search_path, because these functions have a search_path of their own.
CREATE OR REPLACE FUNCTION leasehold.prove_tenants_by(way text) RETURNS void
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

-- By the parameter wherever it is lent. Every migration asks again, because rights do not travel with a database;
-- again if the functions' text has changed.
CREATE OR REPLACE FUNCTION leasehold.choose_tenant_proof(rebuild boolean DEFAULT false) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  chosen text := CASE
    WHEN has_parameter_privilege('leasehold_owner', 'backtrace_functions', 'SET') THEN 'parameter'
    ELSE 'seal' END;
BEGIN
  IF NOT rebuild AND to_regprocedure('leasehold.tenant_proof()') IS NOT NULL THEN
    IF leasehold.tenant_proof() = chosen THEN
      RETURN;
    END IF;
  END IF;
  PERFORM leasehold.prove_tenants_by(chosen);
END $$;

-- Leaves a session as if it were new, after the COMMIT or ROLLBACK of a transaction in which a module's code may have
-- run: settings, cursors, subscriptions, temporary tables, sequence values, advisory locks and the role. Returns
-- whether a tenant's SQL prepared a statement; such a statement could replace one of the driver's, so the session has
-- to be closed.
CREATE OR REPLACE FUNCTION leasehold.clean_session() RETURNS boolean
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

GRANT EXECUTE ON FUNCTION
  leasehold.is_proof(text,text,bytea,bytea), leasehold.refuse_proof()
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.clean_session()
  TO leasehold_tenant;

SELECT leasehold.rotate_tenant_key() WHERE NOT EXISTS (SELECT FROM leasehold.tenant_key);
SELECT leasehold.choose_tenant_proof(rebuild => true);
