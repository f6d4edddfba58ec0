-- Roles, the tenant of a transaction, and row level security for any table. This file has only the functions that
-- later versioned files call while they run; all other functions are in repeatable files (R__).

-- Roles that may use the schema at all. Every other right is granted object by object.
REVOKE ALL ON SCHEMA leasehold FROM PUBLIC;
GRANT USAGE ON SCHEMA leasehold TO leasehold_tenant, leasehold_engine;

-- In every schema, only roles with an explicit grant may call a function; PUBLIC may not.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- The tenant that the transaction has proven: the one whose rows it may write, and those whose rows it may read.
-- Policies call these two functions; R__05_tenant_proof replaces them. Until then there is no tenant, and no row is
-- visible.
CREATE FUNCTION leasehold.own_tenant() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULL::uuid;

CREATE FUNCTION leasehold.readable_tenants() RETURNS uuid[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULL::uuid[];

GRANT EXECUTE ON FUNCTION leasehold.own_tenant(), leasehold.readable_tenants()
  TO leasehold_tenant, leasehold_engine;

-- The keys that sign tenants. Processes sign with the newest key. A replaced key is accepted for one more hour,
-- within which every process switches to the new one.
CREATE TABLE leasehold.tenant_key (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

  secret bytea NOT NULL CHECK (octet_length(secret) = 32),
  inner_pad bytea NOT NULL CHECK (octet_length(inner_pad) = 64),
  outer_pad bytea NOT NULL CHECK (octet_length(outer_pad) = 64),

  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  accepted_until timestamptz NOT NULL DEFAULT 'infinity'
);

-- The engine's processes sign with the secret; its functions verify with the pads.
GRANT SELECT ON leasehold.tenant_key TO leasehold_engine;

-- Replaces a policy of a table; an empty text removes it.
CREATE FUNCTION leasehold.replace_policy(protected regclass, policy text, applies text)
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_policy WHERE polrelid = protected AND polname = policy) THEN
    EXECUTE format('DROP POLICY %I ON %s', policy, protected);
  END IF;
  IF applies <> '' THEN
    EXECUTE format('CREATE POLICY %I ON %s %s', policy, protected, applies);
  END IF;
END $$;

-- TRUNCATE empties every tenant's rows; REFERENCES and TRIGGER let a foreign key or a function read them. Revoking a
-- right on the table also revokes it on the table's columns.
CREATE FUNCTION leasehold.revoke_what_reaches_past_policies(protected regclass)
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  maintain text := CASE
    WHEN current_setting('server_version_num')::int >= 170000 THEN ', MAINTAIN' ELSE '' END;
BEGIN
  EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', protected);
  EXECUTE format(
    'REVOKE TRUNCATE, REFERENCES, TRIGGER%s ON %s FROM leasehold_tenant, leasehold_engine',
    maintain, protected);
END $$;

-- The policies of one table. They read the tenant in a subquery, which runs once per statement instead of once per
-- row; both forms can use an index.
--
-- The owner is a member of the engine's role, because it has to hand functions over to it. It therefore inherits the
-- engine's policies, and these have to exclude the owner. Rows that the engine inserts into the platform's own tables
-- are not checked: that subquery was a tenth of the cost of a submission, and the owner still cannot read or change
-- any row there.
CREATE FUNCTION leasehold.protect_one(protected regclass, for_engine boolean)
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

-- Puts a table of any module under row level security: one line in the migration that creates the table.
--
--   SELECT leasehold.protect('acme.order');
--
-- The tenant role reads the rows of its readable tenants and writes the rows of its own tenant; every other role,
-- including the table's owner, sees none. The module grants the basic rights on the table. Calling the function again
-- restores the same state, and also covers partitions added since.
CREATE FUNCTION leasehold.protect(protected regclass, for_engine boolean DEFAULT false)
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part regclass;
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attrelid = protected AND relkind IN ('r', 'p')
      AND attname = 'tenant_id' AND atttypid = 'uuid'::regtype AND attnotnull AND NOT attisdropped)
  THEN
    RAISE EXCEPTION '% must be a table with a column "tenant_id uuid NOT NULL"', protected
      USING ERRCODE = 'invalid_table_definition';
  END IF;

  -- A partition that is addressed directly does not apply its parent's policies.
  FOR part IN SELECT protected UNION SELECT relid FROM pg_partition_tree(protected) LOOP
    PERFORM leasehold.protect_one(part, for_engine);
  END LOOP;
END $$;

-- Opens a table without tenants, which is the same for all (countries, currencies): every tenant can read it, none
-- can write it. The module still has to grant SELECT to the tenant role.
CREATE FUNCTION leasehold.share(shared regclass) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part regclass;
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = shared AND attname = 'tenant_id' AND NOT attisdropped)
  THEN
    RAISE EXCEPTION '% has a tenant_id and cannot be shared: protect it', shared
      USING ERRCODE = 'invalid_table_definition';
  END IF;

  FOR part IN SELECT shared UNION SELECT relid FROM pg_partition_tree(shared) LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
    PERFORM leasehold.replace_policy(part, 'tenants_share',
      'FOR SELECT TO leasehold_tenant USING (true)');
    PERFORM leasehold.revoke_what_reaches_past_policies(part);
  END LOOP;
END $$;

-- Makes a function run with the engine's rights for every caller: one line after the function is created. Repeat it
-- after each CREATE OR REPLACE, which drops SECURITY DEFINER unless the definition includes it.
--
--   SELECT leasehold.run_as_engine('acme.submit(uuid, jsonb)');
--   GRANT EXECUTE ON FUNCTION acme.submit(uuid, jsonb) TO leasehold_tenant;
CREATE FUNCTION leasehold.run_as_engine(routine regprocedure) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  home text := (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = routine);
BEGIN
  EXECUTE format('ALTER ROUTINE %s SECURITY DEFINER', routine);
  EXECUTE format('ALTER ROUTINE %s SET search_path = pg_catalog, pg_temp', routine);
  EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', routine);

  -- A new owner must have CREATE on the schema at the moment of the transfer, and must not keep it.
  EXECUTE format('GRANT CREATE ON SCHEMA %s TO leasehold_engine', home);
  EXECUTE format('ALTER ROUTINE %s OWNER TO leasehold_engine', routine);
  EXECUTE format('REVOKE CREATE ON SCHEMA %s FROM leasehold_engine', home);
END $$;
