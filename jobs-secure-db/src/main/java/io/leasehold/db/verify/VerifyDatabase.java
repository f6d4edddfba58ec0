package io.leasehold.db.verify;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jooq.exception.DataAccessException;

/**
 * Verifies a database with the two run-time roles, and reports all problems at once.
 *
 * <p>Changes nothing, and needs no rights beyond those of the roles.
 */
public final class VerifyDatabase {

  private static final int OLDEST_SERVER = 15;

  private final DbConfig config;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Finding> advice = new ArrayList<>();
  private int serverVersion;
  private boolean pooled;

  private VerifyDatabase(DbConfig config) {
    this.config = config;
  }

  public static Verification verify(DbConfig config) {
    var verify = new VerifyDatabase(config);
    verify.asTenant();
    verify.asEngine();
    return new Verification(
        verify.serverVersion,
        verify.pooled,
        verify.findings.stream().distinct().filter(verify::counts).toList(),
        List.copyOf(verify.advice));
  }

  private void asTenant() {
    var role = new RoleLogin(config.tenantUser(), config.tenantPassword(), "leasehold_tenant");
    with(config.jdbcUrl(), role, CheckRules::ofSession);
  }

  private void asEngine() {
    var role = new RoleLogin(config.engineUser(), config.enginePassword(), "leasehold_engine");
    with(
        config.jdbcUrl(),
        role,
        session -> {
          var found = new ArrayList<>(CheckRules.ofSession(session));
          found.addAll(CheckRules.ofIsolation(session));
          var schema = CheckSchemaVersion.in(session);
          found.addAll(schema);
          if (schema.isEmpty()) {
            advice.addAll(CheckRules.adviceOf(session));
          }
          pooled = CheckPooler.standsBefore(session);
          return found;
        });
    if (config.notifications()) {
      with(config.listenUrl(), role, CheckPooler::in);
    }
  }

  /** A check that uses a connection. */
  @FunctionalInterface
  private interface Check {
    List<Finding> in(RoleSession session) throws SQLException;
  }

  private void with(String url, RoleLogin role, Check check) {
    var connecting = new NoConnection(url, role, config.startTimeout());
    try (var session = RoleSession.open(url, role, config.startTimeout())) {
      serverVersion = session.serverVersion();
      if (serverVersion < OLDEST_SERVER) {
        findings.add(tooOld(session));
      } else {
        findings.addAll(check.in(session));
      }
    } catch (DataAccessException e) {
      findings.add(connecting.finding(cause(e)));
    } catch (SQLException e) {
      findings.add(connecting.finding(e));
    }
  }

  private static SQLException cause(DataAccessException e) {
    var cause = e.getCause(SQLException.class);
    return cause == null ? new SQLException(e.getMessage(), e) : cause;
  }

  private static Finding tooOld(RoleSession session) {
    return new Finding(
        "server-version",
        "server",
        "is PostgreSQL " + session.serverVersionText(),
        "use PostgreSQL %d or newer".formatted(OLDEST_SERVER));
  }

  private boolean counts(Finding finding) {
    return config.fsyncRequired() || !finding.rule().equals("server-fsync");
  }
}
