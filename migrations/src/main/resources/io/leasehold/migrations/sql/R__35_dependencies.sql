-- A job may wait for other jobs of its tenant: it stays in waiting until all of them have succeeded, and fails at
-- once when one of them ends otherwise. Claims never read that table.
--
-- There is no counter, because transactions that end jobs would have to wait for each other to update it. A
-- transaction that ends a job marks the dependency rows of its dependents, and releases the dependents that no longer
-- wait for anything. Rows that other transactions hold are skipped and noted in dependency_note, to be processed
-- after the commit.
--
-- Notes are settled up to a thousand at a time, even if dead ones surround them, and notes of the same tenant are
-- processed together. Dependents never delay the ends of other jobs for long: not a chain of jobs that fail, not
-- thousands of dependents for each job of a batch, and not former dependents, whose dead rows a long snapshot keeps.

-- Notes jobs to be processed after a delay; no jobs, no note.
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

-- The error of a job that fails because of a dependency. It names the job at the root, and that job's own error is
-- the sentence after the name.
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

-- Checks jobs that may be waiting. Jobs that no longer wait for anything move to their queues. Jobs with a broken
-- dependency fail, and are returned. A time that was written ahead of the clock is replaced by healed_due.
--
-- A transaction that checks a job holds the job's row until the commit. Of two transactions that end dependencies of
-- the same job, the second does not see what the first has marked; it therefore has to wait for the first, or leave a
-- note.
--
-- The settings keep the plans good: plans are made while the tables are small, and kept when they have grown.
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
    SELECT dependent.id, broken.on_id FROM unnest(held) AS dependent (id) CROSS JOIN LATERAL (
      SELECT on_id FROM leasehold.dependency
      WHERE tenant_id = its_tenant AND dependency.id = dependent.id AND state = 'broken'
      LIMIT 1) AS broken),
  why AS MATERIALIZED (
    SELECT cause.on_id, leasehold.why_broken(its_tenant, cause.on_id) AS error
    FROM (SELECT DISTINCT on_id FROM broken) AS cause),
  taken AS (
    DELETE FROM leasehold.waiting USING broken
    WHERE waiting.tenant_id = its_tenant AND waiting.id = broken.id
    RETURNING waiting.id, waiting.attempts, waiting.started_at, broken.on_id),
  ended AS (
    INSERT INTO leasehold.outcome
      (tenant_id, id, status, finished_at, started_at, attempts, error)
    SELECT its_tenant, taken.id, 'failed', clock_timestamp(), taken.started_at, taken.attempts,
      why.error
    FROM taken JOIN why USING (on_id))
  SELECT array_agg(taken.id) INTO failed
  FROM taken JOIN why USING (on_id)
  CROSS JOIN LATERAL leasehold.place_between(taken.id) AS place
  CROSS JOIN LATERAL leasehold.record_event(its_tenant, taken.id, place.token, place.number, 'failed',
    taken.attempts, json_build_object('error', why.error));

  -- Jobs with a newly broken dependency are not released: the transaction that broke it has left a note.
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

-- Updates up to "most" dependents of jobs that may have ended, or were removed, and notes the rest. Returns the
-- dependents that failed.
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
    SELECT candidate.id, (
      SELECT status FROM leasehold.outcome
      WHERE outcome.tenant_id = its_tenant AND outcome.id = candidate.id) AS status, (
      SELECT true FROM leasehold.job
      WHERE job.tenant_id = its_tenant AND job.id = candidate.id) AS known
    FROM unnest(its_ids) AS candidate (id)),
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

  -- Beyond the limit, locked by another transaction, or not certain to have ended.
  PERFORM leasehold.note(its_tenant, 'ended', ARRAY(
    SELECT candidate.id FROM unnest(its_ids) AS candidate (id) WHERE (
      SELECT true FROM leasehold.dependency
      WHERE dependency.tenant_id = its_tenant AND dependency.on_id = candidate.id
        AND dependency.state = 'unmet' LIMIT 1)),
    CASE WHEN marked < most THEN interval '100 ms' ELSE interval '0' END);
  RETURN coalesce(failed, '{}');
END $$;

-- Runs in the same transaction for every end of a job, so no statement that ends jobs can forget it. A dependent that
-- fails may have dependents of its own. They are processed here as well, in a loop instead of by recursion, up to a
-- thousand jobs or a hundred iterations; each job of a chain is one iteration. A setting marks the ends that this
-- trigger causes itself, because a module's own trigger may also end a job.
--
-- A transaction that keeps its first snapshot may not see the dependents, so it leaves a note.
CREATE OR REPLACE FUNCTION leasehold.follow_outcomes() RETURNS trigger
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  ends record;
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

  -- Most jobs have no dependents: one index lookup for each job, in an index of unmet dependencies only.
  FOR ends IN
    SELECT ended.tenant_id, array_agg(ended.id) AS ids
    FROM ended CROSS JOIN LATERAL (
      SELECT FROM leasehold.dependency
      WHERE dependency.tenant_id = ended.tenant_id AND dependency.on_id = ended.id
        AND dependency.state = 'unmet' LIMIT 1) AS awaited
    GROUP BY ended.tenant_id
  LOOP
    failed := ends.ids;
    WHILE cardinality(failed) > 0 LOOP
      IF many >= 1000 OR looks >= 100 THEN
        PERFORM leasehold.note(ends.tenant_id, 'ended', failed, interval '0');
        EXIT;
      END IF;
      PERFORM set_config('leasehold.follows', 'on', true);
      failed := leasehold.follow_ended(ends.tenant_id, failed, 1000);
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

-- Whether a job is certain to be unfinished: then the transaction that ends it later sees the present dependents.
-- Holds the job's row until the commit. A job that another transaction holds, or that moves between two tables, is
-- not certain.
CREATE OR REPLACE FUNCTION leasehold.hold_unfinished(its_tenant uuid, job_id uuid) RETURNS boolean
  LANGUAGE plpgsql
AS $$
DECLARE
  lane record;
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
  SELECT queue, priority INTO lane FROM leasehold.job WHERE tenant_id = its_tenant AND id = job_id;
  PERFORM FROM leasehold.ready
  WHERE queue = lane.queue AND tenant_id = its_tenant AND priority = lane.priority AND id = job_id
  FOR KEY SHARE SKIP LOCKED;
  RETURN FOUND;
END $$;

-- Settles the notes that are due, and notes that are due much later than any note is written: about "most" jobs, for
-- about a fifth of a second, counted from when the notes are found. The first group is settled regardless of the
-- time; the remaining notes keep their order. Returns a row for each tenant that had a note, and also the jobs that
-- changed, and the queues that received jobs.
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

-- Queues an ended job again. Its place depends on the present state of its dependencies. If all of them have
-- succeeded, none has to be checked again. Otherwise the job waits, and its dependencies are evaluated after the
-- commit.
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

-- The dependencies of a job, met or unmet: a page of them after an id, for a job that the transaction may read. A
-- dependency that was removed has no handler and no status.
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
    SELECT dependency.on_id, seen.handler_id, seen.status
    FROM (
      SELECT dependency.tenant_id, dependency.on_id FROM leasehold.dependency
      WHERE dependency.id = its_job AND dependency.tenant_id = ANY (leasehold.readable_tenants())
        AND dependency.on_id > after_id
      ORDER BY dependency.on_id LIMIT most) AS dependency
    LEFT JOIN LATERAL (
      SELECT job.handler_id, job.status FROM leasehold.job_status_v AS job
      WHERE job.tenant_id = dependency.tenant_id AND job.job_id = dependency.on_id
      LIMIT 1) AS seen ON true
    ORDER BY dependency.on_id;
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
