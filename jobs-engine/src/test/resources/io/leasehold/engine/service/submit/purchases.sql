-- A module's own table: each row names the jobs that were submitted together with it.
CREATE SCHEMA shop AUTHORIZATION leasehold_owner;
SET ROLE leasehold_owner;

CREATE TABLE shop.purchase (
  tenant_id uuid NOT NULL,
  id        uuid NOT NULL DEFAULT gen_random_uuid(),
  shopper   text NOT NULL,

  -- a line for each: its id and its input
  jobs      text NOT NULL,
  -- the ids of those that were there already under the same key, a line for each
  repeats   text NOT NULL,

  backend   integer NOT NULL DEFAULT pg_backend_pid(),

  CONSTRAINT purchase_is_known_by_tenant_and_id PRIMARY KEY (tenant_id, id)
);
SELECT leasehold.protect('shop.purchase');
GRANT USAGE ON SCHEMA shop TO leasehold_tenant;
GRANT SELECT, INSERT ON shop.purchase TO leasehold_tenant;

RESET ROLE;
