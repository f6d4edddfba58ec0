-- What was asked, and how it ended: the two records of a job, written once each. In between, a row
-- in the table of its state says where it is.
--
-- Both are parted by the day in the id, so that retention drops a day's jobs whole. The default
-- partition takes what no day takes. Partitions of days are prepared ahead.

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

  CONSTRAINT outcome_is_one_per_job PRIMARY KEY (tenant_id, id),
  CONSTRAINT outcome_status_is_final
    CHECK (status IN ('succeeded', 'failed', 'timed_out', 'cancelled')),
  CONSTRAINT outcome_error_is_bounded CHECK (length(error) <= 8000)
) PARTITION BY RANGE (id);

-- A tenant's failed jobs, newest first.
CREATE INDEX outcome_by_status ON leasehold.outcome (tenant_id, status, id DESC);

CREATE TABLE leasehold.job_default PARTITION OF leasehold.job DEFAULT;
CREATE TABLE leasehold.outcome_default PARTITION OF leasehold.outcome DEFAULT;

SELECT leasehold.protect('leasehold.job', for_engine => true);
SELECT leasehold.protect('leasehold.outcome', for_engine => true);

GRANT SELECT, INSERT, DELETE ON leasehold.job, leasehold.outcome TO leasehold_engine;

-- A tenant's people never read the input.
GRANT SELECT (tenant_id, id, handler_id, metadata, queue, priority, max_attempts, time_limit,
  principal, correlation_id) ON leasehold.job TO leasehold_tenant;
GRANT SELECT ON leasehold.outcome TO leasehold_tenant;

-- The days that have partitions.
CREATE TABLE leasehold.day (
  day date NOT NULL CONSTRAINT day_is_prepared_once PRIMARY KEY
);

-- UPDATE to lock rows.
GRANT SELECT, UPDATE ON leasehold.day TO leasehold_engine;

CREATE FUNCTION leasehold.day_of(id uuid) RETURNS date
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN (leasehold.created_at(id) AT TIME ZONE 'UTC')::date;

GRANT EXECUTE ON FUNCTION leasehold.day_of(uuid) TO leasehold_engine;
