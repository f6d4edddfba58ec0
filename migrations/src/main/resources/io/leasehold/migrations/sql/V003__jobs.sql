-- A job: its request, its outcome, and until it ends a row in the table of its current state.

-- The request and the outcome: the two records of a job, each written once. Both tables are partitioned by the day in
-- the id, so that retention can drop all jobs of a day at once. The default partition takes rows whose day has no
-- partition. Day partitions are prepared ahead.
CREATE TABLE leasehold.job (
  tenant_id      uuid     NOT NULL,
  id             uuid     NOT NULL,

  -- what to do
  handler_id     text     NOT NULL,
  input          json     NOT NULL,
  metadata       json,

  -- where, and within which limits
  queue          text     NOT NULL,
  priority       smallint NOT NULL,
  max_attempts   smallint NOT NULL,
  time_limit     interval,

  -- on whose behalf
  principal      text     NOT NULL,
  correlation_id text,

  -- Number of the table that mirrors the job; 0 means any of them, NULL means none. With it, the statements that
  -- change jobs do no extra work for a job without a mirror. A submission names the table in a setting of its
  -- transaction. If a tenant also sets it, the platform looks for records and finds none.
  mirror         smallint DEFAULT nullif(current_setting('leasehold.mirror', true), '')::smallint,

  -- The function that writes these columns checks the bounds of their values once per call; constraints would check
  -- each row.
  CONSTRAINT job_is_known_by_tenant_and_id PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);

-- The jobs of one request, newest last.
CREATE INDEX job_by_correlation ON leasehold.job (tenant_id, correlation_id, id)
  WHERE correlation_id IS NOT NULL;

CREATE TABLE leasehold.outcome (
  tenant_id   uuid        NOT NULL,
  id          uuid        NOT NULL,
  status      text        NOT NULL,
  finished_at timestamptz NOT NULL,
  started_at  timestamptz,
  attempts    smallint    NOT NULL,

  -- of the attempt that ended the job: distinguishes a commit whose answer was lost from a lost lease
  token       bigint,

  result      json,
  error       text,

  -- when the last attempt began, if it was not the first
  attempt_started_at timestamptz,

  -- same as in job
  mirror      smallint DEFAULT 0,

  CONSTRAINT outcome_is_one_per_job PRIMARY KEY (tenant_id, id),
  CONSTRAINT outcome_status_is_final
    CHECK (status IN ('succeeded', 'failed', 'timed_out', 'cancelled')),
  CONSTRAINT outcome_error_is_bounded CHECK (length(error) <= 8000)
) PARTITION BY RANGE (id);

-- A tenant's failed jobs, newest first.
CREATE INDEX outcome_by_status ON leasehold.outcome (tenant_id, status, id DESC);

CREATE TABLE leasehold.job_default PARTITION OF leasehold.job DEFAULT;
CREATE TABLE leasehold.outcome_default PARTITION OF leasehold.outcome DEFAULT;

-- The place of an unfinished job: a row in exactly one of the next four tables. The table is the state, so no column
-- can contradict it, and each table is as narrow as its statements allow.

-- Can be claimed now.
CREATE TABLE leasehold.ready (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  queue        text        NOT NULL,
  priority     smallint    NOT NULL,
  attempts     smallint    NOT NULL,
  available_at timestamptz NOT NULL,
  started_at   timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 10000);

-- The only index of this table: tenants take turns in a queue, and within a turn priority comes before age. The row
-- in job has all four columns, so a cancel can use this index too.
CREATE UNIQUE INDEX ready_in_turn ON leasehold.ready (queue, tenant_id, priority DESC, id);

-- Due later: delayed, or waiting for the next attempt. Claims never read this table.
CREATE TABLE leasehold.scheduled (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  queue        text        NOT NULL,
  priority     smallint    NOT NULL,
  attempts     smallint    NOT NULL,
  available_at timestamptz NOT NULL,
  started_at   timestamptz,

  -- 'delay': requested by the submitter; 'retry': the last attempt failed; 'later': the handler could not work at
  -- that moment; 'aside': the worker that claimed the job does not know its handler
  reason       text        NOT NULL DEFAULT 'delay',

  -- Used to heal delays that were written before the server's clock went back. The clock may go back within a
  -- transaction, while the transaction's own time stays that of its start.
  written_at   timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp()),

  CONSTRAINT scheduled_once PRIMARY KEY (tenant_id, id),
  CONSTRAINT scheduled_reason_is_known CHECK (reason IN ('delay', 'retry', 'later', 'aside'))
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

CREATE INDEX scheduled_when_due ON leasehold.scheduled (available_at, id);

-- Serves HealDelays, which reads the last rows: those ahead of the clock, if there are any.
CREATE INDEX scheduled_when_written ON leasehold.scheduled (written_at);

-- Waits for other jobs.
CREATE TABLE leasehold.waiting (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  queue        text        NOT NULL,
  priority     smallint    NOT NULL,
  attempts     smallint    NOT NULL,
  available_at timestamptz NOT NULL,
  started_at   timestamptz,

  -- same as in scheduled
  written_at   timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp()),

  CONSTRAINT waiting_once PRIMARY KEY (tenant_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Each claim draws a number. With it a worker proves that the lease is still the one it was given.
CREATE SEQUENCE leasehold.lease_token;

-- Run by one worker until locked_until. These are the only rows that are ever updated: a heartbeat changes
-- locked_until, so no index may contain that column.
CREATE TABLE leasehold.lease (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL CONSTRAINT lease_is_one_per_job PRIMARY KEY,

  -- null: the worker is gone, the work that it started continues outside it, and a worker that has the handler adopts
  -- the job
  worker_id    uuid,
  token        bigint      NOT NULL,
  attempt      smallint    NOT NULL,
  locked_until timestamptz NOT NULL,

  -- what happens to the job if its worker is lost, as defined by its handler
  when_lost    text        NOT NULL,

  -- start of this attempt, and of the first one
  attempt_started_at timestamptz NOT NULL,
  started_at         timestamptz NOT NULL,

  -- Whether the handler has begun. The flag is set after a while, when most jobs have finished, or with the handler's
  -- first event. It is in the lease itself, so that a statement that takes the lease away sees it, whatever its
  -- snapshot.
  handler_begun boolean    NOT NULL DEFAULT false,

  -- when the attempt began, if that was under an earlier lease, which means that the attempt was orphaned
  first_started_at timestamptz,

  -- number of workers that this attempt has lost
  workers_lost smallint    NOT NULL DEFAULT 0,

  -- The token under which the attempt began, if that was under an earlier lease. It is unique to the attempt, even
  -- after a manual retry, which resets the count of attempts.
  first_token  bigint,

  -- same as in job
  mirror       smallint DEFAULT nullif(current_setting('leasehold.mirror', true), '')::smallint,

  -- how long the lease lasts after a renewal; null if written by an older process
  length_ms    integer,

  CONSTRAINT lease_when_lost_is_known CHECK (when_lost IN ('requeue', 'fail', 'adopt')),
  CONSTRAINT lease_has_a_worker_or_waits_for_one
    CHECK (worker_id IS NOT NULL OR (when_lost = 'adopt' AND first_started_at IS NOT NULL)),
  CONSTRAINT lease_began_at_a_time_and_under_a_token
    CHECK ((first_started_at IS NULL) = (first_token IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Leases without a worker: almost always none. Serves AdoptJobs. A heartbeat changes no column of this index.
CREATE INDEX lease_without_a_worker ON leasehold.lease (id) WHERE worker_id IS NULL;

-- A request by a user of the tenant to end a running job. There may be several, so that no request waits for another.
CREATE TABLE leasehold.cancel_request (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  requested_at timestamptz NOT NULL,
  requested_by text        NOT NULL,
  then_delete  boolean     NOT NULL,

  CONSTRAINT cancel_requested_by_is_bounded CHECK (length(requested_by) BETWEEN 1 AND 255)
);

CREATE INDEX cancel_request_of_job ON leasehold.cancel_request (id);

-- An attempt that ended and was not the last one.
CREATE TABLE leasehold.attempt (
  tenant_id  uuid        NOT NULL,
  id         uuid        NOT NULL,
  token      bigint      NOT NULL,
  attempt    smallint    NOT NULL,
  worker_id  uuid,
  status     text        NOT NULL,
  started_at timestamptz,
  ended_at   timestamptz NOT NULL,
  error      text,

  -- when the next attempt is due, if this one postponed it
  retry_at   timestamptz,

  -- whether the attempt continued under the next lease
  continues  boolean     NOT NULL DEFAULT false,

  CONSTRAINT attempt_ended_once PRIMARY KEY (id, token, tenant_id),
  CONSTRAINT attempt_status_is_known
    CHECK (status IN ('failed', 'timed_out', 'cancelled', 'lost', 'released', 'put_off')),
  CONSTRAINT attempt_error_is_bounded CHECK (length(error) <= 8000)
);

-- Finds the newest error of an unfinished job, even if many postponed attempts follow it.
CREATE INDEX attempt_with_error ON leasehold.attempt (id, token)
  WHERE status NOT IN ('released', 'put_off');

-- The job that a tenant's key stands for, as long as the job is kept.
CREATE TABLE leasehold.job_key (
  tenant_id  uuid NOT NULL,
  handler_id text NOT NULL,
  key        text NOT NULL,
  id         uuid NOT NULL,

  CONSTRAINT job_key_is_unique_per_tenant_and_handler PRIMARY KEY (tenant_id, handler_id, key),
  CONSTRAINT job_key_is_bounded CHECK (length(key) BETWEEN 1 AND 255)
);

CREATE INDEX job_key_of_job ON leasehold.job_key (id);

-- Marks a table whose rows are kept and removed with their job. R__25_commands and generated code read these
-- comments.
COMMENT ON TABLE leasehold.cancel_request IS 'belongs to a job';
COMMENT ON TABLE leasehold.attempt IS 'belongs to a job';
COMMENT ON TABLE leasehold.job_key IS 'belongs to a job';

SELECT leasehold.protect(protected::regclass, for_engine => true)
FROM unnest(ARRAY['leasehold.job', 'leasehold.outcome', 'leasehold.ready', 'leasehold.scheduled',
  'leasehold.waiting', 'leasehold.lease', 'leasehold.cancel_request', 'leasehold.attempt',
  'leasehold.job_key']) AS protected;

GRANT SELECT, INSERT, DELETE ON leasehold.job, leasehold.outcome, leasehold.attempt
  TO leasehold_engine;
GRANT UPDATE (mirror) ON leasehold.job TO leasehold_engine;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON leasehold.ready, leasehold.scheduled, leasehold.waiting, leasehold.lease, leasehold.job_key
  TO leasehold_engine;
GRANT SELECT, INSERT, DELETE ON leasehold.cancel_request TO leasehold_engine;

-- Needed to lock rows.
GRANT UPDATE (id) ON leasehold.outcome, leasehold.cancel_request TO leasehold_engine;
GRANT USAGE ON SEQUENCE leasehold.lease_token TO leasehold_engine;

-- A tenant's users never read the input. The token alone cannot end a job: the fence also needs the worker's id,
-- which is a secret shown to no tenant.
GRANT SELECT (tenant_id, id, handler_id, metadata, queue, priority, max_attempts, time_limit,
  principal, correlation_id) ON leasehold.job TO leasehold_tenant;
GRANT SELECT ON leasehold.outcome, leasehold.ready, leasehold.scheduled, leasehold.waiting,
  leasehold.job_key TO leasehold_tenant;
GRANT SELECT (tenant_id, id, attempt, locked_until, attempt_started_at, started_at, token, handler_begun)
  ON leasehold.lease TO leasehold_tenant;
GRANT SELECT (tenant_id, id, requested_at, requested_by) ON leasehold.cancel_request
  TO leasehold_tenant;
GRANT SELECT (tenant_id, id, attempt, status, started_at, ended_at, error, token, retry_at, continues)
  ON leasehold.attempt TO leasehold_tenant;
