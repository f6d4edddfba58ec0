-- The tables of a business module, as its author would write them: for tests.
CREATE SCHEMA acme AUTHORIZATION leasehold_owner;

SET ROLE leasehold_owner;

GRANT USAGE ON SCHEMA acme TO leasehold_tenant;

CREATE TABLE acme.customer (
  tenant_id uuid NOT NULL,
  id        uuid NOT NULL,
  name      text NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE acme.orders (
  tenant_id   uuid NOT NULL,
  id          bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  customer_id uuid,
  code        text NOT NULL,
  total       integer NOT NULL DEFAULT 0,
  note        text,
  placed_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT orders_code_once UNIQUE (tenant_id, code),
  CONSTRAINT orders_of_customer FOREIGN KEY (tenant_id, customer_id) REFERENCES acme.customer
);

-- The same for all tenants.
CREATE TABLE acme.country (
  code text PRIMARY KEY,
  name text NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON acme.customer, acme.orders TO leasehold_tenant;
GRANT SELECT ON acme.country TO leasehold_tenant;

SELECT leasehold.protect('acme.customer');
SELECT leasehold.protect('acme.orders');
SELECT leasehold.share('acme.country');

CREATE VIEW acme.order_v WITH (security_invoker = true) AS
  SELECT orders.tenant_id, orders.id, orders.code, orders.total, customer.name AS customer_name
  FROM acme.orders
  LEFT JOIN acme.customer
    ON customer.tenant_id = orders.tenant_id AND customer.id = orders.customer_id;

GRANT SELECT ON acme.order_v TO leasehold_tenant;

RESET ROLE;
