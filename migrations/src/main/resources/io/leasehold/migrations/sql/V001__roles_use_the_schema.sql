-- Who may use the schema at all. Everything else is granted object by object.

REVOKE ALL ON SCHEMA leasehold FROM PUBLIC;
GRANT USAGE ON SCHEMA leasehold TO leasehold_tenant, leasehold_engine;

-- A function may be called by those it is granted to, and not by everybody: in any schema.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
