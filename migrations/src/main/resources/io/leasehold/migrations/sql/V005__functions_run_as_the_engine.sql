-- Lets a function run with the engine's rights, whoever calls it: one line after its creation.
--
--   SELECT leasehold.run_as_engine('leasehold.submit(uuid, jsonb)');
--   GRANT EXECUTE ON FUNCTION leasehold.submit(uuid, jsonb) TO leasehold_tenant;
--
-- And again after each CREATE OR REPLACE, which forgets it but for the owner.

CREATE FUNCTION leasehold.run_as_engine(routine regprocedure) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  home text := (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = routine);
BEGIN
  EXECUTE format('ALTER ROUTINE %s SECURITY DEFINER', routine);
  EXECUTE format('ALTER ROUTINE %s SET search_path = pg_catalog, pg_temp', routine);
  EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', routine);

  -- Whoever becomes an owner has to be able to create in the schema at that moment, and no longer.
  EXECUTE format('GRANT CREATE ON SCHEMA %s TO leasehold_engine', home);
  EXECUTE format('ALTER ROUTINE %s OWNER TO leasehold_engine', routine);
  EXECUTE format('REVOKE CREATE ON SCHEMA %s FROM leasehold_engine', home);
END $$;
