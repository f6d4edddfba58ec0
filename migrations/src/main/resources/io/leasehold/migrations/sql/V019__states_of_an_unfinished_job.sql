-- Where an unfinished job is: a row in exactly one of these tables. The row's place is the state,
-- so that nothing can contradict it, and each table is as narrow as its statements allow.

-- May be claimed now.
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

-- Its only index: tenants take turns in a queue, and in a turn priority goes before age. A job's
-- own row names all four columns, so that a cancel finds it here as well.
CREATE UNIQUE INDEX ready_in_turn ON leasehold.ready (queue, tenant_id, priority DESC, id);

-- Due later: delayed, or waiting for its next attempt. Claims never see it.
CREATE TABLE leasehold.scheduled (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL CONSTRAINT scheduled_once PRIMARY KEY,
  queue        text        NOT NULL,
  priority     smallint    NOT NULL,
  attempts     smallint    NOT NULL,
  available_at timestamptz NOT NULL,
  started_at   timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

CREATE INDEX scheduled_when_due ON leasehold.scheduled (available_at, id);

-- Drawn by every claim: what a worker shows to prove that the lease is still the one it was given.
CREATE SEQUENCE leasehold.lease_token;

-- Running, by one worker, until then. The only rows that are ever updated: a heartbeat changes
-- locked_until, which no index may contain.
CREATE TABLE leasehold.lease (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL CONSTRAINT lease_is_one_per_job PRIMARY KEY,
  worker_id    uuid        NOT NULL,
  token        bigint      NOT NULL,
  attempt      smallint    NOT NULL,
  locked_until timestamptz NOT NULL,

  -- what becomes of the job if its worker is lost, as its handler has it
  when_lost    text        NOT NULL,

  -- of this attempt, and of the first
  attempt_started_at timestamptz NOT NULL,
  started_at         timestamptz NOT NULL,

  CONSTRAINT lease_when_lost_is_known CHECK (when_lost IN ('requeue', 'fail'))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Somebody of the tenant asked for a running job to end. Several may: none waits for another.
CREATE TABLE leasehold.cancel_request (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  requested_at timestamptz NOT NULL,
  requested_by text        NOT NULL,
  then_delete  boolean     NOT NULL
);

CREATE INDEX cancel_request_of_job ON leasehold.cancel_request (id);

-- An attempt that ended and was not the last.
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

  CONSTRAINT attempt_ended_once PRIMARY KEY (id, token, tenant_id),
  CONSTRAINT attempt_status_is_known
    CHECK (status IN ('failed', 'timed_out', 'cancelled', 'lost', 'released')),
  CONSTRAINT attempt_error_is_bounded CHECK (length(error) <= 8000)
);

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

-- How far a running job says that it is; the last word stays.
CREATE TABLE leasehold.progress (
  tenant_id  uuid        NOT NULL,
  id         uuid        NOT NULL CONSTRAINT progress_is_one_per_job PRIMARY KEY,
  token      bigint      NOT NULL,
  percent    smallint    NOT NULL,
  note       text,
  updated_at timestamptz NOT NULL,

  CONSTRAINT progress_percent_is_one CHECK (percent BETWEEN 0 AND 100),
  CONSTRAINT progress_note_is_bounded CHECK (length(note) <= 1000)
) WITH (fillfactor = 70);

-- What a handler tells while it runs, numbered by the attempt that holds the lease.
CREATE TABLE leasehold.event (
  tenant_id uuid        NOT NULL,
  id        uuid        NOT NULL,
  token     bigint      NOT NULL,
  n         integer     NOT NULL,
  told_at   timestamptz NOT NULL,
  kind      text        NOT NULL,
  body      json        NOT NULL,

  CONSTRAINT event_has_its_place PRIMARY KEY (id, token, n, tenant_id)
);

SELECT leasehold.protect(its::regclass, for_engine => true)
FROM unnest(ARRAY['leasehold.ready', 'leasehold.scheduled', 'leasehold.lease',
  'leasehold.cancel_request', 'leasehold.attempt', 'leasehold.job_key', 'leasehold.progress',
  'leasehold.event']) AS its;

-- UPDATE to lock rows, but for the lease's renewal.
GRANT SELECT, INSERT, UPDATE, DELETE
  ON leasehold.ready, leasehold.scheduled, leasehold.lease, leasehold.progress
  TO leasehold_engine;
GRANT SELECT, INSERT, DELETE
  ON leasehold.cancel_request, leasehold.attempt, leasehold.job_key, leasehold.event
  TO leasehold_engine;
GRANT USAGE ON SEQUENCE leasehold.lease_token TO leasehold_engine;

-- Neither worker nor token: with both, module code could finish a job that it does not run.
GRANT SELECT ON leasehold.ready, leasehold.scheduled TO leasehold_tenant;
GRANT SELECT (tenant_id, id, attempt, locked_until, attempt_started_at, started_at)
  ON leasehold.lease TO leasehold_tenant;
GRANT SELECT (tenant_id, id, requested_at, requested_by) ON leasehold.cancel_request
  TO leasehold_tenant;
GRANT SELECT (tenant_id, id, attempt, status, started_at, ended_at, error) ON leasehold.attempt
  TO leasehold_tenant;
GRANT SELECT ON leasehold.job_key TO leasehold_tenant;
GRANT SELECT (tenant_id, id, percent, note, updated_at) ON leasehold.progress TO leasehold_tenant;
GRANT SELECT (tenant_id, id, n, told_at, kind, body) ON leasehold.event TO leasehold_tenant;
