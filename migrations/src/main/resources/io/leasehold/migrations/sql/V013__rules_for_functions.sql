-- A function that runs with its owner's rights finds its names where its owner said, is called by
-- those it was granted to, and its owner is bound by the policies.

CREATE VIEW leasehold.finding_of_functions WITH (security_invoker = true) AS
WITH definer AS (
  SELECT pg_proc.oid, proowner AS owner, rolname AS owner_name, proconfig, proacl,
    rolsuper OR rolbypassrls AS is_unbound, prorettype = 'trigger'::regtype AS is_trigger,
    format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)) AS name
  FROM pg_proc
  JOIN pg_namespace ON pg_namespace.oid = pronamespace
  JOIN pg_roles ON pg_roles.oid = proowner
  WHERE prosecdef AND nspname !~ '^pg_' AND nspname <> 'information_schema'
    AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')),
running AS (
  SELECT *,
    EXISTS (
      SELECT FROM aclexplode(coalesce(proacl, acldefault('f', owner))) WHERE grantee = 0) AS by_all
  FROM definer
  -- Nobody calls a trigger, and yet it runs.
  WHERE is_trigger OR EXISTS (
    SELECT FROM leasehold.examined_role AS role
    WHERE NOT is_superuser AND has_function_privilege(role.oid, definer.oid, 'EXECUTE')))

SELECT 'definer-search-path' AS rule, name AS object, owner,
  'runs with its owner''s rights and its caller''s search_path' AS problem,
  format('ALTER ROUTINE %s SET search_path = pg_catalog, pg_temp', name) AS remedy
FROM running
WHERE NOT EXISTS (
  SELECT FROM unnest(proconfig) AS setting WHERE setting ~ '^search_path=' AND setting !~ '\$user')

UNION ALL
SELECT 'definer-public', name, owner, 'runs with its owner''s rights for everybody',
  format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', name)
FROM running WHERE by_all

UNION ALL
SELECT 'definer-unbound', name, owner, 'runs as a role that row level security does not apply to',
  format('ALTER ROUTINE %s OWNER TO leasehold_owner', name)
FROM running WHERE is_unbound

UNION ALL
-- What lends its rights to tenants, lends the engine's. Two of ours need the owner's: they read the
-- catalogue and the history, and no tenant's rows.
SELECT 'definer-of-owner', name, owner,
  format('runs for tenants as %s, and not as leasehold_engine', owner_name),
  format('SELECT leasehold.run_as_engine(%L)', oid::regprocedure)
FROM running
WHERE NOT is_trigger AND owner_name <> 'leasehold_engine'
  AND name NOT IN ('leasehold.isolation_findings()', 'leasehold.schema_version()')
  AND EXISTS (
    SELECT FROM leasehold.examined_role AS role
    WHERE passes_as = 'leasehold_tenant' AND NOT is_superuser
      AND has_function_privilege(role.oid, running.oid, 'EXECUTE'));
