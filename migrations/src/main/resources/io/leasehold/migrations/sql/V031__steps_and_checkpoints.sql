-- What a handler keeps of its work for later attempts: steps that are done, once each, and a
-- checkpoint, which is replaced by the next.

CREATE TABLE leasehold.step (
  tenant_id  uuid        NOT NULL,
  id         uuid        NOT NULL,
  name       text        NOT NULL,
  token      bigint      NOT NULL,
  value      json        NOT NULL,

  -- of the value, so that all of a job's can be summed up without reading them
  characters integer     NOT NULL,
  done_at    timestamptz NOT NULL,

  CONSTRAINT step_is_done_once PRIMARY KEY (id, name, tenant_id),
  CONSTRAINT step_name_is_bounded CHECK (length(name) BETWEEN 1 AND 200),
  CONSTRAINT step_is_bounded CHECK (characters <= 1048576)
);

CREATE TABLE leasehold.checkpoint (
  tenant_id uuid        NOT NULL,
  id        uuid        NOT NULL CONSTRAINT checkpoint_is_one_per_job PRIMARY KEY,
  token     bigint      NOT NULL,
  value     json        NOT NULL,
  kept_at   timestamptz NOT NULL,

  CONSTRAINT checkpoint_is_bounded CHECK (length(value::text) <= 1048576)
) WITH (fillfactor = 70);

SELECT leasehold.protect(its::regclass, for_engine => true)
FROM unnest(ARRAY['leasehold.step', 'leasehold.checkpoint']) AS its;

-- Nobody's people read them: they are the handler's own.
GRANT SELECT, INSERT, DELETE ON leasehold.step TO leasehold_engine;
GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold.checkpoint TO leasehold_engine;

-- They are kept in the tenant's transaction, with what else was written there, by whoever shows the
-- fence of the lease: its worker and its token.
--
-- The lease is locked until that transaction ends. Whoever would take it away waits for it, or
-- skips it; its renewal, which changes no key, does neither.
CREATE FUNCTION leasehold.hold_lease(job_id uuid, worker uuid, its_token bigint) RETURNS boolean
  LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM FROM leasehold.lease
  WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
    AND lease.tenant_id = leasehold.own_tenant()
  FOR KEY SHARE;
  RETURN FOUND;
END $$;

REVOKE ALL ON FUNCTION leasehold.hold_lease(uuid, uuid, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.hold_lease(uuid, uuid, bigint) TO leasehold_engine;

-- Answers nothing if the lease is lost, else whether the step is done by this: 'done' if it is;
-- 'repeated' if it was done before, and that stays; 'too_many' or 'too_large' if the job's steps
-- would be. With it, how many steps and characters there are then, or would be.
CREATE FUNCTION leasehold.keep_step(
    job_id uuid, worker uuid, its_token bigint, its_name text, its_value json)
  RETURNS TABLE (answer text, steps integer, characters bigint)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  IF NOT leasehold.hold_lease(job_id, worker, its_token) THEN
    RETURN;
  END IF;
  SELECT count(*) + 1, coalesce(sum(step.characters), 0) + length(its_value::text)
  INTO steps, characters
  FROM leasehold.step WHERE id = job_id AND tenant_id = leasehold.own_tenant();
  answer := CASE WHEN steps > 1000 THEN 'too_many' WHEN characters > 16777216 THEN 'too_large' END;
  IF answer IS NULL THEN
    INSERT INTO leasehold.step (tenant_id, id, name, token, value, characters, done_at)
    VALUES (leasehold.own_tenant(), job_id, its_name, its_token, its_value,
      length(its_value::text), clock_timestamp())
    ON CONFLICT DO NOTHING;
    answer := CASE WHEN FOUND THEN 'done' ELSE 'repeated' END;
  END IF;
  RETURN NEXT;
END $$;

-- What a step returned, of this transaction or an earlier one. Answers nothing if it is not done, or
-- the lease is lost: then it cannot be kept either.
CREATE FUNCTION leasehold.find_step(job_id uuid, worker uuid, its_token bigint, its_name text)
  RETURNS TABLE (value json)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT step.value FROM leasehold.step JOIN leasehold.lease USING (tenant_id, id)
    WHERE step.id = job_id AND step.name = its_name
      AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant();
END $$;

-- Answers the job's id, or nothing if the lease is lost.
CREATE FUNCTION leasehold.keep_checkpoint(
    job_id uuid, worker uuid, its_token bigint, its_value json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  IF leasehold.hold_lease(job_id, worker, its_token) THEN
    RETURN QUERY
      INSERT INTO leasehold.checkpoint AS its (tenant_id, id, token, value, kept_at)
      VALUES (leasehold.own_tenant(), job_id, its_token, its_value, clock_timestamp())
      ON CONFLICT ON CONSTRAINT checkpoint_is_one_per_job DO UPDATE
      SET token = excluded.token, value = excluded.value, kept_at = excluded.kept_at
      RETURNING its.id;
  END IF;
END $$;

-- Answers nothing if the lease is lost, else the value, which is null where nothing was kept.
CREATE FUNCTION leasehold.find_checkpoint(job_id uuid, worker uuid, its_token bigint)
  RETURNS TABLE (id uuid, value json)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT lease.id, checkpoint.value
    FROM leasehold.lease LEFT JOIN leasehold.checkpoint USING (tenant_id, id)
    WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant();
END $$;

-- As before, and steps and checkpoint go with the job.
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
      DELETE FROM leasehold.attempt WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.job_key WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.progress WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.event WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.step WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.checkpoint WHERE id = job_id AND tenant_id = tenant;
      DELETE FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
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

-- As before, and steps and checkpoints go with the day.
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

  DELETE FROM leasehold.attempt WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.job_key WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.cancel_request WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.progress WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.event WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.step WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.checkpoint WHERE id >= first AND id < beyond;
  RETURN 'empty';
END $$;

SELECT leasehold.run_as_engine(its)
FROM unnest(ARRAY[
  'leasehold.keep_step(uuid, uuid, bigint, text, json)',
  'leasehold.find_step(uuid, uuid, bigint, text)',
  'leasehold.keep_checkpoint(uuid, uuid, bigint, json)',
  'leasehold.find_checkpoint(uuid, uuid, bigint)',
  'leasehold.delete(uuid)',
  'leasehold.empty_day(date, interval)'
]::regprocedure[]) AS its;

GRANT EXECUTE ON FUNCTION
  leasehold.keep_step(uuid, uuid, bigint, text, json),
  leasehold.find_step(uuid, uuid, bigint, text),
  leasehold.keep_checkpoint(uuid, uuid, bigint, json),
  leasehold.find_checkpoint(uuid, uuid, bigint)
  TO leasehold_tenant;
