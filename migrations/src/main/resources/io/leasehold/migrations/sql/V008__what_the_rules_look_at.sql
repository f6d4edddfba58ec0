-- What the rules of isolation look at: every module's tables and views. Not the system's, and not
-- what belongs to an extension.
--
-- A rule is a query over the catalogue, in one of the views that follow. Each row is a finding: the
-- rule broken, the object, what is wrong with it, and a statement that mends it.

CREATE VIEW leasehold.examined_relation WITH (security_invoker = true) AS
SELECT pg_class.oid, format('%I.%I', nspname, relname) AS name, nspname AS schema, relkind AS kind,
  relowner AS owner, relacl AS acl, relrowsecurity AS secured, relforcerowsecurity AS forced,
  reloptions AS options
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  AND nspname !~ '^pg_' AND nspname <> 'information_schema'
  AND NOT EXISTS (
    SELECT FROM pg_depend
    WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e');

-- Tables and partitions whose rows belong to tenants.
CREATE VIEW leasehold.examined_tenant_table WITH (security_invoker = true) AS
SELECT relation.*, attnum AS tenant_column, atttypid AS tenant_type, attnotnull AS tenant_required
FROM leasehold.examined_relation AS relation
JOIN pg_attribute ON attrelid = oid AND attname = 'tenant_id' AND NOT attisdropped
WHERE kind IN ('r', 'p');

-- Policies in the server's own words, in which two can be compared.
CREATE VIEW leasehold.examined_policy WITH (security_invoker = true) AS
SELECT polrelid AS relation, polname AS name,
  ROW(polname, polcmd, polpermissive, polroles, pg_get_expr(polqual, polrelid),
    pg_get_expr(polwithcheck, polrelid))::text AS definition
FROM pg_policy;

-- The roles of run time, as far as they are there, and whoever passes as one of them: its members,
-- and theirs. Not the owner, which is a member of the engine by design, nor those who may become
-- the owner. From PostgreSQL 16 a membership may be for administering alone.
CREATE VIEW leasehold.examined_role WITH (security_invoker = true) AS
WITH RECURSIVE membership AS (
  SELECT roleid, member FROM pg_auth_members
  WHERE coalesce(to_jsonb(pg_auth_members) ->> 'inherit_option', 'true') = 'true'
    OR coalesce(to_jsonb(pg_auth_members) ->> 'set_option', 'true') = 'true'),
steward AS (
  SELECT oid FROM pg_roles WHERE rolname = 'leasehold_owner'
  UNION
  SELECT member FROM steward JOIN pg_auth_members ON roleid = steward.oid),
passing AS (
  SELECT oid, rolname AS passes_as FROM pg_roles
  WHERE rolname IN ('leasehold_tenant', 'leasehold_engine')
  UNION
  SELECT member, passes_as FROM passing JOIN membership ON roleid = passing.oid
  WHERE NOT EXISTS (SELECT FROM steward WHERE steward.oid = member))
SELECT pg_roles.oid, rolname AS name, passes_as, rolsuper AS is_superuser
FROM passing JOIN pg_roles ON pg_roles.oid = passing.oid;

-- Who was granted what on which relation or column. Grantee 0 is PUBLIC.
CREATE VIEW leasehold.examined_grant WITH (security_invoker = true) AS
SELECT relation.oid AS relation, relation.name, owner, kind, grantee, privilege_type AS privilege,
  '' AS of_columns
FROM leasehold.examined_relation AS relation, aclexplode(acl)
UNION ALL
SELECT relation.oid, relation.name, owner, kind, grantee, privilege_type, format(' (%I)', attname)
FROM leasehold.examined_relation AS relation
JOIN pg_attribute ON attrelid = relation.oid, aclexplode(attacl)
WHERE attacl IS NOT NULL AND NOT attisdropped;
