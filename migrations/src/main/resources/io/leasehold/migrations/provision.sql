-- Makes the three roles and the schema, where they are not there yet. Needs CREATEROLE, and CREATE on
-- the database. Runs again without harm.
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['leasehold_owner', 'leasehold_tenant', 'leasehold_engine'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', role_name);
    END IF;
  END LOOP;
END $$;

-- The owner hands functions to the engine, and this migration's user makes things as the owner.
GRANT leasehold_engine TO leasehold_owner;
GRANT leasehold_owner TO CURRENT_USER;

DO $$
BEGIN
  EXECUTE format('REVOKE TEMPORARY, CREATE ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CREATE ON DATABASE %I TO leasehold_owner', current_database());
END $$;

CREATE SCHEMA IF NOT EXISTS leasehold AUTHORIZATION leasehold_owner;
