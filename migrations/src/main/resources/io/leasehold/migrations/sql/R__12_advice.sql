-- Problems that do not break isolation but should be fixed: server functions with which a tenant's SQL can end or
-- stall other sessions, and settings of the run-time roles that are not ours. Only the administrator of the server
-- can fix the former, and on a managed server this may be impossible.

-- Problems that do not break isolation but should be fixed: server functions with which a tenant's SQL can end or
-- stall other sessions, and settings of the run-time roles that are not ours. Only the administrator of the server
-- can fix the former, and on a managed server this may be impossible.
CREATE OR REPLACE VIEW leasehold.advice WITH (security_invoker = true) AS
SELECT 'function-open' AS rule, format('pg_catalog.%s', routine.oid::regprocedure) AS object,
  'may be called by leasehold_tenant: it ends or stalls other sessions, runs text as SQL, or keeps '
    || 'what all tenants can read' AS problem,
  format('REVOKE EXECUTE ON FUNCTION pg_catalog.%s FROM PUBLIC', routine.oid::regprocedure) AS remedy
FROM pg_proc AS routine
WHERE pronamespace = 'pg_catalog'::regnamespace
  AND (proname ~ ('^(pg_(terminate|cancel)_backend|pg_logical_emit_message|ts_stat'
      || '|(query|cursor|table|schema|database)_to_xml.*|lo_.*|loread|lowrite'
      || '|pg_(try_)?advisory_(xact_)?lock(_shared)?|pg_advisory_unlock(_shared)?)$')
    OR routine.oid = 'pg_catalog.ts_rewrite(tsquery, text)'::regprocedure)
  AND EXISTS (
    SELECT FROM leasehold.examined_role AS role
    WHERE passes_as = 'leasehold_tenant' AND NOT is_boundless
      AND has_function_privilege(role.oid, routine.oid, 'EXECUTE'))

UNION ALL
-- A role may set these for itself. The program's connections override those that would break them.
SELECT 'role-setting-foreign', pg_roles.rolname,
  format('its sessions begin with %s, which is not a setting of Leasehold', entry),
  format('ALTER ROLE %I%s RESET %s', pg_roles.rolname,
    coalesce(' IN DATABASE ' || quote_ident(datname), ''), split_part(entry, '=', 1))
FROM pg_db_role_setting
JOIN pg_roles ON pg_roles.oid = setrole
LEFT JOIN pg_database ON pg_database.oid = setdatabase
CROSS JOIN unnest(setconfig) AS entry
WHERE (setdatabase = 0 OR datname = current_database())
  AND (setrole = to_regrole('leasehold_owner')
    OR setrole IN (SELECT oid FROM leasehold.examined_role))
  AND NOT (entry = 'search_path=pg_catalog, pg_temp');

CREATE OR REPLACE FUNCTION leasehold.isolation_advice()
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off
  SET jit = off
BEGIN ATOMIC
  SELECT advice.rule, advice.object::text, advice.problem, advice.remedy || ';'
  FROM leasehold.advice
  ORDER BY advice.rule, advice.object, advice.problem, advice.remedy;
END;

GRANT SELECT ON
  leasehold.advice TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.isolation_advice()
  TO leasehold_engine;
