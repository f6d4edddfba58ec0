-- Opens a table without tenants, the same for all (countries, currencies): readable by every
-- tenant, writable by none. That the tenant role may select from it, the module grants.

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
