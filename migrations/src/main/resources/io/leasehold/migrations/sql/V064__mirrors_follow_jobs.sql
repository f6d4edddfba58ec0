-- Mirrors follow every change of their jobs, go with them, and are known to the rules of isolation.

-- As before, and the records of the job are queued with it.
CREATE OR REPLACE FUNCTION leasehold.retry(job_id uuid)
  RETURNS TABLE (status text, became boolean)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  its_job record;
  ended record;
BEGIN
  became := false;
  LOOP
    SELECT queue, priority INTO its_job FROM leasehold.job
    WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;

    -- Until this commits, its day is not dropped; while it is being dropped, this waits, and then
    -- finds no job.
    PERFORM FROM leasehold.day WHERE day = leasehold.day_of(job_id) FOR KEY SHARE;

    DELETE FROM leasehold.outcome AS its
    WHERE tenant_id = tenant AND id = job_id AND its.status <> 'succeeded'
    RETURNING its.* INTO ended;
    IF FOUND THEN
      IF ended.token IS NOT NULL THEN
        INSERT INTO leasehold.attempt
          (tenant_id, id, token, attempt, status, started_at, ended_at, error)
        VALUES (tenant, job_id, ended.token, ended.attempts, ended.status,
          coalesce(ended.attempt_started_at, ended.started_at), ended.finished_at, ended.error);
      END IF;
      -- What was asked of its former life does not hold for the new one.
      DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
      PERFORM leasehold.queue_anew(job_id, ended.started_at);
      INSERT INTO leasehold.event (tenant_id, id, token, n, told_at, kind, attempt, body)
      SELECT tenant, job_id, token, n, clock_timestamp(), 'queued', 0, '{}'
      FROM leasehold.place_between(job_id);
      PERFORM leasehold.mirror_as_they_are(ARRAY[job_id]);
      status := 'queued';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    WITH moved AS (
      DELETE FROM leasehold.scheduled WHERE id = job_id AND tenant_id = tenant RETURNING *)
    INSERT INTO leasehold.ready
      (tenant_id, id, queue, priority, attempts, available_at, started_at)
    SELECT tenant_id, id, queue, priority, attempts, clock_timestamp(), started_at FROM moved;
    IF FOUND THEN
      INSERT INTO leasehold.event (tenant_id, id, token, n, told_at, kind, attempt, body)
      SELECT tenant, job_id, token, n, clock_timestamp(), 'queued', 0, '{}'
      FROM leasehold.place_between(job_id);
      status := 'queued';
      became := true;
      RETURN NEXT;
      RETURN;
    END IF;

    status := (
      SELECT 'queued' FROM leasehold.waiting WHERE tenant_id = tenant AND id = job_id
      UNION ALL
      SELECT 'queued' FROM leasehold.ready
      WHERE queue = its_job.queue AND tenant_id = tenant AND priority = its_job.priority
        AND id = job_id
      UNION ALL
      SELECT 'running' FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant
      UNION ALL
      SELECT outcome.status FROM leasehold.outcome
      WHERE tenant_id = tenant AND id = job_id AND outcome.status = 'succeeded'
      LIMIT 1);
    IF status IS NULL AND leasehold.is_in_no_state(job_id) THEN
      PERFORM leasehold.queue_anew(job_id, NULL);
      status := 'queued';
      became := true;
    END IF;
    IF status IS NOT NULL THEN
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- As before. A job that never ended leaves its records cancelled, and not queued for ever.
CREATE OR REPLACE FUNCTION leasehold.delete(job_id uuid) RETURNS TABLE (answer text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := leasehold.own_tenant();
  gone boolean;
  withdrawn record;
  in_no_state boolean := false;
BEGIN
  LOOP
    withdrawn := leasehold.withdraw(job_id);
    gone := withdrawn.was_there;
    IF gone THEN
      PERFORM leasehold.mirror_jobs('{0}', ARRAY[tenant], ARRAY[job_id], '{cancelled}',
        ARRAY[withdrawn.started_at]::timestamptz[], ARRAY[clock_timestamp()],
        ARRAY['the job was deleted before it ended']);
    ELSE
      DELETE FROM leasehold.outcome WHERE tenant_id = tenant AND id = job_id;
      gone := FOUND;
    END IF;
    IF gone OR in_no_state THEN
      PERFORM leasehold.forget_job(job_id);
      DELETE FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
      PERFORM leasehold.follow_removed(job_id);
      answer := 'deleted';
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.lease WHERE id = job_id AND tenant_id = tenant;
    IF FOUND THEN
      answer := 'running';
      RETURN NEXT;
      RETURN;
    END IF;

    PERFORM FROM leasehold.job WHERE tenant_id = tenant AND id = job_id;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    in_no_state := leasehold.is_in_no_state(job_id);
  END LOOP;
END $$;

-- As before, and only a job with a mirror is looked for among the records.
CREATE OR REPLACE FUNCTION leasehold.finish(job_id uuid, worker uuid, its_token bigint, its_result json)
  RETURNS TABLE (id uuid)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM leasehold.refuse(CASE WHEN its_result IS NOT NULL THEN
    leasehold.json_problem('result', its_result, 1048576) END);
  RETURN QUERY WITH ended AS (
    DELETE FROM leasehold.lease
    WHERE lease.id = job_id AND lease.worker_id = worker AND lease.token = its_token
      AND lease.tenant_id = leasehold.own_tenant()
    RETURNING *)
  INSERT INTO leasehold.outcome
    (tenant_id, id, status, finished_at, started_at, attempts, token, result,
      mirror)
  SELECT tenant_id, id, 'succeeded', clock_timestamp(), started_at, attempt, token, its_result,
    mirror
  FROM ended
  RETURNING outcome.id;
END $$;

-- As before, and a record that mirrored the job mirrors none: it keeps what the job was at last.
CREATE OR REPLACE FUNCTION leasehold.forget_job(job_id uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  tenant uuid := leasehold.own_tenant();
BEGIN
  DELETE FROM leasehold.attempt WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.job_key WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.cancel_request WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.progress WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.event WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.step WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.checkpoint WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.dependency WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.batch_job WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.output WHERE id = job_id AND tenant_id = tenant;
  DELETE FROM leasehold.mirror_record WHERE id = job_id AND tenant_id = tenant;
END $$;

-- The same.
CREATE OR REPLACE FUNCTION leasehold.forget_jobs(first uuid, beyond uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM leasehold.attempt WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.job_key WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.cancel_request WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.progress WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.event WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.step WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.checkpoint WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.dependency WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.batch_job WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.output WHERE id >= first AND id < beyond;
  DELETE FROM leasehold.mirror_record WHERE id >= first AND id < beyond;
END $$;

SELECT leasehold.run_as_engine(routine)
FROM unnest(ARRAY[
  'leasehold.retry(uuid)', 'leasehold.delete(uuid)',
  'leasehold.finish(uuid, uuid, bigint, json)',
  'leasehold.forget_job(uuid)', 'leasehold.forget_jobs(uuid, uuid)'
]::regprocedure[]) AS routine;

-- As before, and the policies by which the engine finds and writes mirrors.
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

-- As before, and those policies are for declared tables.
CREATE OR REPLACE VIEW leasehold.finding_of_tables WITH (security_invoker = true) AS
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
  -- Those of mirrors are for tables that were declared as such.
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
-- Who reads the parent reads the child's rows, and asks the parent's policies alone.
SELECT 'inherits-from-shared', tenant_table.name, tenant_table.owner,
  format('its rows show through its parent %s, which has no tenants', parent.name),
  format('ALTER TABLE %s NO INHERIT %s', tenant_table.name, parent.name)
FROM tenant_table
JOIN pg_inherits ON inhrelid = tenant_table.oid
JOIN leasehold.examined_relation AS parent ON parent.oid = inhparent
WHERE parent.oid NOT IN (SELECT oid FROM tenant_table);

-- As before, and the engine has rights on the declared columns of mirrors.
CREATE OR REPLACE VIEW leasehold.finding_of_grants WITH (security_invoker = true) AS
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
-- migrations is all that it may read elsewhere, and the key of a mirror; it updates the columns that were
-- declared, and no others.
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
