-- The newest migration that succeeded here, for programs that may not look into the history itself.

CREATE FUNCTION leasehold.schema_version() RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT version FROM leasehold.flyway_schema_history
  WHERE success AND version IS NOT NULL
  ORDER BY installed_rank DESC LIMIT 1;
END;

GRANT EXECUTE ON FUNCTION leasehold.schema_version() TO leasehold_tenant, leasehold_engine;
