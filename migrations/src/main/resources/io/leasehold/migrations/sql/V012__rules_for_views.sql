-- A view asks its caller's policies and not its owner's. What holds no policies (materialized
-- views, foreign tables), and what rewrites a statement, is not for tenants.

CREATE VIEW leasehold.finding_of_views WITH (security_invoker = true) AS
WITH readable AS (
  SELECT relation.oid, role.name AS role, passes_as
  FROM leasehold.examined_relation AS relation, leasehold.examined_role AS role
  WHERE kind IN ('v', 'm', 'f') AND NOT is_superuser
    AND (has_table_privilege(role.oid, relation.oid, 'SELECT, INSERT, UPDATE, DELETE')
      OR has_any_column_privilege(role.oid, relation.oid, 'SELECT, INSERT, UPDATE')))

SELECT 'view-as-owner' AS rule, name AS object, owner,
  'reads with the rights of its owner and not of its caller' AS problem,
  format('ALTER VIEW %s SET (security_invoker = true)', name) AS remedy
FROM leasehold.examined_relation
WHERE kind = 'v'
  AND (schema = 'leasehold' OR oid IN (SELECT oid FROM readable))
  AND NOT EXISTS (
    SELECT FROM pg_options_to_table(options)
    WHERE CASE WHEN option_name = 'security_invoker' THEN option_value::boolean END)

UNION ALL
SELECT CASE kind WHEN 'm' THEN 'materialized-view' ELSE 'foreign-table' END, name, owner,
  'the tenant role may use it, and it holds no policies',
  format('REVOKE ALL ON %s FROM %I, PUBLIC', name, role)
FROM leasehold.examined_relation JOIN readable USING (oid)
WHERE kind IN ('m', 'f') AND passes_as = 'leasehold_tenant'

UNION ALL
SELECT 'rewrite-rule', name, owner, format('the rule %I rewrites statements', rulename),
  format('DROP RULE %I ON %s', rulename, name)
FROM leasehold.examined_relation AS relation JOIN pg_rewrite ON ev_class = relation.oid
WHERE rulename <> '_RETURN';
