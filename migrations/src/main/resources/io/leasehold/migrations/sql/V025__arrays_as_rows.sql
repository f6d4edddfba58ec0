-- Several arrays side by side, as rows: what a statement of the engine works off in one go. The
-- server puts their bodies in the place of the call.

-- Where a claim looks: a tenant's jobs of one priority, from one id on.
CREATE FUNCTION leasehold.lanes(tenants uuid[], priorities smallint[], floors uuid[], shares int[])
  RETURNS TABLE (tenant_id uuid, priority smallint, floor uuid, share int)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT * FROM unnest(tenants, priorities, floors, shares);
END;

-- How attempts ended, each under its fence.
CREATE FUNCTION leasehold.endings(
    ids uuid[], tokens bigint[], statuses text[], results json[], errors text[], delays_ms bigint[])
  RETURNS TABLE (id uuid, token bigint, status text, result json, error text, delay interval)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT its.id, its.token, its.status, its.result, its.error, its.delay_ms * interval '1 ms'
  FROM unnest(ids, tokens, statuses, results, errors, delays_ms)
    AS its (id, token, status, result, error, delay_ms);
END;

-- Leases, each with its fence.
CREATE FUNCTION leasehold.leases(ids uuid[], tokens bigint[])
  RETURNS TABLE (id uuid, token bigint)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT * FROM unnest(ids, tokens);
END;

GRANT EXECUTE ON FUNCTION
  leasehold.lanes(uuid[], smallint[], uuid[], int[]),
  leasehold.endings(uuid[], bigint[], text[], json[], text[], bigint[]),
  leasehold.leases(uuid[], bigint[])
  TO leasehold_engine;
