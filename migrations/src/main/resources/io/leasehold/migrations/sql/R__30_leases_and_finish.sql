-- How jobs move between states while workers run them. A job is in exactly one of ready, scheduled, waiting, lease and
-- outcome, because each move deletes the row of one state and inserts the row of the next in one transaction.
--
--   move                   from                       to                when
--   submit, submit_all     -                          ready, scheduled  JobService; see R__20_submit
--   submit_after           -                          waiting           the same, with dependencies
--   submit_leased          -                          lease             direct mode: the process runs the job itself
--   look_at_waiting        waiting                    ready, scheduled  the last dependency has ended; see R__35_dependencies
--                                                     outcome           a dependency has failed
--   move_due_jobs          scheduled                  ready             its time has come
--   claim_jobs             ready                      lease             a worker has free slots
--   adopt_jobs             orphaned lease             lease             the same
--   end_jobs               lease                      outcome           the last attempt has ended
--   finish                 lease                      outcome           the same, in the handler's own transaction
--   retry_jobs             lease                      scheduled         an attempt has failed, and others are left
--   park_jobs              lease                      scheduled         the worker cannot work on it at present
--   release_jobs           lease                      ready             the worker stops
--                                                     orphaned lease    the same, for a job that may be adopted
--   rescue_jobs            lease                      ready, outcome    the worker was lost
--   orphan_lost_jobs       lease                      orphaned lease    the same, for a job that may be adopted
--   end_cancelled_jobs     ready, scheduled, waiting  outcome           cancelled while it ran, and queued again since
--   cancel, retry, delete  any but lease                                JobService; see R__25_commands
--
-- An orphaned lease has no worker; another worker takes over the attempt.
--
-- A worker's moves are fenced: they change a lease only if the worker still holds it under the same token.

-- The fence of every write for a running job: its lease is still the one that this worker was given. The server
-- inlines the condition into the statement.
CREATE OR REPLACE FUNCTION leasehold.is_held(holder uuid, held_token bigint, worker uuid, token bigint)
  RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN holder = worker AND held_token = token;

-- The next functions return several arrays as rows, side by side. The server inlines their bodies, too.

-- The lanes of a claim: a tenant's jobs of one priority, from one id on.
CREATE OR REPLACE FUNCTION leasehold.lanes(tenants uuid[], priorities smallint[], floors uuid[], shares int[])
  RETURNS TABLE (tenant_id uuid, priority smallint, floor uuid, share int)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT * FROM unnest(tenants, priorities, floors, shares);
END;

-- Leases, each with its fence.
CREATE OR REPLACE FUNCTION leasehold.leases(ids uuid[], tokens bigint[])
  RETURNS TABLE (id uuid, token bigint)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT * FROM unnest(ids, tokens);
END;

-- Adds an attempt that was not a job's last one to the job's history.
CREATE OR REPLACE FUNCTION leasehold.record_attempt(
    of leasehold.lease, status text, error text, retry_at timestamptz, continues boolean DEFAULT false)
  RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO leasehold.attempt
    (tenant_id, id, token, attempt, worker_id, status, started_at, ended_at, retry_at, error, continues)
  VALUES (of.tenant_id, of.id, of.token, of.attempt, of.worker_id, status, of.attempt_started_at, now(), retry_at,
    error, continues);
END $$;

-- Adds what the platform did to a job to the job's history. What handlers report is added by TellEvents.
CREATE OR REPLACE FUNCTION leasehold.record_event(
    tenant uuid, job_id uuid, token bigint, number int, kind text, attempt smallint, body json) RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO leasehold.event (tenant_id, id, token, number, told_at, kind, attempt, body)
  VALUES (tenant, job_id, token, number, clock_timestamp(), kind, attempt, body);
END $$;

-- Claims up to "most" jobs, and from each lane up to its share. "waited" is how many seconds a job was claimable.
--
-- Rows are found and locked in a materialized part, which runs once. In a subquery of IN, the planner may run it once
-- per row and take more rows than requested. Rows that other statements have locked are skipped. One range of
-- ready_in_turn is read per lane. "problem" is computed in a materialized part, once per job.
--
-- Serves ClaimJobs.
CREATE OR REPLACE FUNCTION leasehold.claim_jobs(
    lanes_queue text, tenants uuid[], priorities smallint[], floors uuid[], shares int[], most int, worker uuid,
    lease_ms int, failing text[], adopting text[])
  RETURNS TABLE (tenant_id uuid, id uuid, token bigint, attempt smallint, max_attempts smallint, priority smallint,
    handler_id text, input json, metadata json, principal text, correlation_id text, time_limit double precision,
    problem text, waited double precision)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH picked AS MATERIALIZED (
    SELECT first.place
    FROM leasehold.lanes(tenants, priorities, floors, shares) AS lane
    CROSS JOIN LATERAL (
      SELECT ready.ctid AS place FROM leasehold.ready
      WHERE ready.queue = lanes_queue AND ready.tenant_id = lane.tenant_id
        AND ready.priority = lane.priority AND ready.id >= lane.floor
      ORDER BY ready.id LIMIT lane.share FOR UPDATE SKIP LOCKED) AS first
    LIMIT most),
  taken AS (
    DELETE FROM leasehold.ready USING picked WHERE ready.ctid = picked.place
    RETURNING ready.tenant_id, ready.id, ready.attempts, ready.available_at, ready.started_at),
  -- The transaction may have started before a job became available. A run must not start before the build that it
  -- depends on has succeeded.
  found AS MATERIALIZED (
    SELECT job.*, nextval('leasehold.lease_token') AS token, (taken.attempts + 1)::smallint AS attempt,
      taken.started_at, greatest(now(), taken.available_at) AS attempt_started_at,
      date_part('epoch', now() - taken.available_at) AS waited,
      leasehold.load_problem(job.input, job.metadata, job.handler_id, job.principal, job.correlation_id) AS problem
    FROM taken JOIN leasehold.job ON job.tenant_id = taken.tenant_id AND job.id = taken.id),
  -- The end of the leases is an uncorrelated subquery, which is evaluated once and not per job.
  leased AS (
    INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until, length_ms, when_lost,
      attempt_started_at, started_at, mirror)
    SELECT found.tenant_id, found.id, worker, found.token, found.attempt,
      (SELECT now() + lease_ms * interval '1 ms'), lease_ms,
      CASE WHEN found.handler_id = ANY (failing) THEN 'fail'
        WHEN found.handler_id = ANY (adopting) THEN 'adopt' ELSE 'requeue' END,
      found.attempt_started_at, coalesce(found.started_at, found.attempt_started_at), found.mirror
    FROM found),
  -- Without mirrored jobs the arrays are null, and the function is not called.
  mirrored AS (
    SELECT leasehold.mirror_claimed(array_agg(found.mirror), array_agg(found.tenant_id), array_agg(found.id),
      array_agg(coalesce(found.started_at, found.attempt_started_at))) AS is_mirrored
    FROM found WHERE found.mirror IS NOT NULL)
  SELECT found.tenant_id, found.id, found.token, found.attempt, found.max_attempts, found.priority,
    CASE WHEN found.problem IS NULL THEN found.handler_id END,
    CASE WHEN found.problem IS NULL THEN found.input END,
    CASE WHEN found.problem IS NULL THEN found.metadata END,
    CASE WHEN found.problem IS NULL THEN found.principal END,
    CASE WHEN found.problem IS NULL THEN found.correlation_id END,
    date_part('epoch', found.time_limit), found.problem, found.waited
  FROM found WHERE (SELECT is_mirrored FROM mirrored) IS DISTINCT FROM false
  ORDER BY found.priority DESC, found.id;
END $$;

-- Takes over up to "most" leases that have no worker, the longest waiting first. The rows stay in lease, with the same
-- attempt and a new token. "ran_before" is how many seconds the attempt ran under workers before, negative if the
-- database's clock was set back.
--
-- Uses lease_without_a_worker, which is nearly always empty. Rows that another statement has locked are skipped.
--
-- Serves AdoptJobs.
CREATE OR REPLACE FUNCTION leasehold.adopt_jobs(
    of_queue text, most int, worker uuid, lease_ms int, adopting text[])
  RETURNS TABLE (tenant_id uuid, id uuid, token bigint, attempt smallint, max_attempts smallint, priority smallint,
    handler_id text, input json, metadata json, principal text, correlation_id text, time_limit double precision,
    problem text, first_token bigint, ran_before double precision)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH picked AS MATERIALIZED (
    SELECT lease.ctid AS place
    FROM leasehold.lease JOIN leasehold.job ON job.tenant_id = lease.tenant_id AND job.id = lease.id
    WHERE lease.worker_id IS NULL AND job.queue = of_queue AND job.handler_id = ANY (adopting)
    ORDER BY lease.locked_until, lease.id LIMIT most FOR UPDATE OF lease SKIP LOCKED),
  adopted AS (
    UPDATE leasehold.lease SET worker_id = worker, token = nextval('leasehold.lease_token'),
      locked_until = now() + lease_ms * interval '1 ms', length_ms = lease_ms, attempt_started_at = now()
    FROM picked WHERE lease.ctid = picked.place
    RETURNING lease.*),
  found AS MATERIALIZED (
    SELECT job.*, adopted.token, adopted.attempt, adopted.first_token,
      date_part('epoch', adopted.attempt_started_at - adopted.first_started_at) AS ran_before,
      leasehold.load_problem(job.input, job.metadata, job.handler_id, job.principal, job.correlation_id) AS problem
    FROM adopted JOIN leasehold.job ON job.tenant_id = adopted.tenant_id AND job.id = adopted.id)
  SELECT found.tenant_id, found.id, found.token, found.attempt, found.max_attempts, found.priority,
    CASE WHEN found.problem IS NULL THEN found.handler_id END,
    CASE WHEN found.problem IS NULL THEN found.input END,
    CASE WHEN found.problem IS NULL THEN found.metadata END,
    CASE WHEN found.problem IS NULL THEN found.principal END,
    CASE WHEN found.problem IS NULL THEN found.correlation_id END,
    date_part('epoch', found.time_limit), found.problem, found.first_token, found.ran_before
  FROM found ORDER BY found.id;
END $$;

-- Ends jobs for good, and returns those that it ended. "attempt_started_at" of an outcome is null if the only attempt
-- began with the job.
--
-- Serves EndJobs.
CREATE OR REPLACE FUNCTION leasehold.end_jobs(
    worker uuid, ids uuid[], tokens bigint[], statuses text[], results json[], errors text[])
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease
    USING unnest(ids, tokens, statuses, results, errors) AS ending (id, token, status, result, error)
    WHERE lease.id = ending.id AND leasehold.is_held(lease.worker_id, lease.token, worker, ending.token)
    RETURNING lease.*, ending.status, ending.result, ending.error),
  written AS (
    INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempt_started_at, attempts,
      token, result, error, mirror)
    SELECT ended.tenant_id, ended.id, ended.status, now(), ended.started_at,
      nullif(ended.attempt_started_at, ended.started_at), ended.attempt, ended.token, ended.result, ended.error,
      ended.mirror
    FROM ended)
  SELECT ended.id FROM ended;
END $$;

-- The other moves are rarer, and take several statements of one function. Once the function has locked a lease, no
-- other transaction can move its job before this one ends.

-- Locks the leases that the worker still holds, and returns them. A lease that another statement holds is skipped,
-- because its job is being ended: to wait for several of them in turn, while a batch of endings does the same, would
-- deadlock.
CREATE OR REPLACE FUNCTION leasehold.lock_leases(worker uuid, ids uuid[], tokens bigint[])
  RETURNS SETOF leasehold.lease
  LANGUAGE plpgsql
AS $$
BEGIN
  RETURN QUERY
    SELECT lease.*
    FROM leasehold.lease JOIN unnest(ids, tokens) AS held (id, token) ON lease.id = held.id
      AND leasehold.is_held(lease.worker_id, lease.token, worker, held.token)
    FOR UPDATE OF lease SKIP LOCKED;
END $$;

-- Updates the records that mirror jobs which are queued again. Does nothing without such records.
CREATE OR REPLACE FUNCTION leasehold.mirror_queued(ended leasehold.lease[]) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  mirrored uuid[] := ARRAY(SELECT id FROM unnest(ended) WHERE mirror IS NOT NULL);
BEGIN
  IF cardinality(mirrored) > 0 THEN
    PERFORM leasehold.mirror_as_they_are(mirrored);
  END IF;
END $$;

-- Schedules the next attempts of jobs, records the attempts that ended, and returns the jobs.
--
-- Serves RetryJobs.
CREATE OR REPLACE FUNCTION leasehold.retry_jobs(
    worker uuid, ids uuid[], tokens bigint[], statuses text[], errors text[], delays_ms bigint[])
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  ended leasehold.lease[];
BEGIN
  WITH gone AS (
    DELETE FROM leasehold.lease USING unnest(ids, tokens) AS held (id, token)
    WHERE lease.id = held.id AND leasehold.is_held(lease.worker_id, lease.token, worker, held.token)
    RETURNING lease)
  SELECT array_agg(gone.lease) INTO ended FROM gone;

  INSERT INTO leasehold.scheduled
    (tenant_id, id, queue, priority, attempts, available_at, started_at, reason)
  SELECT one.tenant_id, one.id, job.queue, job.priority, one.attempt,
    now() + ending.delay_ms * interval '1 ms', one.started_at, 'retry'
  FROM unnest(ended) AS one
  JOIN unnest(ids, delays_ms) AS ending (id, delay_ms) ON ending.id = one.id
  JOIN leasehold.job ON job.tenant_id = one.tenant_id AND job.id = one.id;

  PERFORM leasehold.record_attempt(one, ending.status, ending.error, now() + ending.delay_ms * interval '1 ms')
  FROM unnest(ended) AS one
  JOIN unnest(ids, statuses, errors, delays_ms) AS ending (id, status, error, delay_ms) ON ending.id = one.id;

  PERFORM leasehold.mirror_queued(ended);
  RETURN QUERY SELECT one.id FROM unnest(ended) AS one;
END $$;

-- Puts aside jobs that their worker cannot work on at present, without counting an attempt, and returns those jobs.
-- When they are due again, any worker that can run them may claim them; until then they block no other job. An attempt
-- that left visible traces is recorded, so that a reader of the job's history can continue from them.
--
-- Serves ParkJobs.
CREATE OR REPLACE FUNCTION leasehold.park_jobs(worker uuid, ids uuid[], tokens bigint[], delay_ms bigint, why text)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  parked leasehold.lease[] := ARRAY(SELECT one FROM leasehold.lock_leases(worker, ids, tokens) AS one);
  due_at timestamptz := now() + delay_ms * interval '1 ms';
BEGIN
  DELETE FROM leasehold.lease USING unnest(parked) AS one WHERE lease.id = one.id;

  -- A worker without the handler has not begun the job.
  INSERT INTO leasehold.scheduled
    (tenant_id, id, queue, priority, attempts, available_at, started_at, reason)
  SELECT one.tenant_id, one.id, job.queue, job.priority, one.attempt - 1, due_at,
    CASE WHEN why = 'later' OR one.attempt > 1 OR one.handler_begun THEN one.started_at END, why
  FROM unnest(parked) AS one
  JOIN leasehold.job ON job.tenant_id = one.tenant_id AND job.id = one.id;

  PERFORM leasehold.record_attempt(one, 'put_off', NULL, due_at)
  FROM unnest(parked) AS one WHERE one.handler_begun;

  PERFORM leasehold.mirror_queued(parked);
  RETURN QUERY SELECT one.id FROM unnest(parked) AS one;
END $$;

-- The error of an attempt whose worker was lost. It contains the worker's name and not the worker's id, because the id
-- would allow a reader to end a job.
CREATE OR REPLACE FUNCTION leasehold.lost_error(of leasehold.lease) RETURNS text
  LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT format('the worker%s was lost during attempt %s',
    coalesce(' ' || (SELECT name FROM leasehold.worker WHERE id = of.worker_id), ', no longer registered,'),
    of.attempt);
END;

-- Detaches workers from leases whose jobs continue without them, and records the part of each attempt that left
-- visible traces. The leases stay, with new tokens that no worker has, until workers adopt them.
CREATE OR REPLACE FUNCTION leasehold.orphan_leases(taken leasehold.lease[], status text, begun boolean)
  RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  UPDATE leasehold.lease
  SET worker_id = NULL, token = nextval('leasehold.lease_token'), locked_until = now(),
    first_started_at = coalesce(lease.first_started_at, lease.attempt_started_at),
    first_token = coalesce(lease.first_token, lease.token),
    workers_lost = lease.workers_lost + CASE WHEN status = 'lost' THEN 1 ELSE 0 END,
    handler_begun = false
  FROM unnest(taken) AS one WHERE lease.id = one.id;

  PERFORM leasehold.record_attempt(one, status,
    CASE WHEN status = 'lost' THEN leasehold.lost_error(one) END, NULL, continues => true)
  FROM unnest(taken) AS one WHERE begun OR one.handler_begun;
END $$;

-- Gives back jobs that their worker will not finish, and returns how many. If their handlers have begun, the attempt
-- counts and is recorded. A job that may be adopted keeps its lease; without a handler that has begun under it, here or
-- earlier, there is nothing to adopt.
--
-- Serves ReleaseJobs.
CREATE OR REPLACE FUNCTION leasehold.release_jobs(worker uuid, ids uuid[], tokens bigint[], begun boolean)
  RETURNS int
  LANGUAGE plpgsql
AS $$
DECLARE
  held leasehold.lease[] := ARRAY(SELECT one FROM leasehold.lock_leases(worker, ids, tokens) AS one);
  orphaned leasehold.lease[] := ARRAY(SELECT one FROM unnest(held) AS one
    WHERE one.when_lost = 'adopt' AND (begun OR one.first_started_at IS NOT NULL));
  released leasehold.lease[] := ARRAY(SELECT one FROM unnest(held) AS one
    WHERE NOT (one.when_lost = 'adopt' AND (begun OR one.first_started_at IS NOT NULL)));
BEGIN
  PERFORM leasehold.orphan_leases(orphaned, 'released', begun);

  DELETE FROM leasehold.lease USING unnest(released) AS one WHERE lease.id = one.id;
  INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at, started_at)
  SELECT one.tenant_id, one.id, job.queue, job.priority,
    CASE WHEN begun THEN one.attempt ELSE one.attempt - 1 END, now(),
    CASE WHEN begun OR one.attempt > 1 THEN one.started_at END
  FROM unnest(released) AS one
  JOIN leasehold.job ON job.tenant_id = one.tenant_id AND job.id = one.id;

  PERFORM leasehold.record_attempt(one, 'released', NULL, NULL)
  FROM unnest(released) AS one WHERE begun OR one.handler_begun;

  PERFORM leasehold.mirror_queued(released);
  RETURN cardinality(held);
END $$;

-- Locks up to "most" leases that their workers did not renew: those whose jobs may be adopted, as long as they have not
-- lost too many workers, or all others. A lease that another statement renews or ends is skipped.
CREATE OR REPLACE FUNCTION leasehold.lock_expired_leases(most int, to_adopt boolean, most_lost int)
  RETURNS SETOF leasehold.lease
  LANGUAGE plpgsql
AS $$
BEGIN
  RETURN QUERY
    SELECT lease.* FROM leasehold.lease
    WHERE lease.locked_until < now() AND lease.worker_id IS NOT NULL
      AND (lease.when_lost = 'adopt' AND lease.workers_lost < most_lost) = to_adopt
    ORDER BY lease.locked_until, lease.id LIMIT most
    FOR UPDATE SKIP LOCKED;
END $$;

-- Takes the leases of lost workers whose jobs may be adopted, and returns the jobs.
--
-- Serves OrphanJobs.
CREATE OR REPLACE FUNCTION leasehold.orphan_lost_jobs(most int, most_lost int)
  RETURNS TABLE (id uuid, queue text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  taken leasehold.lease[] := ARRAY(SELECT one FROM leasehold.lock_expired_leases(most, true, most_lost) AS one);
BEGIN
  PERFORM leasehold.orphan_leases(taken, 'lost', true);
  RETURN QUERY
    SELECT one.id, job.queue FROM unnest(taken) AS one
    JOIN leasehold.job ON job.tenant_id = one.tenant_id AND job.id = one.id;
END $$;

-- Takes all other jobs of lost workers, and returns them. They are queued again, or fail. Harmless if several processes
-- do this at once.
--
-- A job fails on its last attempt if its handler declares so, and in any case some attempts later, because the work
-- itself may be what kills its workers. The same holds for an attempt that would otherwise be adopted.
--
-- Serves RescueJobs.
CREATE OR REPLACE FUNCTION leasehold.rescue_jobs(most int, most_lost int)
  RETURNS TABLE (id uuid, queue text, is_over boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  taken leasehold.lease[] := ARRAY(SELECT one FROM leasehold.lock_expired_leases(most, false, most_lost) AS one);
  failed uuid[] := ARRAY(SELECT one.id FROM unnest(taken) AS one
    JOIN leasehold.job ON job.tenant_id = one.tenant_id AND job.id = one.id
    WHERE one.when_lost = 'fail' AND one.attempt >= job.max_attempts OR one.when_lost = 'adopt'
      OR one.attempt >= job.max_attempts + most_lost);
BEGIN
  DELETE FROM leasehold.lease USING unnest(taken) AS one WHERE lease.id = one.id;

  PERFORM leasehold.record_attempt(one, 'lost', leasehold.lost_error(one), NULL) FROM unnest(taken) AS one;

  INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at, started_at)
  SELECT one.tenant_id, one.id, job.queue, job.priority, one.attempt, now(), one.started_at
  FROM unnest(taken) AS one
  JOIN leasehold.job ON job.tenant_id = one.tenant_id AND job.id = one.id
  WHERE one.id <> ALL (failed);

  INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts, error, mirror)
  SELECT one.tenant_id, one.id, 'failed', now(), one.started_at, one.attempt, leasehold.lost_error(one), one.mirror
  FROM unnest(taken) AS one WHERE one.id = ANY (failed);

  -- Ordered after the end of the attempt: the worker was lost, and therefore the job has failed.
  PERFORM leasehold.record_event(one.tenant_id, one.id, one.token, 1000000001, 'failed', one.attempt,
    json_build_object('error', leasehold.lost_error(one)))
  FROM unnest(taken) AS one WHERE one.id = ANY (failed);

  PERFORM leasehold.mirror_queued(taken);
  RETURN QUERY
    SELECT one.id, job.queue, one.id = ANY (failed) FROM unnest(taken) AS one
    JOIN leasehold.job ON job.tenant_id = one.tenant_id AND job.id = one.id;
END $$;

-- Queues up to "most" jobs whose time has come, and returns them. Locked rows are skipped: another transaction is
-- moving, retrying or withdrawing them. Uses scheduled_when_due.
--
-- Serves MoveDueJobs.
CREATE OR REPLACE FUNCTION leasehold.move_due_jobs(most int) RETURNS TABLE (id uuid, queue text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH picked AS MATERIALIZED (
    SELECT scheduled.ctid AS place FROM leasehold.scheduled
    WHERE scheduled.available_at <= now()
    ORDER BY scheduled.available_at, scheduled.id LIMIT most FOR UPDATE SKIP LOCKED),
  due AS (
    DELETE FROM leasehold.scheduled USING picked WHERE scheduled.ctid = picked.place
    RETURNING scheduled.*),
  moved AS (
    INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT due.tenant_id, due.id, due.queue, due.priority, due.attempts, due.available_at, due.started_at FROM due)
  SELECT due.id, due.queue FROM due;
END $$;

-- Ends up to "most" waiting jobs of each state that were cancelled or deleted while they ran, and that returned to the
-- queue before their worker noticed; returns them. A job that another statement holds is skipped: it is being claimed,
-- moved or withdrawn, and is checked again later. A job that is to be deleted counts as failed until then.
--
-- Serves CancelWaiting.
CREATE OR REPLACE FUNCTION leasehold.end_cancelled_jobs(most int, error_if_deleted text) RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH asked AS MATERIALIZED (
    SELECT request.tenant_id, request.id, bool_or(request.then_delete) AS then_delete
    FROM leasehold.cancel_request AS request GROUP BY request.tenant_id, request.id),
  picked_ready AS MATERIALIZED (
    SELECT ready.ctid AS place, asked.then_delete
    FROM asked JOIN leasehold.job ON job.tenant_id = asked.tenant_id AND job.id = asked.id
    JOIN leasehold.ready ON ready.queue = job.queue AND ready.tenant_id = job.tenant_id
      AND ready.priority = job.priority AND ready.id = job.id
    ORDER BY ready.id LIMIT most FOR UPDATE OF ready SKIP LOCKED),
  from_ready AS (
    DELETE FROM leasehold.ready USING picked_ready AS picked WHERE ready.ctid = picked.place
    RETURNING ready.tenant_id, ready.id, ready.attempts, ready.started_at, picked.then_delete),
  picked_scheduled AS MATERIALIZED (
    SELECT scheduled.ctid AS place, asked.then_delete
    FROM asked JOIN leasehold.scheduled ON scheduled.id = asked.id AND scheduled.tenant_id = asked.tenant_id
    ORDER BY scheduled.id LIMIT most FOR UPDATE OF scheduled SKIP LOCKED),
  from_scheduled AS (
    DELETE FROM leasehold.scheduled USING picked_scheduled AS picked WHERE scheduled.ctid = picked.place
    RETURNING scheduled.tenant_id, scheduled.id, scheduled.attempts, scheduled.started_at, picked.then_delete),
  picked_waiting AS MATERIALIZED (
    SELECT waiting.ctid AS place, asked.then_delete
    FROM asked JOIN leasehold.waiting ON waiting.id = asked.id AND waiting.tenant_id = asked.tenant_id
    ORDER BY waiting.id LIMIT most FOR UPDATE OF waiting SKIP LOCKED),
  from_waiting AS (
    DELETE FROM leasehold.waiting USING picked_waiting AS picked WHERE waiting.ctid = picked.place
    RETURNING waiting.tenant_id, waiting.id, waiting.attempts, waiting.started_at, picked.then_delete),
  taken AS MATERIALIZED (
    SELECT one.*, CASE WHEN one.then_delete THEN 'failed' ELSE 'cancelled' END AS status,
      CASE WHEN one.then_delete THEN error_if_deleted END AS error
    FROM (TABLE from_ready UNION ALL TABLE from_scheduled UNION ALL TABLE from_waiting) AS one),
  ended AS (
    INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts, error)
    SELECT taken.tenant_id, taken.id, taken.status, now(), taken.started_at, taken.attempts, taken.error FROM taken)
  -- No other transaction adds events while this one holds the job's row.
  SELECT taken.id FROM taken CROSS JOIN LATERAL leasehold.place_between(taken.id) AS place
  CROSS JOIN LATERAL leasehold.record_event(taken.tenant_id, taken.id, place.token, place.number, taken.status,
    taken.attempts, json_strip_nulls(json_build_object('error', taken.error)));
END $$;

-- Locks the lease until the transaction ends. A transaction that would take the lease away waits for that, or skips
-- the lease. A renewal changes no key, so it does neither.
CREATE OR REPLACE FUNCTION leasehold.hold_lease(job_id uuid, worker uuid, its_token bigint) RETURNS boolean
  LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM FROM leasehold.lease
  WHERE lease.id = job_id AND leasehold.is_held(lease.worker_id, lease.token, worker, its_token)
    AND lease.tenant_id = leasehold.own_tenant()
  FOR KEY SHARE;
  RETURN FOUND;
END $$;

-- Ends a job in its handler's own transaction, as the last statement: the handler's writes and the job's success
-- commit together, or neither does. Mirror records are looked up only for a job with a mirror.
--
-- Returns the job's id, or nothing if the lease is no longer the one that the worker was given: then the transaction
-- has to be rolled back. The worker's id is random and not visible to any tenant, so module code cannot finish a job
-- that it does not run.
CREATE OR REPLACE FUNCTION leasehold.finish(job_id uuid, worker uuid, its_token bigint, its_result json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(CASE WHEN its_result IS NOT NULL THEN
    leasehold.json_problem('result', its_result, 1048576) END);
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease
    WHERE lease.id = job_id AND leasehold.is_held(lease.worker_id, lease.token, worker, its_token)
      AND lease.tenant_id = leasehold.own_tenant()
    RETURNING *)
  INSERT INTO leasehold.outcome
    (tenant_id, id, status, finished_at, started_at, attempts, token, result,
      mirror)
  SELECT tenant_id, id, 'succeeded', clock_timestamp(), started_at, attempt, token, its_result,
    mirror
  FROM ended
  RETURNING outcome.id;
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.finish(uuid,uuid,bigint,json)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.is_held(uuid,bigint,uuid,bigint), leasehold.lanes(uuid[],smallint[],uuid[],integer[]),
  leasehold.leases(uuid[],bigint[]),
  leasehold.record_attempt(leasehold.lease,text,text,timestamp with time zone,boolean),
  leasehold.record_event(uuid,uuid,bigint,integer,text,smallint,json),
  leasehold.claim_jobs(text,uuid[],smallint[],uuid[],integer[],integer,uuid,integer,text[],text[]),
  leasehold.adopt_jobs(text,integer,uuid,integer,text[]),
  leasehold.end_jobs(uuid,uuid[],bigint[],text[],json[],text[]),
  leasehold.retry_jobs(uuid,uuid[],bigint[],text[],text[],bigint[]),
  leasehold.lock_leases(uuid,uuid[],bigint[]), leasehold.mirror_queued(leasehold.lease[]),
  leasehold.park_jobs(uuid,uuid[],bigint[],bigint,text), leasehold.lost_error(leasehold.lease),
  leasehold.orphan_leases(leasehold.lease[],text,boolean),
  leasehold.release_jobs(uuid,uuid[],bigint[],boolean),
  leasehold.lock_expired_leases(integer,boolean,integer), leasehold.orphan_lost_jobs(integer,integer),
  leasehold.rescue_jobs(integer,integer), leasehold.move_due_jobs(integer),
  leasehold.end_cancelled_jobs(integer,text), leasehold.hold_lease(uuid,uuid,bigint)
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.finish(uuid,uuid,bigint,json)
  TO leasehold_tenant;
