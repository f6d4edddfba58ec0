-- Files that jobs leave. Their bytes are kept elsewhere, under names that are used once; a row says
-- which of those a name of the job stands for. What no row names is nothing.

CREATE TABLE leasehold.output (
  tenant_id  uuid        NOT NULL,
  id         uuid        NOT NULL,
  name       text        NOT NULL,
  token      bigint      NOT NULL,

  -- where the bytes are, and what they are
  file       text        NOT NULL,
  size       bigint      NOT NULL,
  sha256     text        NOT NULL,
  media_type text        NOT NULL,
  kept_at    timestamptz NOT NULL,

  CONSTRAINT output_is_one_per_name PRIMARY KEY (id, name, tenant_id),
  CONSTRAINT output_name_is_bounded CHECK (length(name) BETWEEN 1 AND 128),
  CONSTRAINT output_file_is_bounded CHECK (length(file) BETWEEN 1 AND 64),
  CONSTRAINT output_size_is_one CHECK (size >= 0),
  CONSTRAINT output_sha256_is_bounded CHECK (length(sha256) <= 64),
  CONSTRAINT output_media_type_is_bounded CHECK (length(media_type) BETWEEN 1 AND 200)
);

SELECT leasehold.protect('leasehold.output', for_engine => true);

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.output TO leasehold_engine;
GRANT SELECT ON leasehold.output TO leasehold_tenant;

-- Has a name of the job stand for a file, in the place of the one before. In the tenant's
-- transaction and under the fence, as keep_step does. Answers nothing if the lease is lost, else
-- 'kept', or 'too_many' if the job would have more than a thousand names.
CREATE FUNCTION leasehold.keep_output(job_id uuid, worker uuid, its_token bigint, its_name text,
    its_file text, its_size bigint, its_sha256 text, its_media_type text)
  RETURNS TABLE (answer text, kept_at timestamptz)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  IF NOT leasehold.hold_lease(job_id, worker, its_token) THEN
    RETURN;
  END IF;
  kept_at := clock_timestamp();
  IF (SELECT count(*) FROM leasehold.output
      WHERE id = job_id AND tenant_id = leasehold.own_tenant() AND name <> its_name) >= 1000
  THEN
    answer := 'too_many';
  ELSE
    INSERT INTO leasehold.output AS its
      (tenant_id, id, name, token, file, size, sha256, media_type, kept_at)
    VALUES (leasehold.own_tenant(), job_id, its_name, its_token, its_file, its_size, its_sha256,
      its_media_type, keep_output.kept_at)
    ON CONFLICT ON CONSTRAINT output_is_one_per_name DO UPDATE
    SET token = excluded.token, file = excluded.file, size = excluded.size,
      sha256 = excluded.sha256, media_type = excluded.media_type, kept_at = excluded.kept_at;
    answer := 'kept';
  END IF;
  RETURN NEXT;
END $$;

-- As before, and outputs go with the job. Their files are removed once no row names them.
CREATE OR REPLACE FUNCTION leasehold.forget_job(job_id uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  DELETE FROM leasehold.attempt WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.job_key WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.progress WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.event WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.step WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.checkpoint WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.dependency WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.batch_job WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.output WHERE id = job_id AND tenant_id = tenant;
END $$;

-- The same.
CREATE OR REPLACE FUNCTION leasehold.forget_jobs(first uuid, beyond uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM leasehold.attempt WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.job_key WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.cancel_request WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.progress WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.event WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.step WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.checkpoint WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.dependency WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.batch_job WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.output WHERE id >= first AND id < beyond;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.keep_output(uuid, uuid, bigint, text, text, bigint, text, text)',
  'leasehold.forget_job(uuid)', 'leasehold.forget_jobs(uuid, uuid)'
]::regprocedure[]) AS its;

GRANT EXECUTE ON FUNCTION
  leasehold.keep_output(uuid, uuid, bigint, text, text, bigint, text, text) TO leasehold_tenant;
