-- A table with a tenant_id is protected: row level security on and forced, our policies and no
-- others, on every partition too.

CREATE VIEW leasehold.finding_of_tables WITH (security_invoker = true) AS
WITH policy AS MATERIALIZED (
  SELECT relation, name, definition FROM leasehold.examined_policy),
model AS (
  SELECT name, definition FROM leasehold.examined_model WHERE name <> 'tenants_share'),
tenant_table AS MATERIALIZED (
  -- With the line that protects it: for the engine too, where the engine has its policy already.
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
WHERE secured AND model.name <> 'engine_does_all' AND NOT EXISTS (
  SELECT FROM policy
  WHERE policy.relation = tenant_table.oid AND policy.definition = model.definition)
GROUP BY tenant_table.name, owner, protection

UNION ALL
SELECT 'policy-foreign', tenant_table.name, owner,
  format('the policy %I is not one of ours', policy.name),
  format('DROP POLICY %I ON %s', policy.name, tenant_table.name)
FROM tenant_table JOIN policy ON policy.relation = tenant_table.oid
WHERE policy.definition NOT IN (SELECT definition FROM model)

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
-- Who reads the parent reads the child's rows, and asks the parent's policies alone.
SELECT 'inherits-from-shared', tenant_table.name, tenant_table.owner,
  format('its rows show through its parent %s, which has no tenants', parent.name),
  format('ALTER TABLE %s NO INHERIT %s', tenant_table.name, parent.name)
FROM tenant_table
JOIN pg_inherits ON inhrelid = tenant_table.oid
JOIN leasehold.examined_relation AS parent ON parent.oid = inhparent
WHERE parent.oid NOT IN (SELECT oid FROM tenant_table);
