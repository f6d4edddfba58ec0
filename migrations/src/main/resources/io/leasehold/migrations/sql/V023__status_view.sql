-- What people see of a job: where its row is, in one word, and never its input. Row level security
-- of the tables beneath applies to whoever asks.
--
-- Where an unfinished job is, is asked job by job, and of an ended one not at all: a join could be
-- planned as a scan of all that wait, once for each job.

CREATE VIEW leasehold.job_status_v WITH (security_invoker = true) AS
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

GRANT SELECT ON leasehold.job_status_v TO leasehold_tenant;
