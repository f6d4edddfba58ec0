-- Functions of a business module, some of which leave something behind: for tests.
SET ROLE leasehold_owner;

CREATE FUNCTION acme.pause(seconds double precision) RETURNS text LANGUAGE sql
  RETURN pg_sleep(seconds)::text;

CREATE FUNCTION acme.backend() RETURNS integer LANGUAGE sql
  RETURN pg_backend_pid();

CREATE FUNCTION acme.leave_setting(name text, value text) RETURNS text LANGUAGE sql
  RETURN set_config(name, value, false);

CREATE FUNCTION acme.leave_lock(key bigint) RETURNS text LANGUAGE sql
  RETURN pg_advisory_lock(key)::text;

CREATE FUNCTION acme.leave_role() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  SET ROLE leasehold_tenant;
END $$;

CREATE FUNCTION acme.leave_listening() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LISTEN acme_leftover;
END $$;

CREATE FUNCTION acme.leave_cursor() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'DECLARE leftover CURSOR WITH HOLD FOR SELECT tenant_id FROM acme.orders';
END $$;

-- The tenant role may make no temporary table; a careless function of its owner can.
CREATE FUNCTION acme.leave_table() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  CREATE TEMPORARY TABLE leftover AS SELECT leasehold.own_tenant() AS tenant;
END $$;

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA acme TO leasehold_tenant;

RESET ROLE;

GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO leasehold_tenant;

DO $$
BEGIN
  EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO leasehold_owner', current_database());
END $$;
