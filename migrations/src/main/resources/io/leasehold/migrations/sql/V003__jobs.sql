-- A job: what was asked, how it ended, and between the two a row in the table of its state.

-- What was asked, and how it ended: the two records of a job, written once each. Both are partitioned by the day
-- in the id, so that retention drops a day's jobs whole. The default partition takes what no day takes.
-- Partitions of days are prepared ahead.
CREATE TABLE leasehold.job (
  tenant_id      uuid     NOT NULL,
  id             uuid     NOT NULL,

  -- what to do
  handler_id     text     NOT NULL,
  input          json     NOT NULL,
  metadata       json,

  -- where and within which limits
  queue          text     NOT NULL,
  priority       smallint NOT NULL,
  max_attempts   smallint NOT NULL,
  time_limit     interval,

  -- for whom
  principal      text     NOT NULL,
  correlation_id text,

  -- Which table mirrors the job: its number, 0 for any of them, NULL for none. So the statements that change
  -- jobs ask nothing about a job without a mirror. A submission names the table in a setting of its
  -- transaction; a tenant that sets it as well has the platform look for records and find none.
  mirror         smallint DEFAULT nullif(current_setting('leasehold.mirror', true), '')::smallint,

  -- What values may be is checked once a call by the function that writes them, not for each row.
  CONSTRAINT job_is_known_by_tenant_and_id PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);

-- A request's jobs, newest last.
CREATE INDEX job_by_correlation ON leasehold.job (tenant_id, correlation_id, id)
  WHERE correlation_id IS NOT NULL;

CREATE TABLE leasehold.outcome (
  tenant_id   uuid        NOT NULL,
  id          uuid        NOT NULL,
  status      text        NOT NULL,
  finished_at timestamptz NOT NULL,
  started_at  timestamptz,
  attempts    smallint    NOT NULL,

  -- of the attempt that ended it: by it, a commit whose answer was lost is told from a lost lease
  token       bigint,

  result      json,
  error       text,

  -- when its last attempt began, if that was not the first
  attempt_started_at timestamptz,

  -- as in job
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

-- Where an unfinished job is: a row in exactly one of the next four tables. The row's place is the state, so that
-- nothing can contradict it, and each table is as narrow as its statements allow.

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

-- Its only index: tenants take turns in a queue, and in a turn priority goes before age. A job's own row names
-- all four columns, so that a cancel finds it here as well.
CREATE UNIQUE INDEX ready_in_turn ON leasehold.ready (queue, tenant_id, priority DESC, id);

-- Due later: delayed, or waiting for its next attempt. Claims never see it.
CREATE TABLE leasehold.scheduled (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  queue        text        NOT NULL,
  priority     smallint    NOT NULL,
  attempts     smallint    NOT NULL,
  available_at timestamptz NOT NULL,
  started_at   timestamptz,

  -- 'delay': its request says so; 'retry': its last attempt failed; 'later': its handler could not work at that
  -- moment; 'aside': the worker that had it does not know its handler
  reason       text        NOT NULL DEFAULT 'delay',

  -- By this, a delay that was written before the server's clock went back is healed. The clock may go back
  -- within a transaction, whose own time is that of its beginning.
  written_at   timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp()),

  CONSTRAINT scheduled_once PRIMARY KEY (tenant_id, id),
  CONSTRAINT scheduled_reason_is_known CHECK (reason IN ('delay', 'retry', 'later', 'aside'))
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

CREATE INDEX scheduled_when_due ON leasehold.scheduled (available_at, id);

-- Serves HealDelays: its last rows, which are ahead of the clock, if any are.
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

  -- as in scheduled
  written_at   timestamptz NOT NULL DEFAULT greatest(now(), clock_timestamp()),

  CONSTRAINT waiting_once PRIMARY KEY (tenant_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Drawn by every claim: what a worker shows to prove that the lease is still the one it was given.
CREATE SEQUENCE leasehold.lease_token;

-- Running, by one worker, until locked_until. The only rows that are ever updated: a heartbeat changes
-- locked_until, which no index may contain.
CREATE TABLE leasehold.lease (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL CONSTRAINT lease_is_one_per_job PRIMARY KEY,

  -- none: the worker is gone, what it began outlives it elsewhere, and a worker that has the handler adopts it
  worker_id    uuid,
  token        bigint      NOT NULL,
  attempt      smallint    NOT NULL,
  locked_until timestamptz NOT NULL,

  -- what becomes of the job if its worker is lost, as its handler has it
  when_lost    text        NOT NULL,

  -- of this attempt, and of the first
  attempt_started_at timestamptz NOT NULL,
  started_at         timestamptz NOT NULL,

  -- Whether its handler has begun, which is marked after a while, when most jobs are over, or with its first
  -- event. In the lease itself: whoever takes that away finds the mark, whatever its snapshot.
  handler_begun boolean    NOT NULL DEFAULT false,

  -- when the attempt began, if that was under an earlier lease: then it was orphaned
  first_started_at timestamptz,

  -- how many workers this attempt has lost
  workers_lost smallint    NOT NULL DEFAULT 0,

  -- The token under which the attempt began, if that was under an earlier lease. No other attempt has it, also
  -- after a retry by hand, which counts attempts anew.
  first_token  bigint,

  -- as in job
  mirror       smallint DEFAULT nullif(current_setting('leasehold.mirror', true), '')::smallint,

  -- how long the lease is from its renewal on; older processes do not say
  length_ms    integer,

  CONSTRAINT lease_when_lost_is_known CHECK (when_lost IN ('requeue', 'fail', 'adopt')),
  CONSTRAINT lease_has_a_worker_or_waits_for_one
    CHECK (worker_id IS NOT NULL OR (when_lost = 'adopt' AND first_started_at IS NOT NULL)),
  CONSTRAINT lease_began_at_a_time_and_under_a_token
    CHECK ((first_started_at IS NULL) = (first_token IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Those that wait for a worker: hardly ever one. Serves AdoptJobs. A heartbeat changes nothing that it names.
CREATE INDEX lease_without_a_worker ON leasehold.lease (id) WHERE worker_id IS NULL;

-- Somebody of the tenant asked for a running job to end. Several may: none waits for another.
CREATE TABLE leasehold.cancel_request (
  tenant_id    uuid        NOT NULL,
  id           uuid        NOT NULL,
  requested_at timestamptz NOT NULL,
  requested_by text        NOT NULL,
  then_delete  boolean     NOT NULL,

  CONSTRAINT cancel_requested_by_is_bounded CHECK (length(requested_by) BETWEEN 1 AND 255)
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

  -- when the next one is due, if this one put it off
  retry_at   timestamptz,

  -- whether the attempt went on under the next lease
  continues  boolean     NOT NULL DEFAULT false,

  CONSTRAINT attempt_ended_once PRIMARY KEY (id, token, tenant_id),
  CONSTRAINT attempt_status_is_known
    CHECK (status IN ('failed', 'timed_out', 'cancelled', 'lost', 'released', 'put_off')),
  CONSTRAINT attempt_error_is_bounded CHECK (length(error) <= 8000)
);

-- The newest error of an unfinished job, behind however many attempts that were put off.
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

-- What is removed with its job, and kept with it: R__25_commands reads this, and generated code.
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

-- To lock rows.
GRANT UPDATE (id) ON leasehold.outcome, leasehold.cancel_request TO leasehold_engine;
GRANT USAGE ON SEQUENCE leasehold.lease_token TO leasehold_engine;

-- A tenant's people never read the input. A token alone ends no job: the worker's id, which nobody is shown, is
-- the secret of the two.
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
