-- What the rules of isolation look at: what a role of run time can reach, and what the owner made.
-- Not the system's, not what belongs to an extension, and not another application's schemas.
--
-- A rule is a query over the catalogue, in one of the views that follow. Each row is a finding: the
-- rule broken, the object, what is wrong with it, and a statement that mends it.

-- The roles of run time, as far as they are there, and whoever passes as one of them: its members,
-- and theirs. Not the owner, which is a member of the engine by design, nor those who may become
-- the owner. From PostgreSQL 16 a membership may be for administering alone. Whose rights have no
-- bounds is told so once, by its attribute or membership, and not for each table it can read.
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
SELECT pg_roles.oid, rolname AS name, passes_as,
  rolsuper OR pg_has_role(pg_roles.oid, 'pg_read_all_data', 'USAGE')
    OR pg_has_role(pg_roles.oid, 'pg_write_all_data', 'USAGE') AS is_boundless
FROM passing JOIN pg_roles ON pg_roles.oid = passing.oid;

-- The schemas of the owner, and those that a role of run time may use: in any other it can name
-- nothing.
CREATE VIEW leasehold.examined_schema WITH (security_invoker = true) AS
SELECT oid, nspname AS name, nspowner = to_regrole('leasehold_owner') IS TRUE AS is_ours
FROM pg_namespace
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
  AND (nspowner = to_regrole('leasehold_owner') OR EXISTS (
    SELECT FROM leasehold.examined_role AS role
    WHERE NOT is_boundless AND has_schema_privilege(role.oid, pg_namespace.oid, 'USAGE')));

-- What is in those schemas, what was granted to a role of run time by name, and what either leads
-- to without naming it: the relations that a view reads, and those that inherit.
CREATE VIEW leasehold.examined_relation WITH (security_invoker = true) AS
WITH RECURSIVE role AS MATERIALIZED (SELECT oid, is_boundless FROM leasehold.examined_role),
path AS (
  SELECT ev_class AS origin, refobjid AS target
  FROM pg_depend
  JOIN pg_rewrite ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid
  JOIN pg_class ON pg_class.oid = ev_class AND relkind = 'v'
  WHERE refclassid = 'pg_class'::regclass AND ev_class >= 16384 AND EXISTS (
    SELECT FROM role
    WHERE NOT is_boundless
      AND (has_table_privilege(role.oid, ev_class, 'SELECT, INSERT, UPDATE, DELETE')
        OR has_any_column_privilege(role.oid, ev_class, 'SELECT, INSERT, UPDATE')))
  UNION ALL
  SELECT inhparent, inhrelid FROM pg_inherits),
reached AS (
  SELECT pg_class.oid FROM pg_class
  -- From 16384 on the numbers are those of what was made after the server.
  WHERE pg_class.oid >= 16384 AND (
    relnamespace IN (SELECT oid FROM leasehold.examined_schema)
    OR relowner = to_regrole('leasehold_owner')
    OR EXISTS (
      SELECT FROM aclexplode(relacl) WHERE grantee IN (SELECT oid FROM role)))
  UNION
  SELECT target FROM reached JOIN path ON origin = reached.oid)
SELECT pg_class.oid, format('%I.%I', nspname, relname) AS name, nspname AS schema,
  to_regrole('leasehold_owner') IN (nspowner, relowner) IS TRUE AS is_ours, relkind AS kind,
  relowner AS owner, relacl AS acl, relrowsecurity AS secured, relforcerowsecurity AS forced,
  reloptions AS options
FROM reached
JOIN pg_class ON pg_class.oid = reached.oid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  AND nspname !~ '^pg_' AND nspname <> 'information_schema'
  -- An extension can be given a table by its owner. What has tenants is none of an extension's.
  AND (
    EXISTS (
      SELECT FROM pg_attribute
      WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped)
    OR NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'));

-- Tables and partitions whose rows belong to tenants. What another application numbers so in its
-- own schema are not ours.
CREATE VIEW leasehold.examined_tenant_table WITH (security_invoker = true) AS
SELECT relation.*, attnum AS tenant_column, atttypid AS tenant_type, attnotnull AS tenant_required
FROM leasehold.examined_relation AS relation
JOIN pg_attribute ON attrelid = oid AND attname = 'tenant_id' AND NOT attisdropped
WHERE kind IN ('r', 'p') AND (is_ours OR atttypid = 'uuid'::regtype);

-- Policies in the server's own words, in which two can be compared.
CREATE VIEW leasehold.examined_policy WITH (security_invoker = true) AS
SELECT polrelid AS relation, polname AS name,
  ROW(polname, polcmd, polpermissive, polroles, pg_get_expr(polqual, polrelid),
    pg_get_expr(polwithcheck, polrelid))::text AS definition
FROM pg_policy;

-- What the policies of a protected table are in those words: spelled out, so that nobody who can
-- alter a policy alters with it what it is compared with.
CREATE VIEW leasehold.examined_model WITH (security_invoker = true) AS
WITH word AS (
  SELECT $q$(tenant_id = ANY (( SELECT (string_to_array(NULLIF(current_setting($q$
      || $q$'app.readable_tenants'::text, true), ''::text), ','::text))::uuid[] AS $q$
      || $q$string_to_array)::uuid[]))$q$ AS readable,
    $q$(tenant_id = ( SELECT (NULLIF(current_setting('app.tenant_id'::text, true), $q$
      || $q$''::text))::uuid AS "nullif"))$q$ AS own,
    $q$( SELECT (NOT pg_has_role('leasehold_owner'::name, 'MEMBER'::text)))$q$ AS not_as_owner)
SELECT model.name, ROW(model.name, command, true, ARRAY[to_regrole(role)::oid],
  qualification, check_of_new)::text AS definition
FROM word CROSS JOIN LATERAL (VALUES
  ('tenant_reads', 'r', 'leasehold_tenant', readable, NULL),
  ('tenant_inserts', 'a', 'leasehold_tenant', NULL, own),
  ('tenant_updates', 'w', 'leasehold_tenant', own, own),
  ('tenant_deletes', 'd', 'leasehold_tenant', own, NULL),
  ('engine_does_all', '*', 'leasehold_engine', not_as_owner, not_as_owner),
  ('tenants_share', 'r', 'leasehold_tenant', 'true', NULL))
  AS model (name, command, role, qualification, check_of_new);

-- Who was granted what on which relation or column. Grantee 0 is PUBLIC.
CREATE VIEW leasehold.examined_grant WITH (security_invoker = true) AS
WITH relation AS MATERIALIZED (SELECT * FROM leasehold.examined_relation)
SELECT relation.oid AS relation, relation.name, owner, kind, grantee, privilege_type AS privilege,
  '' AS of_columns
FROM relation, aclexplode(acl)
UNION ALL
SELECT relation.oid, relation.name, owner, kind, grantee, privilege_type, format(' (%I)', attname)
FROM relation JOIN pg_attribute ON attrelid = relation.oid, aclexplode(attacl)
WHERE attacl IS NOT NULL AND NOT attisdropped;

-- The schemas of others that were opened to a role by name, and what closes them to it again.
CREATE VIEW leasehold.examined_opening WITH (security_invoker = true) AS
SELECT pg_namespace.oid AS schema, role.oid AS role,
  format('REVOKE USAGE ON SCHEMA %I FROM %s', nspname,
    string_agg(DISTINCT format('%I', pg_roles.rolname), ', ')) AS closing
FROM pg_namespace CROSS JOIN LATERAL aclexplode(nspacl)
JOIN pg_roles ON pg_roles.oid = grantee
JOIN leasehold.examined_role AS role ON pg_has_role(role.oid, grantee, 'USAGE')
WHERE privilege_type = 'USAGE' AND nspowner IS DISTINCT FROM to_regrole('leasehold_owner')::oid
  AND NOT EXISTS (SELECT FROM aclexplode(nspacl) WHERE grantee = 0 AND privilege_type = 'USAGE')
GROUP BY pg_namespace.oid, nspname, role.oid;

-- What takes a relation from a role again, by the ways that it has it. Others may live on a grant
-- to PUBLIC: it stays where their schema can be closed instead, or is closed already.
CREATE VIEW leasehold.examined_way WITH (security_invoker = true) AS
WITH granted AS (
  SELECT DISTINCT relation, role.oid AS role, grantee
  FROM leasehold.examined_grant JOIN leasehold.examined_role AS role
    ON CASE WHEN grantee = 0 THEN true ELSE pg_has_role(role.oid, grantee, 'USAGE') END
  WHERE NOT is_boundless),
way AS (
  SELECT relation, granted.role, grantee,
    has_schema_privilege(granted.role, relnamespace, 'USAGE') AS is_open,
    CASE WHEN grantee = 0 AND closing IS NOT NULL THEN closing
      ELSE format('REVOKE ALL ON %s%I.%I FROM %s', CASE relkind WHEN 'S' THEN 'SEQUENCE ' END,
        nspname, relname, coalesce(quote_ident(rolname), 'PUBLIC')) END AS closing
  FROM granted
  JOIN pg_class ON pg_class.oid = relation
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  LEFT JOIN leasehold.examined_opening AS opening
    ON opening.role = granted.role AND opening.schema = relnamespace
  LEFT JOIN pg_roles ON pg_roles.oid = grantee)
SELECT relation, role, coalesce(
  string_agg(DISTINCT closing, '; ') FILTER (WHERE is_open OR grantee <> 0),
  string_agg(DISTINCT closing, '; ')) AS closing
FROM way GROUP BY relation, role;
