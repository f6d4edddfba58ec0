-- The bounds of the values in a tenant's statement, which equal those of the Java API: a job that no worker can read
-- would delay other tenants' jobs. Each check is one expression, which the server inlines, and returns the problem,
-- or NULL.

-- A value for an error message: short, on one line.
CREATE OR REPLACE FUNCTION leasehold.shown(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(
    '"' || regexp_replace(left(value, 60), '[\x01-\x1f\x7f-\x9f]', '?', 'g') || '"', 'NULL');

CREATE OR REPLACE FUNCTION leasehold.number_problem(what text, value bigint, low bigint, high bigint)
  RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN (value BETWEEN low AND high) IS NOT TRUE THEN
    format('%s must be %s to %s, not %s', what, low, high, coalesce(value::text, 'NULL')) END;

-- The length in bytes is checked first, so that a text of many megabytes is not counted character by character.
CREATE OR REPLACE FUNCTION leasehold.length_problem(what text, value text, low integer, high integer)
  RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN value IS NULL THEN what || ' must be a text, not NULL'
    WHEN octet_length(value) > 4 * high THEN
      format('%s must have %s to %s characters, not %s bytes', what, low, high, octet_length(value))
    WHEN length(value) NOT BETWEEN low AND high THEN
      format('%s must have %s to %s characters, not %s', what, low, high, length(value)) END;

CREATE OR REPLACE FUNCTION leasehold.text_problem(what text, value text, low integer, high integer)
  RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(
    leasehold.length_problem(what, value, low, high),
    CASE WHEN value ~ '[\x01-\x1f\x7f-\x9f]' THEN
      format('%s must have no control characters, not %s', what, leasehold.shown(value)) END);

-- The name of a queue or a schedule. Two cheap checks: a length bound in the pattern would cost ten times as much.
CREATE OR REPLACE FUNCTION leasehold.name_problem(what text, value text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN (octet_length(value) <= 64 AND value ~ '^[a-z0-9][a-z0-9_.-]*$') IS NOT TRUE THEN
      format('%s must be up to 64 of a-z, 0-9, _, . and -, the first a letter or digit, not %s',
        what, leasehold.shown(value)) END;

-- Checks only the beginning and the characters: checking the whole form would cost five times as much, and the code
-- that reads rows can handle an id of another form.
CREATE OR REPLACE FUNCTION leasehold.handler_problem(value text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN (octet_length(value) BETWEEN 28 AND 255 AND starts_with(value, 'gts.x.core.jobs.handler.v1~')
      AND value !~ '[^a-z0-9_.~]') IS NOT TRUE THEN
      format('handler must be gts.x.core.jobs.handler.v1~vendor.package.namespace.type.v1 of up to 255 '
        'characters, not %s', leasehold.shown(value)) END;

-- The caller's name: not only blanks, and no control characters.
CREATE OR REPLACE FUNCTION leasehold.principal_problem(value text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN (octet_length(value) <= 1020 AND length(value) <= 255 AND value ~
        '^[ \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*[^\x01-\x1f\x7f-\x9f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000][^\x01-\x1f\x7f-\x9f]*$')
      IS NOT TRUE THEN
      format('principal must have 1 to 255 characters, not only blanks and no control characters, not %s',
        leasehold.shown(value)) END;

-- JSON of at most "most" characters. Up to 4,000 stored bytes cannot hold more than that, however well they are
-- compressed; only larger values are decompressed and counted.
CREATE OR REPLACE FUNCTION leasehold.json_problem(what text, value json, most integer) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN value IS NULL THEN what || ' must be JSON, not NULL'
    WHEN pg_column_size(value) > 4 * most + 100 THEN
      format('%s must have at most %s characters, not %s bytes', what, most, pg_column_size(value))
    WHEN pg_column_size(value) > 4000 AND octet_length(value::text) > most
      AND length(value::text) > most THEN
      format('%s must have at most %s characters, not %s', what, most, length(value::text)) END;

-- The problem with the parts of metadata, which are an object: the names, their number, or the nesting depth. Returns
-- null if there is none.
--
-- The server's JSON functions refuse text with an escaped NUL or half of a surrogate pair, which metadata may
-- contain. Each escape is therefore replaced by one letter first, which changes neither the length in characters nor
-- the nesting.
CREATE OR REPLACE FUNCTION leasehold.metadata_parts_problem(value json) RETURNS text
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
  -- Only the brackets are left, as ( and ). Each round removes the innermost pairs.
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

-- Up to 200 stored bytes cannot hold more characters than allowed, however well they are compressed; only larger
-- values are decompressed and counted.
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

-- An array of at most "most" elements, in one dimension.
CREATE OR REPLACE FUNCTION leasehold.array_problem(what text, value anyarray, most integer) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN value IS NULL THEN what || ' must be an array, not NULL'
    WHEN cardinality(value) > most THEN
      format('%s must have at most %s elements, not %s', what, most, cardinality(value))
    WHEN cardinality(value) > 0 AND (array_ndims(value) > 1 OR array_lower(value, 1) <> 1) THEN
      what || ' must have one dimension, counted from 1' END
$$;

-- As many elements as the inputs, or no array at all.
CREATE OR REPLACE FUNCTION leasehold.beside_problem(what text, value anyarray, inputs json[]) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN value IS NULL THEN NULL
    WHEN cardinality(value) <> cardinality(inputs) THEN
      format('%s must have %s element%s, as inputs, not %s', what, cardinality(inputs),
        CASE cardinality(inputs) WHEN 1 THEN '' ELSE 's' END, cardinality(value))
    ELSE leasehold.array_problem(what, value, cardinality(inputs)) END
$$;

-- A time that a schedule can have; null means none.
CREATE OR REPLACE FUNCTION leasehold.instant_problem(what text, value timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN value < timestamptz '1970-01-01 00:00:00+00'
      OR value > timestamptz '9999-12-31 00:00:00+00' THEN
    format('%s must be from 1970-01-01 to 9999-12-31, not %s', what, value) END;

-- The problem with a schedule, except for what its constraints check.
CREATE OR REPLACE FUNCTION leasehold.schedule_problem(
    cron text, zone text, its_start timestamptz, its_end timestamptz, handler text,
    queue text, priority smallint, max_attempts smallint, time_limit_ms bigint, input json,
    metadata json, principal text, its_next timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(
    leasehold.text_problem('cron', cron, 1, 255),
    leasehold.text_problem('zone', zone, 1, 64),
    leasehold.instant_problem('start', its_start),
    leasehold.instant_problem('end', its_end),
    leasehold.handler_problem(handler),
    leasehold.name_problem('queue', queue),
    leasehold.number_problem('priority', priority, -1000, 1000),
    leasehold.number_problem('max_attempts', max_attempts, 1, 30000),
    leasehold.number_problem('time_limit_ms', coalesce(time_limit_ms, 1), 1, 2592000000),
    leasehold.json_problem('input', input, 1048576),
    leasehold.metadata_problem(metadata),
    leasehold.principal_problem(principal),
    leasehold.instant_problem('next', its_next));

-- The problem with the arrays of many submissions. Elements are visited only if one of them can be wrong: an array of
-- inputs that is small as a whole has no large element.
CREATE OR REPLACE FUNCTION leasehold.inputs_problem(inputs json[], metadata json[], keys text[]) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  problem text := coalesce(
    leasehold.array_problem('inputs', inputs, 1000),
    CASE WHEN num_nulls(VARIADIC inputs) > 0 THEN 'inputs must have no NULL' END,
    leasehold.beside_problem('metadata', metadata, inputs),
    leasehold.beside_problem('keys', keys, inputs));
  value json;
  key text;
BEGIN
  IF problem IS NULL AND pg_column_size(inputs) > 4000 THEN
    FOREACH value IN ARRAY inputs LOOP
      problem := leasehold.json_problem('input', value, 1048576);
      EXIT WHEN problem IS NOT NULL;
    END LOOP;
  END IF;
  IF problem IS NULL AND num_nonnulls(VARIADIC metadata) > 0 THEN
    FOREACH value IN ARRAY metadata LOOP
      problem := leasehold.metadata_problem(value);
      EXIT WHEN problem IS NOT NULL;
    END LOOP;
  END IF;
  IF problem IS NULL AND keys IS NOT NULL THEN
    FOREACH key IN ARRAY keys LOOP
      problem := CASE WHEN key IS NOT NULL THEN leasehold.length_problem('key', key, 1, 255) END;
      EXIT WHEN problem IS NOT NULL;
    END LOOP;
  END IF;
  RETURN problem;
END $$;

-- The reason why a worker does not load a job: its data is larger than that of any job that is stored within bounds.
-- Returns null if the job can be loaded. An input that is small as stored, or far too large, is not decompressed to
-- be measured.
--
-- Serves ClaimJobs and AdoptJobs.
CREATE OR REPLACE FUNCTION leasehold.load_problem(
    input json, metadata json, handler text, principal text, correlation_id text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN pg_column_size(input) > 4194400 THEN
      format('input must have at most 4194304 bytes, not %s or more', pg_column_size(input))
    WHEN pg_column_size(input) > 4000 AND octet_length(input::text) > 4194304 THEN
      format('input must have at most 4194304 bytes, not %s', octet_length(input::text))
    WHEN pg_column_size(metadata) > 4000
      AND (pg_column_size(metadata) > 4194400 OR octet_length(metadata::text) > 4194304) THEN
      format('metadata must have at most 4194304 bytes, not %s or more', pg_column_size(metadata))
    WHEN octet_length(handler) > 8000 THEN
      format('handler must have at most 255 characters, not %s bytes', octet_length(handler))
    WHEN octet_length(principal) > 8000 THEN
      format('principal must have at most 255 characters, not %s bytes', octet_length(principal))
    WHEN octet_length(correlation_id) > 1000000 THEN
      format('correlation_id must have at most 255 characters, not %s bytes',
        octet_length(correlation_id)) END;

-- Refuses a call that has a problem.
CREATE OR REPLACE FUNCTION leasehold.refuse(problem text) RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  IF problem IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = problem;
  END IF;
END $$;

GRANT EXECUTE ON FUNCTION
  leasehold.shown(text), leasehold.number_problem(text,bigint,bigint,bigint), leasehold.refuse(text)
  TO leasehold_tenant, leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.length_problem(text,text,integer,integer), leasehold.text_problem(text,text,integer,integer),
  leasehold.name_problem(text,text), leasehold.handler_problem(text), leasehold.principal_problem(text),
  leasehold.json_problem(text,json,integer), leasehold.metadata_parts_problem(json),
  leasehold.metadata_problem(json), leasehold.array_problem(text,anyarray,integer),
  leasehold.beside_problem(text,anyarray,json[]), leasehold.instant_problem(text,timestamp with time zone),
  leasehold.schedule_problem(text,text,timestamp with time zone,timestamp with time zone,text,text,smallint,smallint,bigint,json,json,text,timestamp with time zone),
  leasehold.inputs_problem(json[],json[],text[]), leasehold.load_problem(json,json,text,text,text)
  TO leasehold_engine;
