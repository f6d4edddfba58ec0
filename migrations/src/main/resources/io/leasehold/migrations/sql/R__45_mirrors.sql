-- Mirrors: a module's own record has its job's status and times, written in the transaction that changes the job. One
-- line in the module's migration, after leasehold.protect, declares the columns:
--
--   SELECT leasehold.mirror('acme.tool_run', id => 'id', status => 'status', started_at => 'started_at');

-- Refuses a table that cannot be a mirror.
CREATE OR REPLACE FUNCTION leasehold.refuse_mirror(mirrored regclass, problem text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION '% cannot be a mirror: %', mirrored, problem
    USING ERRCODE = 'invalid_table_definition';
END $$;

-- Requires a column that exists, may be written, and has one of the types.
CREATE OR REPLACE FUNCTION leasehold.require_mirror_column(mirrored regclass, name text, types regtype[])
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  type_found regtype := (
    SELECT atttypid FROM pg_attribute
    WHERE attrelid = mirrored AND attname = name AND attnum > 0 AND NOT attisdropped
      AND attgenerated = '' AND attidentity = '');
BEGIN
  IF type_found IS NULL THEN
    PERFORM leasehold.refuse_mirror(mirrored, format('it has no column "%s" that can be written', name));
  ELSIF type_found <> ALL (types) THEN
    PERFORM leasehold.refuse_mirror(mirrored, format('its column "%s" must be %s, not %s', name,
      array_to_string(types, ' or '), type_found));
  END IF;
END $$;

CREATE OR REPLACE FUNCTION leasehold.require_mirror_table(mirrored regclass, id_column text, written text[])
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_class WHERE oid = mirrored AND relkind IN ('r', 'p')
      AND relnamespace <> 'leasehold'::regnamespace AND relrowsecurity AND relforcerowsecurity
      AND EXISTS (SELECT FROM pg_policy WHERE polrelid = mirrored AND polname = 'tenant_updates'))
  THEN
    PERFORM leasehold.refuse_mirror(mirrored, 'it must be protected by leasehold.protect first');
  END IF;
  IF NOT EXISTS (
    SELECT FROM pg_index
    WHERE indrelid = mirrored AND indisunique AND indimmediate AND indisvalid
      AND indpred IS NULL AND indexprs IS NULL
      AND ARRAY(SELECT attname::text FROM pg_attribute
        WHERE attrelid = mirrored AND attnum = ANY (indkey[0:indnkeyatts - 1]) ORDER BY attname)
      IN (ARRAY[id_column], ARRAY(
        SELECT name FROM unnest(ARRAY['tenant_id', id_column]) AS name ORDER BY name)))
  THEN
    PERFORM leasehold.refuse_mirror(mirrored, format('it must have a unique key (tenant_id, %s)', id_column));
  END IF;
  -- A check at the commit would fail the platform's transaction, and other jobs with it.
  IF EXISTS (
    SELECT FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
    WHERE conrelid = mirrored AND condeferred AND attname = ANY (written))
    OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = mirrored AND tginitdeferred AND NOT tgisinternal)
  THEN
    PERFORM leasehold.refuse_mirror(mirrored,
      'its columns must have no constraint, and the table no trigger, that is INITIALLY DEFERRED');
  END IF;
END $$;

-- The functions that write the records of a table. Their statements are static, so a session keeps the plans.
CREATE OR REPLACE FUNCTION leasehold.create_mirror_functions(mirrored regclass, its_number smallint,
    id_column text, status text, requested_at text, started_at text, finished_at text, error text)
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $create$
DECLARE
  pairs text := concat_ws(', ', quote_ident(status) || ' = change.status',
    quote_ident(started_at) || ' = change.started_at', quote_ident(finished_at) || ' = change.finished_at',
    quote_ident(error) || ' = change.error');
  claimed text := concat_ws(', ', quote_ident(status) || ' = ''running''',
    quote_ident(started_at) || ' = change.started_at', quote_ident(finished_at) || ' = NULL',
    quote_ident(error) || ' = NULL');
  one text := concat_ws(', ', quote_ident(status) || ' = new_status',
    quote_ident(requested_at) || ' = new_requested_at', quote_ident(started_at) || ' = new_started_at',
    quote_ident(finished_at) || ' = new_finished_at', quote_ident(error) || ' = new_error');
  kind text;
  settings text := 'SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off';
BEGIN
  FOREACH kind IN ARRAY ARRAY['ended', 'submitted', 'claimed'] LOOP
    EXECUTE format($$
      CREATE OR REPLACE FUNCTION leasehold.mirror_%1$s_%6$s(tenants uuid[], ids uuid[],
          statuses text[], starts timestamptz[], ends timestamptz[], errors text[]) RETURNS void
        LANGUAGE plpgsql %2$s
      AS $body$
      #variable_conflict use_variable
      BEGIN
        UPDATE %3$s AS record SET %4$s
        FROM unnest(%7$s) AS change (tenant_id, id, started_at%8$s)
        JOIN leasehold.mirror_record AS link
          ON link.id = change.id AND link.tenant_id = change.tenant_id AND link.table_number = %1$s
        WHERE record.tenant_id = link.tenant_id AND record.%5$I = link.record_id;
      END $body$ $$, its_number, settings, mirrored,
      CASE kind
        WHEN 'claimed' THEN claimed
        WHEN 'submitted' THEN concat_ws(', ', pairs,
          quote_ident(requested_at) || ' = leasehold.created_at(change.id)')
        ELSE pairs END,
      id_column, kind,
      CASE kind WHEN 'claimed' THEN 'tenants, ids, starts'
        ELSE 'tenants, ids, starts, statuses, ends, errors' END,
      CASE WHEN kind <> 'claimed' THEN ', status, finished_at, error' ELSE '' END);
  END LOOP;
  EXECUTE format($$
    CREATE OR REPLACE FUNCTION leasehold.mirror_%1$s_missing(tenant uuid, records uuid[]) RETURNS uuid
      LANGUAGE plpgsql %2$s
    AS $body$
    #variable_conflict use_variable
    BEGIN
      RETURN (
        SELECT asked.id FROM unnest(records) AS asked (id)
        WHERE NOT EXISTS (
          SELECT FROM %3$s AS record WHERE record.tenant_id = tenant AND record.%4$I = asked.id)
        LIMIT 1);
    END $body$ $$, its_number, settings, mirrored, id_column);
  EXECUTE format($$
    CREATE OR REPLACE FUNCTION leasehold.mirror_%1$s_lock(tenant uuid, record_id uuid) RETURNS text
      LANGUAGE plpgsql %2$s
    AS $body$
    #variable_conflict use_variable
    BEGIN
      PERFORM FROM %3$s AS record WHERE record.tenant_id = tenant AND record.%4$I = record_id
      FOR NO KEY UPDATE SKIP LOCKED;
      IF FOUND THEN
        RETURN 'free';
      END IF;
      PERFORM FROM %3$s AS record WHERE record.tenant_id = tenant AND record.%4$I = record_id;
      RETURN CASE WHEN FOUND THEN 'locked' ELSE 'absent' END;
    END $body$ $$, its_number, settings, mirrored, id_column);
  EXECUTE format($$
    CREATE OR REPLACE FUNCTION leasehold.mirror_%1$s_one(tenant uuid, record_id uuid,
        new_status text, new_requested_at timestamptz, new_started_at timestamptz,
        new_finished_at timestamptz, new_error text) RETURNS void
      LANGUAGE plpgsql %2$s
    AS $body$
    #variable_conflict use_variable
    BEGIN
      UPDATE %3$s AS record SET %4$s WHERE record.tenant_id = tenant AND record.%5$I = record_id;
    END $body$ $$, its_number, settings, mirrored, one, id_column);
  EXECUTE format($$
    REVOKE ALL ON FUNCTION
      leasehold.mirror_%1$s_ended(uuid[], uuid[], text[], timestamptz[], timestamptz[], text[]),
      leasehold.mirror_%1$s_submitted(uuid[], uuid[], text[], timestamptz[], timestamptz[], text[]),
      leasehold.mirror_%1$s_claimed(uuid[], uuid[], text[], timestamptz[], timestamptz[], text[]),
      leasehold.mirror_%1$s_missing(uuid, uuid[]), leasehold.mirror_%1$s_lock(uuid, uuid),
      leasehold.mirror_%1$s_one(uuid, uuid, text, timestamptz, timestamptz, timestamptz, text) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION
      leasehold.mirror_%1$s_ended(uuid[], uuid[], text[], timestamptz[], timestamptz[], text[]),
      leasehold.mirror_%1$s_submitted(uuid[], uuid[], text[], timestamptz[], timestamptz[], text[]),
      leasehold.mirror_%1$s_claimed(uuid[], uuid[], text[], timestamptz[], timestamptz[], text[]),
      leasehold.mirror_%1$s_missing(uuid, uuid[]), leasehold.mirror_%1$s_lock(uuid, uuid),
      leasehold.mirror_%1$s_one(uuid, uuid, text, timestamptz, timestamptz, timestamptz, text)
      TO leasehold_engine $$, its_number);
END $create$;

-- One function calls the functions of all tables: a call inside a function needs no planning.
CREATE OR REPLACE FUNCTION leasehold.create_mirror_calls() RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $create$
BEGIN
  EXECUTE format($$
    CREATE OR REPLACE FUNCTION leasehold.write_mirror_table(its_number smallint, kind text,
        tenants uuid[], ids uuid[], statuses text[], starts timestamptz[], ends timestamptz[],
        errors text[]) RETURNS void
      LANGUAGE plpgsql
    AS $body$
    BEGIN
      CASE its_number %s ELSE NULL; END CASE;
    END $body$ $$, (
    SELECT string_agg(format('
      WHEN %1$s THEN
        CASE kind
          WHEN $w$claimed$w$ THEN
            PERFORM leasehold.mirror_%1$s_claimed(tenants, ids, statuses, starts, ends, errors);
          WHEN $w$ended$w$ THEN
            PERFORM leasehold.mirror_%1$s_ended(tenants, ids, statuses, starts, ends, errors);
          ELSE PERFORM leasehold.mirror_%1$s_submitted(tenants, ids, statuses, starts, ends, errors);
        END CASE;', number), '' ORDER BY number)
    FROM leasehold.mirror_table));
  REVOKE ALL ON FUNCTION leasehold.write_mirror_table(
    smallint, text, uuid[], uuid[], text[], timestamptz[], timestamptz[], text[]) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION leasehold.write_mirror_table(
    smallint, text, uuid[], uuid[], text[], timestamptz[], timestamptz[], text[])
    TO leasehold_engine;
END $create$;

-- Declares a table. A repeated declaration leads to the same state, even with other columns.
CREATE OR REPLACE FUNCTION leasehold.mirror(mirrored regclass, id text, status text,
    requested_at text DEFAULT NULL, started_at text DEFAULT NULL, finished_at text DEFAULT NULL,
    error text DEFAULT NULL) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  its_name text := (SELECT format('%I.%I', nspname, relname) FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE pg_class.oid = mirrored);
  home text := (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = mirrored);
  written text[] := array_remove(
    ARRAY[status, requested_at, started_at, finished_at, error], NULL);
  not_as_owner text := $q$(SELECT NOT pg_has_role('leasehold_owner', 'MEMBER'))$q$;
  time_column text;
  its_number smallint;
BEGIN
  PERFORM leasehold.require_mirror_table(mirrored, id, written);
  PERFORM leasehold.require_mirror_column(mirrored, id, '{uuid}');
  PERFORM leasehold.require_mirror_column(mirrored, status, '{text, varchar}');
  FOREACH time_column IN ARRAY array_remove(ARRAY[requested_at, started_at, finished_at], NULL) LOOP
    PERFORM leasehold.require_mirror_column(mirrored, time_column, '{timestamptz}');
  END LOOP;
  IF error IS NOT NULL THEN
    PERFORM leasehold.require_mirror_column(mirrored, error, '{text, varchar}');
  END IF;
  IF (SELECT count(DISTINCT name) FROM unnest(written) AS name) < cardinality(written)
    OR id = ANY (written) OR 'tenant_id' = ANY (written)
  THEN
    PERFORM leasehold.refuse_mirror(mirrored, 'each column must be named once, and tenant_id not at all');
  END IF;

  INSERT INTO leasehold.mirror_table (name, id_column, columns) VALUES (its_name, id, written)
  ON CONFLICT ON CONSTRAINT mirror_table_is_declared_once
  DO UPDATE SET id_column = excluded.id_column, columns = excluded.columns
  RETURNING number INTO its_number;

  EXECUTE format('GRANT USAGE ON SCHEMA %s TO leasehold_engine', home);
  EXECUTE format('REVOKE ALL ON %s FROM leasehold_engine', mirrored);
  EXECUTE format('GRANT SELECT (tenant_id, %I), UPDATE (%s) ON %s TO leasehold_engine', id,
    (SELECT string_agg(quote_ident(name), ', ') FROM unnest(written) AS name), mirrored);
  PERFORM leasehold.replace_policy(mirrored, 'engine_finds_mirrors',
    format('FOR SELECT TO leasehold_engine USING (%s)', not_as_owner));
  PERFORM leasehold.replace_policy(mirrored, 'engine_writes_mirrors',
    format('FOR UPDATE TO leasehold_engine USING (%s) WITH CHECK (%1$s)', not_as_owner));
  PERFORM leasehold.create_mirror_functions(
    mirrored, its_number, id, status, requested_at, started_at, finished_at, error);
  PERFORM leasehold.create_mirror_calls();
END $$;

-- Writes one record, whatever its present state, and returns the obstacle: 'locked', the error of the table, or
-- nothing. A failure undoes only the change of this record.
CREATE OR REPLACE FUNCTION leasehold.write_mirror(its_tenant uuid, its_number smallint, its_record uuid,
    new_status text, new_requested_at timestamptz, new_started_at timestamptz,
    new_finished_at timestamptz, new_error text) RETURNS text
  LANGUAGE plpgsql
AS $$
DECLARE
  found_record text;
BEGIN
  EXECUTE format('SELECT leasehold.mirror_%s_lock($1, $2)', its_number) INTO found_record
  USING its_tenant, its_record;
  IF found_record = 'locked' THEN
    RETURN found_record;
  ELSIF found_record = 'free' THEN
    EXECUTE format('SELECT leasehold.mirror_%s_one($1, $2, $3, $4, $5, $6, $7)', its_number)
    USING its_tenant, its_record, new_status, new_requested_at, new_started_at, new_finished_at,
      new_error;
  END IF;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END $$;

-- Writes the records of a table one by one, and notes those that meet an obstacle.
CREATE OR REPLACE FUNCTION leasehold.write_mirrors_singly(its_number smallint, tenants uuid[], ids uuid[],
    statuses text[], starts timestamptz[], ends timestamptz[], errors text[]) RETURNS void
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  change record;
  problem text;
BEGIN
  FOR change IN
    SELECT link.tenant_id, link.record_id, coalesce(asked.status, 'running') AS status,
      asked.started_at, asked.finished_at, asked.error,
      leasehold.created_at(asked.id) AS requested_at
    FROM unnest(tenants, ids, statuses, starts, ends, errors)
      AS asked (tenant_id, id, status, started_at, finished_at, error)
    JOIN leasehold.mirror_record AS link
      ON link.id = asked.id AND link.tenant_id = asked.tenant_id AND link.table_number = its_number
  LOOP
    problem := leasehold.write_mirror(change.tenant_id, its_number, change.record_id, change.status,
      change.requested_at, change.started_at, change.finished_at, change.error);
    IF problem IS NOT NULL THEN
      INSERT INTO leasehold.mirror_behind (tenant_id, table_number, record_id, due_at, status,
        requested_at, started_at, finished_at, error)
      VALUES (change.tenant_id, its_number, change.record_id,
        clock_timestamp() + interval '100 ms', change.status, change.requested_at,
        change.started_at, change.finished_at, change.error);
    END IF;
  END LOOP;
END $$;

-- Writes the records of jobs that changed in this transaction. The caller holds the rows of those jobs, so each
-- record receives the changes in their order.
--
-- Usually each table takes one statement, which waits up to a millisecond for a record that another transaction has
-- locked. If that is exceeded, or the table refuses a change, each record is written singly.
CREATE OR REPLACE FUNCTION leasehold.mirror_jobs(numbers smallint[], tenants uuid[], ids uuid[],
    statuses text[], starts timestamptz[], ends timestamptz[], errors text[], kind text DEFAULT 'ended')
  RETURNS boolean
  LANGUAGE plpgsql
  SET lock_timeout = '1ms'
AS $$
DECLARE
  its_number smallint;
  tables smallint[];
BEGIN
  IF 0 = ANY (numbers) THEN
    tables := ARRAY(SELECT number FROM leasehold.mirror_table);
  ELSIF numbers[1] = ALL (numbers) THEN
    tables := numbers[1:1];
  ELSE
    tables := ARRAY(SELECT DISTINCT number FROM unnest(numbers) AS number);
  END IF;
  FOREACH its_number IN ARRAY tables LOOP
    BEGIN
      PERFORM leasehold.write_mirror_table(
        its_number, kind, tenants, ids, statuses, starts, ends, errors);
    EXCEPTION WHEN OTHERS THEN
      PERFORM leasehold.write_mirrors_singly(
        its_number, tenants, ids, statuses, starts, ends, errors);
    END;
  END LOOP;
  RETURN true;
END $$;

-- The same for claimed jobs. If none of them has a mirror, the arrays are null, and the strict function is not
-- called.
CREATE OR REPLACE FUNCTION leasehold.mirror_claimed(numbers smallint[], tenants uuid[], ids uuid[],
    starts timestamptz[]) RETURNS boolean
  LANGUAGE plpgsql STRICT
AS $$
BEGIN
  RETURN leasehold.mirror_jobs(numbers, tenants, ids, NULL, starts, NULL, NULL, 'claimed');
END $$;

-- The same for any jobs, with the state that the status view has for them now.
CREATE OR REPLACE FUNCTION leasehold.mirror_as_they_are(job_ids uuid[]) RETURNS boolean
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  found_jobs record;
BEGIN
  SELECT array_agg(link.tenant_id) AS tenants, array_agg(link.id) AS ids,
    array_agg(seen.status) AS statuses, array_agg(seen.started_at) AS starts,
    array_agg(seen.finished_at) AS ends, array_agg(seen.error) AS errors
  INTO found_jobs
  FROM (
    SELECT DISTINCT mirror_record.tenant_id, mirror_record.id FROM leasehold.mirror_record
    WHERE mirror_record.id = ANY (job_ids)) AS link
  CROSS JOIN LATERAL leasehold.state_of(link.tenant_id, link.id) AS seen;
  IF found_jobs.ids IS NOT NULL THEN
    RETURN leasehold.mirror_jobs('{0}', found_jobs.tenants, found_jobs.ids, found_jobs.statuses,
      found_jobs.starts, found_jobs.ends, found_jobs.errors);
  END IF;
  RETURN true;
END $$;

-- A job's state, in the form of its record: the error is that of the end.
CREATE OR REPLACE FUNCTION leasehold.state_of(its_tenant uuid, job_id uuid,
    OUT status text, OUT requested_at timestamptz, OUT started_at timestamptz,
    OUT finished_at timestamptz, OUT error text) RETURNS SETOF record
  LANGUAGE plpgsql STABLE ROWS 1
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT seen.status, seen.created_at, seen.started_at, seen.finished_at,
      CASE WHEN seen.finished_at IS NOT NULL THEN seen.last_error END
    FROM leasehold.job_status_v AS seen
    WHERE seen.tenant_id = its_tenant AND seen.job_id = state_of.job_id;
END $$;

-- Writes a job's records in the transaction that ends the job, so no statement that ends jobs can forget it.
CREATE OR REPLACE FUNCTION leasehold.mirror_outcomes() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  mirrored record;
BEGIN
  SELECT array_agg(mirror) AS numbers, array_agg(tenant_id) AS tenants, array_agg(id) AS ids,
    array_agg(status) AS statuses, array_agg(started_at) AS starts,
    array_agg(finished_at) AS ends, array_agg(error) AS errors
  INTO mirrored
  FROM ended WHERE mirror IS NOT NULL;
  IF mirrored.ids IS NOT NULL THEN
    PERFORM leasehold.mirror_jobs(mirrored.numbers, mirrored.tenants, mirrored.ids,
      mirrored.statuses, mirrored.starts, mirrored.ends, mirrored.errors);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER mirror_outcomes AFTER INSERT ON leasehold.outcome
  REFERENCING NEW TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION leasehold.mirror_outcomes();

-- Announces before a submission that its jobs have a mirror, so that their rows are flagged when they are written.
CREATE OR REPLACE FUNCTION leasehold.expect_mirror(mirror text) RETURNS TABLE (number smallint)
  LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  SELECT declared.number INTO number FROM leasehold.mirror_table AS declared
  WHERE declared.name = mirror;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no mirror %: declare it by leasehold.mirror in a migration',
      leasehold.shown(mirror) USING ERRCODE = 'LM001';
  END IF;
  PERFORM set_config('leasehold.mirror', number::text, true);
  RETURN NEXT;
END $$;

-- The records of a submission, each at the position of its job. A repeated job may already be visible to other
-- transactions.
CREATE OR REPLACE FUNCTION leasehold.attachments_problem(records uuid[], jobs uuid[], repeated boolean[])
  RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN coalesce(
    leasehold.array_problem('records', records, 1000),
    leasehold.array_problem('jobs', jobs, 1000),
    leasehold.array_problem('repeated', repeated, 1000),
    CASE
      WHEN cardinality(jobs) <> cardinality(records)
        OR cardinality(repeated) <> cardinality(records) THEN
        'records, jobs and repeated must have as many elements'
      WHEN num_nulls(VARIADIC records) + num_nulls(VARIADIC jobs)
        + num_nulls(VARIADIC repeated) > 0 THEN
        'records, jobs and repeated must have no NULL' END);
END $$;

-- Moves a record from an ended job to another job. The outcome is locked, so that the ended job cannot be retried
-- before this commits: with two unfinished jobs, a record could be right about only one of them.
CREATE OR REPLACE FUNCTION leasehold.move_mirror(
    its_tenant uuid, its_number smallint, its_record uuid, job_id uuid) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  held uuid;
BEGIN
  SELECT id INTO held FROM leasehold.mirror_record
  WHERE tenant_id = its_tenant AND table_number = its_number AND record_id = its_record FOR UPDATE;
  IF held = job_id THEN
    RETURN;
  END IF;
  PERFORM FROM leasehold.outcome WHERE tenant_id = its_tenant AND id = held
  FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'record % mirrors job %, which has not ended: cancel that job, or wait for its end',
      its_record, held USING ERRCODE = 'LM002';
  END IF;
  UPDATE leasehold.mirror_record SET id = job_id
  WHERE tenant_id = its_tenant AND table_number = its_number AND record_id = its_record;
END $$;

-- Attaches records of the tenant to jobs of the tenant, and writes the jobs' state at once.
CREATE OR REPLACE FUNCTION leasehold.attach_mirrors(
    mirror text, records uuid[], jobs uuid[], repeated boolean[])
  RETURNS TABLE (attached integer)
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET jit = off
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  tenant uuid := leasehold.own_tenant();
  its_number smallint := (SELECT number FROM leasehold.expect_mirror(mirror));
  missing uuid;
  pair record;
  seen record;
BEGIN
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'records are attached in a transaction of a tenant'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM leasehold.refuse(leasehold.attachments_problem(records, jobs, repeated));
  PERFORM set_config('leasehold.mirror', '', true);
  EXECUTE format('SELECT leasehold.mirror_%s_missing($1, $2)', its_number) INTO missing
  USING tenant, records;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'the tenant has no record % in %: insert it before the submission', missing, mirror
      USING ERRCODE = 'LM001';
  END IF;

  SELECT asked.id INTO missing FROM unnest(jobs) AS asked (id)
  WHERE (
    SELECT true FROM leasehold.job AS found
    WHERE found.tenant_id = tenant AND found.id = asked.id) IS NULL
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the tenant has no job %', missing USING ERRCODE = 'LM001';
  END IF;

  -- In the order of the records, so that two submissions with the same records wait for each other instead of
  -- deadlocking.
  INSERT INTO leasehold.mirror_record (tenant_id, table_number, record_id, id)
  SELECT tenant, its_number, asked.record_id, asked.job_id
  FROM unnest(records, jobs) WITH ORDINALITY AS asked (record_id, job_id, place)
  ORDER BY asked.record_id, asked.place
  ON CONFLICT DO NOTHING;
  FOR pair IN
    SELECT asked.record_id, asked.job_id
    FROM unnest(records, jobs) WITH ORDINALITY AS asked (record_id, job_id, place)
    JOIN leasehold.mirror_record AS link
      ON link.tenant_id = tenant AND link.table_number = its_number
        AND link.record_id = asked.record_id AND link.id <> asked.job_id
    ORDER BY asked.record_id, asked.place
  LOOP
    PERFORM leasehold.move_mirror(tenant, its_number, pair.record_id, pair.job_id);
  END LOOP;
  INSERT INTO leasehold.mirror_behind (tenant_id, table_number, record_id, due_at, attached)
  SELECT tenant, its_number, asked.record_id, clock_timestamp(), true
  FROM unnest(records, repeated) AS asked (record_id, is_repeated) WHERE asked.is_repeated;

  SELECT array_agg(state.id) AS ids, array_agg(state.status) AS statuses,
    array_agg(state.started_at) AS starts, array_agg(state.finished_at) AS ends,
    array_agg(state.error) AS errors
  INTO seen
  FROM (SELECT DISTINCT id FROM unnest(jobs) AS id) AS asked
  CROSS JOIN LATERAL (
    SELECT found.job_id AS id, found.status, found.started_at, found.finished_at,
      CASE WHEN found.finished_at IS NOT NULL THEN found.last_error END AS error
    FROM leasehold.job_status_v AS found
    WHERE found.tenant_id = tenant AND found.job_id = asked.id LIMIT 1) AS state;
  IF seen.ids IS NOT NULL THEN
    PERFORM leasehold.mirror_jobs(ARRAY[its_number], array_fill(tenant, ARRAY[cardinality(seen.ids)]),
      seen.ids, seen.statuses, seen.starts, seen.ends, seen.errors, 'submitted');
  END IF;
  attached := cardinality(records);
  RETURN NEXT;
END $$;

-- Locks a job's row in the table of its state, unless another transaction is changing the job. That transaction may
-- have begun before the record was attached, and then does not see the record.
CREATE OR REPLACE FUNCTION leasehold.hold_state(its_tenant uuid, job_id uuid) RETURNS boolean
  LANGUAGE plpgsql
AS $$
BEGIN
  IF leasehold.hold_unfinished(its_tenant, job_id) THEN
    RETURN true;
  END IF;
  PERFORM FROM leasehold.outcome WHERE tenant_id = its_tenant AND id = job_id
  FOR KEY SHARE SKIP LOCKED;
  RETURN FOUND;
END $$;

-- Flags a locked job to which a record of another table, or the first record, is attached late. Returns whether the
-- job was not flagged: a claim that began before does not see the flag, so this has to be repeated.
CREATE OR REPLACE FUNCTION leasehold.flag_mirror(its_tenant uuid, its_number smallint, job_id uuid)
  RETURNS boolean
  LANGUAGE plpgsql
AS $$
DECLARE
  flagged boolean;
BEGIN
  UPDATE leasehold.job SET mirror = 0
  WHERE tenant_id = its_tenant AND id = job_id
    AND coalesce(mirror, -1) NOT IN (0, its_number);
  flagged := FOUND;
  UPDATE leasehold.lease SET mirror = 0
  WHERE tenant_id = its_tenant AND id = job_id
    AND coalesce(mirror, -1) NOT IN (0, its_number);
  RETURN flagged OR FOUND;
END $$;

-- Brings one noted record up to date. Returns the remaining obstacle: 'locked', 'moving' while the job is being
-- changed, 'flagged', or the error of the table.
--
-- The record is locked before the state is read. A concurrent change of the job is therefore either seen here, or
-- finds the record locked and notes it.
CREATE OR REPLACE FUNCTION leasehold.catch_up_mirror(noted leasehold.mirror_behind) RETURNS text
  LANGUAGE plpgsql
  SET lock_timeout = '20ms'
AS $$
DECLARE
  found_record text;
  job_id uuid;
  state record;
  is_held boolean := true;
  broken_constraint text;
BEGIN
  EXECUTE format('SELECT leasehold.mirror_%s_lock($1, $2)', noted.table_number) INTO found_record
  USING noted.tenant_id, noted.record_id;
  IF found_record <> 'free' THEN
    RETURN nullif(found_record, 'absent');
  END IF;

  SELECT id INTO job_id FROM leasehold.mirror_record
  WHERE tenant_id = noted.tenant_id AND table_number = noted.table_number
    AND record_id = noted.record_id;
  IF FOUND AND noted.attached THEN
    is_held := leasehold.hold_state(noted.tenant_id, job_id);
  END IF;
  SELECT seen.* INTO state FROM leasehold.state_of(noted.tenant_id, job_id) AS seen;
  IF NOT FOUND THEN
    -- The job has been removed: the record keeps the newest values that were to be written.
    DELETE FROM leasehold.mirror_record
    WHERE tenant_id = noted.tenant_id AND table_number = noted.table_number
      AND record_id = noted.record_id AND id = job_id;
    PERFORM FROM leasehold.mirror_behind AS newer
    WHERE newer.tenant_id = noted.tenant_id AND newer.table_number = noted.table_number
      AND newer.record_id = noted.record_id AND newer.noted_at > noted.noted_at AND newer.status IS NOT NULL;
    IF FOUND OR noted.status IS NULL THEN
      RETURN NULL;
    END IF;
    DELETE FROM leasehold.mirror_behind AS older
    WHERE older.tenant_id = noted.tenant_id AND older.table_number = noted.table_number
      AND older.record_id = noted.record_id;
    SELECT noted.status, noted.requested_at, noted.started_at, noted.finished_at, noted.error
    INTO state;
  END IF;
  EXECUTE format('SELECT leasehold.mirror_%s_one($1, $2, $3, $4, $5, $6, $7)', noted.table_number)
  USING noted.tenant_id, noted.record_id, state.status, state.requested_at, state.started_at,
    state.finished_at, state.error;

  IF NOT noted.attached OR job_id IS NULL THEN
    RETURN NULL;
  ELSIF NOT is_held THEN
    RETURN 'moving';
  END IF;
  RETURN CASE WHEN leasehold.flag_mirror(noted.tenant_id, noted.table_number, job_id)
    THEN 'flagged' END;
EXCEPTION
  WHEN lock_not_available THEN
    RETURN 'locked';
  WHEN OTHERS THEN
    -- The message is left out, because a table may put a tenant's values into it.
    GET STACKED DIAGNOSTICS broken_constraint = CONSTRAINT_NAME;
    RETURN concat_ws(' ', SQLSTATE, nullif(broken_constraint, ''));
END $$;

-- The delay before a record is tried again.
CREATE OR REPLACE FUNCTION leasehold.mirror_pause(problem text, tries integer) RETURNS interval
  LANGUAGE sql IMMUTABLE
  RETURN CASE problem
    WHEN 'locked' THEN interval '300 ms'
    WHEN 'moving' THEN interval '100 ms'
    WHEN 'flagged' THEN interval '5 s'
    ELSE least(power(2, least(tries, 9)), 300) * interval '1 s' END;

-- Brings noted records that are due up to date: up to "most" notes, for about a fifth of a second. Returns a row for
-- each record, with the remaining obstacle.
CREATE OR REPLACE FUNCTION leasehold.catch_up_mirrors(most integer)
  RETURNS TABLE (mirror text, record_id uuid, problem text, tries integer)
  LANGUAGE plpgsql ROWS 100
AS $$
#variable_conflict use_column
DECLARE
  noted leasehold.mirror_behind;
  until timestamptz := clock_timestamp() + interval '200 ms';
BEGIN
  FOR noted IN
    WITH due AS MATERIALIZED (
      SELECT ctid AS place FROM leasehold.mirror_behind WHERE due_at <= clock_timestamp()
      ORDER BY due_at LIMIT most FOR UPDATE SKIP LOCKED),
    taken AS (
      DELETE FROM leasehold.mirror_behind USING due WHERE mirror_behind.ctid = due.place
      RETURNING mirror_behind.*)
    SELECT DISTINCT ON (taken.tenant_id, taken.table_number, taken.record_id) taken.tenant_id,
      taken.table_number, taken.record_id, taken.due_at, taken.noted_at,
      max(taken.tries) OVER same, bool_or(taken.attached) OVER same, taken.status,
      taken.requested_at, taken.started_at, taken.finished_at, taken.error
    FROM taken
    WINDOW same AS (PARTITION BY taken.tenant_id, taken.table_number, taken.record_id)
    ORDER BY taken.tenant_id, taken.table_number, taken.record_id, taken.status IS NULL,
      taken.noted_at DESC
  LOOP
    IF clock_timestamp() > until THEN
      INSERT INTO leasehold.mirror_behind SELECT noted.*;
      CONTINUE;
    END IF;
    problem := leasehold.catch_up_mirror(noted);
    IF problem IS NOT NULL THEN
      noted.tries := noted.tries + 1;
      noted.due_at := clock_timestamp() + leasehold.mirror_pause(problem, noted.tries);
      INSERT INTO leasehold.mirror_behind SELECT noted.*;
    END IF;
    mirror := (SELECT name FROM leasehold.mirror_table WHERE number = noted.table_number);
    record_id := noted.record_id;
    tries := noted.tries;
    RETURN NEXT;
  END LOOP;
END $$;

SELECT leasehold.run_as_engine(routine) FROM unnest(ARRAY[
  'leasehold.expect_mirror(text)', 'leasehold.attach_mirrors(text,uuid[],uuid[],boolean[])'
]::regprocedure[]) AS routine;

GRANT EXECUTE ON FUNCTION
  leasehold.write_mirror(uuid,smallint,uuid,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,text),
  leasehold.write_mirrors_singly(smallint,uuid[],uuid[],text[],timestamp with time zone[],timestamp with time zone[],text[]),
  leasehold.mirror_jobs(smallint[],uuid[],uuid[],text[],timestamp with time zone[],timestamp with time zone[],text[],text),
  leasehold.mirror_claimed(smallint[],uuid[],uuid[],timestamp with time zone[]),
  leasehold.mirror_as_they_are(uuid[]), leasehold.state_of(uuid,uuid), leasehold.mirror_outcomes(),
  leasehold.attachments_problem(uuid[],uuid[],boolean[]), leasehold.move_mirror(uuid,smallint,uuid,uuid),
  leasehold.hold_state(uuid,uuid), leasehold.flag_mirror(uuid,smallint,uuid),
  leasehold.catch_up_mirror(leasehold.mirror_behind), leasehold.mirror_pause(text,integer),
  leasehold.catch_up_mirrors(integer)
  TO leasehold_engine;

GRANT EXECUTE ON FUNCTION
  leasehold.expect_mirror(text), leasehold.attach_mirrors(text,uuid[],uuid[],boolean[])
  TO leasehold_tenant;
