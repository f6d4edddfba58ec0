-- The roles of run time can do nothing but what they were granted: no attribute, membership or
-- possession gets them around it, and no setting speaks for them.

CREATE VIEW leasehold.finding_of_roles WITH (security_invoker = true) AS
WITH RECURSIVE place AS (
  SELECT 'DATABASE' AS kind, datname AS name, coalesce(datacl, acldefault('d', datdba)) AS acl
  FROM pg_database WHERE datname = current_database()
  UNION ALL
  SELECT 'SCHEMA', nspname, coalesce(nspacl, acldefault('n', nspowner))
  FROM pg_namespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND (
    oid IN (SELECT oid FROM leasehold.examined_schema) OR EXISTS (
      SELECT FROM aclexplode(nspacl) WHERE grantee IN (SELECT oid FROM leasehold.examined_role)))),
-- Whom the owner may become, and the membership by which it may.
owner_way AS (
  SELECT roleid, roleid AS by_way_of FROM pg_auth_members
  WHERE member = to_regrole('leasehold_owner')
  UNION
  SELECT pg_auth_members.roleid, by_way_of
  FROM owner_way JOIN pg_auth_members ON member = owner_way.roleid)

SELECT 'role-missing' AS rule, name AS object, NULL::oid AS owner,
  'there is no such role' AS problem, format('CREATE ROLE %s LOGIN', name) AS remedy
FROM unnest(ARRAY['leasehold_owner', 'leasehold_tenant', 'leasehold_engine']) AS name
WHERE to_regrole(name) IS NULL

UNION ALL
SELECT 'role-attribute', rolname, NULL, 'has ' || attribute,
  format('ALTER ROLE %I NO%s', rolname, attribute)
FROM pg_roles CROSS JOIN LATERAL (VALUES
  (rolsuper, 'SUPERUSER', true), (rolbypassrls, 'BYPASSRLS', true),
  (rolcreaterole, 'CREATEROLE', false), (rolcreatedb, 'CREATEDB', false),
  (rolreplication, 'REPLICATION', false))
  AS attributes (is_set, attribute, not_the_owner_either)
WHERE is_set AND (oid IN (SELECT oid FROM leasehold.examined_role)
  OR rolname = 'leasehold_owner' AND not_the_owner_either)

UNION ALL
SELECT 'role-member', role.name, NULL, format('is a member of %s', pg_roles.rolname),
  format('REVOKE %I FROM %I', pg_roles.rolname, role.name)
FROM leasehold.examined_role AS role
JOIN pg_auth_members ON member = role.oid
JOIN pg_roles ON pg_roles.oid = roleid
-- Of what it passes as, it has to be a member.
WHERE NOT EXISTS (
  SELECT FROM leasehold.examined_role AS way
  WHERE way.oid = roleid AND way.passes_as = role.passes_as AND role.name <> role.passes_as)

UNION ALL
-- An attribute is not inherited, but SET ROLE takes it on. The engine's is told of the engine.
SELECT 'owner-member', 'leasehold_owner', NULL,
  format('may become %s, which row level security or the file system is open to', rolname),
  format('REVOKE %s FROM leasehold_owner', by_way_of::regrole)
FROM owner_way JOIN pg_roles ON pg_roles.oid = roleid
WHERE roleid NOT IN (SELECT oid FROM leasehold.examined_role)
  AND (rolsuper OR rolbypassrls OR rolname IN (
    'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))

UNION ALL
SELECT 'role-owns', role.name, NULL,
  format('owns %s', pg_describe_object(classid, objid, objsubid)),
  format('REASSIGN OWNED BY %I TO leasehold_owner', role.name)
FROM leasehold.examined_role AS role
JOIN pg_shdepend ON refclassid = 'pg_authid'::regclass AND refobjid = role.oid AND deptype = 'o'
WHERE dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
  AND (role.name <> 'leasehold_engine' OR classid <> 'pg_proc'::regclass)

UNION ALL
SELECT CASE privilege_type WHEN 'CREATE' THEN 'role-creates' ELSE 'role-makes-temporary' END,
  coalesce(rolname, 'PUBLIC'), NULL,
  format('has %s on the %s %I', privilege_type, lower(kind), place.name),
  format('REVOKE %s ON %s %I FROM %s',
    privilege_type, kind, place.name, coalesce(quote_ident(rolname), 'PUBLIC'))
FROM place CROSS JOIN LATERAL aclexplode(acl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
WHERE privilege_type IN ('CREATE', 'TEMPORARY')
  AND (grantee = 0 OR grantee IN (SELECT oid FROM leasehold.examined_role))

UNION ALL
SELECT 'role-search-path', role.name, NULL, 'has no fixed search_path in this database',
  format('ALTER ROLE %I IN DATABASE %I SET search_path = pg_catalog, pg_temp',
    role.name, current_database())
FROM leasehold.examined_role AS role
WHERE role.name = role.passes_as AND NOT EXISTS (
  SELECT FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
  WHERE datname = current_database() AND setrole = role.oid
    AND 'search_path=pg_catalog, pg_temp' = ANY (setconfig));

-- The server itself gives the roles of run time what it gives everybody, and no more.
CREATE VIEW leasehold.finding_of_server WITH (security_invoker = true) AS
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
    'session_preload_libraries', 'dynamic_library_path'))

UNION ALL
-- A session that begins with a tenant is that tenant's wherever a transaction names none.
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
    WHEN 'app.tenant_id' THEN value <> ''
    WHEN 'app.readable_tenants' THEN value <> ''
    WHEN 'session_replication_role' THEN value <> 'origin'
    WHEN 'row_security' THEN NOT value::boolean
    -- That of the two roles themselves has a rule of its own.
    WHEN 'search_path' THEN value <> 'pg_catalog, pg_temp' AND role.name <> role.passes_as
  END;
