-- Steps, checkpoints and outputs are kept in the tenant's transaction, together with its other writes. Each call
-- requires the fence of the lease: its worker and its token.

-- Returns nothing if the lease is lost, else the result: 'done' if this call did the step; 'repeated' if the step was
-- done before, which keeps the earlier value; 'too_many' or 'too_large' if the job's steps would exceed a bound. Also
-- returns the number of steps and characters, including those that were refused.
CREATE OR REPLACE FUNCTION leasehold.keep_step(
    job_id uuid, worker uuid, its_token bigint, its_name text, its_value json)
  RETURNS TABLE (answer text, steps integer, characters bigint)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.length_problem('name', its_name, 1, 200),
    leasehold.json_problem('value', its_value, 1048576)));
  IF NOT leasehold.hold_lease(job_id, worker, its_token) THEN
    RETURN;
  END IF;
  SELECT count(*) + 1, coalesce(sum(step.characters), 0) + length(its_value::text)
  INTO steps, characters
  FROM leasehold.step WHERE id = job_id AND tenant_id = leasehold.own_tenant();
  answer := CASE WHEN steps > 1000 THEN 'too_many' WHEN characters > 16777216 THEN 'too_large' END;
  IF answer IS NULL THEN
    INSERT INTO leasehold.step (tenant_id, id, name, token, value, characters, done_at)
    VALUES (leasehold.own_tenant(), job_id, its_name, its_token, its_value,
      length(its_value::text), clock_timestamp())
    ON CONFLICT DO NOTHING;
    answer := CASE WHEN FOUND THEN 'done' ELSE 'repeated' END;
  END IF;
  RETURN NEXT;
END $$;

-- The result of a step that was done in this transaction or an earlier one. Returns nothing if the step is not done,
-- or the lease is lost; in the latter case the step cannot be kept either.
CREATE OR REPLACE FUNCTION leasehold.find_step(job_id uuid, worker uuid, its_token bigint, its_name text)
  RETURNS TABLE (value json)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT step.value FROM leasehold.step JOIN leasehold.lease USING (tenant_id, id)
    WHERE step.id = job_id AND step.name = its_name
      AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant();
END $$;

-- Returns the job's id, or nothing if the lease is lost.
CREATE OR REPLACE FUNCTION leasehold.keep_checkpoint(
    job_id uuid, worker uuid, its_token bigint, its_value json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.json_problem('value', its_value, 1048576));
  IF leasehold.hold_lease(job_id, worker, its_token) THEN
    RETURN QUERY
      INSERT INTO leasehold.checkpoint (tenant_id, id, token, value, kept_at)
      VALUES (leasehold.own_tenant(), job_id, its_token, its_value, clock_timestamp())
      ON CONFLICT ON CONSTRAINT checkpoint_is_one_per_job DO UPDATE
      SET token = excluded.token, value = excluded.value, kept_at = excluded.kept_at
      RETURNING checkpoint.id;
  END IF;
END $$;

-- Returns nothing if the lease is lost, else the value, which is null if none was kept.
CREATE OR REPLACE FUNCTION leasehold.find_checkpoint(job_id uuid, worker uuid, its_token bigint)
  RETURNS TABLE (id uuid, value json)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT lease.id, checkpoint.value
    FROM leasehold.lease LEFT JOIN leasehold.checkpoint USING (tenant_id, id)
    WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant();
END $$;

-- Maps a name of the job to a file, instead of the previous file. In the tenant's transaction and under the fence,
-- like keep_step. Returns nothing if the lease is lost, else 'kept', or 'too_many' if the job would have more than a
-- thousand names.
CREATE OR REPLACE FUNCTION leasehold.keep_output(job_id uuid, worker uuid, its_token bigint, its_name text,
    its_file text, its_size bigint, its_sha256 text, its_media_type text)
  RETURNS TABLE (answer text, kept_at timestamptz)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.text_problem('name', its_name, 1, 128),
    leasehold.text_problem('file', its_file, 1, 64),
    leasehold.number_problem('size', its_size, 0, 9223372036854775807),
    leasehold.text_problem('sha256', its_sha256, 0, 64),
    leasehold.text_problem('media_type', its_media_type, 1, 200)));
  IF NOT leasehold.hold_lease(job_id, worker, its_token) THEN
    RETURN;
  END IF;
  kept_at := clock_timestamp();
  IF (SELECT count(*) FROM leasehold.output
      WHERE id = job_id AND tenant_id = leasehold.own_tenant() AND name <> its_name) >= 1000
  THEN
    answer := 'too_many';
  ELSE
    INSERT INTO leasehold.output
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

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.keep_step(uuid,uuid,bigint,text,json)', 'leasehold.find_step(uuid,uuid,bigint,text)',
  'leasehold.keep_checkpoint(uuid,uuid,bigint,json)', 'leasehold.find_checkpoint(uuid,uuid,bigint)',
  'leasehold.keep_output(uuid,uuid,bigint,text,text,bigint,text,text)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.keep_step(uuid,uuid,bigint,text,json), leasehold.find_step(uuid,uuid,bigint,text),
  leasehold.keep_checkpoint(uuid,uuid,bigint,json), leasehold.find_checkpoint(uuid,uuid,bigint),
  leasehold.keep_output(uuid,uuid,bigint,text,text,bigint,text,text)
  TO leasehold_tenant;
