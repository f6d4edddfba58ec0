-- What handlers leave behind, and who was told that a job ended.
CREATE SCHEMA stress;
CREATE TABLE stress.effect (
  tenant_id uuid   NOT NULL,
  job_id    uuid   NOT NULL,
  token     bigint NOT NULL,
  kind      text   NOT NULL,
  made_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX effect_of_job ON stress.effect (job_id);
ALTER SCHEMA stress OWNER TO leasehold_owner;
ALTER TABLE stress.effect OWNER TO leasehold_owner;
GRANT USAGE ON SCHEMA stress TO leasehold_tenant;
GRANT SELECT, INSERT ON stress.effect TO leasehold_tenant;
SELECT leasehold.protect('stress.effect');
