-- What the database still lacks before it can be migrated, and the statement that mends it: in an
-- order in which they can be run, by the program where it may, else by an administrator.
WITH
server AS (
  SELECT current_setting('server_version_num')::int >= 160000 AS has_membership_options),
role AS (
  SELECT name, to_regrole(name)::oid AS oid, place, (
    SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser
  FROM unnest(ARRAY['leasehold_owner', 'leasehold_tenant', 'leasehold_engine'])
    WITH ORDINALITY AS role (name, place)),
database AS (
  SELECT oid, format('%I', datname) AS name, coalesce(datacl, acldefault('d', datdba)) AS acl
  FROM pg_database WHERE datname = current_database()),
-- Which role has to be able to become which: the owner hands functions to the engine, and this user makes
-- things as the owner.
membership AS (
  SELECT 'leasehold_owner' AS member, 'leasehold_engine' AS of_role, 'USAGE' AS further
  UNION ALL
  SELECT current_user, 'leasehold_owner', 'MEMBER'),
missing AS (
  SELECT 1 AS step, place, format('role %s', name) AS what,
    format('CREATE ROLE %s LOGIN', name) AS statement
  FROM role WHERE oid IS NULL
  UNION ALL
  SELECT 2, place, format('LOGIN for %s', name), format('ALTER ROLE %s LOGIN', name)
  FROM role JOIN pg_roles USING (oid)
  WHERE NOT rolcanlogin AND name <> 'leasehold_owner'
  UNION ALL
  SELECT 3, 1, format('%s as a member of %s', member, of_role),
    format('GRANT %s TO %I', of_role, member)
      || CASE WHEN has_membership_options THEN ' WITH INHERIT TRUE, SET TRUE' ELSE '' END
  FROM membership, server
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = member AND rolsuper)
    AND (pg_has_role(to_regrole(quote_ident(member)), to_regrole(of_role), further)
    AND pg_has_role(to_regrole(quote_ident(member)), to_regrole(of_role),
      CASE WHEN has_membership_options THEN 'SET' ELSE 'MEMBER' END)) IS NOT TRUE
  UNION ALL
  SELECT 4, 1, format('%s on the database taken from PUBLIC', privilege_type),
    format('REVOKE %s ON DATABASE %s FROM PUBLIC', privilege_type, name)
  FROM database, aclexplode(acl) WHERE grantee = 0 AND privilege_type IN ('CREATE', 'TEMPORARY')
  UNION ALL
  SELECT 5, 1, 'CREATE on the database for leasehold_owner',
    format('GRANT CREATE ON DATABASE %s TO leasehold_owner', database.name)
  FROM database JOIN role ON role.name = 'leasehold_owner'
  WHERE has_database_privilege(role.oid, database.oid, 'CREATE') IS NOT TRUE
    -- What it has by way of PUBLIC, it is about to lose.
    OR EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 0 AND privilege_type = 'CREATE')
  UNION ALL
  SELECT 6, place, format('CONNECT on the database for %s', role.name),
    format('GRANT CONNECT ON DATABASE %s TO %s', database.name, role.name)
  FROM database, role
  WHERE NOT coalesce(
    has_database_privilege(role.oid, database.oid, 'CONNECT'),
    EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 0 AND privilege_type = 'CONNECT'))
  UNION ALL
  SELECT 7, 1, 'CREATE on the schema public taken from PUBLIC',
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC'
  FROM pg_namespace, aclexplode(nspacl)
  WHERE nspname = 'public' AND grantee = 0 AND privilege_type = 'CREATE'
  UNION ALL
  -- A tenant can then create nothing that hides a table or a function.
  SELECT 8, place, format('a fixed search_path for %s', role.name),
    format('ALTER ROLE %s IN DATABASE %s SET search_path = pg_catalog, pg_temp',
      role.name, database.name)
  FROM database, role
  WHERE role.name <> 'leasehold_owner' AND NOT EXISTS (
    SELECT FROM pg_db_role_setting
    WHERE setdatabase = database.oid AND setrole = role.oid
      AND 'search_path=pg_catalog, pg_temp' = ANY (setconfig))
  UNION ALL
  SELECT 9, 1, 'the schema leasehold as leasehold_owner''s',
    'ALTER SCHEMA leasehold OWNER TO leasehold_owner'
  FROM pg_namespace
  WHERE nspname = 'leasehold' AND nspowner IS DISTINCT FROM to_regrole('leasehold_owner')::oid
  UNION ALL
  -- The server then protects the setting that says whose a transaction is. Only a superuser may
  -- lend it, and no other role is asked to: without it the tenant is sealed by signed settings.
  SELECT 10, 1, 'SET on the parameter backtrace_functions for leasehold_owner',
    'GRANT SET ON PARAMETER backtrace_functions TO leasehold_owner'
  FROM role
  WHERE role.name = 'leasehold_owner' AND is_superuser
    AND has_parameter_privilege(role.oid, 'backtrace_functions', 'SET') IS NOT TRUE
  UNION ALL
  -- Functions that end or stall other sessions, run text as SQL, or hold what all tenants can read.
  -- leasehold.advice has the same list. Other applications keep what they have in this database.
  SELECT 11, 1, format('EXECUTE on %s taken from PUBLIC', routine.oid::regprocedure),
    format('REVOKE EXECUTE ON FUNCTION pg_catalog.%s FROM PUBLIC; '
      || 'GRANT EXECUTE ON FUNCTION pg_catalog.%1$s TO %s', routine.oid::regprocedure, (
      SELECT string_agg(format('%I', rolname), ', ' ORDER BY rolname)
      FROM (
        SELECT 'leasehold_owner' AS rolname
        UNION
        SELECT rolname FROM pg_roles
        WHERE rolcanlogin AND NOT rolsuper AND NOT EXISTS (
          SELECT FROM role AS run_time
          WHERE run_time.name <> 'leasehold_owner' AND run_time.oid IS NOT NULL
            AND pg_has_role(pg_roles.oid, run_time.oid, 'MEMBER'))) AS keeping))
  FROM pg_proc AS routine, role, aclexplode(coalesce(proacl, acldefault('f', proowner)))
  WHERE role.name = 'leasehold_owner' AND is_superuser AND grantee = 0
    AND pronamespace = 'pg_catalog'::regnamespace
    AND (proname ~ ('^(pg_(terminate|cancel)_backend|pg_logical_emit_message|ts_stat'
        || '|(query|cursor|table|schema|database)_to_xml.*|lo_.*|loread|lowrite'
        || '|pg_(try_)?advisory_(xact_)?lock(_shared)?|pg_advisory_unlock(_shared)?)$')
      OR routine.oid = 'pg_catalog.ts_rewrite(tsquery, text)'::regprocedure))
SELECT what, statement FROM missing ORDER BY step, place, statement
