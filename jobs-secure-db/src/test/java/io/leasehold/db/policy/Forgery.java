package io.leasehold.db.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * SQL by which a tenant's transaction tries to become another tenant's.
 *
 * @param sql one or more statements, the transaction's end and a new one possibly among them
 */
record Forgery(String sql) {

  private static final List<String> SETTINGS =
      List.of(
          "backtrace_functions",
          "leasehold.tenants",
          "leasehold.seal",
          "app.tenant_id",
          "app.readable_tenants");

  /** Ways to give a setting a value. */
  private static final List<String> SETTING =
      List.of(
          "SELECT set_config('%1$s', '%2$s', true)",
          "SELECT set_config('%1$s', '%2$s', false)",
          "SET %1$s = '%2$s'",
          "SET LOCAL %1$s = '%2$s'",
          "SET SESSION %1$s = '%2$s'",
          "DO $do$ BEGIN PERFORM set_config('%1$s', '%2$s', true); END $do$",
          "SELECT query_to_xml('select set_config(''%1$s'', ''%2$s'', true)', true, false, '')",
          "SELECT (t).ts_stat FROM unnest(ARRAY['select set_config(''%1$s'', ''%2$s'', true)']) t",
          "SAVEPOINT inner_part; SELECT set_config('%1$s', '%2$s', true); RELEASE inner_part",
          "COMMIT; BEGIN; SELECT set_config('%1$s', '%2$s', true)",
          "ROLLBACK; SET %1$s = '%2$s'; BEGIN",
          "ALTER ROLE leasehold_tenant SET %1$s = '%2$s'",
          "ALTER ROLE CURRENT_USER SET %1$s = '%2$s'; COMMIT; BEGIN",
          "RESET ALL; SELECT set_config('%1$s', '%2$s', true)");

  /** What changes the transaction, the session or the role without naming a tenant. */
  private static final List<String> OTHERS =
      List.of(
          "RESET ALL",
          "RESET backtrace_functions",
          "RESET leasehold.tenants",
          "DISCARD ALL",
          "DISCARD PLANS",
          "COMMIT; DISCARD ALL; BEGIN",
          "COMMIT; BEGIN",
          "ROLLBACK; BEGIN",
          "SET LOCAL row_security = off",
          "SET LOCAL search_path = acme, leasehold, public",
          "SET LOCAL standard_conforming_strings = off",
          "SET ROLE leasehold_owner",
          "SET ROLE leasehold_engine",
          "SET LOCAL ROLE NONE",
          "SET SESSION AUTHORIZATION leasehold_owner",
          "RESET SESSION AUTHORIZATION",
          "SET LOCAL session_replication_role = replica",
          "ALTER ROLE leasehold_tenant BYPASSRLS",
          "ALTER ROLE leasehold_tenant SUPERUSER",
          "GRANT leasehold_owner TO leasehold_tenant",
          "GRANT SET ON PARAMETER backtrace_functions TO leasehold_tenant",
          "ALTER SYSTEM SET backtrace_functions = 'a'",
          "ALTER TABLE acme.orders DISABLE ROW LEVEL SECURITY",
          "ALTER TABLE acme.orders NO FORCE ROW LEVEL SECURITY",
          "DROP POLICY tenant_reads ON acme.orders",
          "CREATE POLICY hole ON acme.orders USING (true)",
          "CREATE FUNCTION pg_temp.own_tenant() RETURNS uuid LANGUAGE sql RETURN NULL",
          "CREATE OR REPLACE FUNCTION leasehold.own_tenant() RETURNS uuid LANGUAGE sql RETURN NULL",
          "CREATE TEMP TABLE tenant_key (secret bytea)",
          "SELECT secret FROM leasehold.tenant_key",
          "SELECT inner_pad, outer_pad FROM leasehold.tenant_key",
          "INSERT INTO leasehold.tenant_key (secret) VALUES ('\\x00')",
          "COPY leasehold.tenant_key TO STDOUT",
          "SELECT leasehold.rotate_tenant_key(true)",
          "SELECT leasehold.prove_tenants_by('seal')",
          "SELECT leasehold.choose_tenant_proof()",
          "SELECT leasehold.hmac_pad('\\x00', 54)",
          "SELECT leasehold.clean_session()",
          "PREPARE forged AS SELECT set_config('leasehold.tenants', $1, true)",
          "DECLARE forged CURSOR WITH HOLD FOR SELECT 1",
          "LOCK TABLE acme.orders IN ACCESS SHARE MODE");

  /**
   * All forgeries.
   *
   * @param replayed proofs and seals of the foreign tenant that were made for other transactions
   */
  static List<Forgery> all(String own, String foreign, List<String> replayed) {
    var all = new ArrayList<Forgery>();
    OTHERS.forEach(sql -> all.add(new Forgery(sql)));
    var values =
        List.of(
            foreign,
            foreign.replace("-", ""),
            foreign + "," + own,
            own + "," + foreign,
            (own + "," + foreign).replace("-", ""));
    for (var setting : SETTINGS) {
      for (var value : values) {
        for (var way : SETTING) {
          all.add(new Forgery(way.formatted(setting, value)));
        }
      }
    }
    all.addAll(entries(own, foreign, replayed));
    return all;
  }

  /** Proofs that are not of the foreign tenant, or not for this transaction. */
  static List<String> proofs(List<String> replayed) {
    var proofs = new ArrayList<>(List.of("", "p", "b", "s", "x", "p00", "b" + "0".repeat(64)));
    proofs.addAll(List.of("p" + "f".repeat(64), "p'; SELECT 1; --", "zz", "p" + "é".repeat(8)));
    proofs.addAll(replayed);
    replayed.forEach(proof -> proofs.add("p" + proof.substring(Math.min(1, proof.length()))));
    replayed.forEach(proof -> proofs.add("b" + proof.substring(Math.min(1, proof.length()))));
    return proofs;
  }

  private static List<Forgery> entries(String own, String foreign, List<String> replayed) {
    var all = new ArrayList<Forgery>();
    for (var proof : proofs(replayed)) {
      var quoted = proof.replace("'", "''");
      for (var tenants : List.of(foreign, foreign + "," + own, own + "," + foreign)) {
        var entering = "SELECT leasehold.enter_tenant('%s', '%s')".formatted(tenants, quoted);
        all.add(new Forgery(entering));
        all.add(new Forgery("COMMIT; BEGIN; " + entering));
        all.add(
            new Forgery(
                "SELECT set_config('leasehold.tenants', '%s', true), set_config('leasehold.seal', '%s', true)"
                    .formatted(tenants, quoted)));
      }
    }
    all.add(new Forgery("SELECT leasehold.enter_tenant('%s', NULL)".formatted(foreign)));
    all.add(new Forgery("SELECT leasehold.enter_tenant(NULL, NULL)"));
    all.add(
        new Forgery(
            "SELECT set_config('leasehold.tenants', '%s', true), set_config('leasehold.seal',"
                    .formatted(foreign)
                + " current_setting('leasehold.seal', true), true)"));
    return all;
  }
}
