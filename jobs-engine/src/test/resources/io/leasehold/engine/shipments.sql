-- A module's own table whose rows belong to regions besides tenants: a trigger stamps each with the region that
-- the transaction set, and a view shows those of that region.
CREATE SCHEMA acme AUTHORIZATION leasehold_owner;
SET ROLE leasehold_owner;

CREATE TABLE acme.shipment (
  tenant_id uuid NOT NULL,
  id        uuid NOT NULL DEFAULT gen_random_uuid(),
  label     text NOT NULL,
  region    text NOT NULL,
  CONSTRAINT shipment_is_known_by_tenant_and_id PRIMARY KEY (tenant_id, id)
);
SELECT leasehold.protect('acme.shipment');

CREATE FUNCTION acme.stamp_region() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.region := nullif(current_setting('acme.region', true), '');
  RETURN NEW;
END $$;
CREATE TRIGGER shipment_has_a_region BEFORE INSERT ON acme.shipment
  FOR EACH ROW EXECUTE FUNCTION acme.stamp_region();

CREATE VIEW acme.shipment_v WITH (security_invoker = true) AS
SELECT tenant_id, id, label FROM acme.shipment WHERE region = current_setting('acme.region', true);

GRANT USAGE ON SCHEMA acme TO leasehold_tenant;
GRANT SELECT, INSERT ON acme.shipment TO leasehold_tenant;
GRANT SELECT ON acme.shipment_v TO leasehold_tenant;

RESET ROLE;
