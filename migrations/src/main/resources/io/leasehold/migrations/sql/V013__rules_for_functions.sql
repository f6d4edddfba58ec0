-- A function that runs with its owner's rights finds its names where its owner said, is called by
-- those it was granted to, and its owner is bound by the policies. One that is called leakproof is
-- asked before the policies are, about every tenant's rows.

CREATE VIEW leasehold.finding_of_functions WITH (security_invoker = true) AS
WITH used AS MATERIALIZED (
  -- What runs without being named: in a view, a default, a trigger, a constraint or a policy.
  SELECT refobjid AS routine
  FROM pg_depend JOIN (
    SELECT 'pg_rewrite'::regclass AS catalogue, oid, ev_class AS relation FROM pg_rewrite
    UNION ALL SELECT 'pg_attrdef'::regclass, oid, adrelid FROM pg_attrdef
    UNION ALL SELECT 'pg_trigger'::regclass, oid, tgrelid FROM pg_trigger
    UNION ALL SELECT 'pg_constraint'::regclass, oid, conrelid FROM pg_constraint
    UNION ALL SELECT 'pg_policy'::regclass, oid, polrelid FROM pg_policy) AS part
    ON classid = catalogue AND objid = part.oid
  WHERE refclassid = 'pg_proc'::regclass
    AND relation IN (SELECT oid FROM leasehold.examined_relation)),
routine AS MATERIALIZED (
  SELECT pg_proc.oid, pronamespace AS schema, proowner AS owner, rolname AS owner_name,
    proconfig, prosecdef AS is_definer, proleakproof AS is_leakproof,
    rolsuper OR rolbypassrls AS is_unbound,
    prorettype = 'trigger'::regtype AS is_trigger,
    to_regrole('leasehold_owner') IN (nspowner, proowner) IS TRUE AS is_ours,
    coalesce(proacl, acldefault('f', proowner)) AS acl,
    format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)) AS name
  FROM pg_proc
  JOIN pg_namespace ON pg_namespace.oid = pronamespace
  JOIN pg_roles ON pg_roles.oid = proowner
  WHERE pg_proc.oid >= 16384 AND (prosecdef OR proleakproof)
    AND (nspname ~ '^pg_' OR nspname = 'information_schema'
      OR proowner = to_regrole('leasehold_owner')
      OR pronamespace IN (SELECT oid FROM leasehold.examined_schema)
      OR pg_proc.oid IN (SELECT routine FROM used)
      OR EXISTS (
        SELECT FROM aclexplode(proacl) WHERE grantee IN (SELECT oid FROM leasehold.examined_role)))
    AND (proowner = to_regrole('leasehold_owner') OR NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e'))),
callable AS MATERIALIZED (
  SELECT routine.oid, routine.schema, role.oid AS role, passes_as, acl_of.grantee
  FROM routine CROSS JOIN leasehold.examined_role AS role CROSS JOIN aclexplode(acl) AS acl_of
  WHERE NOT is_boundless AND has_function_privilege(role.oid, routine.oid, 'EXECUTE')
    AND CASE WHEN grantee <> 0 THEN pg_has_role(role.oid, grantee, 'USAGE')
      ELSE has_schema_privilege(role.oid, routine.schema, 'USAGE')
        OR routine.oid IN (SELECT used.routine FROM used) END),
running AS (
  SELECT *,
    EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 0) AS by_all,
    -- What another application made keeps its owner and its settings, and is not called from here.
    CASE WHEN NOT is_ours THEN (
      SELECT string_agg(DISTINCT CASE WHEN grantee = 0 AND closing IS NOT NULL THEN closing
        ELSE format('REVOKE EXECUTE ON ROUTINE %s FROM %s', name,
          coalesce(quote_ident(rolname), 'PUBLIC')) END, '; ')
      FROM callable
      LEFT JOIN leasehold.examined_opening AS opening USING (schema, role)
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
      WHERE callable.oid = routine.oid) END AS withdrawal
  FROM routine
  -- Nobody calls a trigger, and yet it runs.
  WHERE is_definer AND (oid IN (SELECT oid FROM callable)
    OR is_trigger AND (is_ours OR oid IN (SELECT routine FROM used))))

SELECT 'definer-search-path' AS rule, name AS object, owner,
  'runs with its owner''s rights and its caller''s search_path' AS problem,
  coalesce(withdrawal, format('ALTER ROUTINE %s SET search_path = pg_catalog, pg_temp', name))
    AS remedy
FROM running
WHERE NOT EXISTS (
  SELECT FROM unnest(proconfig) AS setting WHERE setting ~ '^search_path=' AND setting !~ '\$user')

UNION ALL
SELECT 'definer-public', name, owner, 'runs with its owner''s rights for everybody',
  coalesce(withdrawal, format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', name))
FROM running WHERE by_all

UNION ALL
SELECT 'definer-unbound', name, owner, 'runs as a role that row level security does not apply to',
  coalesce(withdrawal, format('ALTER ROUTINE %s OWNER TO leasehold_owner', name))
FROM running WHERE is_unbound

UNION ALL
-- What lends its rights to tenants, lends the engine's. Two of ours need the owner's: they read the
-- catalogue and the history, and no tenant's rows.
SELECT 'definer-of-owner', name, owner,
  format('runs for tenants as %s, and not as leasehold_engine', owner_name),
  coalesce(withdrawal, format('SELECT leasehold.run_as_engine(%L)', oid::regprocedure))
FROM running
WHERE NOT is_trigger AND owner_name <> 'leasehold_engine'
  AND name NOT IN ('leasehold.isolation_findings()', 'leasehold.schema_version()')
  AND oid IN (SELECT callable.oid FROM callable WHERE passes_as = 'leasehold_tenant')

UNION ALL
SELECT 'function-leakproof', name, owner, 'may be asked about rows before the policies are',
  format('ALTER ROUTINE %s NOT LEAKPROOF', name)
FROM routine
WHERE is_leakproof
  AND oid IN (SELECT callable.oid FROM callable WHERE passes_as = 'leasehold_tenant');
