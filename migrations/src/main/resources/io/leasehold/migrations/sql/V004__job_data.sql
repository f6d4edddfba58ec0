-- What belongs to a job beside its state: its history, what its handler keeps, what it waits for, and where it is
-- mirrored.

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

-- What a handler tells while it runs, numbered by the attempt that holds the lease. R__55_history has how places
-- are numbered.
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

-- Among all that a job told, which may be much: the log of a build.
CREATE INDEX event_of_tasks ON leasehold.event (id, tenant_id) WHERE kind = 'task_status';

-- What a handler keeps of its work for later attempts: steps that are done, once each, and a checkpoint, which is
-- replaced by the next.
CREATE TABLE leasehold.step (
  tenant_id  uuid        NOT NULL,
  id         uuid        NOT NULL,
  name       text        NOT NULL,
  token      bigint      NOT NULL,
  value      json        NOT NULL,

  -- of the value, so that all of a job's can be summed up without reading them
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

-- Files that jobs leave. Their bytes are kept elsewhere, under names that are used once; a row says which of those
-- a name of the job stands for. A file that no row names is removed.
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

  -- Where the engine would have put it: the name leads to no other folder, whoever wrote it. What was finished
  -- from a draft keeps the draft's name.
  CONSTRAINT output_file_is_ours CHECK (file ~ '^(output|draft)-[0-9]{1,19}-[0-9]{1,10}$'),
  CONSTRAINT output_size_is_one CHECK (size >= 0),
  CONSTRAINT output_sha256_is_bounded CHECK (length(sha256) <= 64),
  CONSTRAINT output_media_type_is_bounded CHECK (length(media_type) BETWEEN 1 AND 200)
);

-- For which jobs a job waits, or waited. A row is made with the job, which can name only jobs that exist: so there
-- is no circle.
CREATE TABLE leasehold.dependency (
  tenant_id uuid    NOT NULL,
  id        uuid    NOT NULL,
  on_id     uuid    NOT NULL,

  -- whether any end will do, or success alone
  until_end boolean NOT NULL,

  -- broken is what made the job fail
  state     text    NOT NULL,

  CONSTRAINT dependency_is_named_once PRIMARY KEY (id, on_id, tenant_id),
  CONSTRAINT dependency_state_is_known CHECK (state IN ('unmet', 'met', 'broken'))
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Who waits for a job that ends: where nobody does, one look at an index that has nobody.
CREATE INDEX dependency_waited_for ON leasehold.dependency (tenant_id, on_id, id)
  WHERE state = 'unmet';

-- Whether a job waits for anything still: one look, for however many it waited.
CREATE INDEX dependency_not_met ON leasehold.dependency (tenant_id, id, state)
  WHERE state <> 'met';

-- Jobs that somebody has to look at, a handful or a thousand in a row: those that may have ended and have others
-- wait for them, those that wait, and those that changed, of which workers and watchers are to be told.
CREATE TABLE leasehold.dependency_note (
  tenant_id uuid        NOT NULL,
  what      text        NOT NULL,
  ids       uuid[]      NOT NULL,
  queues    text[]      NOT NULL DEFAULT '{}',
  due_at    timestamptz NOT NULL,

  CONSTRAINT dependency_note_what_is_known CHECK (what IN ('ended', 'waiting', 'changed'))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Serves settle: the notes that are due, the oldest first, without a look at the others.
CREATE INDEX dependency_note_when_due ON leasehold.dependency_note (due_at);

-- A batch: jobs that were submitted together, and perhaps one that waits for the end of all of them. It is no more
-- than the rows of its jobs, and is gone with the last of them.
CREATE TABLE leasehold.batch_job (
  tenant_id uuid    NOT NULL,
  id        uuid    NOT NULL,
  batch_id  uuid    NOT NULL,

  -- that it waits for the others
  is_callback boolean NOT NULL,

  CONSTRAINT batch_job_is_in_it_once PRIMARY KEY (id, batch_id, tenant_id)
);

-- The jobs of a batch, in the order of their ids.
CREATE UNIQUE INDEX batch_job_of_batch ON leasehold.batch_job (tenant_id, batch_id, id);

-- The tables of modules that mirror jobs. The number is a part of the names of the functions that write them.
CREATE TABLE leasehold.mirror_table (
  number    smallint GENERATED ALWAYS AS IDENTITY CONSTRAINT mirror_table_has_a_number PRIMARY KEY,
  name      text     NOT NULL CONSTRAINT mirror_table_is_declared_once UNIQUE,
  id_column text     NOT NULL,

  -- the columns that the engine may update
  columns   text[]   NOT NULL
);

-- Which job a record mirrors: one. Several records may mirror the same job.
CREATE TABLE leasehold.mirror_record (
  tenant_id    uuid     NOT NULL,
  table_number smallint NOT NULL,
  record_id    uuid     NOT NULL,
  id           uuid     NOT NULL,

  CONSTRAINT mirror_record_has_one_job PRIMARY KEY (tenant_id, table_number, record_id)
);

-- Serves each change of a mirrored job, and the removal of jobs.
CREATE INDEX mirror_record_of_job ON leasehold.mirror_record (id, tenant_id);

-- Records that could not be written with their jobs: another transaction had locked them, or their table refused
-- the change. The values are what was to be written; they count only if the job is gone meanwhile.
CREATE TABLE leasehold.mirror_behind (
  tenant_id    uuid        NOT NULL,
  table_number smallint    NOT NULL,
  record_id    uuid        NOT NULL,
  due_at       timestamptz NOT NULL,
  noted_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries        integer     NOT NULL DEFAULT 0,

  -- that the record was attached to a job that others may have been changing at that moment
  attached     boolean     NOT NULL DEFAULT false,

  status       text,
  requested_at timestamptz,
  started_at   timestamptz,
  finished_at  timestamptz,
  error        text
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

CREATE INDEX mirror_behind_when_due ON leasehold.mirror_behind (due_at);

-- What is removed with its job, and kept with it: R__25_commands reads this, and generated code.
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

-- UPDATE also to lock rows.
GRANT SELECT, INSERT, UPDATE, DELETE
  ON leasehold.progress, leasehold.checkpoint, leasehold.output, leasehold.dependency,
    leasehold.dependency_note, leasehold.mirror_record, leasehold.mirror_behind
  TO leasehold_engine;
GRANT SELECT, INSERT, DELETE ON leasehold.event, leasehold.step, leasehold.batch_job
  TO leasehold_engine;
GRANT SELECT ON leasehold.mirror_table TO leasehold_engine;

-- Steps and checkpoints are the handler's own: a tenant's people do not read them.
GRANT SELECT (tenant_id, id, percent, note, updated_at) ON leasehold.progress TO leasehold_tenant;
GRANT SELECT (tenant_id, id, number, told_at, kind, body, token, attempt) ON leasehold.event
  TO leasehold_tenant;
GRANT SELECT ON leasehold.output, leasehold.dependency, leasehold.batch_job, leasehold.mirror_record
  TO leasehold_tenant;
