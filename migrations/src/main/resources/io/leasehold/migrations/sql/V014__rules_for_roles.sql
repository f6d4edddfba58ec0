-- The roles of run time can do nothing but what they were granted: no attribute, membership or
-- possession gets them around it.

CREATE VIEW leasehold.finding_of_roles WITH (security_invoker = true) AS
WITH place AS (
  SELECT 'DATABASE' AS kind, datname AS name, coalesce(datacl, acldefault('d', datdba)) AS acl
  FROM pg_database WHERE datname = current_database()
  UNION ALL
  SELECT 'SCHEMA', nspname, coalesce(nspacl, acldefault('n', nspowner))
  FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema')

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
