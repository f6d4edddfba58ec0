-- The rules of isolation. A rule is a query over the catalogue, in one of the views finding_of_*. Each row is a
-- finding: the rule that is broken, the object, the problem, and a statement that fixes it.
--
-- The views examined_* define what the rules check: everything that a run-time role can reach, and everything that
-- the owner created. Excluded are system objects, objects of extensions, and the schemas of other applications.

-- The run-time roles that exist, and every role that can act as one of them: its members, and their members. Not the
-- owner, which is a member of the engine by design, nor the roles that may become the owner. From PostgreSQL 16 on, a
-- membership may be for administration only. A role with unlimited rights is reported once, for its attribute or
-- membership, instead of once for each table that it can read.
CREATE OR REPLACE VIEW leasehold.examined_role WITH (security_invoker = true) AS
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

-- The owner's schemas, and those that a run-time role may use: it cannot name an object in any other schema.
CREATE OR REPLACE VIEW leasehold.examined_schema WITH (security_invoker = true) AS
SELECT oid, nspname AS name, nspowner = to_regrole('leasehold_owner') IS TRUE AS is_ours
FROM pg_namespace
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
  AND (nspowner = to_regrole('leasehold_owner') OR EXISTS (
    SELECT FROM leasehold.examined_role AS role
    WHERE NOT is_boundless AND has_schema_privilege(role.oid, pg_namespace.oid, 'USAGE')));

-- The relations in those schemas, those granted to a run-time role by name, and those that either kind reaches
-- indirectly: relations that a view reads, and relations that inherit.
CREATE OR REPLACE VIEW leasehold.examined_relation WITH (security_invoker = true) AS
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
  -- Object ids below 16384 belong to objects that were created with the server.
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
  -- The owner of a table can add it to an extension. A table with tenants never counts as part of an extension.
  AND (
    EXISTS (
      SELECT FROM pg_attribute
      WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped)
    OR NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'));

-- Tables and partitions whose rows belong to tenants. In another application's schema, a tenant_id of another type
-- than uuid does not count.
CREATE OR REPLACE VIEW leasehold.examined_tenant_table WITH (security_invoker = true) AS
SELECT relation.*, attnum AS tenant_column, atttypid AS tenant_type, attnotnull AS tenant_required
FROM leasehold.examined_relation AS relation
JOIN pg_attribute ON attrelid = oid AND attname = 'tenant_id' AND NOT attisdropped
WHERE kind IN ('r', 'p') AND (is_ours OR atttypid = 'uuid'::regtype);

-- Policies as the server prints them, so that two of them can be compared.
CREATE OR REPLACE VIEW leasehold.examined_policy WITH (security_invoker = true) AS
SELECT polrelid AS relation, polname AS name,
  ROW(polname, polcmd, polpermissive, polroles, pg_get_expr(polqual, polrelid),
    pg_get_expr(polwithcheck, polrelid))::text AS definition
FROM pg_policy;

-- The expected policies of a protected table, as the server prints them. They are spelled out here, so that a role
-- that can alter a policy cannot also alter the text that it is compared with.
CREATE OR REPLACE VIEW leasehold.examined_model WITH (security_invoker = true) AS
WITH word AS (
  SELECT '(tenant_id = ANY (( SELECT leasehold.readable_tenants() AS readable_tenants)::uuid[]))'
      AS readable,
    '(tenant_id = ( SELECT leasehold.own_tenant() AS own_tenant))' AS own,
    $q$( SELECT (NOT pg_has_role('leasehold_owner'::name, 'MEMBER'::text)))$q$ AS not_as_owner)
SELECT model.name, ROW(model.name, command, true, ARRAY[to_regrole(role)::oid],
  qualification, check_of_new)::text AS definition
FROM word CROSS JOIN LATERAL (VALUES
  ('tenant_reads', 'r', 'leasehold_tenant', readable, NULL),
  ('tenant_inserts', 'a', 'leasehold_tenant', NULL, own),
  ('tenant_updates', 'w', 'leasehold_tenant', own, own),
  ('tenant_deletes', 'd', 'leasehold_tenant', own, NULL),
  ('engine_does_all', '*', 'leasehold_engine', not_as_owner, not_as_owner),
  ('engine_does_all', '*', 'leasehold_engine', not_as_owner, 'true'),
  ('engine_finds_mirrors', 'r', 'leasehold_engine', not_as_owner, NULL),
  ('engine_writes_mirrors', 'w', 'leasehold_engine', not_as_owner, not_as_owner),
  ('tenants_share', 'r', 'leasehold_tenant', 'true', NULL))
  AS model (name, command, role, qualification, check_of_new);

-- Grants: grantee, right, and relation or column. Grantee 0 is PUBLIC.
CREATE OR REPLACE VIEW leasehold.examined_grant WITH (security_invoker = true) AS
WITH relation AS MATERIALIZED (SELECT * FROM leasehold.examined_relation)
SELECT relation.oid AS relation, relation.name, owner, kind, grantee, privilege_type AS privilege,
  '' AS of_columns
FROM relation, aclexplode(acl)
UNION ALL
SELECT relation.oid, relation.name, owner, kind, grantee, privilege_type, format(' (%I)', attname)
FROM relation JOIN pg_attribute ON attrelid = relation.oid, aclexplode(attacl)
WHERE attacl IS NOT NULL AND NOT attisdropped;

-- Schemas of other owners that were opened to a role by name, and the statement that closes them again.
CREATE OR REPLACE VIEW leasehold.examined_opening WITH (security_invoker = true) AS
SELECT pg_namespace.oid AS schema, role.oid AS role,
  format('REVOKE USAGE ON SCHEMA %I FROM %s', nspname,
    string_agg(DISTINCT format('%I', pg_roles.rolname), ', ')) AS closing
FROM pg_namespace CROSS JOIN LATERAL aclexplode(nspacl)
JOIN pg_roles ON pg_roles.oid = grantee
JOIN leasehold.examined_role AS role ON pg_has_role(role.oid, grantee, 'USAGE')
WHERE privilege_type = 'USAGE' AND nspowner IS DISTINCT FROM to_regrole('leasehold_owner')::oid
  AND NOT EXISTS (SELECT FROM aclexplode(nspacl) WHERE grantee = 0 AND privilege_type = 'USAGE')
GROUP BY pg_namespace.oid, nspname, role.oid;

-- The statement that takes a relation from a role again, for each way in which the role has it. Other applications
-- may depend on a grant to PUBLIC: it stays if their schema can be closed instead, or is closed already.
CREATE OR REPLACE VIEW leasehold.examined_way WITH (security_invoker = true) AS
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

-- A table with a tenant_id is protected: row level security is on and forced, with our policies and no others, on
-- every partition too.
CREATE OR REPLACE VIEW leasehold.finding_of_tables WITH (security_invoker = true) AS
WITH policy AS MATERIALIZED (
  SELECT relation, name, definition FROM leasehold.examined_policy),
model AS (
  SELECT name, definition FROM leasehold.examined_model WHERE name <> 'tenants_share'),
tenant_table AS MATERIALIZED (
  -- Includes the line that protects the table; for the engine too, if the engine has its policy already.
  SELECT *, format('SELECT leasehold.protect(%L%s)', name, (
    SELECT ', true' FROM policy
    WHERE policy.relation = examined.oid AND policy.name = 'engine_does_all')) AS protection
  FROM leasehold.examined_tenant_table AS examined)

SELECT 'row-security-off' AS rule, name AS object, owner,
  'row level security is not enabled' AS problem, protection AS remedy
FROM tenant_table WHERE NOT secured

UNION ALL
SELECT 'row-security-not-forced', name, owner,
  'row level security does not bind the owner', protection
FROM tenant_table WHERE secured AND NOT forced

UNION ALL
SELECT 'policy-missing', tenant_table.name, owner,
  format('has no policy %s as it has to be', string_agg(model.name, ', ' ORDER BY model.name)),
  protection
FROM tenant_table, model
WHERE secured AND model.name LIKE 'tenant%' AND NOT EXISTS (
  SELECT FROM policy
  WHERE policy.relation = tenant_table.oid AND policy.definition = model.definition)
GROUP BY tenant_table.name, owner, protection

UNION ALL
SELECT 'policy-foreign', tenant_table.name, owner,
  format('the policy %I is not one of ours', policy.name),
  format('DROP POLICY %I ON %s', policy.name, tenant_table.name)
FROM tenant_table JOIN policy ON policy.relation = tenant_table.oid
WHERE policy.definition NOT IN (SELECT definition FROM model)
  -- The policies for mirrors belong only on tables that were declared as mirrors.
  OR policy.name IN ('engine_finds_mirrors', 'engine_writes_mirrors') AND tenant_table.name NOT IN (
    SELECT declared.name FROM leasehold.mirror_table AS declared)

UNION ALL
SELECT 'tenant-nullable', name, owner, 'tenant_id may be null',
  format('ALTER TABLE %s ALTER COLUMN tenant_id SET NOT NULL', name)
FROM tenant_table WHERE NOT tenant_required

UNION ALL
SELECT 'tenant-not-uuid', name, owner,
  format('tenant_id must be a uuid and not %s', format_type(tenant_type, NULL)),
  format('ALTER TABLE %s ALTER COLUMN tenant_id TYPE uuid USING tenant_id::text::uuid', name)
FROM tenant_table WHERE tenant_type <> 'uuid'::regtype

UNION ALL
SELECT 'tenant-unlogged', tenant_table.name, owner, 'is unlogged: a crash empties it',
  format('ALTER TABLE %s SET LOGGED', tenant_table.name)
FROM tenant_table JOIN pg_class ON pg_class.oid = tenant_table.oid
WHERE relpersistence = 'u'

UNION ALL
-- A query on the parent reads the child's rows, and applies only the parent's policies.
SELECT 'inherits-from-shared', tenant_table.name, tenant_table.owner,
  format('its rows show through its parent %s, which has no tenants', parent.name),
  format('ALTER TABLE %s NO INHERIT %s', tenant_table.name, parent.name)
FROM tenant_table
JOIN pg_inherits ON inhrelid = tenant_table.oid
JOIN leasehold.examined_relation AS parent ON parent.oid = inhparent
WHERE parent.oid NOT IN (SELECT oid FROM tenant_table);

-- A key that spans tenants reveals to one tenant what another has. The tenant is therefore part of every unique key
-- and of every reference. A single random id may be a key by itself.
CREATE OR REPLACE VIEW leasehold.finding_of_keys WITH (security_invoker = true) AS
WITH tenant_table AS MATERIALIZED (SELECT * FROM leasehold.examined_tenant_table)

SELECT 'key-without-tenant' AS rule, table_of.name AS object, owner,
  format('%s is unique over all tenants', pg_class.relname) AS problem,
  CASE WHEN pg_constraint.oid IS NULL
    THEN format('DROP INDEX %I.%I; ', table_of.schema, pg_class.relname)
      || regexp_replace(pg_get_indexdef(indexrelid), '\(', '(tenant_id, ')
    WHEN contype = 'x'
    THEN format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %2$I ', table_of.name, conname)
      || regexp_replace(regexp_replace(pg_get_constraintdef(pg_constraint.oid),
        '\mtenant_id WITH [^ ,)]+(, )?', ''), '\(', '(tenant_id WITH =, ')
    ELSE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %2$I ', table_of.name, conname)
      || regexp_replace(pg_get_constraintdef(pg_constraint.oid), '\(', '(tenant_id, ')
  END AS remedy
FROM tenant_table AS table_of
JOIN pg_index ON indrelid = table_of.oid
JOIN pg_class ON pg_class.oid = indexrelid
LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u', 'x')
CROSS JOIN LATERAL (
  -- An exclusion constraint stays within a tenant if it compares the tenant for equality, and not with another
  -- operator.
  SELECT array_agg(number::int2 ORDER BY place) AS columns
  FROM unnest(string_to_array(indkey::text, ' ')) WITH ORDINALITY AS part (number, place)
  WHERE place <= indnkeyatts AND (NOT indisexclusion
    OR conexclop[place] = 'pg_catalog.=(uuid,uuid)'::regoperator)) AS key
WHERE (indisunique OR indisexclusion)
  AND tenant_column = ANY (columns) IS NOT TRUE
  AND NOT (indnkeyatts = 1 AND EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = indrelid AND attnum = columns[1] AND atttypid = 'uuid'::regtype))
  -- The partition's part of a key is reported once, with its parent's.
  AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid)

UNION ALL
SELECT 'reference-without-tenant', child.name, child.owner,
  format('%s can point at another tenant''s row in %s', conname, parent.name),
  format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %2$I ', child.name, conname)
    || regexp_replace(pg_get_constraintdef(pg_constraint.oid),
      '\(([^)]*)\)([^(]*)\(([^)]*)\)', '(tenant_id, \1)\2(tenant_id, \3)')
FROM pg_constraint
JOIN tenant_table AS child ON child.oid = conrelid
JOIN tenant_table AS parent ON parent.oid = confrelid
WHERE contype = 'f' AND conparentid = 0 AND NOT EXISTS (
  SELECT FROM unnest(conkey, confkey) AS pair (from_column, to_column)
  WHERE from_column = child.tenant_column AND to_column = parent.tenant_column)

UNION ALL
SELECT 'reference-from-shared', child.name, child.owner,
  format('%s points at a tenant''s row in %s from a table without tenants', conname, parent.name),
  format('ALTER TABLE %s DROP CONSTRAINT %I', child.name, conname)
FROM pg_constraint
JOIN leasehold.examined_relation AS child ON child.oid = conrelid
JOIN tenant_table AS parent ON parent.oid = confrelid
WHERE contype = 'f' AND conparentid = 0
  AND conrelid NOT IN (SELECT oid FROM tenant_table);

-- The tenant role has rights only on protected and shared tables, and no right is granted through PUBLIC.
CREATE OR REPLACE VIEW leasehold.finding_of_grants WITH (security_invoker = true) AS
WITH relation AS MATERIALIZED (SELECT * FROM leasehold.examined_relation),
tenant_table AS MATERIALIZED (SELECT oid FROM leasehold.examined_tenant_table),
given AS MATERIALIZED (SELECT * FROM leasehold.examined_grant),
role AS MATERIALIZED (SELECT * FROM leasehold.examined_role),
tenants_way AS MATERIALIZED (
  SELECT way.relation, way.role, closing
  FROM leasehold.examined_way AS way JOIN role ON role.oid = way.role
  WHERE passes_as = 'leasehold_tenant'),
-- Separate, because a check for sequence rights on a table raises an error.
tenants_sequence AS MATERIALIZED (
  SELECT oid, name, owner, role, closing
  FROM relation JOIN tenants_way ON tenants_way.relation = oid WHERE kind = 'S')

SELECT 'table-open' AS rule, examined.name AS object, owner,
  'the tenant role has rights on it, and it is neither protected nor shared by leasehold.share'
    AS problem,
  closing AS remedy
FROM relation AS examined JOIN tenants_way AS way ON way.relation = examined.oid
WHERE kind IN ('r', 'p')
  AND (has_table_privilege(way.role, examined.oid, 'SELECT, INSERT, UPDATE, DELETE')
    OR has_any_column_privilege(way.role, examined.oid, 'SELECT, INSERT, UPDATE'))
  AND examined.oid NOT IN (SELECT oid FROM tenant_table)
  AND NOT (secured AND forced
    AND (
      SELECT array_agg(definition) FROM leasehold.examined_policy AS policy
      WHERE policy.relation = examined.oid)
      = ARRAY(SELECT definition FROM leasehold.examined_model WHERE name = 'tenants_share'))

UNION ALL
SELECT 'grant-to-public', name, owner, format('PUBLIC has %s%s', privilege, of_columns),
  format('REVOKE ALL ON %s FROM PUBLIC', name)
FROM given
WHERE grantee = 0 AND relation IN (SELECT oid FROM tenant_table)

UNION ALL
-- Each of these rights bypasses the policies: it empties, references, attaches triggers to, or locks all tenants'
-- rows.
SELECT 'grant-past-policies', name, owner,
  format('%s has %s%s', coalesce(rolname, 'PUBLIC'), privilege, of_columns),
  format('REVOKE %s%s ON %s FROM %s', privilege, of_columns, name,
    coalesce(quote_ident(rolname), 'PUBLIC'))
FROM given LEFT JOIN pg_roles ON pg_roles.oid = grantee
WHERE privilege IN ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN') AND kind <> 'S'
  AND (grantee = 0 OR grantee IN (SELECT oid FROM role))

UNION ALL
-- The last value reveals how much all tenants together have created. USAGE is enough to draw from a sequence.
SELECT 'sequence-readable', name, owner, 'the tenant role may read how far it is',
  regexp_replace(closing, 'REVOKE ALL', 'REVOKE SELECT')
FROM tenants_sequence WHERE has_sequence_privilege(role, oid, 'SELECT')

UNION ALL
-- After a reset, every tenant would be given numbers that are taken.
SELECT 'sequence-writable', name, owner, 'the tenant role may set it back',
  regexp_replace(closing, 'REVOKE ALL', 'REVOKE UPDATE')
FROM tenants_sequence WHERE has_sequence_privilege(role, oid, 'UPDATE')

UNION ALL
-- The engine sees jobs and no business table, because its statements are not scoped. Outside its schema it may only
-- read a module's migration history and the key of a mirror, and update the columns that were declared.
SELECT 'engine-beyond-queue', examined.name, owner,
  format('%s has %s%s', role.name, privilege, of_columns),
  format('REVOKE %s%s ON %s FROM %I', privilege, of_columns, examined.name, role.name)
FROM given AS examined JOIN role ON role.oid = grantee AND passes_as = 'leasehold_engine'
WHERE examined.name !~ '^leasehold[.]' AND kind <> 'S'
  AND NOT (privilege = 'SELECT' AND examined.name ~ '[.]flyway_schema_history$')
  AND NOT EXISTS (
    SELECT FROM leasehold.mirror_table AS declared
    WHERE declared.name = examined.name AND role.name = 'leasehold_engine'
      AND of_columns = ANY (ARRAY(
      SELECT format(' (%I)', allowed) FROM unnest(CASE privilege
        WHEN 'SELECT' THEN ARRAY['tenant_id', declared.id_column]
        WHEN 'UPDATE' THEN declared.columns END) AS allowed)));

-- A view applies the policies of its caller instead of its owner's. Objects that cannot have policies (materialized
-- views, foreign tables) and rewrite rules are not allowed for tenants.
CREATE OR REPLACE VIEW leasehold.finding_of_views WITH (security_invoker = true) AS
WITH relation AS MATERIALIZED (SELECT * FROM leasehold.examined_relation),
readable AS MATERIALIZED (
  SELECT relation.oid, passes_as, closing
  FROM relation
  JOIN leasehold.examined_way AS way ON way.relation = relation.oid
  JOIN leasehold.examined_role AS role ON role.oid = way.role
  WHERE kind <> 'S'
    AND (has_table_privilege(role.oid, relation.oid, 'SELECT, INSERT, UPDATE, DELETE')
      OR has_any_column_privilege(role.oid, relation.oid, 'SELECT, INSERT, UPDATE')))

SELECT 'view-as-owner' AS rule, name AS object, owner,
  'reads with the rights of its owner and not of its caller' AS problem,
  format('ALTER VIEW %s SET (security_invoker = true)', name) AS remedy
FROM relation
WHERE kind = 'v'
  AND (schema = 'leasehold' OR oid IN (SELECT oid FROM readable))
  AND NOT EXISTS (
    SELECT FROM pg_options_to_table(options)
    WHERE CASE WHEN option_name = 'security_invoker' THEN option_value::boolean END)

UNION ALL
SELECT CASE kind WHEN 'm' THEN 'materialized-view' ELSE 'foreign-table' END, name, owner,
  'the tenant role may use it, and it holds no policies', closing
FROM relation JOIN readable USING (oid)
WHERE kind IN ('m', 'f') AND passes_as = 'leasehold_tenant'

UNION ALL
SELECT 'rewrite-rule', name, owner, format('the rule %I rewrites statements', rulename),
  format('DROP RULE %I ON %s', rulename, name)
FROM relation JOIN pg_rewrite ON ev_class = relation.oid
WHERE rulename <> '_RETURN' AND (is_ours OR relation.oid IN (SELECT oid FROM readable));

-- A function that runs with its owner's rights has a fixed search_path, can be called only by the roles it was
-- granted to, and has an owner that the policies bind. A function that is marked leakproof is evaluated before the
-- policies, on every tenant's rows. No function that a tenant may call opens another session.
CREATE OR REPLACE VIEW leasehold.finding_of_functions WITH (security_invoker = true) AS
WITH used AS MATERIALIZED (
  -- Functions that run without being called by name: in a view, a default, a trigger, a constraint or a policy.
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
    -- An object of another application keeps its owner and its settings, and must not be called from here.
    CASE WHEN NOT is_ours THEN (
      SELECT string_agg(DISTINCT CASE WHEN grantee = 0 AND closing IS NOT NULL THEN closing
        ELSE format('REVOKE EXECUTE ON ROUTINE %s FROM %s', name,
          coalesce(quote_ident(rolname), 'PUBLIC')) END, '; ')
      FROM callable
      LEFT JOIN leasehold.examined_opening AS opening USING (schema, role)
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
      WHERE callable.oid = routine.oid) END AS withdrawal
  FROM routine
  -- A trigger function runs even though no role calls it.
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
-- A function that lends its rights to tenants lends the engine's. Five of our functions need the owner's rights: they
-- read the catalogue, the migration history and the key of the proof, but no tenant's rows.
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
-- Such a session has rights and a tenant of its own. The rule applies to functions of extensions too.
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

-- The run-time roles have only the rights that they were granted: no attribute, membership or ownership bypasses
-- these, and no setting changes their statements.
CREATE OR REPLACE VIEW leasehold.finding_of_roles WITH (security_invoker = true) AS
WITH RECURSIVE place AS (
  SELECT 'DATABASE' AS kind, datname AS name, coalesce(datacl, acldefault('d', datdba)) AS acl
  FROM pg_database WHERE datname = current_database()
  UNION ALL
  SELECT 'SCHEMA', nspname, coalesce(nspacl, acldefault('n', nspowner))
  FROM pg_namespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND (
    oid IN (SELECT oid FROM leasehold.examined_schema) OR EXISTS (
      SELECT FROM aclexplode(nspacl) WHERE grantee IN (SELECT oid FROM leasehold.examined_role)))),
-- The roles that the owner may become, and the membership that allows it.
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
-- A role must be a member of the role that it acts as.
WHERE NOT EXISTS (
  SELECT FROM leasehold.examined_role AS way
  WHERE way.oid = roleid AND way.passes_as = role.passes_as AND role.name <> role.passes_as)

UNION ALL
-- An attribute is not inherited, but SET ROLE takes it on. The engine's attribute is reported for the engine.
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

-- The server gives the run-time roles the same as it gives every role, and no more.
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

-- Statistics, passwords, files: the reference is what the server was created with.
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
-- Parameters that only a superuser may set can switch off triggers and foreign keys, or load a library.
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
-- A value in the parameter that holds the tenants of a transaction would be taken for tenants.
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
    -- The search_path of the two roles themselves has its own rule.
    WHEN 'search_path' THEN value <> 'pg_catalog, pg_temp' AND role.name <> role.passes_as
  END;

-- Tenants can be proven at all: the parameter is still granted, and a key exists.
CREATE OR REPLACE VIEW leasehold.finding_of_proof WITH (security_invoker = true) AS
SELECT 'proof-parameter' AS rule, 'leasehold_owner' AS object, to_regrole('leasehold_owner')::oid AS owner,
  'may not set the parameter backtrace_functions, in which transactions say whose they are' AS problem,
  'GRANT SET ON PARAMETER backtrace_functions TO leasehold_owner' AS remedy
WHERE leasehold.tenant_proof() = 'parameter'
  AND NOT has_parameter_privilege('leasehold_owner', 'backtrace_functions', 'SET')

UNION ALL
SELECT 'proof-key', 'leasehold.tenant_key', to_regrole('leasehold_owner')::oid,
  'has no key to prove tenants with', 'SELECT leasehold.rotate_tenant_key()'
WHERE NOT EXISTS (SELECT FROM leasehold.tenant_key WHERE accepted_until = 'infinity');

-- Everything in this database that breaks a rule of isolation; empty if all is well.
CREATE OR REPLACE VIEW leasehold.finding WITH (security_invoker = true) AS
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
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_server
  UNION ALL
  SELECT rule, object, problem, remedy, owner FROM leasehold.finding_of_proof) AS finding;

-- The program verifies its database at start with the run-time roles only.
CREATE OR REPLACE FUNCTION leasehold.isolation_findings()
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off
  SET jit = off
BEGIN ATOMIC
  SELECT finding.rule, finding.object, finding.problem, finding.remedy
  FROM leasehold.finding
  ORDER BY finding.rule, finding.object, finding.problem, finding.remedy;
END;

-- Everything about the current session that breaks isolation or durability: its role, and the settings of its server.
-- The program calls this at start with each of its two roles.
CREATE OR REPLACE FUNCTION leasehold.session_findings(run_as text)
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
  SET jit = off
BEGIN ATOMIC
  SELECT 'session-role', session_user::text, 'is not ' || run_as,
    format('connect as %s, or as a role that is a member of it and of nothing else', run_as)
  WHERE session_user <> run_as
    AND (to_regrole(run_as) IS NULL OR NOT pg_has_role(session_user, run_as, 'USAGE'))

  UNION ALL
  -- This role creates and alters the objects that keep tenants apart. A superuser is reported for its attribute.
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
  -- Whatever the source of the setting: the server's file, the database, the role, or the client's address.
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

GRANT SELECT ON
  leasehold.examined_role TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.isolation_findings(), leasehold.session_findings(text)
  TO leasehold_tenant, leasehold_engine;
