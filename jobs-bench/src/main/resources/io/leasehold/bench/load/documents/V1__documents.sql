-- The same rows twice: protected, as tenants have them, and plain, to compare with.

CREATE TABLE bench.document (
  tenant_id uuid    NOT NULL,
  id        integer NOT NULL,
  title     text    NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE bench.plain_document (
  owner uuid    NOT NULL,
  id    integer NOT NULL,
  title text    NOT NULL,
  PRIMARY KEY (owner, id)
);

INSERT INTO bench.plain_document
SELECT lpad(to_hex(tenant), 32, '0')::uuid, document, 'title ' || document
FROM generate_series(0, 99) AS tenant, generate_series(0, 999) AS document;

INSERT INTO bench.document SELECT owner, id, title FROM bench.plain_document;

GRANT USAGE ON SCHEMA bench TO leasehold_tenant;
GRANT SELECT ON bench.document TO leasehold_tenant; -- The plain one is read by its owner.

SELECT leasehold.protect('bench.document');
