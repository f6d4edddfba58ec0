-- Why a job does not run, as one word, and which handlers exist.

-- The live workers: each sends a heartbeat every five seconds, and signs off when it stops.
CREATE OR REPLACE VIEW leasehold.live_worker WITH (security_invoker = true) AS
SELECT id, handlers, queues, slots FROM leasehold.worker
WHERE seen_at > clock_timestamp() - interval '15 s';

-- For tenants: reveals no worker, and not even the number of workers.
CREATE OR REPLACE FUNCTION leasehold.known_handlers()
  RETURNS TABLE (handler_id text, queue text, is_live boolean)
  LANGUAGE plpgsql STABLE ROWS 50
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT known.handler_id, known.queue, EXISTS (
      SELECT FROM leasehold.live_worker WHERE known.handler_id = ANY (handlers))
    FROM leasehold.handler AS known
    WHERE leasehold.own_tenant() IS NOT NULL
    ORDER BY known.handler_id;
END $$;

-- Whether a tenant with claimable jobs waits in a queue, between these two tenants. Jumps from tenant to tenant by
-- ready_in_turn, so the cost grows with the number of paused tenants.
CREATE OR REPLACE FUNCTION leasehold.others_wait(its_queue text, behind uuid, before uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  other uuid := behind;
BEGIN
  LOOP
    other := (
      SELECT tenant_id FROM leasehold.ready
      WHERE queue = its_queue AND tenant_id > other AND tenant_id < before
      ORDER BY tenant_id LIMIT 1);
    IF other IS NULL THEN
      RETURN false;
    END IF;
    PERFORM FROM leasehold.tenant_queue
    WHERE queue = its_queue AND tenant_id = other AND paused_at IS NOT NULL;
    IF NOT FOUND THEN
      RETURN true;
    END IF;
  END LOOP;
END $$;

-- Why no worker can run a tenant's job of this handler from this queue; nothing if a worker can.
CREATE OR REPLACE FUNCTION leasehold.why_nobody(its_handler text, its_queue text) RETURNS text
  LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN CASE
    WHEN EXISTS (
      SELECT FROM leasehold.live_worker
      WHERE its_handler = ANY (handlers) AND its_queue = ANY (queues)) THEN NULL
    WHEN EXISTS (SELECT FROM leasehold.live_worker WHERE its_handler = ANY (handlers))
      OR EXISTS (SELECT FROM leasehold.handler WHERE handler_id = its_handler) THEN 'no_worker'
    ELSE 'unknown_handler'
  END;
END $$;

-- Why the workers that can run a tenant's job have not started it. Other tenants are checked only for whether they
-- come first: tenants take turns in the order of their ids, after the tenant that was served last. Leases of orphaned
-- jobs, adopted or not, are ignored, because they do not show the last turn.
CREATE OR REPLACE FUNCTION leasehold.why_not_yet(its_tenant uuid, its_handler text, its_queue text)
  RETURNS text
  LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  is_full boolean;
  last_served uuid;
BEGIN
  is_full := (
    SELECT bool_and(coalesce(taken.jobs, 0) >= live.slots[array_position(live.queues, its_queue)])
    FROM leasehold.live_worker AS live
    LEFT JOIN (
      SELECT lease.worker_id, count(*) AS jobs
      FROM leasehold.lease
      JOIN leasehold.job ON job.tenant_id = lease.tenant_id AND job.id = lease.id
      WHERE lease.locked_until > clock_timestamp() AND job.queue = its_queue
      GROUP BY lease.worker_id) AS taken ON taken.worker_id = live.id
    WHERE its_handler = ANY (live.handlers) AND its_queue = ANY (live.queues));
  IF NOT is_full THEN
    RETURN 'about_to_start';
  END IF;

  last_served := (
    SELECT lease.tenant_id
    FROM leasehold.lease
    JOIN leasehold.job ON job.tenant_id = lease.tenant_id AND job.id = lease.id
    WHERE job.queue = its_queue AND lease.first_started_at IS NULL
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

-- How many of a tenant's own jobs precede one of them; 1,000 also stands for more.
CREATE OR REPLACE FUNCTION leasehold.own_before(
    its_tenant uuid, its_queue text, its_priority smallint, its_id uuid) RETURNS integer
  LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM (
      (SELECT 1 FROM leasehold.ready
        WHERE queue = its_queue AND tenant_id = its_tenant AND priority > its_priority LIMIT 1000)
      UNION ALL
      (SELECT 1 FROM leasehold.ready
        WHERE queue = its_queue AND tenant_id = its_tenant AND priority = its_priority
          AND id < its_id LIMIT 1000)
      LIMIT 1000) AS own_job);
END $$;

-- Why a job waits, and until when, if that is known. Reasons are checked in this order: a pause, dependencies, the
-- time, the handler, slots and turns.
CREATE OR REPLACE FUNCTION leasehold.why_it_waits(
    job leasehold.job, OUT reason text, OUT until timestamptz)
  LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  due record;
BEGIN
  PERFORM FROM leasehold.queue WHERE name = job.queue AND paused_at IS NOT NULL;
  IF FOUND THEN
    reason := 'queue_paused';
    RETURN;
  END IF;
  PERFORM FROM leasehold.tenant_queue
  WHERE queue = job.queue AND tenant_id = job.tenant_id AND paused_at IS NOT NULL;
  IF FOUND THEN
    reason := 'tenant_paused';
    RETURN;
  END IF;

  PERFORM FROM leasehold.waiting WHERE tenant_id = job.tenant_id AND id = job.id;
  IF FOUND THEN
    reason := 'waits_for_jobs';
    RETURN;
  END IF;

  -- A worker of an earlier version does not record the reason.
  SELECT available_at, CASE WHEN scheduled.reason = 'delay' AND attempts > 0 THEN 'retry'
      ELSE scheduled.reason END AS why
  INTO due FROM leasehold.scheduled
  WHERE tenant_id = job.tenant_id AND id = job.id AND available_at > clock_timestamp();
  IF due.why IN ('delay', 'retry', 'later') THEN
    reason := CASE due.why
      WHEN 'delay' THEN 'not_due' WHEN 'retry' THEN 'waits_for_retry' ELSE 'put_off' END;
    until := due.available_at;
    RETURN;
  END IF;

  reason := leasehold.why_nobody(job.handler_id, job.queue);
  IF reason IS NULL AND due.why = 'aside' THEN
    reason := 'aside';
    until := due.available_at;
  END IF;
  reason := coalesce(
    reason, leasehold.why_not_yet(job.tenant_id, job.handler_id, job.queue));
END $$;

-- Returns nothing for a job that the transaction may not read. All of it uses one snapshot, in which a job is in one
-- place.
--
-- A worker that does not know a job's handler holds the job for a moment and sets it aside, which does not count as
-- running. A running job without a worker waits for a worker that has its handler, if there is one.
CREATE OR REPLACE FUNCTION leasehold.explain(job_id uuid)
  RETURNS TABLE (
    status text, reason text, queue text, until timestamptz, own_before integer)
  LANGUAGE plpgsql STABLE ROWS 1
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  job leasehold.job;
  held record;
BEGIN
  SELECT * INTO job FROM leasehold.job
  WHERE tenant_id = ANY (leasehold.readable_tenants()) AND id = job_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  queue := job.queue;
  own_before := 0;

  SELECT outcome.status, 'over' INTO status, reason FROM leasehold.outcome
  WHERE tenant_id = job.tenant_id AND id = job_id;
  IF FOUND THEN
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT locked_until, lease.worker_id IS NULL AS is_orphan,
    worker.id IS NULL OR job.handler_id = ANY (handlers) AS runs_it
  INTO held FROM leasehold.lease LEFT JOIN leasehold.worker ON worker.id = lease.worker_id
  WHERE lease.tenant_id = job.tenant_id AND lease.id = job_id;
  status := CASE WHEN FOUND THEN 'running' ELSE 'queued' END;

  PERFORM FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = job.tenant_id;
  IF held.is_orphan THEN
    reason := coalesce(leasehold.why_nobody(job.handler_id, job.queue), 'worker_lost');
  ELSIF held.locked_until < clock_timestamp() THEN
    reason := 'worker_lost';
  ELSIF FOUND THEN
    reason := 'cancel_requested';
  ELSIF held.runs_it THEN
    reason := 'running';
  ELSE
    SELECT * INTO reason, until FROM leasehold.why_it_waits(job);
  END IF;

  IF reason IN ('about_to_start', 'slots_full', 'turn_not_come') THEN
    own_before := leasehold.own_before(job.tenant_id, job.queue, job.priority, job_id);
  END IF;
  RETURN NEXT;
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.known_handlers()', 'leasehold.others_wait(text,uuid,uuid)', 'leasehold.why_nobody(text,text)',
  'leasehold.why_not_yet(uuid,text,text)', 'leasehold.own_before(uuid,text,smallint,uuid)',
  'leasehold.why_it_waits(leasehold.job)', 'leasehold.explain(uuid)'
]::regprocedure[]) AS routine;

GRANT SELECT ON
  leasehold.live_worker TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.known_handlers(), leasehold.explain(uuid)
  TO leasehold_tenant;
