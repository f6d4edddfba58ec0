-- What is read of a job costs no more with all that ever happened to it.

-- The newest error of an unfinished job, behind however many attempts that were put off.
CREATE INDEX attempt_with_error ON leasehold.attempt (id, token)
  WHERE status NOT IN ('released', 'put_off');

-- As before, and of the attempts the newest alone are read: by attempt_ended_once and
-- attempt_with_error. Their tokens grow, and so do their ends.
CREATE OR REPLACE VIEW leasehold.job_status_v WITH (security_invoker = true) AS
SELECT job.tenant_id, job.id AS job_id, job.handler_id,
  CASE
    WHEN outcome.id IS NOT NULL THEN outcome.status
    WHEN lease.id IS NOT NULL THEN 'running'
    ELSE 'queued'
  END AS status,
  job.correlation_id, job.queue, job.priority,
  coalesce(outcome.attempts, lease.attempt, ready.attempts, scheduled.attempts, waiting.attempts)
    AS attempts,
  job.max_attempts,
  progress.percent AS progress, progress.note AS progress_note,
  leasehold.created_at(job.id) AS created_at,
  coalesce(ready.available_at, scheduled.available_at, waiting.available_at) AS available_at,
  coalesce(outcome.started_at, lease.started_at, ready.started_at, scheduled.started_at,
    waiting.started_at) AS started_at,
  outcome.finished_at,
  greatest(leasehold.created_at(job.id), ready.available_at, lease.attempt_started_at,
    outcome.finished_at, progress.updated_at, CASE WHEN outcome.id IS NULL THEN (
      SELECT ended_at FROM leasehold.attempt
      WHERE attempt.tenant_id = job.tenant_id AND attempt.id = job.id
      ORDER BY token DESC LIMIT 1) END) AS updated_at,
  CASE WHEN outcome.id IS NULL THEN (
    SELECT error FROM leasehold.attempt
    WHERE attempt.tenant_id = job.tenant_id AND attempt.id = job.id
      AND attempt.status NOT IN ('released', 'put_off')
    ORDER BY token DESC LIMIT 1) ELSE outcome.error END AS last_error
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
LEFT JOIN LATERAL (
  SELECT attempts, available_at, started_at FROM leasehold.waiting
  WHERE waiting.tenant_id = job.tenant_id AND waiting.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS waiting ON true
LEFT JOIN leasehold.progress ON progress.tenant_id = job.tenant_id AND progress.id = job.id;

-- As before, and no more attempts are read than a page can show: each has an event at least.
--
-- Serves ReadEvents: event_has_its_place, and the keys of job, outcome, lease and attempt.
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
