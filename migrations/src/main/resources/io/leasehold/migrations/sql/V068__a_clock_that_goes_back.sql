-- A server's clock that goes back leaves times ahead of it. Each row here says when it was written, or
-- how long it lasts: one that was written at a time that has yet to come is healed by that.

-- The latest time that processes saw, and when the clock last went back from it, by how much.
CREATE TABLE leasehold.clock (
  one     boolean     NOT NULL DEFAULT true CONSTRAINT clock_is_one PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  back_at timestamptz,
  back_by interval,

  CONSTRAINT clock_has_one_row CHECK (one),
  CONSTRAINT clock_step_is_whole CHECK ((back_at IS NULL) = (back_by IS NULL))
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

INSERT INTO leasehold.clock (seen_at) VALUES (clock_timestamp());

GRANT SELECT, UPDATE ON leasehold.clock TO leasehold_engine;

-- Notes the time, at most once a second, and whether it is before what was noted: a clock that is
-- corrected by less than a second goes on as it was. Answers the last step back, if there was one.
-- Waits for nothing: of several that ask at once, one notes.
CREATE FUNCTION leasehold.watch_clock()
  RETURNS TABLE (back_at timestamptz, back_by_ms bigint, ago_ms bigint)
  LANGUAGE plpgsql ROWS 1
AS $$
#variable_conflict use_column
DECLARE
  mark leasehold.clock;
  read_at timestamptz;
BEGIN
  SELECT * INTO mark FROM leasehold.clock;
  read_at := clock_timestamp();
  IF read_at NOT BETWEEN mark.seen_at - interval '1 s' AND mark.seen_at + interval '1 s'
    AND current_setting('transaction_read_only') = 'off'
  THEN
    PERFORM FROM leasehold.clock AS noted WHERE noted.seen_at = mark.seen_at
    FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND AND read_at > mark.seen_at THEN
      UPDATE leasehold.clock SET seen_at = read_at;
    ELSIF FOUND THEN
      UPDATE leasehold.clock AS noted
      SET seen_at = read_at, back_at = read_at, back_by = noted.seen_at - read_at
      RETURNING * INTO mark;
    END IF;
  END IF;
  IF mark.back_at IS NOT NULL THEN
    RETURN QUERY SELECT mark.back_at, (extract(epoch FROM mark.back_by) * 1000)::bigint,
      (extract(epoch FROM read_at - mark.back_at) * 1000)::bigint;
  END IF;
END $$;

REVOKE ALL ON FUNCTION leasehold.watch_clock() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.watch_clock() TO leasehold_engine;

-- The same for people: what doctor lists for a day.
CREATE FUNCTION leasehold.clock_advice()
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT 'server-clock', 'server', format('its clock went back by %s, to %s',
      date_trunc('milliseconds', clock.back_by), date_trunc('seconds', clock.back_at)),
    'have the server''s clock slewed, and never stepped while the server runs'
  FROM leasehold.clock
  WHERE clock.back_at BETWEEN now() - interval '1 day' AND now();
END;

REVOKE ALL ON FUNCTION leasehold.clock_advice() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.clock_advice() TO leasehold_engine;

-- When something is due that was written at a time that has yet to come: as long after the clock went
-- back as it was due then, and after its whole delay at the latest. Never earlier than it would have
-- been: what was noted last is no later than the clock was when it went back.
CREATE FUNCTION leasehold.healed_due(due timestamptz, written timestamptz) RETURNS timestamptz
  LANGUAGE plpgsql
AS $$
DECLARE
  read_at timestamptz := clock_timestamp();
  step interval := (
    SELECT back_by FROM leasehold.clock WHERE written BETWEEN back_at AND back_at + back_by);
BEGIN
  RETURN least(read_at + (due - written), greatest(read_at, due - coalesce(step, interval '0')));
END $$;

REVOKE ALL ON FUNCTION leasehold.healed_due(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.healed_due(timestamptz, timestamptz) TO leasehold_engine;

-- Delays, also of jobs that wait for others. Those that are there count from now on. The clock may go
-- back within a transaction, which reckons by the time of its beginning.
ALTER TABLE leasehold.scheduled
  ADD COLUMN written_at timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp());
ALTER TABLE leasehold.waiting
  ADD COLUMN written_at timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp());

-- Serves HealDelays: its last rows, which are ahead of the clock, if any are.
CREATE INDEX scheduled_when_written ON leasehold.scheduled (written_at);

-- How long a lease is from its renewal on. Older processes do not say.
ALTER TABLE leasehold.lease ADD COLUMN length_ms integer;

-- Schedules: when the next slot was reckoned, and how often it was again because the clock went back.
ALTER TABLE leasehold.schedule
  ADD COLUMN reckoned_at timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp()),
  ADD COLUMN rewinds integer NOT NULL DEFAULT 0;

-- Serves HealSchedules.
CREATE INDEX schedule_when_reckoned ON leasehold.schedule (reckoned_at) WHERE next_at IS NOT NULL;

-- No slot is fired before its time: if the clock goes back while one is fired, the slot tells.
CREATE FUNCTION leasehold.reckoned() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.reckoned_at := greatest(now(), clock_timestamp(), CASE
    WHEN NEW.last_slot_at IS DISTINCT FROM OLD.last_slot_at THEN NEW.last_slot_at END);
  RETURN NEW;
END $$;

REVOKE ALL ON FUNCTION leasehold.reckoned() FROM PUBLIC;

CREATE TRIGGER schedule_is_reckoned BEFORE UPDATE ON leasehold.schedule
  FOR EACH ROW
  WHEN (NEW.next_at IS DISTINCT FROM OLD.next_at AND NEW.reckoned_at = OLD.reckoned_at)
  EXECUTE FUNCTION leasehold.reckoned();

-- As before, and a lease says how long it is.
CREATE OR REPLACE FUNCTION leasehold.submit_leased(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    principal text, correlation_id text, input json, metadata json, key text,
    worker uuid, lease_ms bigint, when_lost text)
  RETURNS TABLE (id uuid, token bigint)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  tenant uuid := leasehold.submitter(handler, queue, priority, max_attempts, time_limit_ms, 0,
    principal, correlation_id);
  now timestamptz;
BEGIN
  PERFORM leasehold.refuse(coalesce(
    leasehold.json_problem('input', input, 1048576),
    leasehold.metadata_problem(metadata),
    CASE WHEN key IS NOT NULL THEN leasehold.length_problem('key', key, 1, 255) END,
    leasehold.number_problem('lease_ms', lease_ms, 1000, 3600000),
    CASE WHEN (when_lost IN ('requeue', 'fail', 'adopt')) IS NOT TRUE THEN
      'when_lost must be requeue, fail or adopt, not ' || leasehold.shown(when_lost) END));
  PERFORM FROM leasehold.worker AS its WHERE its.id = worker;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  IF leasehold.is_paused(tenant, queue) THEN
    id := (SELECT its.id FROM leasehold.job_key AS its
      WHERE its.tenant_id = tenant AND its.handler_id = handler AND its.key = submit_leased.key);
    RETURN NEXT;
    RETURN;
  END IF;

  id := leasehold.new_id();
  IF key IS NOT NULL THEN
    DECLARE
      taken uuid := (leasehold.take_keys(handler, ARRAY[key], ARRAY[id]))[1];
    BEGIN
      IF taken <> id THEN
        id := taken;
        RETURN NEXT;
        RETURN;
      END IF;
    END;
  END IF;

  now := clock_timestamp();
  token := nextval('leasehold.lease_token');
  INSERT INTO leasehold.job (tenant_id, id, handler_id, input, metadata, queue, priority,
    max_attempts, time_limit, principal, correlation_id)
  VALUES (tenant, id, handler, input, metadata, queue, priority,
    max_attempts, time_limit_ms * interval '1 ms', principal, correlation_id);
  INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until, length_ms,
    when_lost, attempt_started_at, started_at)
  VALUES (tenant, id, worker, token, 1, now + lease_ms * interval '1 ms',
    lease_ms, when_lost, now, now);
  RETURN NEXT;
END $$;

SELECT leasehold.run_as_engine('leasehold.submit_leased(text, text, smallint, smallint, bigint, text,
  text, json, json, text, uuid, bigint, text)');

-- As before, and what was written ahead of the clock is due as healed_due has it.
CREATE OR REPLACE FUNCTION leasehold.look_at_waiting(its_tenant uuid, its_ids uuid[]) RETURNS uuid[]
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
    RETURNING waiting.*, CASE WHEN written_at > clock_timestamp()
      THEN leasehold.healed_due(available_at, written_at) ELSE available_at END AS due_at),
  due AS (
    INSERT INTO leasehold.ready
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant_id, id, queue, priority, attempts, clock_timestamp(), started_at
    FROM taken WHERE due_at <= clock_timestamp()),
  due_later AS (
    INSERT INTO leasehold.scheduled
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant_id, id, queue, priority, attempts, due_at, started_at
    FROM taken WHERE due_at > clock_timestamp())
  SELECT array_agg(id), array_agg(DISTINCT queue) INTO freed, freed_to FROM taken;

  IF failed || freed IS NOT NULL THEN
    INSERT INTO leasehold.unsettled (tenant_id, what, ids, queues, due_at)
    VALUES (its_tenant, 'changed', failed || freed, coalesce(freed_to, '{}'), clock_timestamp());
  END IF;
  RETURN coalesce(failed, '{}');
END $$;

-- As before, and so are notes that are due much later than any is written: at once.
CREATE OR REPLACE FUNCTION leasehold.settle(most integer) RETURNS TABLE (id uuid, queue text)
  LANGUAGE plpgsql ROWS 100
AS $$
#variable_conflict use_column
DECLARE
  noted record;
  until timestamptz;
BEGIN
  FOR noted IN
    WITH due AS MATERIALIZED (
      SELECT ctid AS place, cardinality(ids) AS size, due_at FROM leasehold.unsettled
      WHERE due_at <= clock_timestamp() OR due_at > clock_timestamp() + interval '2 s'
      ORDER BY due_at LIMIT most FOR UPDATE SKIP LOCKED),
    counted AS (
      SELECT place, sum(size) OVER (ORDER BY due_at, place) - size AS before FROM due),
    taken AS (
      DELETE FROM leasehold.unsettled USING counted
      WHERE unsettled.ctid = counted.place AND counted.before < most
      RETURNING unsettled.*)
    SELECT taken.tenant_id, taken.what, min(taken.due_at) AS due_at,
      array_remove(array_agg(DISTINCT one.id), NULL) AS ids,
      array_remove(array_agg(DISTINCT one.queue), NULL) AS queues
    FROM taken CROSS JOIN LATERAL (
      SELECT unnest(taken.ids), NULL UNION ALL SELECT NULL, unnest(taken.queues))
      AS one (id, queue)
    GROUP BY taken.tenant_id, taken.what
    ORDER BY taken.what <> 'changed', min(taken.due_at), taken.tenant_id, taken.what
  LOOP
    id := NULL;
    queue := NULL;
    RETURN NEXT;
    IF noted.what = 'changed' THEN
      RETURN QUERY SELECT changed, NULL FROM unnest(noted.ids) AS changed;
      RETURN QUERY SELECT NULL::uuid, got FROM unnest(noted.queues) AS got;
    ELSIF clock_timestamp() > until THEN
      INSERT INTO leasehold.unsettled (tenant_id, what, ids, due_at)
      VALUES (noted.tenant_id, noted.what, noted.ids, noted.due_at);
    ELSE
      until := coalesce(until, clock_timestamp() + interval '200 ms');
      IF noted.what = 'ended' THEN
        PERFORM leasehold.follow_ended(noted.tenant_id, ARRAY(
          SELECT ended FROM unnest(noted.ids) AS ended
          WHERE NOT leasehold.hold_unfinished(noted.tenant_id, ended)), most);
      ELSE
        PERFORM leasehold.look_at_waiting(noted.tenant_id, noted.ids);
      END IF;
    END IF;
  END LOOP;
END $$;

-- What each start and doctor ask takes no time to compile: their sessions may go through a pooler, which
-- takes no settings.
ALTER FUNCTION leasehold.isolation_findings() SET jit = off;
ALTER FUNCTION leasehold.isolation_advice() SET jit = off;
ALTER FUNCTION leasehold.session_findings(text) SET jit = off;
