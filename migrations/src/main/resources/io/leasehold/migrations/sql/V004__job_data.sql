-- Data that belongs to a job in addition to its state: its history, what its handler keeps, its dependencies, and its
-- mirrors.

-- The progress that a running job reported last; the row stays after the job ends.
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

-- Events that a handler reports while it runs, numbered under the token of the attempt's lease. R__55_history
-- describes the numbering.
CREATE TABLE leasehold.event (
  tenant_id uuid        NOT NULL,
  id        uuid        NOT NULL,
  token     bigint      NOT NULL,
  number    integer     NOT NULL,
  told_at   timestamptz NOT NULL,
  kind      text        NOT NULL,
  body      json        NOT NULL,
  attempt   smallint    NOT NULL DEFAULT 0,

  CONSTRAINT event_has_its_place PRIMARY KEY (id, token, number, tenant_id)
);

-- Finds task events among all events of a job, which may be numerous, such as the log of a build.
CREATE INDEX event_of_tasks ON leasehold.event (id, tenant_id) WHERE kind = 'task_status';

-- What a handler keeps for later attempts: steps, each done once, and one checkpoint, which each newer one replaces.
CREATE TABLE leasehold.step (
  tenant_id  uuid        NOT NULL,
  id         uuid        NOT NULL,
  name       text        NOT NULL,
  token      bigint      NOT NULL,
  value      json        NOT NULL,

  -- length of the value, so that the total of a job can be computed without reading the values
  characters integer     NOT NULL,
  done_at    timestamptz NOT NULL,

  CONSTRAINT step_is_done_once PRIMARY KEY (id, name, tenant_id),
  CONSTRAINT step_name_is_bounded CHECK (length(name) BETWEEN 1 AND 200),
  CONSTRAINT step_is_bounded CHECK (characters <= 1048576)
);

CREATE TABLE leasehold.checkpoint (
  tenant_id uuid        NOT NULL,
  id        uuid        NOT NULL CONSTRAINT checkpoint_is_one_per_job PRIMARY KEY,
  token     bigint      NOT NULL,
  value     json        NOT NULL,
  kept_at   timestamptz NOT NULL,

  CONSTRAINT checkpoint_is_bounded CHECK (length(value::text) <= 1048576)
) WITH (fillfactor = 70);

-- Files that jobs leave. The bytes are stored elsewhere, under file names that are never reused; a row maps a name of
-- the job to a file. A file that no row names is removed.
CREATE TABLE leasehold.output (
  tenant_id  uuid        NOT NULL,
  id         uuid        NOT NULL,
  name       text        NOT NULL,
  token      bigint      NOT NULL,

  -- where the bytes are, and what they are
  file       text        NOT NULL,
  size       bigint      NOT NULL,
  sha256     text        NOT NULL,
  media_type text        NOT NULL,
  kept_at    timestamptz NOT NULL,

  CONSTRAINT output_is_one_per_name PRIMARY KEY (id, name, tenant_id),
  CONSTRAINT output_name_is_bounded CHECK (length(name) BETWEEN 1 AND 128),

  -- Only file names that the engine generates: the name cannot point to another folder, whichever code wrote the row.
  -- An output that was finished from a draft keeps the draft's file name.
  CONSTRAINT output_file_is_ours CHECK (file ~ '^(output|draft)-[0-9]{1,19}-[0-9]{1,10}$'),
  CONSTRAINT output_size_is_one CHECK (size >= 0),
  CONSTRAINT output_sha256_is_bounded CHECK (length(sha256) <= 64),
  CONSTRAINT output_media_type_is_bounded CHECK (length(media_type) BETWEEN 1 AND 200)
);

-- The jobs that a job waits for, or waited for. A row is created together with its job, which can only name existing
-- jobs, so dependencies cannot form a circle.
CREATE TABLE leasehold.dependency (
  tenant_id uuid    NOT NULL,
  id        uuid    NOT NULL,
  on_id     uuid    NOT NULL,

  -- whether any end is accepted, or only success
  until_end boolean NOT NULL,

  -- broken: this dependency made the job fail
  state     text    NOT NULL,

  CONSTRAINT dependency_is_named_once PRIMARY KEY (id, on_id, tenant_id),
  CONSTRAINT dependency_state_is_known CHECK (state IN ('unmet', 'met', 'broken'))
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Finds the jobs that wait for a job that ends. If there are none, this costs one lookup in an index that has no
-- entry for the job.
CREATE INDEX dependency_waited_for ON leasehold.dependency (tenant_id, on_id, id)
  WHERE state = 'unmet';

-- Finds out whether a job still waits for anything: one lookup, however many jobs it waited for.
CREATE INDEX dependency_not_met ON leasehold.dependency (tenant_id, id, state)
  WHERE state <> 'met';

-- Jobs that still have to be processed, from a handful to a thousand per row: jobs that may have ended while others
-- wait for them ('ended'), jobs that wait ('waiting'), and jobs that changed, which workers and watchers have to be
-- notified of ('changed').
CREATE TABLE leasehold.dependency_note (
  tenant_id uuid        NOT NULL,
  what      text        NOT NULL,
  ids       uuid[]      NOT NULL,
  queues    text[]      NOT NULL DEFAULT '{}',
  due_at    timestamptz NOT NULL,

  CONSTRAINT dependency_note_what_is_known CHECK (what IN ('ended', 'waiting', 'changed'))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Serves settle: reads the due notes, oldest first, and skips the others.
CREATE INDEX dependency_note_when_due ON leasehold.dependency_note (due_at);

-- A batch: jobs that were submitted together, and optionally one that waits for all of them to end. A batch consists
-- only of the rows of its jobs, and disappears with the last of them.
CREATE TABLE leasehold.batch_job (
  tenant_id uuid    NOT NULL,
  id        uuid    NOT NULL,
  batch_id  uuid    NOT NULL,

  -- whether this job waits for the others
  is_callback boolean NOT NULL,

  CONSTRAINT batch_job_is_in_it_once PRIMARY KEY (id, batch_id, tenant_id)
);

-- The jobs of a batch, in the order of their ids.
CREATE UNIQUE INDEX batch_job_of_batch ON leasehold.batch_job (tenant_id, batch_id, id);

-- Module tables that mirror jobs. The number is part of the names of the functions that write the table.
CREATE TABLE leasehold.mirror_table (
  number    smallint GENERATED ALWAYS AS IDENTITY CONSTRAINT mirror_table_has_a_number PRIMARY KEY,
  name      text     NOT NULL CONSTRAINT mirror_table_is_declared_once UNIQUE,
  id_column text     NOT NULL,

  -- the columns that the engine may update
  columns   text[]   NOT NULL
);

-- The job that a record mirrors. A record has one job; several records may mirror the same job.
CREATE TABLE leasehold.mirror_record (
  tenant_id    uuid     NOT NULL,
  table_number smallint NOT NULL,
  record_id    uuid     NOT NULL,
  id           uuid     NOT NULL,

  CONSTRAINT mirror_record_has_one_job PRIMARY KEY (tenant_id, table_number, record_id)
);

-- Serves each change of a mirrored job, and the removal of jobs.
CREATE INDEX mirror_record_of_job ON leasehold.mirror_record (id, tenant_id);

-- Records that could not be written together with their jobs, because another transaction had locked them or their
-- table refused the change. The values are those that were to be written; they are used only if the job has been
-- removed since.
CREATE TABLE leasehold.mirror_behind (
  tenant_id    uuid        NOT NULL,
  table_number smallint    NOT NULL,
  record_id    uuid        NOT NULL,
  due_at       timestamptz NOT NULL,
  noted_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries        integer     NOT NULL DEFAULT 0,

  -- whether the record was attached to a job that other transactions may have been changing at that moment
  attached     boolean     NOT NULL DEFAULT false,

  status       text,
  requested_at timestamptz,
  started_at   timestamptz,
  finished_at  timestamptz,
  error        text
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

CREATE INDEX mirror_behind_when_due ON leasehold.mirror_behind (due_at);

-- Marks a table whose rows are kept and removed with their job. R__25_commands and generated code read these
-- comments.
COMMENT ON TABLE leasehold.progress IS 'belongs to a job';
COMMENT ON TABLE leasehold.event IS 'belongs to a job';
COMMENT ON TABLE leasehold.step IS 'belongs to a job';
COMMENT ON TABLE leasehold.checkpoint IS 'belongs to a job';
COMMENT ON TABLE leasehold.output IS 'belongs to a job';
COMMENT ON TABLE leasehold.dependency IS 'belongs to a job';
COMMENT ON TABLE leasehold.batch_job IS 'belongs to a job';
COMMENT ON TABLE leasehold.mirror_record IS 'belongs to a job';

SELECT leasehold.protect(protected::regclass, for_engine => true)
FROM unnest(ARRAY['leasehold.progress', 'leasehold.event', 'leasehold.step', 'leasehold.checkpoint',
  'leasehold.output', 'leasehold.dependency', 'leasehold.dependency_note', 'leasehold.batch_job',
  'leasehold.mirror_record', 'leasehold.mirror_behind']) AS protected;

-- UPDATE is also needed to lock rows.
GRANT SELECT, INSERT, UPDATE, DELETE
  ON leasehold.progress, leasehold.checkpoint, leasehold.output, leasehold.dependency,
    leasehold.dependency_note, leasehold.mirror_record, leasehold.mirror_behind
  TO leasehold_engine;
GRANT SELECT, INSERT, DELETE ON leasehold.event, leasehold.step, leasehold.batch_job
  TO leasehold_engine;
GRANT SELECT ON leasehold.mirror_table TO leasehold_engine;

-- Steps and checkpoints are private to the handler: a tenant's users do not read them.
GRANT SELECT (tenant_id, id, percent, note, updated_at) ON leasehold.progress TO leasehold_tenant;
GRANT SELECT (tenant_id, id, number, told_at, kind, body, token, attempt) ON leasehold.event
  TO leasehold_tenant;
GRANT SELECT ON leasehold.output, leasehold.dependency, leasehold.batch_job, leasehold.mirror_record
  TO leasehold_tenant;
