package io.leasehold.engine.isolation;

/** SQL that takes row level security away, so that the scoped DSL is alone, and brings it back. */
final class RowLevelSecurity {

  static final String OFF = all("DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY");
  static final String ON = all("ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");

  private RowLevelSecurity() {}

  private static String all(String change) {
    return """
    DO $$
    DECLARE tenant_table regclass;
    BEGIN
      FOR tenant_table IN SELECT attrelid FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'leasehold'::regnamespace AND relkind IN ('r', 'p')
          AND attname = 'tenant_id'
      LOOP
        EXECUTE format('ALTER TABLE %s CHANGE', tenant_table);
      END LOOP;
    END $$
    """
        .replace("CHANGE", change);
  }
}
