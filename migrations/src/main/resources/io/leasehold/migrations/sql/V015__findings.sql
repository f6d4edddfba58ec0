-- Everything in this database that breaks a rule of isolation: no rows, where all is well.

CREATE VIEW leasehold.finding WITH (security_invoker = true) AS
SELECT DISTINCT rule, object, problem, remedy || ';' AS remedy, owner FROM (
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_tables
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_keys
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_grants
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_views
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_functions
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_roles
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_server) AS finding;

-- The program verifies its database when it starts, with the roles of run time alone.
CREATE FUNCTION leasehold.isolation_findings()
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off
BEGIN ATOMIC
  SELECT finding.rule, finding.object, finding.problem, finding.remedy
  FROM leasehold.finding
  ORDER BY finding.rule, finding.object, finding.problem, finding.remedy;
END;

GRANT EXECUTE ON FUNCTION leasehold.isolation_findings() TO leasehold_tenant, leasehold_engine;
