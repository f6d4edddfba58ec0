-- The rules for functions, the server and sessions, as they are with tenants that are proven: which
-- functions may run as the owner, which parameter is nobody's to set, and that no function that a
-- tenant may call leads to another session.

CREATE OR REPLACE VIEW leasehold.finding_of_functions WITH (security_invoker = true) AS
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
-- What lends its rights to tenants, lends the engine's. Five of ours need the owner's: they read the
-- catalogue, the history and the key of the proof, and no tenant's rows.
SELECT 'definer-of-owner', name, owner,
  format('runs for tenants as %s, and not as leasehold_engine', owner_name),
  coalesce(withdrawal, format('SELECT leasehold.run_as_engine(%L)', oid::regprocedure))
FROM running
WHERE NOT is_trigger AND owner_name <> 'leasehold_engine'
  AND name NOT IN ('leasehold.isolation_findings()', 'leasehold.schema_version()',
    'leasehold.enter_tenant(tenants text, proof text)', 'leasehold.own_tenant()',
    'leasehold.readable_tenants()')
  AND oid IN (SELECT callable.oid FROM callable WHERE passes_as = 'leasehold_tenant')

UNION ALL
SELECT 'function-leakproof', name, owner, 'may be asked about rows before the policies are',
  format('ALTER ROUTINE %s NOT LEAKPROOF', name)
FROM routine
WHERE is_leakproof
  AND oid IN (SELECT callable.oid FROM callable WHERE passes_as = 'leasehold_tenant')

UNION ALL
-- Such a session is another one's, with rights and a tenant of its own. What an extension brings is
-- no less open for that.
SELECT 'function-elsewhere', name, owner, 'runs SQL in another session, on this server or elsewhere',
  format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC, leasehold_tenant', name)
FROM (
  SELECT pg_proc.oid, proowner AS owner, pronamespace,
    format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)) AS name
  FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
  WHERE proname ~ '^(dblink|run_command_on_|master_run_on_worker|pg_background_|citus_.*_execute)'
    AND pg_proc.oid >= 16384) AS remote
WHERE EXISTS (
  SELECT FROM leasehold.examined_role AS role
  WHERE passes_as = 'leasehold_tenant' AND NOT is_boundless
    AND has_function_privilege(role.oid, remote.oid, 'EXECUTE')
    AND has_schema_privilege(role.oid, pronamespace, 'USAGE'));

-- The server itself gives the roles of run time what it gives everybody, and no more.
CREATE OR REPLACE VIEW leasehold.finding_of_server WITH (security_invoker = true) AS
WITH system_object AS (
  SELECT 'pg_class'::regclass AS catalogue, pg_class.oid, 0 AS part, relacl AS acl,
    acldefault('r', relowner) AS default_acl, '' AS of_columns, 'TABLE' AS kind,
    format('%I.%I', nspname, relname) AS name
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'pg_catalog' AND relacl IS NOT NULL
  UNION ALL
  SELECT 'pg_class'::regclass, attrelid, attnum, attacl, NULL, format(' (%I)', attname), 'TABLE',
    format('%I.%I', nspname, relname)
  FROM pg_attribute
  JOIN pg_class ON pg_class.oid = attrelid
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'pg_catalog' AND attacl IS NOT NULL
  UNION ALL
  SELECT 'pg_proc'::regclass, pg_proc.oid, 0, proacl, acldefault('f', proowner), '', 'ROUTINE',
    format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid))
  FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
  WHERE nspname = 'pg_catalog' AND proacl IS NOT NULL),
setting AS (
  SELECT setrole, datname, split_part(entry, '=', 1) AS name,
    substr(entry, strpos(entry, '=') + 1) AS value
  FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS entry
  LEFT JOIN pg_database ON pg_database.oid = setdatabase
  WHERE setdatabase = 0 OR datname = current_database())

-- Statistics, passwords, files: what the server was made with is the measure.
SELECT 'system-grant' AS rule, name AS object, NULL::oid AS owner,
  format('%s has %s%s', coalesce(rolname, 'PUBLIC'), privilege_type, of_columns) AS problem,
  format('REVOKE %s%s ON %s %s FROM %s', privilege_type, of_columns, kind, name,
    coalesce(quote_ident(rolname), 'PUBLIC')) AS remedy
FROM system_object
LEFT JOIN pg_init_privs AS initial
  ON classoid = catalogue AND objoid = system_object.oid AND objsubid = part
CROSS JOIN LATERAL aclexplode(acl) AS given
LEFT JOIN pg_roles ON pg_roles.oid = grantee
WHERE (grantee = 0 OR grantee IN (SELECT oid FROM leasehold.examined_role))
  AND NOT EXISTS (
    SELECT FROM aclexplode(coalesce(initprivs, default_acl)) AS first
    WHERE first.grantee = given.grantee AND first.privilege_type = given.privilege_type)

UNION ALL
-- What only a superuser may set switches triggers and foreign keys off, or loads a library.
SELECT 'parameter-grant', parname, NULL,
  format('%s has %s', coalesce(rolname, 'PUBLIC'), privilege_type),
  format('REVOKE %s ON PARAMETER %s FROM %s', privilege_type, parname,
    coalesce(quote_ident(rolname), 'PUBLIC'))
FROM pg_parameter_acl CROSS JOIN LATERAL aclexplode(paracl)
LEFT JOIN pg_roles ON pg_roles.oid = grantee
WHERE grantee IN (SELECT oid FROM leasehold.examined_role)
  OR grantee = 0 AND (privilege_type = 'ALTER SYSTEM' OR parname IN (
    'session_replication_role', 'allow_system_table_mods', 'lo_compat_privileges',
    'session_preload_libraries', 'dynamic_library_path', 'backtrace_functions'))

UNION ALL
-- What stands in the parameter that says whose a transaction is would be taken for tenants.
SELECT 'role-setting', coalesce(role.name, datname, 'the server'), NULL,
  format('its sessions begin with %s = "%s"', setting.name, value),
  format('ALTER %s RESET %s',
    CASE WHEN setrole = 0 THEN coalesce('DATABASE ' || quote_ident(datname), 'ROLE ALL')
      ELSE 'ROLE ' || quote_ident(role.name)
        || coalesce(' IN DATABASE ' || quote_ident(datname), '') END,
    setting.name)
FROM setting LEFT JOIN leasehold.examined_role AS role ON role.oid = setrole
WHERE (setrole = 0 OR role.oid IS NOT NULL)
  AND CASE setting.name
    WHEN 'backtrace_functions' THEN value <> ''
    WHEN 'session_replication_role' THEN value <> 'origin'
    WHEN 'row_security' THEN NOT value::boolean
    -- That of the two roles themselves has a rule of its own.
    WHEN 'search_path' THEN value <> 'pg_catalog, pg_temp' AND role.name <> role.passes_as
  END;

-- As before, but for the setting that a session may not begin with.
CREATE OR REPLACE FUNCTION leasehold.session_findings(run_as text)
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT 'session-role', session_user::text, 'is not ' || run_as,
    format('connect as %s, or as a role that is a member of it and of nothing else', run_as)
  WHERE session_user <> run_as
    AND (to_regrole(run_as) IS NULL OR NOT pg_has_role(session_user, run_as, 'USAGE'))

  UNION ALL
  -- It makes and alters what keeps tenants apart. A superuser is told so by its attribute.
  SELECT 'session-role', rolname::text, 'is leasehold_owner, or a member of it',
    format('connect as %s, or as a role that is a member of it and of nothing else', run_as)
  FROM pg_roles
  WHERE rolname = session_user AND NOT rolsuper
    AND pg_has_role(oid, to_regrole('leasehold_owner')::oid, 'MEMBER')

  UNION ALL
  SELECT 'session-attribute', rolname::text, 'has ' || attribute, 'connect as ' || run_as
  FROM pg_roles CROSS JOIN LATERAL (VALUES
    (rolsuper, 'SUPERUSER'), (rolbypassrls, 'BYPASSRLS'), (rolcreaterole, 'CREATEROLE'),
    (rolcreatedb, 'CREATEDB'), (rolreplication, 'REPLICATION')) AS attributes (is_set, attribute)
  WHERE rolname = session_user AND is_set

  UNION ALL
  SELECT 'session-member', session_user::text, 'is a member of ' || granted.rolname,
    'connect as ' || run_as
  FROM pg_auth_members
  JOIN pg_roles AS granted ON granted.oid = roleid
  JOIN pg_roles AS holder ON holder.oid = member
  WHERE holder.rolname = session_user AND granted.rolname <> run_as

  UNION ALL
  SELECT 'session-search-path', session_user::text,
    format('its search_path is "%s"', reset_val),
    format('ALTER ROLE %I IN DATABASE %I SET search_path = pg_catalog, pg_temp;',
      session_user, current_database())
  FROM pg_settings WHERE name = 'search_path' AND reset_val <> 'pg_catalog, pg_temp'

  UNION ALL
  -- From wherever it comes: the server's file, the database, the role, or the address.
  SELECT 'session-setting', session_user::text, format('it begins with %s = "%s"', name, value),
    format('take %s away from the server, the database, the role and the address', name)
  FROM (
    SELECT name, reset_val FROM pg_settings
    WHERE name = 'backtrace_functions' AND reset_val <> '' OR (name, reset_val) IN (('row_security', 'off'), ('session_replication_role', 'replica'),
      ('session_replication_role', 'local'))) AS setting (name, value)
  WHERE value <> ''

  UNION ALL
  SELECT 'server-' || replace(name, '_', '-'), 'server', format('%s is off', name),
    format('set %s = on for the server, the database and the role', name)
  FROM pg_settings
  WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off';
END;
