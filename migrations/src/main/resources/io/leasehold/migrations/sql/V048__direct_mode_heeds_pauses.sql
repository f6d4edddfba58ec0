-- In direct mode, too, nothing is begun that is paused: a submission is refused, since it may not wait.

CREATE FUNCTION leasehold.is_paused(its_tenant uuid, its_queue text) RETURNS boolean
  LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN EXISTS (
      SELECT FROM leasehold.queue WHERE name = its_queue AND paused_at IS NOT NULL)
    OR EXISTS (
      SELECT FROM leasehold.turn
      WHERE queue = its_queue AND tenant_id = its_tenant AND paused_at IS NOT NULL);
END $$;

REVOKE ALL ON FUNCTION leasehold.is_paused(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leasehold.is_paused(uuid, text) TO leasehold_engine;

-- As before, but that what is paused is answered without an id, unless the key has a job: that job's.
CREATE OR REPLACE FUNCTION leasehold.submit_leased(
    handler text, queue text, priority smallint, max_attempts smallint, time_limit_ms bigint,
    principal text, correlation_id text, input json, metadata json, key text,
    worker uuid, lease_ms bigint, when_lost text)
  RETURNS TABLE (id uuid, token bigint)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  tenant uuid := leasehold.submitter(queue, max_attempts, time_limit_ms, 0);
  now timestamptz;
BEGIN
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
  INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until, when_lost,
    attempt_started_at, started_at)
  VALUES (tenant, id, worker, token, 1, now + lease_ms * interval '1 ms', when_lost, now, now);
  RETURN NEXT;
END $$;

SELECT leasehold.run_as_engine('leasehold.submit_leased(text, text, smallint, smallint, bigint,
  text, text, json, json, text, uuid, bigint, text)');
GRANT EXECUTE ON FUNCTION leasehold.submit_leased(text, text, smallint, smallint, bigint,
  text, text, json, json, text, uuid, bigint, text) TO leasehold_tenant;
