-- What programs need from the database itself: notifications, and the version of its schema.

-- Subscribes an engine session to a channel: LISTEN, in a form that generated code can call.
CREATE OR REPLACE FUNCTION leasehold.listen(channel text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF channel !~ '^leasehold(_[a-z0-9_]{1,40})?$' THEN
    RAISE EXCEPTION 'channel must be "leasehold" or begin with "leasehold_", not "%"', channel
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('LISTEN %I', channel);
END $$;

-- The version of the schema, for programs that may not read the migration history: the number of the newest versioned
-- file, and a digest of the repeatable files as last applied.
CREATE OR REPLACE FUNCTION leasehold.schema_version() RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT (
      SELECT version FROM leasehold.flyway_schema_history
      WHERE success AND version IS NOT NULL
      ORDER BY installed_rank DESC LIMIT 1)
    || '-' || left(md5(string_agg(newest.checksum::text, ',' ORDER BY newest.script)), 8)
  FROM (
    SELECT DISTINCT ON (script) script, checksum FROM leasehold.flyway_schema_history
    WHERE success AND version IS NULL AND script ~ '^R__'
    ORDER BY script, installed_rank DESC) AS newest;
END;

GRANT EXECUTE ON FUNCTION
  leasehold.listen(text)
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.schema_version()
  TO leasehold_tenant, leasehold_engine;
