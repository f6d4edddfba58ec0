-- The tenant role has rights on protected and shared tables alone, and nobody has one by way of
-- PUBLIC.

CREATE VIEW leasehold.finding_of_grants WITH (security_invoker = true) AS
SELECT 'table-open' AS rule, examined.name AS object, owner,
  'the tenant role has rights on it, and it is neither protected nor shared by leasehold.share'
    AS problem,
  format('REVOKE ALL ON %s FROM %I, PUBLIC', examined.name, role.name) AS remedy
FROM leasehold.examined_relation AS examined
JOIN leasehold.examined_role AS role ON role.passes_as = 'leasehold_tenant' AND NOT is_superuser
WHERE kind IN ('r', 'p')
  AND (has_table_privilege(role.oid, examined.oid, 'SELECT, INSERT, UPDATE, DELETE')
    OR has_any_column_privilege(role.oid, examined.oid, 'SELECT, INSERT, UPDATE'))
  AND NOT EXISTS (SELECT FROM leasehold.examined_tenant_table AS its WHERE its.oid = examined.oid)
  AND NOT (secured AND forced
    AND (
      SELECT array_agg(definition) FROM leasehold.examined_policy AS its
      WHERE its.relation = examined.oid)
      = ARRAY[ROW('tenants_share', 'r', true, ARRAY[to_regrole('leasehold_tenant')::oid], 'true', NULL)::text])

UNION ALL
SELECT 'grant-to-public', name, owner, format('PUBLIC has %s%s', privilege, of_columns),
  format('REVOKE ALL ON %s FROM PUBLIC', name)
FROM leasehold.examined_grant
WHERE grantee = 0 AND relation IN (SELECT oid FROM leasehold.examined_tenant_table)

UNION ALL
-- Each reaches past the policies: it empties, references, hooks into or locks all tenants' rows.
SELECT 'grant-past-policies', name, owner,
  format('%s has %s%s', coalesce(rolname, 'PUBLIC'), privilege, of_columns),
  format('REVOKE %s%s ON %s FROM %s', privilege, of_columns, name,
    coalesce(quote_ident(rolname), 'PUBLIC'))
FROM leasehold.examined_grant LEFT JOIN pg_roles ON pg_roles.oid = grantee
WHERE privilege IN ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN') AND kind <> 'S'
  AND (grantee = 0 OR grantee IN (SELECT oid FROM leasehold.examined_role))

UNION ALL
-- Its last value tells how much all tenants together have made. USAGE is enough to draw from it.
SELECT 'sequence-readable', relation.name, owner, 'the tenant role may read how far it is',
  format('REVOKE SELECT ON SEQUENCE %s FROM %I, PUBLIC', relation.name, role.name)
FROM leasehold.examined_relation AS relation
JOIN leasehold.examined_role AS role ON role.passes_as = 'leasehold_tenant' AND NOT is_superuser
-- A table asked for as a sequence is an error.
WHERE CASE WHEN kind = 'S' THEN has_sequence_privilege(role.oid, relation.oid, 'SELECT') END

UNION ALL
-- The engine sees jobs, and no business table: its statements are not scoped. A module's history of
-- migrations is all that it may read elsewhere.
SELECT 'engine-beyond-queue', name, owner, format('leasehold_engine has %s%s', privilege, of_columns),
  format('REVOKE %s%s ON %s FROM leasehold_engine', privilege, of_columns, name)
FROM leasehold.examined_grant
JOIN pg_roles ON pg_roles.oid = grantee AND rolname = 'leasehold_engine'
WHERE name !~ '^leasehold[.]' AND kind <> 'S'
  AND NOT (privilege = 'SELECT' AND name ~ '[.]flyway_schema_history$');
