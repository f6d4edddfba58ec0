-- Puts a table, of any module, under row level security: one line in the migration that creates it.
--
--   SELECT leasehold.protect('acme.orders');
--
-- The tenant role reads the rows of its readable tenants and writes those of its own; everybody else,
-- the table's owner included, sees none. What a role may do at all is for the module to grant.

CREATE PROCEDURE leasehold.replace_policy(
  protected regclass, policy text, applies text)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('DROP POLICY IF EXISTS %I ON %s', policy, protected);
  EXECUTE format('CREATE POLICY %I ON %s %s', policy, protected, applies);
END $$;

CREATE PROCEDURE leasehold.revoke_the_dangerous(protected regclass)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', protected);
  EXECUTE format(
    'REVOKE TRUNCATE, REFERENCES, TRIGGER ON %s FROM leasehold_tenant, leasehold_engine', protected);
  IF current_setting('server_version_num')::int >= 170000 THEN
    EXECUTE format('REVOKE MAINTAIN ON %s FROM leasehold_tenant, leasehold_engine', protected);
  END IF;
END $$;

CREATE FUNCTION leasehold.protect(protected regclass, for_engine boolean DEFAULT false)
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part regclass;
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = protected AND attname = 'tenant_id' AND atttypid = 'uuid'::regtype
      AND attnotnull AND NOT attisdropped)
  THEN
    RAISE EXCEPTION 'table % needs a column "tenant_id uuid NOT NULL" to be protected', protected
      USING ERRCODE = 'invalid_table_definition';
  END IF;

  -- A partition that is addressed directly does not ask its parent's policies.
  FOR part IN SELECT relid FROM pg_partition_tree(protected) UNION SELECT protected LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
    CALL leasehold.replace_policy(part, 'tenant_reads',
      'FOR SELECT TO leasehold_tenant USING (tenant_id = ANY ((SELECT leasehold.readable_tenants())::uuid[]))');
    CALL leasehold.replace_policy(part, 'tenant_inserts',
      'FOR INSERT TO leasehold_tenant WITH CHECK (tenant_id = (SELECT leasehold.own_tenant()))');
    CALL leasehold.replace_policy(part, 'tenant_updates',
      'FOR UPDATE TO leasehold_tenant USING (tenant_id = (SELECT leasehold.own_tenant()))'
      ' WITH CHECK (tenant_id = (SELECT leasehold.own_tenant()))');
    CALL leasehold.replace_policy(part, 'tenant_deletes',
      'FOR DELETE TO leasehold_tenant USING (tenant_id = (SELECT leasehold.own_tenant()))');
    IF for_engine THEN
      CALL leasehold.replace_policy(part, 'engine_does_all',
        'TO leasehold_engine USING (true) WITH CHECK (true)');
    END IF;
    CALL leasehold.revoke_the_dangerous(part);
  END LOOP;
END $$;

-- Puts a table without tenants, the same for all (countries, currencies), in order: readable by every
-- tenant, writable by none.
CREATE FUNCTION leasehold.share(shared regclass) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', shared);
  CALL leasehold.replace_policy(shared, 'tenants_share', 'FOR SELECT TO leasehold_tenant USING (true)');
  CALL leasehold.revoke_the_dangerous(shared);
END $$;
