-- Why a worker does not load a job: what it would have to read is larger than any job that is stored within
-- bounds. Null if it does. An input that is small as it is stored, or far too large, is not written out to be
-- measured.
--
-- Serves ClaimJobs and AdoptJobs.
CREATE FUNCTION leasehold.load_problem(
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

REVOKE ALL ON FUNCTION leasehold.load_problem(json, json, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.load_problem(json, json, text, text, text) TO leasehold_engine;
