-- Shapes of tables that the business module has not: for tests of the policies.
SET ROLE leasehold_owner;

CREATE SCHEMA shapes;
GRANT USAGE ON SCHEMA shapes TO leasehold_tenant;

CREATE TYPE shapes.colour AS ENUM ('red', 'green');

CREATE TABLE shapes.many_types (
  tenant_id uuid NOT NULL,
  id        uuid NOT NULL DEFAULT gen_random_uuid(),
  small     smallint NOT NULL,
  big       bigint NOT NULL,
  exact     numeric(10, 2) NOT NULL,
  rough     double precision NOT NULL,
  truth     boolean NOT NULL,
  day       date NOT NULL,
  moment    timestamptz NOT NULL,
  span      interval NOT NULL,
  document  jsonb NOT NULL,
  bytes     bytea NOT NULL,
  names     text[] NOT NULL,
  short     varchar(8) NOT NULL,
  colour    shapes.colour NOT NULL,
  doubled   bigint GENERATED ALWAYS AS (big * 2) STORED,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, short)
);

-- Its partitions can be addressed directly, past the parent's policies.
CREATE TABLE shapes.event (
  tenant_id uuid NOT NULL,
  id        bigint NOT NULL,
  note      text NOT NULL,
  PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE shapes.event_low PARTITION OF shapes.event FOR VALUES FROM (MINVALUE) TO (1000000);
CREATE TABLE shapes.event_rest PARTITION OF shapes.event DEFAULT;

CREATE TABLE shapes.event_part (
  tenant_id uuid NOT NULL,
  event_id  bigint NOT NULL,
  no        integer NOT NULL,
  PRIMARY KEY (tenant_id, event_id, no),
  FOREIGN KEY (tenant_id, event_id) REFERENCES shapes.event ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE
  ON shapes.many_types, shapes.event, shapes.event_low, shapes.event_rest, shapes.event_part
  TO leasehold_tenant;

SELECT leasehold.protect('shapes.many_types');
SELECT leasehold.protect('shapes.event');
SELECT leasehold.protect('shapes.event_part');

CREATE VIEW shapes.event_v WITH (security_invoker = true) AS
  SELECT tenant_id, id, note FROM shapes.event;
GRANT SELECT, INSERT, UPDATE, DELETE ON shapes.event_v TO leasehold_tenant;

CREATE FUNCTION shapes.events() RETURNS SETOF shapes.event LANGUAGE sql STABLE
  AS 'SELECT * FROM shapes.event';
GRANT EXECUTE ON FUNCTION shapes.events() TO leasehold_tenant;

RESET ROLE;
