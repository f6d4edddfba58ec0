-- The tenant of a transaction: which rows may be written, and which may be read.
--
-- Both settings end with the transaction. After the first that set them they are empty and no
-- longer null; either way there is no tenant, and no row.

CREATE FUNCTION leasehold.own_tenant() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.tenant_id', true), '')::uuid;

CREATE FUNCTION leasehold.readable_tenants() RETURNS uuid[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN string_to_array(nullif(current_setting('app.readable_tenants', true), ''), ',')::uuid[];

GRANT EXECUTE ON FUNCTION leasehold.own_tenant(), leasehold.readable_tenants()
  TO leasehold_tenant, leasehold_engine;
