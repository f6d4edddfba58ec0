-- What the explorer needs in its database: places where a session stops until it is let go on, jobs
-- in every state, and a look at where they are.

-- A deadlock is told soon.
DO $do$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''50ms''', current_database());
END $do$;

CREATE SCHEMA explore;
GRANT USAGE ON SCHEMA explore TO leasehold_engine, leasehold_tenant, leasehold_owner;

-- Stops until the controller lets the session go on, which holds two locks for each: the session
-- waits for them in turns, and the controller has taken the one again before it lets go of the other.
CREATE FUNCTION explore.pause() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = 0
AS $$
DECLARE
  slot text := nullif(current_setting('explore.slot', true), '');
  turn int;
BEGIN
  IF slot IS NOT NULL THEN
    turn := current_setting('explore.turn')::int;
    PERFORM pg_advisory_lock(slot::int, turn % 2);
    PERFORM pg_advisory_unlock(slot::int, turn % 2);
    PERFORM set_config('explore.turn', (turn + 1)::text, false);
  END IF;
END $$;

-- A statement of the engine stops when it has its snapshot, and has looked at no row.
CREATE FUNCTION explore.pause_engine() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  IF session_user = 'leasehold_engine' THEN
    PERFORM explore.pause();
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER pause BEFORE DELETE OR UPDATE ON leasehold.ready
  FOR EACH STATEMENT EXECUTE FUNCTION explore.pause_engine();
CREATE TRIGGER pause BEFORE DELETE OR UPDATE ON leasehold.scheduled
  FOR EACH STATEMENT EXECUTE FUNCTION explore.pause_engine();
CREATE TRIGGER pause BEFORE DELETE OR UPDATE ON leasehold.lease
  FOR EACH STATEMENT EXECUTE FUNCTION explore.pause_engine();

-- And one that takes several leases, between them.
CREATE FUNCTION explore.pause_between() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  IF current_setting('explore.rows', true) = 'on' THEN
    PERFORM explore.pause();
  END IF;
  RETURN old; -- Its row is locked by now.
END $$;

CREATE TRIGGER pause_between BEFORE DELETE ON leasehold.lease
  FOR EACH ROW EXECUTE FUNCTION explore.pause_between();

-- A drop that has to wait for a lock gives up sooner.
ALTER FUNCTION leasehold.drop_day(date, interval) SET lock_timeout = '5ms';

-- A function that tenants call stops before each of its statements, and so does the drop.
DO $do$
DECLARE
  routine oid;
  stopping text;
  places int := 0;
BEGIN
  FOR routine IN
    SELECT oid FROM pg_proc
    WHERE pronamespace = 'leasehold'::regnamespace
      AND proname IN ('withdraw', 'cancel', 'retry', 'delete', 'finish', 'submit_all', 'take_keys', 'keep_step', 'hold_lease',
        'empty_day', 'drop_day', 'forget_job', 'forget_jobs', 'submit_after', 'queue_anew', 'look_at_waiting', 'follow_ended', 'hold_unfinished', 'settle')
  LOOP
    stopping := regexp_replace(pg_get_functiondef(routine),
      '((?:;|\mBEGIN|\mTHEN|\mLOOP|\mELSE)[^\n]*\n(?:\s*--[^\n]*\n|\s*\n)*)(\s+)(DELETE|INSERT|PERFORM FROM|SELECT|WITH|IF EXISTS|LOCK|EXECUTE|RETURN QUERY|status := \()',
      '\1\2PERFORM explore.pause();\n\2\3', 'g');
    IF stopping !~ 'explore.pause' THEN
      RAISE EXCEPTION '% stops nowhere', routine::regprocedure;
    END IF;
    places := places + regexp_count(stopping, 'explore.pause');
    EXECUTE replace(stopping, '\n', E'\n');
  END LOOP;
  IF places < 35 THEN
    RAISE EXCEPTION 'the functions of tenants stop at % places only', places;
  END IF;
END $do$;

-- The day of all jobs that are put, long ago.
CREATE FUNCTION explore.day() RETURNS date
  LANGUAGE sql
  RETURN (now() AT TIME ZONE 'UTC')::date - 3;

CREATE FUNCTION explore.new_id() RETURNS uuid
  LANGUAGE sql
  RETURN overlay(leasehold.first_id_of(explore.day())::text
    PLACING right(leasehold.new_id()::text, 12) FROM 25)::uuid;

-- Makes a job that worker A had the first lease of, and tells the token of that.
CREATE FUNCTION explore.put(tenant uuid, job uuid, a uuid, b uuid, place text) RETURNS bigint
  LANGUAGE plpgsql
AS $$
DECLARE
  drawn bigint := nextval('leasehold.lease_token');
  ended boolean := place IN ('failed', 'succeeded');
BEGIN
  INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority, max_attempts, principal)
  VALUES (tenant, job, 'gts.x.core.jobs.handler.v1~test.explore.some.job.v1', '1', 'explored', 0, 3, 'ann');
  INSERT INTO leasehold.job_key (tenant_id, handler_id, key, id)
  VALUES (tenant, 'gts.x.core.jobs.handler.v1~test.explore.some.job.v1', 'the key', job)
  ON CONFLICT DO NOTHING;

  IF place IN ('ready', 'taken_over', 'orphaned') THEN
    INSERT INTO leasehold.attempt (tenant_id, id, token, attempt, worker_id, status, ended_at, continues)
    VALUES (tenant, job, drawn, 1, a, 'lost', now(), place = 'orphaned');
  END IF;
  IF place = 'ready' THEN
    INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
    VALUES (tenant, job, 'explored', 0, 1, now());
  ELSIF place = 'scheduled' THEN
    INSERT INTO leasehold.attempt (tenant_id, id, token, attempt, worker_id, status, ended_at)
    VALUES (tenant, job, drawn, 1, a, 'failed', now());
    INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
    VALUES (tenant, job, 'explored', 0, 1, now() - interval '1 s');
  ELSIF ended THEN
    INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts, token)
    VALUES (tenant, job, place, now() - interval '2 days', 1, drawn);
  ELSE
    INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until, when_lost,
      attempt_started_at, started_at, first_started_at, first_token)
    VALUES (tenant, job, CASE place WHEN 'taken_over' THEN b WHEN 'orphaned' THEN NULL ELSE a END,
      CASE WHEN place IN ('taken_over', 'orphaned') THEN nextval('leasehold.lease_token') ELSE drawn END,
      CASE place WHEN 'taken_over' THEN 2 ELSE 1 END,
      CASE WHEN place IN ('expired', 'forsaken', 'orphaned') THEN now() - interval '1 s' ELSE '2100-01-01' END,
      CASE WHEN place IN ('adoptable', 'forsaken', 'orphaned') THEN 'adopt' ELSE 'requeue' END,
      now(), now(), CASE place WHEN 'orphaned' THEN now() END, CASE place WHEN 'orphaned' THEN drawn END);
  END IF;
  PERFORM explore.put_dependent(tenant, job, place);
  RETURN drawn;
END $$;

-- Another that waits for it, or did: for all jobs that are put.
CREATE FUNCTION explore.put_dependent(tenant uuid, on_job uuid, place text) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  ended boolean := place IN ('failed', 'succeeded');
  dependent uuid := (SELECT min(id::text) FROM leasehold.dependency)::uuid;
BEGIN
  IF dependent IS NULL THEN
    dependent := explore.new_id();
    INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority, max_attempts, principal)
    VALUES (tenant, dependent, 'gts.x.core.jobs.handler.v1~test.explore.dependent.job.v1', '1', 'aside', 0, 3, 'ann');
    IF ended THEN
      INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
      VALUES (tenant, dependent, place, now() - interval '2 days', 0);
    ELSE
      INSERT INTO leasehold.waiting (tenant_id, id, queue, priority, attempts, available_at)
      VALUES (tenant, dependent, 'aside', 0, 0, now());
    END IF;
  END IF;
  INSERT INTO leasehold.dependency (tenant_id, id, on_id, until_end, state)
  VALUES (tenant, dependent, on_job, false,
    CASE place WHEN 'failed' THEN 'broken' WHEN 'succeeded' THEN 'met' ELSE 'unmet' END);
END $$;

CREATE FUNCTION explore.dependent() RETURNS uuid
  LANGUAGE sql SECURITY DEFINER
  RETURN (SELECT min(id::text) FROM leasehold.dependency)::uuid;

-- Does what was noted, as the upkeep does it sooner or later.
CREATE FUNCTION explore.settle() RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  FOR i IN 1 .. 10 LOOP
    UPDATE leasehold.dependency_note SET due_at = now() - interval '1 s';
    PERFORM leasehold.settle(1000);
    EXIT WHEN NOT EXISTS (SELECT FROM leasehold.dependency_note);
  END LOOP;
END $$;

-- What is wrong with those that wait for others, or did, in one word each.
CREATE FUNCTION explore.wrong_dependents() RETURNS text[]
  LANGUAGE sql
AS $$
  SELECT coalesce(array_agg(wrong ORDER BY wrong), '{}') FROM (
    SELECT CASE
      WHEN cardinality(found.places) <> 1 THEN 'in ' || cardinality(found.places) || ' places'
      WHEN found.places = '{waiting}' AND (found.broken > 0 OR found.unfinished = 0) THEN 'stranded'
      WHEN found.places <> '{waiting}' AND found.places <> '{failed}' AND found.places <> '{cancelled}'
        AND found.broken + found.unfinished > 0 THEN 'early'
      WHEN found.places = '{failed}' AND found.broken + found.unfinished = 0 THEN 'failed for nothing'
      END AS wrong
    FROM (
      SELECT dependency.id, ARRAY(
        SELECT 'waiting' FROM leasehold.waiting WHERE id = dependency.id
        UNION ALL SELECT 'ready' FROM leasehold.ready WHERE id = dependency.id
        UNION ALL SELECT 'scheduled' FROM leasehold.scheduled WHERE id = dependency.id
        UNION ALL SELECT 'lease' FROM leasehold.lease WHERE id = dependency.id
        UNION ALL SELECT status FROM leasehold.outcome WHERE id = dependency.id) AS places,
        count(*) FILTER (WHERE status IS NULL AND job.id IS NOT NULL) AS unfinished,
        count(*) FILTER (WHERE status <> 'succeeded'
          OR job.id IS NULL AND state <> 'met') AS broken
      FROM leasehold.dependency
      LEFT JOIN leasehold.job ON job.id = on_id LEFT JOIN leasehold.outcome ON outcome.id = on_id
      GROUP BY dependency.id) AS found) AS judged
  WHERE wrong IS NOT NULL
$$;

-- Where the job is, and what belongs to it.
CREATE FUNCTION explore.look(job_id uuid, a uuid, a_token bigint)
  RETURNS TABLE (known boolean, places text[], attempts int, status text, is_leased_by_a boolean,
    is_as_put boolean, ended_by_a boolean, requests int, belongings int, dangling int, told int,
    kept int, wrong_dependents text[])
  LANGUAGE sql
AS $$
  SELECT
    EXISTS (SELECT FROM leasehold.job WHERE id = job_id),
    ARRAY(
      SELECT 'ready' FROM leasehold.ready WHERE id = job_id
      UNION ALL SELECT 'scheduled' FROM leasehold.scheduled WHERE id = job_id
      UNION ALL SELECT 'waiting' FROM leasehold.waiting WHERE id = job_id
      UNION ALL SELECT 'lease' FROM leasehold.lease WHERE id = job_id
      UNION ALL SELECT 'outcome' FROM leasehold.outcome WHERE id = job_id),
    coalesce(
      (SELECT max(attempts) FROM leasehold.ready WHERE id = job_id),
      (SELECT attempts FROM leasehold.scheduled WHERE id = job_id),
      (SELECT attempt FROM leasehold.lease WHERE id = job_id),
      (SELECT max(attempts) FROM leasehold.outcome WHERE id = job_id), 0),
    coalesce((SELECT max(status) FROM leasehold.outcome WHERE id = job_id), ''),
    EXISTS (SELECT FROM leasehold.lease
      WHERE id = job_id AND worker_id = a AND token = a_token),
    EXISTS (SELECT FROM leasehold.lease
      WHERE id = job_id AND worker_id <> a AND token > a_token AND locked_until = '2100-01-01'),
    EXISTS (SELECT FROM leasehold.outcome WHERE id = job_id AND token = a_token)
      OR EXISTS (SELECT FROM leasehold.attempt
        WHERE id = job_id AND token = a_token
          AND attempt.status NOT IN ('lost', 'released', 'put_off')),
    (SELECT count(*) FROM leasehold.cancel_request WHERE id = job_id)::int,
    (SELECT count(*) FROM (
      -- Not a request: one whose transaction commits last may be left, and the upkeep forgets it.
      SELECT id FROM leasehold.attempt UNION ALL SELECT id FROM leasehold.job_key
      UNION ALL SELECT id FROM leasehold.progress
      UNION ALL SELECT id FROM leasehold.event UNION ALL SELECT id FROM leasehold.step
      UNION ALL SELECT id FROM leasehold.checkpoint) AS belonging WHERE id = job_id)::int,
    (SELECT count(*) FROM leasehold.job_key
      WHERE NOT EXISTS (SELECT FROM leasehold.job WHERE job.id = job_key.id))::int,
    (SELECT count(*) FROM leasehold.event
      WHERE id = job_id AND token = a_token AND number BETWEEN 1 AND 999999999)::int,
    (SELECT count(*) FROM (SELECT id, token FROM leasehold.step
      UNION ALL SELECT id, token FROM leasehold.checkpoint) AS written
      WHERE id = job_id AND token = a_token)::int,
    explore.wrong_dependents()
$$;

-- What a reader sees of the job; empty while its day is being dropped.
CREATE FUNCTION explore.history(of_job uuid) RETURNS text[]
  LANGUAGE sql SET lock_timeout = '1ms'
AS $$
  SELECT ARRAY(SELECT concat_ws(' ', token, number, kind, attempt, at, body)
    FROM leasehold.job_event_v WHERE job_id = of_job ORDER BY token, number)
$$;

CREATE FUNCTION explore.clean() RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM leasehold.job;
  DELETE FROM leasehold.outcome;
  DELETE FROM leasehold.ready;
  DELETE FROM leasehold.scheduled;
  DELETE FROM leasehold.lease;
  DELETE FROM leasehold.attempt;
  DELETE FROM leasehold.job_key;
  DELETE FROM leasehold.cancel_request;
  DELETE FROM leasehold.progress;
  DELETE FROM leasehold.event;
  DELETE FROM leasehold.step;
  DELETE FROM leasehold.checkpoint;
  DELETE FROM leasehold.waiting;
  DELETE FROM leasehold.dependency;
  DELETE FROM leasehold.dependency_note;
  PERFORM leasehold.prepare_days(-3, -3);
  IF NOT EXISTS (SELECT FROM leasehold.partition_day WHERE day = explore.day()) THEN
    RAISE EXCEPTION 'the day is not prepared';
  END IF;
END $$;

-- Statements as they must not be, which the explorer has to find.

-- What was found expired is taken, whatever has become of it.
CREATE FUNCTION explore.rescue_without_a_second_look(ids uuid[]) RETURNS int
  LANGUAGE plpgsql
AS $$
DECLARE
  taken int;
BEGIN
  INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
  SELECT tenant_id, id, queue, priority, 1, now() FROM leasehold.job WHERE id = ANY (ids);
  GET DIAGNOSTICS taken = ROW_COUNT;
  DELETE FROM leasehold.lease WHERE id = ANY (ids);
  RETURN taken;
END $$;

-- Ends the lease, without a check of who has it now.
CREATE FUNCTION explore.end_without_a_token(job_id uuid, a_token bigint) RETURNS boolean
  LANGUAGE plpgsql
AS $$
BEGIN
  WITH ended AS (DELETE FROM leasehold.lease WHERE id = job_id RETURNING *)
  INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts, token)
  SELECT tenant_id, id, 'succeeded', now(), attempt, a_token FROM ended;
  RETURN FOUND;
END $$;

-- Looks at each state once: a job that moves meanwhile is seen in none.
CREATE FUNCTION explore.cancel_with_one_look(job_id uuid) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER
AS $$
BEGIN
  WITH withdrawn AS (DELETE FROM leasehold.ready WHERE id = job_id RETURNING *)
  INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
  SELECT tenant_id, id, 'cancelled', now(), attempts FROM withdrawn;
  IF FOUND THEN
    RETURN 'Cancelled';
  END IF;
  WITH withdrawn AS (DELETE FROM leasehold.scheduled WHERE id = job_id RETURNING *)
  INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
  SELECT tenant_id, id, 'cancelled', now(), attempts FROM withdrawn;
  IF FOUND THEN
    RETURN 'Cancelled';
  END IF;
  PERFORM FROM leasehold.lease WHERE id = job_id;
  IF FOUND THEN
    RETURN 'Running';
  END IF;
  PERFORM FROM leasehold.outcome WHERE id = job_id;
  RETURN CASE WHEN FOUND THEN 'TooLate' ELSE 'NotFound' END;
END $$;

-- Whether all jobs have ended at this moment. Takes no lock, so a job may be retried meanwhile.
CREATE FUNCTION explore.is_over() RETURNS boolean
  LANGUAGE sql SECURITY DEFINER
AS $$
  SELECT NOT EXISTS (
    SELECT FROM leasehold.ready UNION ALL SELECT FROM leasehold.scheduled
    UNION ALL SELECT FROM leasehold.lease)
$$;

CREATE FUNCTION explore.drop_without_a_second_look() RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '5ms'
AS $$
DECLARE
  suffix text := to_char(explore.day(), 'YYYYMMDD');
BEGIN
  DELETE FROM leasehold.partition_day WHERE day = explore.day();
  EXECUTE format('DROP TABLE leasehold.%I, leasehold.%I', 'job_' || suffix, 'outcome_' || suffix);
  RETURN 'DROPPED';
EXCEPTION WHEN lock_not_available THEN
  RETURN 'BUSY';
END $$;
