-- What lists of jobs begin with: an index that has the wanted jobs in the order of their ids, the
-- newest last. How the jobs found there fare, the status view tells.

-- Which jobs have a status. The status view computes that word, and no index knows it; here it is
-- the place of the row, so that a list asks one table only. A status is to be written into the
-- statement and not bound to it, for the others to be left out when it is planned.
-- Serves ListJobs: outcome_by_status, scheduled_once and, in turns or whole, ready_in_turn.
CREATE VIEW leasehold.job_place_v WITH (security_invoker = true) AS
SELECT tenant_id, id AS job_id, status FROM leasehold.outcome
UNION ALL
SELECT tenant_id, id, 'running' FROM leasehold.lease
UNION ALL
SELECT tenant_id, id, 'queued' FROM leasehold.ready
UNION ALL
SELECT tenant_id, id, 'queued' FROM leasehold.scheduled;

GRANT SELECT ON leasehold.job_place_v TO leasehold_tenant;

-- A tenant's jobs that are due later: those of others, be they millions, are not in the way. Whoever
-- looks one up knows its tenant.
ALTER TABLE leasehold.scheduled DROP CONSTRAINT scheduled_once;
ALTER TABLE leasehold.scheduled ADD CONSTRAINT scheduled_once PRIMARY KEY (tenant_id, id);

-- The tenants that a transaction may read, as rows. An index gives one tenant's jobs in order, and
-- not those of many: where several may be read, each is asked for its newest.
CREATE FUNCTION leasehold.readable() RETURNS TABLE (tenant uuid)
  LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT unnest(leasehold.readable_tenants());
END;

GRANT EXECUTE ON FUNCTION leasehold.readable() TO leasehold_tenant;
