-- A business module as its author would write it: two tables, the second of which points at the first.

GRANT USAGE ON SCHEMA acme TO leasehold_tenant;

CREATE TABLE acme.customer (
  tenant_id uuid NOT NULL,
  id uuid PRIMARY KEY,
  name text NOT NULL,
  UNIQUE (tenant_id, id)
);

CREATE TABLE acme."order" (
  tenant_id uuid NOT NULL,
  number bigint NOT NULL,
  customer_id uuid NOT NULL,
  total numeric NOT NULL,
  PRIMARY KEY (tenant_id, number),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES acme.customer (tenant_id, id)
);

SELECT leasehold.protect('acme.customer');
SELECT leasehold.protect('acme."order"');

GRANT SELECT, INSERT, UPDATE, DELETE ON acme.customer, acme."order" TO leasehold_tenant;
