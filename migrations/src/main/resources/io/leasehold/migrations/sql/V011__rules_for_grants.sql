-- The tenant role has rights on protected and shared tables alone, and nobody has one by way of
-- PUBLIC.

CREATE VIEW leasehold.finding_of_grants WITH (security_invoker = true) AS
WITH relation AS MATERIALIZED (SELECT * FROM leasehold.examined_relation),
tenant_table AS MATERIALIZED (SELECT oid FROM leasehold.examined_tenant_table),
given AS MATERIALIZED (SELECT * FROM leasehold.examined_grant),
role AS MATERIALIZED (SELECT * FROM leasehold.examined_role),
tenants_way AS MATERIALIZED (
  SELECT way.relation, way.role, closing
  FROM leasehold.examined_way AS way JOIN role ON role.oid = way.role
  WHERE passes_as = 'leasehold_tenant'),
-- By itself: a table asked for as a sequence is an error.
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
      SELECT array_agg(definition) FROM leasehold.examined_policy AS its
      WHERE its.relation = examined.oid)
      = ARRAY(SELECT definition FROM leasehold.examined_model WHERE name = 'tenants_share'))

UNION ALL
SELECT 'grant-to-public', name, owner, format('PUBLIC has %s%s', privilege, of_columns),
  format('REVOKE ALL ON %s FROM PUBLIC', name)
FROM given
WHERE grantee = 0 AND relation IN (SELECT oid FROM tenant_table)

UNION ALL
-- Each reaches past the policies: it empties, references, hooks into or locks all tenants' rows.
SELECT 'grant-past-policies', name, owner,
  format('%s has %s%s', coalesce(rolname, 'PUBLIC'), privilege, of_columns),
  format('REVOKE %s%s ON %s FROM %s', privilege, of_columns, name,
    coalesce(quote_ident(rolname), 'PUBLIC'))
FROM given LEFT JOIN pg_roles ON pg_roles.oid = grantee
WHERE privilege IN ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN') AND kind <> 'S'
  AND (grantee = 0 OR grantee IN (SELECT oid FROM role))

UNION ALL
-- Its last value tells how much all tenants together have made. USAGE is enough to draw from it.
SELECT 'sequence-readable', name, owner, 'the tenant role may read how far it is',
  regexp_replace(closing, 'REVOKE ALL', 'REVOKE SELECT')
FROM tenants_sequence WHERE has_sequence_privilege(role, oid, 'SELECT')

UNION ALL
-- Set back, it gives every tenant numbers that are taken.
SELECT 'sequence-writable', name, owner, 'the tenant role may set it back',
  regexp_replace(closing, 'REVOKE ALL', 'REVOKE UPDATE')
FROM tenants_sequence WHERE has_sequence_privilege(role, oid, 'UPDATE')

UNION ALL
-- The engine sees jobs, and no business table: its statements are not scoped. A module's history of
-- migrations is all that it may read elsewhere.
SELECT 'engine-beyond-queue', examined.name, owner,
  format('%s has %s%s', role.name, privilege, of_columns),
  format('REVOKE %s%s ON %s FROM %I', privilege, of_columns, examined.name, role.name)
FROM given AS examined JOIN role ON role.oid = grantee AND passes_as = 'leasehold_engine'
WHERE examined.name !~ '^leasehold[.]' AND kind <> 'S'
  AND NOT (privilege = 'SELECT' AND examined.name ~ '[.]flyway_schema_history$');
