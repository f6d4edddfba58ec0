-- What a tenant's statement says in any other call is within the bounds that the Java API has, too; and a job
-- that is in no state, as an earlier version let a tenant store it, is found by whoever cancels, retries or
-- deletes it.

-- Whether a job of the transaction's tenant is in no table of a state. One statement, and so one moment: a job
-- that is on its way from one table to another is in one of them.
CREATE FUNCTION leasehold.is_in_no_state(job_id uuid) RETURNS boolean
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  RETURN EXISTS (
    SELECT FROM leasehold.job AS its WHERE its.tenant_id = tenant AND its.id = job_id
      AND NOT EXISTS (
        SELECT FROM leasehold.outcome WHERE outcome.tenant_id = tenant AND outcome.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.lease WHERE lease.tenant_id = tenant AND lease.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.ready WHERE ready.queue = its.queue AND ready.tenant_id = tenant
          AND ready.priority = its.priority AND ready.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.scheduled
        WHERE scheduled.tenant_id = tenant AND scheduled.id = job_id)
      AND NOT EXISTS (
        SELECT FROM leasehold.waiting WHERE waiting.tenant_id = tenant AND waiting.id = job_id));
END $$;

REVOKE ALL ON FUNCTION leasehold.is_in_no_state(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.is_in_no_state(uuid) TO leasehold_engine;

-- As before, and a job in no state is cancelled like one that waits.
CREATE OR REPLACE FUNCTION leasehold.cancel(job_id uuid, principal text, then_delete boolean)
  RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  withdrawn record;
  in_no_state boolean := false;
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.principal_problem(principal),
    CASE WHEN cancel.then_delete IS NULL THEN
      'then_delete must be true or false, not NULL' END));
  became := false;
  LOOP
    withdrawn := leasehold.withdraw(job_id);
    IF withdrawn.was_there OR in_no_state THEN
      INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts)
      VALUES (tenant, job_id, 'cancelled', clock_timestamp(), withdrawn.started_at,
        coalesce(withdrawn.attempts, 0::smallint));
      INSERT INTO leasehold.event (tenant_id, id, token, n, told_at, kind, attempt, body)
      SELECT tenant, job_id, token, n, clock_timestamp(), 'cancelled',
        coalesce(withdrawn.attempts, 0::smallint), '{}'
      FROM leasehold.place_between(job_id);
      status := 'cancelled';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant;
    IF FOUND THEN
      INSERT INTO leasehold.cancel_request
        (tenant_id, id, requested_at, requested_by, then_delete)
      VALUES (tenant, job_id, clock_timestamp(), principal, cancel.then_delete);
      status := 'requested';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    SELECT outcome.status INTO status FROM leasehold.outcome
    WHERE tenant_id = tenant AND id = job_id;
    IF FOUND THEN
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    in_no_state := leasehold.is_in_no_state(job_id);
  END LOOP;
END $$;

-- As before, and a job in no state is queued.
CREATE OR REPLACE FUNCTION leasehold.retry(job_id uuid)
  RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  its_job record;
  ended record;
BEGIN
  became := false;
  LOOP
    SELECT queue, priority INTO its_job FROM leasehold.job
    WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;

    -- Until this commits, its day is not dropped; while it is being dropped, this waits, and then
    -- finds no job.
    PERFORM FROM leasehold.day WHERE day = leasehold.day_of(job_id) FOR KEY SHARE;

    DELETE FROM leasehold.outcome AS its
    WHERE tenant_id = tenant AND id = job_id AND its.status <> 'succeeded'
    RETURNING its.* INTO ended;
    IF FOUND THEN
      IF ended.token IS NOT NULL THEN
        INSERT INTO leasehold.attempt
          (tenant_id, id, token, attempt, status, started_at, ended_at, error)
        VALUES (tenant, job_id, ended.token, ended.attempts, ended.status,
          coalesce(ended.attempt_started_at, ended.started_at), ended.finished_at, ended.error);
      END IF;
      -- What was asked of its former life does not hold for the new one.
      DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
      PERFORM leasehold.queue_anew(job_id, ended.started_at);
      INSERT INTO leasehold.event (tenant_id, id, token, n, told_at, kind, attempt, body)
      SELECT tenant, job_id, token, n, clock_timestamp(), 'queued', 0, '{}'
      FROM leasehold.place_between(job_id);
      status := 'queued';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    WITH moved AS (
      DELETE FROM leasehold.scheduled WHERE id = job_id AND tenant_id = tenant RETURNING *)
    INSERT INTO leasehold.ready
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant_id, id, queue, priority, attempts, clock_timestamp(), started_at FROM moved;
    IF FOUND THEN
      INSERT INTO leasehold.event (tenant_id, id, token, n, told_at, kind, attempt, body)
      SELECT tenant, job_id, token, n, clock_timestamp(), 'queued', 0, '{}'
      FROM leasehold.place_between(job_id);
      status := 'queued';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    status := (
      SELECT 'queued' FROM leasehold.waiting WHERE tenant_id = tenant AND id = job_id
      UNION ALL
      SELECT 'queued' FROM leasehold.ready
      WHERE queue = its_job.queue AND tenant_id = tenant AND priority = its_job.priority
        AND id = job_id
      UNION ALL
      SELECT 'running' FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant
      UNION ALL
      SELECT outcome.status FROM leasehold.outcome
      WHERE tenant_id = tenant AND id = job_id AND outcome.status = 'succeeded'
      LIMIT 1);
    IF status IS NULL AND leasehold.is_in_no_state(job_id) THEN
      PERFORM leasehold.queue_anew(job_id, NULL);
      status := 'queued';
      became := true;
    END IF;
    IF status IS NOT NULL THEN
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- As before, and a job in no state is removed.
CREATE OR REPLACE FUNCTION leasehold.delete(job_id uuid) RETURNS TABLE (answer text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  gone boolean;
  in_no_state boolean := false;
BEGIN
  LOOP
    gone := (leasehold.withdraw(job_id)).was_there;
    IF gone IS NOT TRUE THEN
      DELETE FROM leasehold.outcome WHERE tenant_id = tenant AND id = job_id;
      gone := FOUND;
    END IF;
    IF gone OR in_no_state THEN
      PERFORM leasehold.forget_job(job_id);
      DELETE FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
      PERFORM leasehold.follow_removed(job_id);
      answer := 'deleted';
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant;
    IF FOUND THEN
      answer := 'running';
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    in_no_state := leasehold.is_in_no_state(job_id);
  END LOOP;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.finish(job_id uuid, worker uuid, its_token bigint, its_result json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(CASE WHEN its_result IS NOT NULL THEN
    leasehold.json_problem('result', its_result, 1048576) END);
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease
    WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant()
    RETURNING *)
  INSERT INTO leasehold.outcome
    (tenant_id, id, status, finished_at, started_at, attempts, token, result)
  SELECT tenant_id, id, 'succeeded', clock_timestamp(), started_at, attempt, token, its_result
  FROM ended
  RETURNING outcome.id;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.keep_step(
    job_id uuid, worker uuid, its_token bigint, its_name text, its_value json)
  RETURNS TABLE (answer text, steps integer, characters bigint)
  LANGUAGE plpgsql
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

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.keep_checkpoint(
    job_id uuid, worker uuid, its_token bigint, its_value json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.json_problem('value', its_value, 1048576));
  IF leasehold.hold_lease(job_id, worker, its_token) THEN
    RETURN QUERY
      INSERT INTO leasehold.checkpoint AS its (tenant_id, id, token, value, kept_at)
      VALUES (leasehold.own_tenant(), job_id, its_token, its_value, clock_timestamp())
      ON CONFLICT ON CONSTRAINT checkpoint_is_one_per_job DO UPDATE
      SET token = excluded.token, value = excluded.value, kept_at = excluded.kept_at
      RETURNING its.id;
  END IF;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.keep_output(job_id uuid, worker uuid, its_token bigint, its_name text,
    its_file text, its_size bigint, its_sha256 text, its_media_type text)
  RETURNS TABLE (answer text, kept_at timestamptz)
  LANGUAGE plpgsql
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

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.add_to_batch(batch uuid, job_ids uuid[], callback boolean)
  RETURNS TABLE (batch_id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.array_problem('job_ids', job_ids, 1000),
    CASE WHEN callback IS NULL THEN 'callback must be true or false, not NULL' END));
  batch_id := coalesce(batch, leasehold.new_id());
  INSERT INTO leasehold.batch_job (tenant_id, id, batch_id, is_callback)
  SELECT DISTINCT tenant, its.id, add_to_batch.batch_id, callback
  FROM unnest(job_ids) AS its (id)
  WHERE (SELECT true FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = its.id)
  ON CONFLICT DO NOTHING;
  RETURN NEXT;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.cancel_batch(
    batch uuid, after_id uuid, most integer, principal text)
  RETURNS TABLE (job_id uuid, status text, became boolean)
  LANGUAGE plpgsql ROWS 500
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  until timestamptz := clock_timestamp() + interval '5 s';
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.principal_problem(principal), leasehold.number_problem('most', most, 1, 1000)));
  FOR job_id IN
    SELECT id FROM leasehold.batch_job
    WHERE tenant_id = tenant AND batch_id = batch AND id > after_id AND NOT is_callback
    ORDER BY tenant_id, batch_id, id LIMIT most
  LOOP
    SELECT its.status, its.became INTO status, became
    FROM leasehold.cancel(job_id, principal, false) AS its;
    became := became IS TRUE;
    RETURN NEXT;
    EXIT WHEN clock_timestamp() > until;
  END LOOP;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.retry_all(job_ids uuid[]) RETURNS TABLE (job_id uuid)
  LANGUAGE plpgsql ROWS 500
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.array_problem('job_ids', job_ids, 1000));
  FOR job_id IN SELECT DISTINCT id FROM unnest(job_ids) AS id ORDER BY id DESC LOOP
    IF leasehold.hold_dead(job_id) AND (SELECT became FROM leasehold.retry(job_id)) THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.discard_all(job_ids uuid[]) RETURNS TABLE (job_id uuid)
  LANGUAGE plpgsql ROWS 500
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.array_problem('job_ids', job_ids, 1000));
  FOR job_id IN SELECT DISTINCT id FROM unnest(job_ids) AS id ORDER BY id DESC LOOP
    IF leasehold.hold_dead(job_id) AND (SELECT answer FROM leasehold.delete(job_id)) = 'deleted' THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.newest_jobs(its_status text, its_handler text, its_queue text,
    its_correlation text, first uuid, beyond uuid, most integer)
  RETURNS TABLE (tenant_id uuid, job_id uuid)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  tenants uuid[] := leasehold.readable_tenants();
BEGIN
  PERFORM leasehold.refuse(leasehold.number_problem('most', most, 1, 1001));
  IF its_correlation IS NOT NULL THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT job.id FROM leasehold.job
        WHERE job.tenant_id = tenant AND job.correlation_id = its_correlation
          AND job.id >= first AND job.id < beyond
          AND (its_handler IS NULL OR job.handler_id = its_handler)
          AND (its_queue IS NULL OR job.queue = its_queue)
          AND (its_status IS NULL OR (SELECT seen.status = its_status
            FROM leasehold.job_status_v AS seen
            WHERE seen.tenant_id = job.tenant_id AND seen.job_id = job.id))
        ORDER BY job.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSIF its_status IS NULL THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT job.id FROM leasehold.job
        WHERE job.tenant_id = tenant AND job.id >= first AND job.id < beyond
          AND (its_handler IS NULL OR job.handler_id = its_handler)
          AND (its_queue IS NULL OR job.queue = its_queue)
        ORDER BY job.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSIF its_status = 'queued' THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT waiting.id FROM (
            SELECT ready.tenant_id, ready.id FROM leasehold.ready
            UNION ALL
            SELECT scheduled.tenant_id, scheduled.id FROM leasehold.scheduled
            UNION ALL
            SELECT waiting.tenant_id, waiting.id FROM leasehold.waiting) AS waiting
        WHERE waiting.tenant_id = tenant AND waiting.id >= first AND waiting.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = waiting.id))
        ORDER BY waiting.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSIF its_status = 'running' THEN
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT lease.id FROM leasehold.lease
        WHERE lease.tenant_id = tenant AND lease.id >= first AND lease.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = lease.id))
        ORDER BY lease.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  ELSE
    RETURN QUERY
      SELECT tenant, its.id FROM unnest(tenants) AS tenant CROSS JOIN LATERAL (
        SELECT outcome.id FROM leasehold.outcome
        WHERE outcome.tenant_id = tenant AND outcome.status = its_status
          AND outcome.id >= first AND outcome.id < beyond
          AND (its_handler IS NULL AND its_queue IS NULL OR (SELECT
              (its_handler IS NULL OR job.handler_id = its_handler)
              AND (its_queue IS NULL OR job.queue = its_queue)
            FROM leasehold.job WHERE job.tenant_id = tenant AND job.id = outcome.id))
        ORDER BY outcome.id DESC LIMIT most) AS its
      ORDER BY its.id DESC LIMIT most;
  END IF;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.own_dead(its_status text, its_handler text, its_queue text,
    its_correlation text, first uuid, beyond uuid, most integer)
  RETURNS TABLE (job_id uuid, queue text)
  LANGUAGE plpgsql STABLE ROWS 500
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  PERFORM leasehold.refuse(leasehold.number_problem('most', most, 1, 1001));
  RETURN QUERY
    SELECT its.id, its.queue FROM unnest(ARRAY['failed', 'timed_out']) AS kind
    CROSS JOIN LATERAL (
      SELECT outcome.id, job.queue FROM leasehold.outcome
      JOIN leasehold.job ON job.tenant_id = tenant AND job.id = outcome.id
      WHERE outcome.tenant_id = tenant AND outcome.status = kind
        AND outcome.id >= first AND outcome.id < beyond
        AND (its_handler IS NULL OR job.handler_id = its_handler)
        AND (its_queue IS NULL OR job.queue = its_queue)
        AND (its_correlation IS NULL OR job.correlation_id = its_correlation)
      ORDER BY outcome.id DESC LIMIT most) AS its
    WHERE its_status IS NULL OR kind = its_status
    ORDER BY its.id DESC LIMIT most;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.list_dependencies(its_job uuid, after_id uuid, most integer)
  RETURNS TABLE (job_id uuid, handler_id text, status text)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
  PERFORM leasehold.refuse(leasehold.number_problem('most', most, 1, 1001));
  RETURN QUERY
    SELECT its.on_id, seen.handler_id, seen.status
    FROM (
      SELECT dependency.tenant_id, dependency.on_id FROM leasehold.dependency
      WHERE dependency.id = its_job AND dependency.tenant_id = ANY (leasehold.readable_tenants())
        AND dependency.on_id > after_id
      ORDER BY dependency.on_id LIMIT most) AS its
    LEFT JOIN LATERAL (
      SELECT job.handler_id, job.status FROM leasehold.job_status_v AS job
      WHERE job.tenant_id = its.tenant_id AND job.job_id = its.on_id
      LIMIT 1) AS seen ON true
    ORDER BY its.on_id;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.list_events(
    its_job uuid, after_token bigint, after_n int, most int)
  RETURNS TABLE (token bigint, n int, at timestamptz, kind text, attempt smallint, body json)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  tenants uuid[] := leasehold.readable_tenants();
  last_token bigint;
BEGIN
  PERFORM leasehold.refuse(leasehold.number_problem('most', most, 1, 1001));
  -- The attempt that the cursor stands at may have no event left.
  last_token := coalesce((
    SELECT token FROM leasehold.attempt
    WHERE id = its_job AND tenant_id = ANY (tenants) AND token >= after_token
    ORDER BY token LIMIT 1 OFFSET most), 9223372036854775807);
  RETURN QUERY
    SELECT its.token, its.n, its.at, its.kind, its.attempt, its.body
    FROM (
      SELECT token, n, at, kind, attempt, body FROM leasehold.job_milestone_v
      WHERE job_id = its_job AND tenant_id = ANY (tenants)
        AND token >= after_token AND token <= last_token
        AND (token, n) > (after_token, after_n)
      UNION ALL
      (SELECT token, n, told_at, kind, attempt, body FROM leasehold.event
      WHERE id = its_job AND tenant_id = ANY (tenants)
        AND (token, n) > (after_token, after_n)
      ORDER BY token, n LIMIT most)) AS its
    ORDER BY its.token, its.n LIMIT most;
END $$;

-- A time that a schedule can have; null is none.
CREATE FUNCTION leasehold.instant_problem(what text, value timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN value < timestamptz '1970-01-01 00:00:00+00'
      OR value > timestamptz '9999-12-31 00:00:00+00' THEN
    format('%s must be from 1970-01-01 to 9999-12-31, not %s', what, value) END;

-- What is wrong with a schedule, but for what its constraints say.
CREATE FUNCTION leasehold.schedule_problem(
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

REVOKE ALL ON FUNCTION leasehold.instant_problem(text, timestamptz),
  leasehold.schedule_problem(text, text, timestamptz, timestamptz, text, text, smallint, smallint,
    bigint, json, json, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.instant_problem(text, timestamptz),
  leasehold.schedule_problem(text, text, timestamptz, timestamptz, text, text, smallint, smallint,
    bigint, json, json, text, timestamptz) TO leasehold_engine;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.put_schedule(
    its_name text, its_cron text, its_zone text, its_start timestamptz, its_end timestamptz,
    its_jitter_ms bigint, its_missed text, its_handler text, its_queue text, its_priority smallint,
    its_max_attempts smallint, its_time_limit_ms bigint, its_input json, its_metadata json,
    its_principal text, its_next timestamptz)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'schedules are put in a transaction of a tenant'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM leasehold.refuse(coalesce(
    leasehold.name_problem('name', its_name),
    leasehold.number_problem('jitter_ms', its_jitter_ms, 0, 86400000),
    CASE WHEN (its_missed IN ('skip', 'once', 'all')) IS NOT TRUE THEN
      'missed must be skip, once or all, not ' || leasehold.shown(its_missed) END,
    leasehold.schedule_problem(its_cron, its_zone, its_start, its_end, its_handler, its_queue,
      its_priority, its_max_attempts, its_time_limit_ms, its_input, its_metadata, its_principal,
      its_next)));
  RETURN QUERY
    INSERT INTO leasehold.schedule AS old (tenant_id, name, cron, zone, start_at, end_at, jitter_ms,
      missed, handler_id, queue, priority, max_attempts, time_limit_ms, input, metadata, principal,
      next_at)
    VALUES (tenant, its_name, its_cron, its_zone, its_start, its_end, its_jitter_ms, its_missed,
      its_handler, its_queue, its_priority, its_max_attempts, its_time_limit_ms, its_input,
      its_metadata, its_principal, its_next)
    ON CONFLICT ON CONSTRAINT schedule_is_named_once_per_tenant DO UPDATE
    SET cron = excluded.cron, zone = excluded.zone, start_at = excluded.start_at,
      end_at = excluded.end_at, jitter_ms = excluded.jitter_ms, missed = excluded.missed,
      handler_id = excluded.handler_id, queue = excluded.queue, priority = excluded.priority,
      max_attempts = excluded.max_attempts, time_limit_ms = excluded.time_limit_ms,
      input = excluded.input, metadata = excluded.metadata, principal = excluded.principal,
      revision = old.revision + 1,
      next_at = CASE
        WHEN old.paused_at IS NOT NULL THEN NULL
        WHEN old.aside_at IS NULL AND (old.cron, old.zone, old.start_at, old.end_at)
          IS NOT DISTINCT FROM (excluded.cron, excluded.zone, excluded.start_at, excluded.end_at)
        THEN old.next_at
        ELSE excluded.next_at END,
      aside_at = NULL, error = NULL, updated_at = clock_timestamp()
    RETURNING old.name;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.pause_schedule(its_name text, its_by text) RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.principal_problem(its_by));
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET paused_at = coalesce(its.paused_at, clock_timestamp()),
      paused_by = coalesce(its.paused_by, its_by),
      next_at = NULL, updated_at = clock_timestamp()
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
    RETURNING its.name;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.resume_schedule(
    its_name text, its_revision bigint, its_next timestamptz)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.instant_problem('next', its_next));
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET paused_at = NULL, paused_by = NULL, aside_at = NULL, error = NULL, next_at = its_next,
      updated_at = clock_timestamp()
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND (its.paused_at IS NOT NULL OR its.aside_at IS NOT NULL)
    RETURNING its.name;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.advance_schedule(
    its_name text, its_revision bigint, its_slot timestamptz, its_next timestamptz,
    its_last timestamptz, its_job uuid)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.instant_problem('next', its_next), leasehold.instant_problem('last', its_last)));
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET next_at = its_next, last_slot_at = coalesce(its_last, its.last_slot_at),
      last_job_id = coalesce(its_job, its.last_job_id)
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND its.next_at = its_slot
    RETURNING its.name;
END $$;

-- As before, and within bounds.
CREATE OR REPLACE FUNCTION leasehold.put_schedule_aside(
    its_name text, its_revision bigint, its_slot timestamptz, its_error text)
  RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(leasehold.length_problem('error', its_error, 1, 8000));
  RETURN QUERY
    UPDATE leasehold.schedule AS its
    SET next_at = NULL, aside_at = clock_timestamp(), error = its_error,
      updated_at = clock_timestamp()
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND its.next_at = its_slot
    RETURNING its.name;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.cancel(uuid, text, boolean)', 'leasehold.retry(uuid)', 'leasehold.delete(uuid)',
  'leasehold.finish(uuid, uuid, bigint, json)',
  'leasehold.keep_step(uuid, uuid, bigint, text, json)',
  'leasehold.keep_checkpoint(uuid, uuid, bigint, json)',
  'leasehold.keep_output(uuid, uuid, bigint, text, text, bigint, text, text)',
  'leasehold.add_to_batch(uuid, uuid[], boolean)',
  'leasehold.cancel_batch(uuid, uuid, integer, text)',
  'leasehold.retry_all(uuid[])', 'leasehold.discard_all(uuid[])',
  'leasehold.put_schedule(text, text, text, timestamptz, timestamptz, bigint, text, text, text, smallint,
    smallint, bigint, json, json, text, timestamptz)',
  'leasehold.pause_schedule(text, text)',
  'leasehold.resume_schedule(text, bigint, timestamptz)',
  'leasehold.advance_schedule(text, bigint, timestamptz, timestamptz, timestamptz, uuid)',
  'leasehold.put_schedule_aside(text, bigint, timestamptz, text)'
]::regprocedure[]) AS its;
