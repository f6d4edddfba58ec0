-- A job may wait for others of its tenant: it is in waiting until all of them have succeeded, and
-- fails at once when one ends otherwise. Claims never see it.
--
-- There is no counter, for which those who end jobs would have to wait for each other. Whoever ends
-- a job marks the rows of those that wait for it, and takes those that wait for nothing more; what
-- others hold at that moment is skipped, and noted in unsettled, to be looked at after the commit.

-- Waits for other jobs.
CREATE TABLE leasehold.waiting (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  queue        text        NOT NULL,
  priority     smallint    NOT NULL,
  attempts     smallint    NOT NULL,
  available_at timestamptz NOT NULL,
  started_at   timestamptz,

  CONSTRAINT waiting_once PRIMARY KEY (tenant_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- For which jobs a job waits, or waited. A row is made with the job, which can name only jobs that
-- there are: so no circle can come about.
CREATE TABLE leasehold.dependency (
  tenant_id uuid    NOT NULL,
  id        uuid    NOT NULL,
  on_id     uuid    NOT NULL,

  -- whether any end will do, or success alone
  until_end boolean NOT NULL,

  -- broken is what made the job fail
  state     text    NOT NULL,

  CONSTRAINT dependency_is_named_once PRIMARY KEY (id, on_id, tenant_id),
  CONSTRAINT dependency_state_is_known CHECK (state IN ('unmet', 'met', 'broken'))
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Who waits for a job that ends: where nobody does, one look at an index that has nobody.
CREATE INDEX dependency_waited_for ON leasehold.dependency (tenant_id, on_id, id)
  WHERE state = 'unmet';

-- Whether a job waits for anything still: one look, for however many it waited.
CREATE INDEX dependency_not_met ON leasehold.dependency (tenant_id, id, state)
  WHERE state <> 'met';

-- Jobs that somebody has to look at, a handful or a thousand in a row: those that may have ended
-- and have others wait for them, those that wait, and those that changed, of which workers and who
-- watches them are to be told.
CREATE TABLE leasehold.unsettled (
  tenant_id uuid        NOT NULL,
  what      text        NOT NULL,
  ids       uuid[]      NOT NULL,
  queues    text[]      NOT NULL DEFAULT '{}',
  due_at    timestamptz NOT NULL,

  CONSTRAINT unsettled_what_is_known CHECK (what IN ('ended', 'waiting', 'changed'))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

SELECT leasehold.protect(its::regclass, for_engine => true)
FROM unnest(ARRAY['leasehold.waiting', 'leasehold.dependency', 'leasehold.unsettled']) AS its;

GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.waiting, leasehold.dependency,
  leasehold.unsettled TO leasehold_engine;
GRANT SELECT ON leasehold.waiting, leasehold.dependency TO leasehold_tenant;

-- Notes jobs to be looked at after a while; none is no note.
CREATE FUNCTION leasehold.note(its_tenant uuid, its_what text, its_ids uuid[], pause interval)
  RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  IF cardinality(its_ids) > 0 THEN
    INSERT INTO leasehold.unsettled (tenant_id, what, ids, due_at)
    VALUES (its_tenant, its_what, its_ids, clock_timestamp() + pause);
  END IF;
END $$;

-- What a job is told that fails because of one that it waited for: the one at the root of it.
CREATE FUNCTION leasehold.why_broken(its_tenant uuid, its_on uuid) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  its record;
BEGIN
  SELECT job.handler_id, outcome.status, outcome.error, (
    SELECT true FROM leasehold.dependency
    WHERE tenant_id = its_tenant AND id = its_on AND state = 'broken' LIMIT 1) AS by_another
  INTO its
  FROM leasehold.job LEFT JOIN leasehold.outcome
    ON outcome.tenant_id = job.tenant_id AND outcome.id = job.id
  WHERE job.tenant_id = its_tenant AND job.id = its_on;
  IF NOT FOUND THEN
    RETURN format('job %s was removed', its_on);
  END IF;
  IF its.by_another AND its.error IS NOT NULL THEN
    RETURN its.error;
  END IF;
  RETURN left(format('job %s (%s) %s%s', its_on, its.handler_id,
    CASE its.status WHEN 'timed_out' THEN 'timed out' WHEN 'cancelled' THEN 'was cancelled'
      ELSE 'failed' END,
    ': ' || its.error), 8000);
END $$;

-- Looks at jobs that may wait: those that wait for nothing more go to their queues, and those of
-- which something is broken fail, and are answered.
--
-- Whoever looks at a job holds its row until the commit: of two who end what it waits for, the
-- second does not see what the first has marked, and so has to wait for it, or to leave a note.
--
-- The settings are for the plans, which are made while tables are small and kept when they are not.
CREATE FUNCTION leasehold.look_at_waiting(its_tenant uuid, its_ids uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  held uuid[];
  failed uuid[];
  freed uuid[];
  freed_to text[];
BEGIN
  held := ARRAY(
    SELECT id FROM leasehold.waiting
    WHERE tenant_id = its_tenant AND id = ANY (its_ids)
    ORDER BY id FOR UPDATE SKIP LOCKED);
  IF cardinality(held) < cardinality(its_ids) THEN
    PERFORM leasehold.note(its_tenant, 'waiting', ARRAY(
      SELECT id FROM leasehold.waiting WHERE tenant_id = its_tenant AND id = ANY (its_ids)
      EXCEPT SELECT unnest(held)), interval '100 ms');
  END IF;

  WITH broken AS MATERIALIZED (
    SELECT its.id, broken.on_id FROM unnest(held) AS its (id) CROSS JOIN LATERAL (
      SELECT on_id FROM leasehold.dependency
      WHERE tenant_id = its_tenant AND dependency.id = its.id AND state = 'broken'
      LIMIT 1) AS broken),
  why AS MATERIALIZED (
    SELECT its.on_id, leasehold.why_broken(its_tenant, its.on_id) AS error
    FROM (SELECT DISTINCT on_id FROM broken) AS its),
  taken AS (
    DELETE FROM leasehold.waiting USING broken
    WHERE waiting.tenant_id = its_tenant AND waiting.id = broken.id
    RETURNING waiting.id, waiting.attempts, waiting.started_at, broken.on_id),
  told AS (
    INSERT INTO leasehold.event (tenant_id, id, token, n, told_at, kind, attempt, body)
    SELECT its_tenant, taken.id, place.token, place.n, clock_timestamp(), 'failed', taken.attempts,
      json_build_object('error', why.error)
    FROM taken JOIN why USING (on_id) CROSS JOIN LATERAL leasehold.place_between(taken.id) AS place),
  ended AS (
    INSERT INTO leasehold.outcome
      (tenant_id, id, status, finished_at, started_at, attempts, error)
    SELECT its_tenant, taken.id, 'failed', clock_timestamp(), taken.started_at, taken.attempts,
      why.error
    FROM taken JOIN why USING (on_id)
    RETURNING outcome.id)
  SELECT array_agg(id) INTO failed FROM ended;

  -- Nor has anything of it been broken since: whoever did that has left a note.
  WITH taken AS (
    DELETE FROM leasehold.waiting
    WHERE tenant_id = its_tenant AND waiting.id = ANY (held) AND (
      SELECT true FROM leasehold.dependency
      WHERE dependency.tenant_id = its_tenant AND dependency.id = waiting.id
        AND dependency.state <> 'met' LIMIT 1) IS NULL
    RETURNING waiting.*),
  due AS (
    INSERT INTO leasehold.ready
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant_id, id, queue, priority, attempts, clock_timestamp(), started_at
    FROM taken WHERE available_at <= clock_timestamp()),
  due_later AS (
    INSERT INTO leasehold.scheduled
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant_id, id, queue, priority, attempts, available_at, started_at
    FROM taken WHERE available_at > clock_timestamp())
  SELECT array_agg(id), array_agg(DISTINCT queue) INTO freed, freed_to FROM taken;

  IF failed || freed IS NOT NULL THEN
    INSERT INTO leasehold.unsettled (tenant_id, what, ids, queues, due_at)
    VALUES (its_tenant, 'changed', failed || freed, coalesce(freed_to, '{}'), clock_timestamp());
  END IF;
  RETURN coalesce(failed, '{}');
END $$;

-- Brings those up to date that wait for jobs which may have ended, or are gone: so many of them at
-- most, and notes the rest. Answers which failed.
CREATE FUNCTION leasehold.follow_ended(its_tenant uuid, its_ids uuid[], most integer)
  RETURNS uuid[]
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  marked bigint;
  waiters uuid[];
  failed uuid[];
BEGIN
  WITH over AS MATERIALIZED (
    SELECT its.id, (
      SELECT status FROM leasehold.outcome
      WHERE outcome.tenant_id = its_tenant AND outcome.id = its.id) AS status, (
      SELECT true FROM leasehold.job
      WHERE job.tenant_id = its_tenant AND job.id = its.id) AS known
    FROM unnest(its_ids) AS its (id)),
  picked AS MATERIALIZED (
    SELECT dependency.ctid AS place, dependency.until_end, over.status
    FROM over JOIN leasehold.dependency
      ON dependency.tenant_id = its_tenant AND dependency.on_id = over.id
        AND dependency.state = 'unmet'
    WHERE over.status IS NOT NULL OR over.known IS NULL
    LIMIT most FOR UPDATE OF dependency SKIP LOCKED),
  marked AS (
    UPDATE leasehold.dependency SET state = CASE
      WHEN picked.until_end OR picked.status = 'succeeded' THEN 'met' ELSE 'broken' END
    FROM picked WHERE dependency.ctid = picked.place
    RETURNING dependency.id)
  SELECT count(*), array_agg(DISTINCT id) INTO marked, waiters FROM marked;

  IF marked > 0 THEN
    failed := leasehold.look_at_waiting(its_tenant, waiters);
  END IF;

  -- More than can be done at once, held by others, or not certain to have ended.
  PERFORM leasehold.note(its_tenant, 'ended', ARRAY(
    SELECT its.id FROM unnest(its_ids) AS its (id) WHERE (
      SELECT true FROM leasehold.dependency
      WHERE dependency.tenant_id = its_tenant AND dependency.on_id = its.id
        AND dependency.state = 'unmet' LIMIT 1)),
    CASE WHEN marked < most THEN interval '100 ms' ELSE interval '0' END);
  RETURN coalesce(failed, '{}');
END $$;

-- However a job ends, this follows, in the same transaction: no way of ending one can forget it.
-- What fails by it has others wait for it in turn: these are seen to here as well, one row of them
-- after the other and not one inside the other, until there were a thousand.
--
-- A transaction that keeps its first snapshot may not see who waits: it leaves a note.
CREATE FUNCTION leasehold.follow_outcomes() RETURNS trigger
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  its record;
  failed uuid[];
  many integer := 0;
BEGIN
  IF pg_trigger_depth() > 1 THEN
    RETURN NULL;
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM leasehold.note(tenant_id, 'ended', array_agg(id), interval '0')
    FROM ended GROUP BY tenant_id;
    RETURN NULL;
  END IF;
  -- Mostly nobody waits for anything.
  PERFORM FROM leasehold.waiting LIMIT 1;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  FOR its IN
    SELECT ended.tenant_id, array_agg(ended.id) AS ids
    FROM ended CROSS JOIN LATERAL (
      SELECT FROM leasehold.dependency
      WHERE dependency.tenant_id = ended.tenant_id AND dependency.on_id = ended.id
        AND dependency.state = 'unmet' LIMIT 1) AS awaited
    GROUP BY ended.tenant_id
  LOOP
    failed := its.ids;
    WHILE cardinality(failed) > 0 LOOP
      IF many >= 1000 THEN
        PERFORM leasehold.note(its.tenant_id, 'ended', failed, interval '0');
        EXIT;
      END IF;
      failed := leasehold.follow_ended(its.tenant_id, failed, 1000);
      many := many + cardinality(failed);
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER follow_outcomes AFTER INSERT ON leasehold.outcome
  REFERENCING NEW TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION leasehold.follow_outcomes();

-- The same for a job of the transaction's tenant that was removed.
CREATE FUNCTION leasehold.follow_removed(job_id uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM leasehold.note(tenant, 'ended', ARRAY[job_id], interval '0');
    RETURN;
  END IF;
  PERFORM FROM leasehold.dependency
  WHERE tenant_id = tenant AND on_id = job_id AND state = 'unmet' LIMIT 1;
  IF FOUND THEN
    PERFORM leasehold.follow_ended(tenant, ARRAY[job_id], 1000);
  END IF;
END $$;

-- Whether a job is certain to be unfinished: then whoever ends it later sees who waits for it by
-- now. Holds its row until the commit; one that others hold, or that is on its way from one table
-- to another, is not certain.
CREATE FUNCTION leasehold.hold_unfinished(its_tenant uuid, job_id uuid) RETURNS boolean
  LANGUAGE plpgsql
AS $$
DECLARE
  its record;
BEGIN
  PERFORM FROM leasehold.lease
  WHERE tenant_id = its_tenant AND id = job_id FOR KEY SHARE SKIP LOCKED;
  IF FOUND THEN
    RETURN true;
  END IF;
  PERFORM FROM leasehold.waiting
  WHERE tenant_id = its_tenant AND id = job_id FOR KEY SHARE SKIP LOCKED;
  IF FOUND THEN
    RETURN true;
  END IF;
  PERFORM FROM leasehold.scheduled
  WHERE tenant_id = its_tenant AND id = job_id FOR KEY SHARE SKIP LOCKED;
  IF FOUND THEN
    RETURN true;
  END IF;
  SELECT queue, priority INTO its FROM leasehold.job WHERE tenant_id = its_tenant AND id = job_id;
  PERFORM FROM leasehold.ready
  WHERE queue = its.queue AND tenant_id = its_tenant AND priority = its.priority AND id = job_id
  FOR KEY SHARE SKIP LOCKED;
  RETURN FOUND;
END $$;

-- Looks at what was noted and is due, about so many jobs of it. Answers a row for each note, and
-- besides the jobs that have changed, and the queues that have got jobs.
CREATE FUNCTION leasehold.settle(most integer) RETURNS TABLE (id uuid, queue text)
  LANGUAGE plpgsql ROWS 100
AS $$
#variable_conflict use_column
DECLARE
  its record;
  many integer := 0;
BEGIN
  FOR its IN
    SELECT ctid AS place, tenant_id, what, ids, queues FROM leasehold.unsettled
    WHERE due_at <= clock_timestamp()
    ORDER BY due_at LIMIT 20 FOR UPDATE SKIP LOCKED
  LOOP
    DELETE FROM leasehold.unsettled WHERE ctid = its.place;
    IF its.what = 'ended' THEN
      PERFORM leasehold.follow_ended(its.tenant_id, ARRAY(
        SELECT ended FROM unnest(its.ids) AS ended
        WHERE NOT leasehold.hold_unfinished(its.tenant_id, ended)), most);
    ELSIF its.what = 'waiting' THEN
      PERFORM leasehold.look_at_waiting(its.tenant_id, its.ids);
    ELSE
      RETURN QUERY SELECT changed, NULL FROM unnest(its.ids) AS changed;
      RETURN QUERY SELECT NULL::uuid, got FROM unnest(its.queues) AS got;
    END IF;
    id := NULL;
    queue := NULL;
    RETURN NEXT;
    many := many + cardinality(its.ids);
    EXIT WHEN many >= most;
  END LOOP;
END $$;

-- As before, and it may wait for others.
CREATE OR REPLACE FUNCTION leasehold.withdraw(
    job_id uuid, OUT attempts smallint, OUT started_at timestamptz, OUT was_there boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  DELETE FROM leasehold.waiting
  WHERE id = job_id AND tenant_id = tenant
  RETURNING waiting.attempts, waiting.started_at, true INTO attempts, started_at, was_there;
  IF was_there THEN
    RETURN;
  END IF;

  DELETE FROM leasehold.ready USING leasehold.job
  WHERE job.tenant_id = tenant AND job.id = job_id
    AND ready.queue = job.queue AND ready.tenant_id = tenant AND ready.priority = job.priority
    AND ready.id = job_id
  RETURNING ready.attempts, ready.started_at, true INTO attempts, started_at, was_there;
  IF was_there THEN
    RETURN;
  END IF;

  DELETE FROM leasehold.scheduled
  WHERE id = job_id AND tenant_id = tenant
  RETURNING scheduled.attempts, scheduled.started_at, true INTO attempts, started_at, was_there;
END $$;

-- Queues an ended job anew: where it goes depends on how those stand now for which it waited. None
-- of them has to be looked at again if all have succeeded; else it waits, and what is to be said of
-- the others is said after the commit.
CREATE FUNCTION leasehold.queue_anew(job_id uuid, its_started_at timestamptz) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
  unmet uuid[];
BEGIN
  UPDATE leasehold.dependency SET state = 'unmet'
  WHERE id = job_id AND tenant_id = tenant AND NOT EXISTS (
    SELECT FROM leasehold.outcome
    WHERE outcome.tenant_id = tenant AND outcome.id = on_id
      AND (until_end OR outcome.status = 'succeeded'));
  UPDATE leasehold.dependency SET state = 'met'
  WHERE id = job_id AND tenant_id = tenant AND state <> 'met' AND EXISTS (
    SELECT FROM leasehold.outcome
    WHERE outcome.tenant_id = tenant AND outcome.id = on_id
      AND (until_end OR outcome.status = 'succeeded'));
  unmet := ARRAY(
    SELECT on_id FROM leasehold.dependency
    WHERE id = job_id AND tenant_id = tenant AND state = 'unmet');

  IF cardinality(unmet) = 0 THEN
    INSERT INTO leasehold.ready
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant, job_id, queue, priority, 0, clock_timestamp(), its_started_at
    FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
  ELSE
    INSERT INTO leasehold.waiting
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant, job_id, queue, priority, 0, clock_timestamp(), its_started_at
    FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
    PERFORM leasehold.note(tenant, 'ended', unmet, interval '0');
  END IF;
END $$;

-- As before, but that a job may wait for others.
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
    IF status IS NOT NULL THEN
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- As before, and what a job waited for goes with it.
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
END $$;

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
END $$;

-- As before, and those are told that waited for it.
CREATE OR REPLACE FUNCTION leasehold.delete(job_id uuid) RETURNS TABLE (answer text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  gone boolean;
BEGIN
  LOOP
    gone := (leasehold.withdraw(job_id)).was_there;
    IF gone IS NOT TRUE THEN
      DELETE FROM leasehold.outcome WHERE tenant_id = tenant AND id = job_id;
      gone := FOUND;
    END IF;
    IF gone THEN
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
  END LOOP;
END $$;

-- As before, and what waits keeps its day.
CREATE OR REPLACE FUNCTION leasehold.empty_day(its date, retention interval) RETURNS text
  LANGUAGE plpgsql
AS $$
DECLARE
  first uuid := leasehold.first_id_of(its);
  beyond uuid := leasehold.first_id_of(its + 1);
  since timestamptz := clock_timestamp() - retention;
BEGIN
  PERFORM FROM leasehold.day WHERE day.day = its FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 'busy';
  END IF;

  IF EXISTS (SELECT FROM leasehold.lease WHERE id >= first AND id < beyond)
    OR EXISTS (SELECT FROM leasehold.scheduled WHERE id >= first AND id < beyond)
    OR EXISTS (SELECT FROM leasehold.waiting WHERE id >= first AND id < beyond)
    OR EXISTS (SELECT FROM leasehold.ready WHERE id >= first AND id < beyond)
    OR EXISTS (
      SELECT FROM leasehold.outcome WHERE id >= first AND id < beyond AND finished_at >= since)
    OR EXISTS (
      SELECT FROM leasehold.job WHERE id >= first AND id < beyond AND NOT EXISTS (
        SELECT FROM leasehold.outcome
        WHERE outcome.tenant_id = job.tenant_id AND outcome.id = job.id
          AND outcome.id >= first AND outcome.id < beyond))
  THEN
    RETURN 'kept';
  END IF;

  PERFORM leasehold.forget_jobs(first, beyond);
  RETURN 'empty';
END $$;

REVOKE ALL ON FUNCTION leasehold.note(uuid, text, uuid[], interval),
  leasehold.why_broken(uuid, uuid), leasehold.look_at_waiting(uuid, uuid[]),
  leasehold.follow_ended(uuid, uuid[], integer), leasehold.follow_outcomes(),
  leasehold.hold_unfinished(uuid, uuid), leasehold.settle(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.note(uuid, text, uuid[], interval),
  leasehold.why_broken(uuid, uuid), leasehold.look_at_waiting(uuid, uuid[]),
  leasehold.follow_ended(uuid, uuid[], integer), leasehold.follow_outcomes(),
  leasehold.hold_unfinished(uuid, uuid), leasehold.settle(integer) TO leasehold_engine;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.follow_removed(uuid)', 'leasehold.queue_anew(uuid, timestamptz)',
  'leasehold.withdraw(uuid)', 'leasehold.retry(uuid)', 'leasehold.forget_job(uuid)',
  'leasehold.forget_jobs(uuid, uuid)', 'leasehold.delete(uuid)',
  'leasehold.empty_day(date, interval)'
]::regprocedure[]) AS its;

-- As before, and a job may wait for others.
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
LEFT JOIN LATERAL (
  SELECT attempts, available_at, started_at FROM leasehold.waiting
  WHERE waiting.tenant_id = job.tenant_id AND waiting.id = job.id AND outcome.id IS NULL
  LIMIT 1) AS waiting ON true
LEFT JOIN leasehold.progress ON progress.tenant_id = job.tenant_id AND progress.id = job.id;

-- As before, and waiting_once has those that wait for others.
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

-- As before. What is paused is told first, then what it waits for, then the time.
CREATE OR REPLACE FUNCTION leasehold.why_it_waits(
    its leasehold.job, OUT reason text, OUT until timestamptz)
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  due record;
BEGIN
  PERFORM FROM leasehold.queue WHERE name = its.queue AND paused_at IS NOT NULL;
  IF FOUND THEN
    reason := 'queue_paused';
    RETURN;
  END IF;
  PERFORM FROM leasehold.turn
  WHERE queue = its.queue AND tenant_id = its.tenant_id AND paused_at IS NOT NULL;
  IF FOUND THEN
    reason := 'tenant_paused';
    RETURN;
  END IF;

  PERFORM FROM leasehold.waiting WHERE tenant_id = its.tenant_id AND id = its.id;
  IF FOUND THEN
    reason := 'waits_for_jobs';
    RETURN;
  END IF;

  -- A worker of an earlier version does not say why.
  SELECT available_at, CASE WHEN why = 'delay' AND attempts > 0 THEN 'retry' ELSE why END AS why
  INTO due FROM leasehold.scheduled
  WHERE tenant_id = its.tenant_id AND id = its.id AND available_at > clock_timestamp();
  IF due.why IN ('delay', 'retry', 'later') THEN
    reason := CASE due.why
      WHEN 'delay' THEN 'not_due' WHEN 'retry' THEN 'waits_for_retry' ELSE 'put_off' END;
    until := due.available_at;
    RETURN;
  END IF;

  reason := leasehold.why_nobody(its.handler_id, its.queue);
  IF reason IS NULL AND due.why = 'aside' THEN
    reason := 'aside';
    until := due.available_at;
  END IF;
  reason := coalesce(
    reason, leasehold.why_not_yet(its.tenant_id, its.handler_id, its.queue));
END $$;

SELECT leasehold.run_as_engine('leasehold.why_it_waits(leasehold.job)');

-- For which jobs a job waits, or waited: a page of them behind an id, of a job that the transaction
-- may read. One that was removed has no handler and no status any more.
--
-- Serves ReadDependencies: dependency_is_named_once, and the keys of the status view's tables.
CREATE FUNCTION leasehold.list_dependencies(its_job uuid, after_id uuid, most integer)
  RETURNS TABLE (job_id uuid, handler_id text, status text)
  LANGUAGE plpgsql STABLE ROWS 50
  SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
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

GRANT EXECUTE ON FUNCTION leasehold.list_dependencies(uuid, uuid, integer) TO leasehold_tenant;
