-- A lease without an owner: its worker is gone, and what it began outlives it, elsewhere. The job is
-- running still, under the same attempt, and a worker that has its handler adopts it.

ALTER TABLE leasehold.lease
  ALTER COLUMN worker_id DROP NOT NULL,
  DROP CONSTRAINT lease_when_lost_is_known,
  ADD CONSTRAINT lease_when_lost_is_known CHECK (when_lost IN ('requeue', 'fail', 'adopt')),

  -- when the attempt began, if that was under an earlier lease: then it was orphaned
  ADD COLUMN since timestamptz,
  -- how many workers this attempt has lost
  ADD COLUMN lost smallint NOT NULL DEFAULT 0,

  ADD CONSTRAINT lease_has_a_worker_or_waits_for_one
    CHECK (worker_id IS NOT NULL OR (when_lost = 'adopt' AND since IS NOT NULL));

-- Those that wait for a worker: hardly ever one. Serves AdoptJobs. A heartbeat changes nothing that
-- it names.
CREATE INDEX lease_without_a_worker ON leasehold.lease (id) WHERE worker_id IS NULL;

-- Whether the attempt went on under the next lease.
ALTER TABLE leasehold.attempt ADD COLUMN goes_on boolean NOT NULL DEFAULT false;

GRANT SELECT (goes_on) ON leasehold.attempt TO leasehold_tenant;

-- As before, and an attempt that goes on is reclaimed, whichever its number.
CREATE OR REPLACE VIEW leasehold.job_milestone_v WITH (security_invoker = true) AS
SELECT job.tenant_id, job.id AS job_id, 0::bigint AS token, 0 AS n,
  leasehold.created_at(job.id) AS at, 'queued' AS kind, 0::smallint AS attempt, '{}'::json AS body
FROM leasehold.job

UNION ALL
SELECT began.tenant_id, began.id, began.token, 0, began.at,
  CASE WHEN (
      SELECT former.goes_on OR (former.status = 'lost' AND began.attempt > 1)
      FROM leasehold.attempt AS former
      WHERE former.tenant_id = began.tenant_id AND former.id = began.id
        AND former.token < began.token
      ORDER BY former.token DESC LIMIT 1)
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

-- As before, but that leases of orphans, adopted or not, tell nothing of whose turn it was.
CREATE OR REPLACE FUNCTION leasehold.why_not_yet(its_tenant uuid, its_handler text, its_queue text)
  RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  is_full boolean;
  last_served uuid;
BEGIN
  is_full := (
    SELECT bool_and(coalesce(taken.jobs, 0) >= its.slots[array_position(its.queues, its_queue)])
    FROM leasehold.live_worker AS its
    LEFT JOIN (
      SELECT lease.worker_id, count(*) AS jobs
      FROM leasehold.lease
      JOIN leasehold.job ON job.tenant_id = lease.tenant_id AND job.id = lease.id
      WHERE lease.locked_until > clock_timestamp() AND job.queue = its_queue
      GROUP BY lease.worker_id) AS taken ON taken.worker_id = its.id
    WHERE its_handler = ANY (its.handlers) AND its_queue = ANY (its.queues));
  IF NOT is_full THEN
    RETURN 'about_to_start';
  END IF;

  last_served := (
    SELECT lease.tenant_id
    FROM leasehold.lease
    JOIN leasehold.job ON job.tenant_id = lease.tenant_id AND job.id = lease.id
    WHERE job.queue = its_queue AND lease.since IS NULL
    ORDER BY lease.token DESC LIMIT 1);
  RETURN CASE
    WHEN its_tenant > last_served
      AND leasehold.others_wait(its_queue, last_served, its_tenant) THEN 'turn_not_come'
    WHEN its_tenant <= last_served
      AND (leasehold.others_wait(its_queue, last_served, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        OR leasehold.others_wait(its_queue, '00000000-0000-0000-0000-000000000000', its_tenant))
      THEN 'turn_not_come'
    ELSE 'slots_full'
  END;
END $$;

-- As before, and a running job without a worker waits for one that has its handler, if there is one.
CREATE OR REPLACE FUNCTION leasehold.explain(job_id uuid)
  RETURNS TABLE (
    status text, reason text, queue text, until timestamptz, own_before integer)
  LANGUAGE plpgsql STABLE ROWS 1
AS $$
#variable_conflict use_column
DECLARE
  its leasehold.job;
  held record;
BEGIN
  SELECT * INTO its FROM leasehold.job
  WHERE tenant_id = ANY (leasehold.readable_tenants()) AND id = job_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  queue := its.queue;
  own_before := 0;

  SELECT outcome.status, 'over' INTO status, reason FROM leasehold.outcome
  WHERE tenant_id = its.tenant_id AND id = job_id;
  IF FOUND THEN
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT locked_until, lease.worker_id IS NULL AS is_orphan,
    worker.id IS NULL OR its.handler_id = ANY (handlers) AS runs_it
  INTO held FROM leasehold.lease LEFT JOIN leasehold.worker ON worker.id = lease.worker_id
  WHERE lease.tenant_id = its.tenant_id AND lease.id = job_id;
  status := CASE WHEN FOUND THEN 'running' ELSE 'queued' END;

  PERFORM FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = its.tenant_id;
  IF held.is_orphan THEN
    reason := coalesce(leasehold.why_nobody(its.handler_id, its.queue), 'worker_lost');
  ELSIF held.locked_until < clock_timestamp() THEN
    reason := 'worker_lost';
  ELSIF FOUND THEN
    reason := 'cancel_requested';
  ELSIF held.runs_it THEN
    reason := 'running';
  ELSE
    SELECT * INTO reason, until FROM leasehold.why_it_waits(its);
  END IF;

  IF reason IN ('about_to_start', 'slots_full', 'turn_not_come') THEN
    own_before := leasehold.own_before(its.tenant_id, its.queue, its.priority, job_id);
  END IF;
  RETURN NEXT;
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.why_not_yet(uuid, text, text)', 'leasehold.explain(uuid)'
]::regprocedure[]) AS its;
