-- Everything about the session that asks which breaks isolation or durability: who it is, and how the
-- server it talks to is set. The program asks with each of its two roles, when it starts.

CREATE FUNCTION leasehold.session_findings(run_as text)
  RETURNS TABLE (rule text, object text, problem text, remedy text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT 'session-role', session_user::text, 'is not ' || run_as,
    format('connect as %s, or as a role that is a member of it and of nothing else', run_as)
  WHERE session_user <> run_as
    AND (to_regrole(run_as) IS NULL OR NOT pg_has_role(session_user, run_as, 'USAGE'))

  UNION ALL
  -- It makes and alters what keeps tenants apart. A superuser is told so by its attribute.
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
  -- From wherever it comes: the server's file, the database, the role, or the address.
  SELECT 'session-setting', session_user::text, format('it begins with %s = "%s"', name, value),
    format('take %s away from the server, the database, the role and the address', name)
  FROM (
    SELECT name, current_setting(name, true)
    FROM unnest(ARRAY['app.tenant_id', 'app.readable_tenants']) AS name
    UNION ALL
    SELECT name, reset_val FROM pg_settings
    WHERE (name, reset_val) IN (('row_security', 'off'), ('session_replication_role', 'replica'),
      ('session_replication_role', 'local'))) AS setting (name, value)
  WHERE value <> ''

  UNION ALL
  SELECT 'server-' || replace(name, '_', '-'), 'server', format('%s is off', name),
    format('set %s = on for the server, the database and the role', name)
  FROM pg_settings
  WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off';
END;

GRANT EXECUTE ON FUNCTION leasehold.session_findings(text) TO leasehold_tenant, leasehold_engine;
