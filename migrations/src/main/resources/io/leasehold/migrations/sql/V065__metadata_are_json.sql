-- Metadata of a job are JSON values by name, within the bounds of the API. A tenant reads them with the job.

-- What is wrong with the parts of metadata, which are an object: its names, their number, and how deep it is
-- nested. Null if nothing is wrong.
--
-- The server's JSON functions refuse text with an escaped NUL or half a character, which metadata may have. So
-- each escape is replaced by one letter first: that changes neither a length in characters nor the nesting.
CREATE FUNCTION leasehold.metadata_parts_problem(value json) RETURNS text
  LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
DECLARE
  plain text := value::text;
  brackets text;
  depth integer := 0;
  counted record;
BEGIN
  IF strpos(plain, '\') > 0 THEN
    plain := regexp_replace(plain,
      '\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)', 'x', 'g');
  END IF;
  SELECT count(*) AS names, min(length(name)) AS shortest, max(length(name)) AS longest INTO counted
  FROM json_object_keys(plain::json) AS name;
  IF counted.names > 64 THEN
    RETURN format('metadata must have at most 64 values, not %s', counted.names);
  END IF;
  IF counted.shortest < 1 OR counted.longest > 64 THEN
    RETURN format('metadata must have names of 1 to 64 characters, not %s',
      CASE WHEN counted.shortest < 1 THEN 0 ELSE counted.longest END);
  END IF;
  IF strpos(plain, '[') = 0 AND strpos(substr(plain, 2), '{') = 0 THEN
    RETURN NULL;
  END IF;
  -- The brackets alone are left, as ( and ). Each round removes the innermost pairs.
  brackets := translate(regexp_replace(plain, '"[^"]*"', '', 'g'),
    E'{[}]:, \t\n\r0123456789+-.eEtrufalsn', '(())');
  WHILE brackets <> '' LOOP
    depth := depth + 1;
    IF depth > 16 THEN
      RETURN 'metadata must be nested at most 16 deep, not deeper';
    END IF;
    brackets := replace(brackets, '()', '');
  END LOOP;
  RETURN NULL;
END $$;

-- As before, with the bounds of JSON. Up to 200 stored bytes cannot be more characters, however well they are
-- compressed; only what is larger is written out to be counted.
CREATE OR REPLACE FUNCTION leasehold.metadata_problem(value json) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN value IS NULL THEN NULL
    WHEN pg_column_size(value) > 262244 THEN
      format('metadata must have at most 65536 characters, not %s bytes', pg_column_size(value))
    WHEN pg_column_size(value) > 200 AND octet_length(value::text) > 65536
      AND length(value::text) > 65536 THEN
      format('metadata must have at most 65536 characters, not %s', length(value::text))
    WHEN json_typeof(value) <> 'object' THEN
      format('metadata must be an object, not %s', json_typeof(value))
    ELSE leasehold.metadata_parts_problem(value) END;

REVOKE ALL ON FUNCTION leasehold.metadata_parts_problem(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.metadata_parts_problem(json) TO leasehold_engine;

-- The metadata of a job that the caller may read.
CREATE FUNCTION leasehold.find_metadata(job_id uuid) RETURNS TABLE (id uuid, metadata json)
  LANGUAGE plpgsql STABLE ROWS 1
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT job.id, job.metadata FROM leasehold.job
    WHERE job.tenant_id = ANY (leasehold.readable_tenants()) AND job.id = job_id;
END $$;

REVOKE ALL ON FUNCTION leasehold.find_metadata(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.find_metadata(uuid) TO leasehold_tenant;
