-- Subscribes a session of the engine to a channel: LISTEN, as generated code can call it.

CREATE FUNCTION leasehold.listen(channel text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF channel !~ '^leasehold(_[a-z0-9_]{1,40})?$' THEN
    RAISE EXCEPTION 'channel must be "leasehold" or begin with "leasehold_", not "%"', channel
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('LISTEN %I', channel);
END $$;

GRANT EXECUTE ON FUNCTION leasehold.listen(text) TO leasehold_engine;
