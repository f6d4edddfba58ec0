-- A module's own record of a tool's run, as docs/guide/mirrors.md has it, and one with a rule of its own.
CREATE SCHEMA acme AUTHORIZATION leasehold_owner;
SET ROLE leasehold_owner;

CREATE TABLE acme.tool_run (
  tenant_id    uuid NOT NULL,
  id           uuid NOT NULL,
  tool         text NOT NULL,
  status       text NOT NULL DEFAULT 'new',
  requested_at timestamptz,
  started_at   timestamptz,
  finished_at  timestamptz,
  error        text,
  PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 70);

-- Mirrors the status alone, and refuses one if a run is strict.
CREATE TABLE acme.strict_run (
  tenant_id uuid    NOT NULL,
  id        uuid    NOT NULL,
  strict    boolean NOT NULL DEFAULT false,
  state     text    NOT NULL DEFAULT 'new',
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT strict_run_never_succeeds CHECK (NOT (strict AND state = 'succeeded'))
);

GRANT USAGE ON SCHEMA acme TO leasehold_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON acme.tool_run, acme.strict_run TO leasehold_tenant;
SELECT leasehold.protect('acme.tool_run');
SELECT leasehold.protect('acme.strict_run');

SELECT leasehold.mirror('acme.tool_run', id => 'id', status => 'status',
  requested_at => 'requested_at', started_at => 'started_at', finished_at => 'finished_at',
  error => 'error');
SELECT leasehold.mirror('acme.strict_run', id => 'id', status => 'state');

RESET ROLE;
