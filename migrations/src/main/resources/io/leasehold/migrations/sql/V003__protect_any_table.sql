-- Puts a table, of any module, under row level security: one line in the migration that creates it.
--
--   SELECT leasehold.protect('acme.order');
--
-- The tenant role reads the rows of its readable tenants and writes those of its own; everybody
-- else, the table's owner included, sees none. What a role may do at all, the module grants.
-- Run again, it brings the same state about, on partitions that came later too.

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

-- What would reach past the policies: TRUNCATE empties every tenant's rows, REFERENCES and TRIGGER
-- let a foreign key or a function look at them. With a right on the table go those on its columns.
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

-- A policy asks for the setting in a subquery, which runs once per statement. Asked for directly it
-- is read and split for each row, and a scan takes ten times as long. Both use an index alike.
--
-- The owner is a member of the engine, to hand functions to it, and inherits its policies: theirs
-- has to leave the owner out. Without inheritance it could not replace what it handed over.
CREATE FUNCTION leasehold.protect_one(protected regclass, for_engine boolean) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  readable text := $q$tenant_id = ANY ((SELECT string_to_array(
    nullif(current_setting('app.readable_tenants', true), ''), ',')::uuid[])::uuid[])$q$;
  not_as_owner text := $q$(SELECT NOT pg_has_role('leasehold_owner', 'MEMBER'))$q$;
  own text := $q$tenant_id = (SELECT nullif(current_setting('app.tenant_id', true), '')::uuid)$q$;
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
      THEN format('TO leasehold_engine USING (%s) WITH CHECK (%1$s)', not_as_owner) ELSE '' END);
  PERFORM leasehold.revoke_what_reaches_past_policies(protected);
END $$;

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

  -- A partition that is addressed directly does not ask its parent's policies.
  FOR part IN SELECT protected UNION SELECT relid FROM pg_partition_tree(protected) LOOP
    PERFORM leasehold.protect_one(part, for_engine);
  END LOOP;
END $$;
