-- Records that mirror jobs.
CREATE TABLE stress.run (
  tenant_id    uuid NOT NULL,
  id           uuid NOT NULL,
  status       text NOT NULL DEFAULT 'new',
  requested_at timestamptz,
  started_at   timestamptz,
  finished_at  timestamptz,
  error        text,
  PRIMARY KEY (tenant_id, id)
);
ALTER TABLE stress.run OWNER TO leasehold_owner;
GRANT SELECT, INSERT, UPDATE ON stress.run TO leasehold_tenant;
SELECT leasehold.protect('stress.run');
SELECT leasehold.mirror('stress.run', id => 'id', status => 'status',
  requested_at => 'requested_at', started_at => 'started_at', finished_at => 'finished_at',
  error => 'error');
