-- The history of a job, over all of its attempts: the same for everybody who reads it and whenever,
-- since nothing is ever added but behind what could be seen.
--
-- An event's place is the token of a lease and a number under it. Most of a history is not written
-- down but follows from the rows that there are anyway, so that a job of which nothing is told has
-- no row in event:
--
--   0, 0                    it was submitted
--   token, 0                an attempt began
--   token, 1 …              what its worker told, under the fence: the lease is locked for it, so
--                           that whoever ends the attempt waits, and nothing is told after
--   token, 1000000000       the attempt ended
--   token, 1000000001 …     what became of the job between two leases, by whoever held its row then
--
-- Tokens grow from lease to lease. Of an attempt's beginning nothing shows before there is a sign of
-- it that lasts: leases which are given back unbegun leave nothing behind.

-- Whether its handler has begun, which is marked after a while, when most jobs are over, or with the
-- first that it tells. In the lease itself: whoever takes that away finds the mark, whatever its
-- snapshot.
ALTER TABLE leasehold.lease ADD COLUMN begun boolean NOT NULL DEFAULT false;

-- When the next one is due, if this one put it off.
ALTER TABLE leasehold.attempt ADD COLUMN retry_at timestamptz;
ALTER TABLE leasehold.attempt DROP CONSTRAINT attempt_status_is_known;
ALTER TABLE leasehold.attempt ADD CONSTRAINT attempt_status_is_known
  CHECK (status IN ('failed', 'timed_out', 'cancelled', 'lost', 'released', 'put_off'));

-- When its last attempt began, if that was not the first.
ALTER TABLE leasehold.outcome ADD COLUMN attempt_started_at timestamptz;

ALTER TABLE leasehold.event ADD COLUMN attempt smallint NOT NULL DEFAULT 0;

-- Places are for all to see. A token alone ends no job: the worker's id, which nobody is shown, is
-- the secret of the two.
GRANT SELECT (token, begun) ON leasehold.lease TO leasehold_tenant;
GRANT SELECT (token, retry_at) ON leasehold.attempt TO leasehold_tenant;
GRANT SELECT (token, attempt) ON leasehold.event TO leasehold_tenant;

-- What follows from other rows.
CREATE VIEW leasehold.job_milestone_v WITH (security_invoker = true) AS
SELECT job.tenant_id, job.id AS job_id, 0::bigint AS token, 0 AS n,
  leasehold.created_at(job.id) AS at, 'queued' AS kind, 0::smallint AS attempt, '{}'::json AS body
FROM leasehold.job

UNION ALL
SELECT began.tenant_id, began.id, began.token, 0, began.at,
  CASE WHEN began.attempt > 1 AND (
      SELECT former.status FROM leasehold.attempt AS former
      WHERE former.tenant_id = began.tenant_id AND former.id = began.id
        AND former.token < began.token
      ORDER BY former.token DESC LIMIT 1) = 'lost'
    THEN 'reclaimed' ELSE 'started' END,
  began.attempt, '{}'::json
FROM (
  SELECT tenant_id, id, token, attempt, coalesce(started_at, ended_at) AS at FROM leasehold.attempt
  UNION ALL
  SELECT tenant_id, id, token, attempts, coalesce(attempt_started_at, started_at, finished_at)
  FROM leasehold.outcome WHERE token IS NOT NULL
  UNION ALL
  SELECT tenant_id, id, token, attempt, attempt_started_at
  FROM leasehold.lease WHERE begun
) AS began

UNION ALL
SELECT tenant_id, id, token, 1000000000, ended_at,
  CASE WHEN status = 'lost' THEN 'worker_lost' WHEN status IN ('released', 'put_off') THEN status
    WHEN retry_at IS NOT NULL THEN 'retry_scheduled' ELSE status END,
  attempt,
  json_strip_nulls(json_build_object('error', error,
    'status', CASE WHEN retry_at IS NOT NULL AND status <> 'put_off' THEN status END,
    'retry_at',
    to_char(retry_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
FROM leasehold.attempt

UNION ALL
SELECT tenant_id, id, token, 1000000000, finished_at, status, attempts,
  json_strip_nulls(json_build_object('error', error))
FROM leasehold.outcome WHERE token IS NOT NULL;

CREATE VIEW leasehold.job_event_v WITH (security_invoker = true) AS
SELECT tenant_id, job_id, token, n, at, kind, attempt, body FROM leasehold.job_milestone_v
UNION ALL
SELECT tenant_id, id, token, n, told_at, kind, attempt, body FROM leasehold.event;

GRANT SELECT ON leasehold.job_milestone_v, leasehold.job_event_v TO leasehold_tenant;

-- A page of it: behind a place, so many events at most, of a job that the transaction may read.
--
-- A function for its settings, and because the index has what was told in the right order, of which
-- no more is to be read than a page takes.
--
-- Serves ReadEvents: event_has_its_place, and the keys of job, outcome, lease and attempt.
CREATE FUNCTION leasehold.list_events(its_job uuid, after_token bigint, after_n int, most int)
  RETURNS TABLE (token bigint, n int, at timestamptz, kind text, attempt smallint, body json)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  tenants uuid[] := leasehold.readable_tenants();
BEGIN
  RETURN QUERY
    SELECT its.token, its.n, its.at, its.kind, its.attempt, its.body
    FROM (
      SELECT token, n, at, kind, attempt, body FROM leasehold.job_milestone_v
      WHERE job_id = its_job AND tenant_id = ANY (tenants)
        AND (token, n) > (after_token, after_n)
      UNION ALL
      (SELECT token, n, told_at, kind, attempt, body FROM leasehold.event
      WHERE id = its_job AND tenant_id = ANY (tenants)
        AND (token, n) > (after_token, after_n)
      ORDER BY token, n LIMIT most)) AS its
    ORDER BY its.token, its.n LIMIT most;
END $$;

GRANT EXECUTE ON FUNCTION leasehold.list_events(uuid, bigint, int, int) TO leasehold_tenant;

-- As before, but that a given back attempt, which failed with nothing, hides no error.
CREATE OR REPLACE VIEW leasehold.job_status_v WITH (security_invoker = true) AS
SELECT job.tenant_id, job.id AS job_id, job.handler_id,
  CASE
    WHEN outcome.id IS NOT NULL THEN outcome.status
    WHEN lease.id IS NOT NULL THEN 'running'
    ELSE 'queued'
  END AS status,
  job.correlation_id, job.queue, job.priority,
  coalesce(outcome.attempts, lease.attempt, ready.attempts, scheduled.attempts) AS attempts,
  job.max_attempts,
  progress.percent AS progress, progress.note AS progress_note,
  leasehold.created_at(job.id) AS created_at,
  coalesce(ready.available_at, scheduled.available_at) AS available_at,
  coalesce(outcome.started_at, lease.started_at, ready.started_at, scheduled.started_at)
    AS started_at,
  outcome.finished_at,
  greatest(leasehold.created_at(job.id), ready.available_at, lease.attempt_started_at,
    outcome.finished_at, progress.updated_at, CASE WHEN outcome.id IS NULL THEN (
      SELECT max(ended_at) FROM leasehold.attempt
      WHERE attempt.tenant_id = job.tenant_id AND attempt.id = job.id) END) AS updated_at,
  CASE WHEN outcome.id IS NULL THEN (
    SELECT error FROM leasehold.attempt
    WHERE attempt.tenant_id = job.tenant_id AND attempt.id = job.id
      AND attempt.status NOT IN ('released', 'put_off')
    ORDER BY ended_at DESC LIMIT 1) ELSE outcome.error END AS last_error
FROM leasehold.job
LEFT JOIN leasehold.outcome ON outcome.tenant_id = job.tenant_id AND outcome.id = job.id
LEFT JOIN LATERAL (
  SELECT lease.id, attempt, started_at, attempt_started_at FROM leasehold.lease
  WHERE lease.tenant_id = job.tenant_id AND lease.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS lease ON true
LEFT JOIN LATERAL (
  SELECT attempts, available_at, started_at FROM leasehold.ready
  WHERE ready.queue = job.queue AND ready.tenant_id = job.tenant_id
    AND ready.priority = job.priority AND ready.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS ready ON true
LEFT JOIN LATERAL (
  SELECT attempts, available_at, started_at FROM leasehold.scheduled
  WHERE scheduled.tenant_id = job.tenant_id AND scheduled.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS scheduled ON true
LEFT JOIN leasehold.progress ON progress.tenant_id = job.tenant_id AND progress.id = job.id;

-- What a worker tells in one go: at which numbers, how long ago, and what.
CREATE FUNCTION leasehold.tellings(ns int[], ages_ms bigint[], kinds text[], bodies json[])
  RETURNS TABLE (n int, age interval, kind text, body json)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT its.n, its.age_ms * interval '1 ms', its.kind, its.body
  FROM unnest(ns, ages_ms, kinds, bodies) AS its (n, age_ms, kind, body);
END;

-- The next place in the history of a job that nobody has a lease of. For whoever holds its row, so
-- that no two are given the same.
CREATE FUNCTION leasehold.place_between(job_id uuid) RETURNS TABLE (token bigint, n int)
  LANGUAGE plpgsql STABLE ROWS 1
AS $$
BEGIN
  token := greatest(0,
    (SELECT max(attempt.token) FROM leasehold.attempt WHERE attempt.id = job_id),
    (SELECT max(event.token) FROM leasehold.event WHERE event.id = job_id));
  n := 1 + greatest(1000000000,
    (SELECT max(event.n) FROM leasehold.event WHERE event.id = job_id AND event.token = place_between.token));
  RETURN NEXT;
END $$;

REVOKE ALL ON FUNCTION leasehold.tellings(int[], bigint[], text[], json[]),
  leasehold.place_between(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.tellings(int[], bigint[], text[], json[]),
  leasehold.place_between(uuid) TO leasehold_engine;

-- As before, and the job's history tells of it.
CREATE OR REPLACE FUNCTION leasehold.cancel(job_id uuid, principal text, then_delete boolean)
  RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  withdrawn record;
BEGIN
  became := false;
  LOOP
    withdrawn := leasehold.withdraw(job_id);
    IF withdrawn.was_there THEN
      INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts)
      VALUES (tenant, job_id, 'cancelled', clock_timestamp(), withdrawn.started_at,
        withdrawn.attempts);
      INSERT INTO leasehold.event (tenant_id, id, token, n, told_at, kind, attempt, body)
      SELECT tenant, job_id, token, n, clock_timestamp(), 'cancelled', withdrawn.attempts, '{}'
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
  END LOOP;
END $$;

-- As before, and the job's history tells of it; how the job had ended stays there as it was.
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
      INSERT INTO leasehold.ready
        (tenant_id, id, queue, priority, attempts, available_at, started_at)
      VALUES (tenant, job_id, its_job.queue, its_job.priority, 0, clock_timestamp(),
        ended.started_at);
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
      SELECT 'queued' FROM leasehold.ready
      WHERE queue = its_job.queue AND tenant_id = tenant AND priority = its_job.priority
        AND id = job_id
      UNION ALL
      SELECT 'running' FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant
      UNION ALL
      SELECT outcome.status FROM leasehold.outcome
      WHERE tenant_id = tenant AND id = job_id AND outcome.status = 'succeeded'
      LIMIT 1);
    IF status IS NOT NULL THEN
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- As before, and when the attempt began is kept.
CREATE OR REPLACE FUNCTION leasehold.finish(
    job_id uuid, worker uuid, its_token bigint, its_result json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease
    WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant()
    RETURNING *)
  INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at,
    attempt_started_at, attempts, token, result)
  SELECT tenant_id, id, 'succeeded', clock_timestamp(), started_at,
    nullif(attempt_started_at, started_at), attempt, token, its_result
  FROM ended
  RETURNING outcome.id;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.cancel(uuid, text, boolean)', 'leasehold.retry(uuid)',
  'leasehold.finish(uuid, uuid, bigint, json)'
]::regprocedure[]) AS its;
