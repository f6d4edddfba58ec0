-- A view asks its caller's policies and not its owner's. What holds no policies (materialized
-- views, foreign tables), and what rewrites a statement, is not for tenants.

CREATE VIEW leasehold.finding_of_views WITH (security_invoker = true) AS
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
