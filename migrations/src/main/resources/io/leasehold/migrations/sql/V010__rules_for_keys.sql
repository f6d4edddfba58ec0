-- A key that spans tenants tells one of them what another has: the tenant is part of every unique
-- key and of every reference. A single random id may be a key by itself.

CREATE VIEW leasehold.finding_of_keys WITH (security_invoker = true) AS
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
  -- An exclusion keeps to a tenant where it asks for the same one, and not for another.
  SELECT array_agg(number::int2 ORDER BY place) AS columns
  FROM unnest(string_to_array(indkey::text, ' ')) WITH ORDINALITY AS part (number, place)
  WHERE place <= indnkeyatts AND (NOT indisexclusion
    OR conexclop[place] = 'pg_catalog.=(uuid,uuid)'::regoperator)) AS key
WHERE (indisunique OR indisexclusion)
  AND tenant_column = ANY (columns) IS NOT TRUE
  AND NOT (indnkeyatts = 1 AND EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = indrelid AND attnum = columns[1] AND atttypid = 'uuid'::regtype))
  -- A partition's part of a key is told once, with its parent's.
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
