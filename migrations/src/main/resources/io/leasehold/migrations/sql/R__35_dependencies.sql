-- A job may wait for others of its tenant: it is in waiting until all of them have succeeded, and fails at once when
-- one ends otherwise. Claims never see it.
--
-- There is no counter, for which those who end jobs would have to wait for each other. Whoever ends a job marks the
-- rows of those that wait for it, and takes those that wait for nothing more; what others hold at that moment is
-- skipped, and noted in dependency_note, to be looked at after the commit.
--
-- Notes are settled a thousand at a time, however many there are, and dead ones beside them: what several say of one
-- tenant is done once. Nobody who ends jobs is held up for long by those that wait for them: neither by a chain of
-- jobs that fail, nor by thousands for each job of a batch, nor by those that have waited, whose dead rows a long
-- snapshot keeps.

-- Notes jobs to be looked at after a while; none is no note.
CREATE OR REPLACE FUNCTION leasehold.note(its_tenant uuid, its_what text, its_ids uuid[], pause interval)
  RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  IF cardinality(its_ids) > 0 THEN
    INSERT INTO leasehold.dependency_note (tenant_id, what, ids, due_at)
    VALUES (its_tenant, its_what, its_ids, clock_timestamp() + pause);
  END IF;
END $$;

-- The error of a job that fails because of one that it waited for: it names the job at the root, whose own error is a
-- sentence that follows its name.
CREATE OR REPLACE FUNCTION leasehold.why_broken(its_tenant uuid, its_on uuid) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  root record;
BEGIN
  SELECT job.handler_id, outcome.status, outcome.error, (
    SELECT true FROM leasehold.dependency
    WHERE tenant_id = its_tenant AND id = its_on AND state = 'broken' LIMIT 1) AS by_another
  INTO root
  FROM leasehold.job LEFT JOIN leasehold.outcome
    ON outcome.tenant_id = job.tenant_id AND outcome.id = job.id
  WHERE job.tenant_id = its_tenant AND job.id = its_on;
  IF NOT FOUND THEN
    RETURN format('job %s was removed', its_on);
  END IF;
  IF root.by_another AND root.error IS NOT NULL THEN
    RETURN root.error;
  END IF;
  RETURN left(format('job %s (%s) %s', its_on, root.handler_id, CASE
    WHEN root.status = 'timed_out' AND root.error LIKE 'timed out after %' THEN root.error
    ELSE CASE root.status WHEN 'timed_out' THEN 'timed out' WHEN 'cancelled' THEN 'was cancelled'
      ELSE 'failed' END || coalesce(': ' || root.error, '') END), 8000);
END $$;

-- Looks at jobs that may wait: those that wait for nothing more go to their queues, and those of which something is
-- broken fail, and are answered. What was written ahead of the clock is due as healed_due has it.
--
-- Whoever looks at a job holds its row until the commit: of two who end what it waits for, the second does not see
-- what the first has marked, and so has to wait for it, or to leave a note.
--
-- The settings are for the plans, which are made while tables are small and kept when they are not.
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
    INSERT INTO leasehold.event (tenant_id, id, token, number, told_at, kind, attempt, body)
    SELECT its_tenant, taken.id, place.token, place.number, clock_timestamp(), 'failed', taken.attempts,
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
    INSERT INTO leasehold.dependency_note (tenant_id, what, ids, queues, due_at)
    VALUES (its_tenant, 'changed', failed || freed, coalesce(freed_to, '{}'), clock_timestamp());
  END IF;
  RETURN coalesce(failed, '{}');
END $$;

-- Brings those up to date that wait for jobs which may have ended, or are gone: so many of them at
-- most, and notes the rest. Answers which failed.
CREATE OR REPLACE FUNCTION leasehold.follow_ended(its_tenant uuid, its_ids uuid[], most integer)
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

-- However a job ends, this follows, in the same transaction: no way of ending one can forget it. What fails by it has
-- others wait for it in turn: these are looked at here as well, one row of them after the other and not one inside the
-- other, until there were a thousand, or it took too long: each job of a chain is a look of its own. What this ends
-- itself is told by a setting: also a module's own trigger may have ended a job.
--
-- A transaction that keeps its first snapshot may not see who waits: it leaves a note.
CREATE OR REPLACE FUNCTION leasehold.follow_outcomes() RETURNS trigger
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  its record;
  failed uuid[];
  many integer := 0;
  looks integer := 0;
BEGIN
  IF current_setting('leasehold.follows', true) = 'on' THEN
    RETURN NULL;
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM leasehold.note(tenant_id, 'ended', array_agg(id), interval '0')
    FROM ended GROUP BY tenant_id;
    RETURN NULL;
  END IF;

  -- Mostly nobody waits: one look at an index for each job, that has none but who waits for it.
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
      IF many >= 1000 OR looks >= 100 THEN
        PERFORM leasehold.note(its.tenant_id, 'ended', failed, interval '0');
        EXIT;
      END IF;
      PERFORM set_config('leasehold.follows', 'on', true);
      failed := leasehold.follow_ended(its.tenant_id, failed, 1000);
      PERFORM set_config('leasehold.follows', '', true);
      many := many + cardinality(failed);
      looks := looks + 1;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER follow_outcomes AFTER INSERT ON leasehold.outcome
  REFERENCING NEW TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION leasehold.follow_outcomes();

-- The same for a job of the transaction's tenant that was removed.
CREATE OR REPLACE FUNCTION leasehold.follow_removed(job_id uuid) RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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
CREATE OR REPLACE FUNCTION leasehold.hold_unfinished(its_tenant uuid, job_id uuid) RETURNS boolean
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

-- Looks at what was noted and is due, or is due much later than any note is written: about so many jobs, and for about
-- a fifth of a second, which begins when the notes are found. The first group is settled whatever the time is; what is
-- left keeps its turn. Answers a row for each tenant of which something was noted, and besides the jobs that have
-- changed, and the queues that have got jobs.
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
      SELECT ctid AS place, cardinality(ids) AS size, due_at FROM leasehold.dependency_note
      WHERE due_at <= clock_timestamp() OR due_at > clock_timestamp() + interval '2 s'
      ORDER BY due_at LIMIT most FOR UPDATE SKIP LOCKED),
    counted AS (
      SELECT place, sum(size) OVER (ORDER BY due_at, place) - size AS before FROM due),
    taken AS (
      DELETE FROM leasehold.dependency_note USING counted
      WHERE dependency_note.ctid = counted.place AND counted.before < most
      RETURNING dependency_note.*)
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
      INSERT INTO leasehold.dependency_note (tenant_id, what, ids, due_at)
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

-- Queues an ended job anew: where it goes depends on how those stand now for which it waited. None
-- of them has to be looked at again if all have succeeded; else it waits, and what is to be said of
-- the others is said after the commit.
CREATE OR REPLACE FUNCTION leasehold.queue_anew(job_id uuid, its_started_at timestamptz) RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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

-- For which jobs a job waits, or waited: a page of them behind an id, of a job that the transaction
-- may read. One that was removed has no handler and no status any more.
--
-- Serves ReadDependencies: dependency_is_named_once, and the keys of the status view's tables.
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

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.follow_removed(uuid)', 'leasehold.queue_anew(uuid,timestamp with time zone)'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.note(uuid,text,uuid[],interval), leasehold.why_broken(uuid,uuid),
  leasehold.look_at_waiting(uuid,uuid[]), leasehold.follow_ended(uuid,uuid[],integer),
  leasehold.follow_outcomes(), leasehold.hold_unfinished(uuid,uuid), leasehold.settle(integer)
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.list_dependencies(uuid,uuid,integer)
  TO leasehold_tenant;
