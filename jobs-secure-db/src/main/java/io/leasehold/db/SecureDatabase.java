package io.leasehold.db;

import io.leasehold.db.connection.RolePool;
import io.leasehold.db.listen.Listener;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.db.transaction.Limits;
import io.leasehold.db.transaction.PooledTransactions;
import io.leasehold.db.verify.Verification;
import io.leasehold.db.verify.VerifyDatabase;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database with two pools, one for each run-time role.
 *
 * <p>{@link #start} first verifies that the database isolates tenants and makes commits durable.
 * Safe to share between threads.
 */
public final class SecureDatabase implements Transactions, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SecureDatabase.class);

  private final DbConfig config;
  private final DeclaredTables declared;
  private final Notifications notifications;

  private volatile @Nullable Running running;

  private record Running(RolePool tenants, RolePool engine, PooledTransactions transactions) {}

  @Inject
  SecureDatabase(DbConfig config, Set<TableDeclaration> declarations) {
    this.config = config;
    this.declared = DeclaredTables.of(declarations);
    this.notifications = new Listener(config, new Random());
  }

  /** Creates a database for applications without Guice; it must be started. */
  public static SecureDatabase of(DbConfig config, Set<TableDeclaration> declarations) {
    return new SecureDatabase(config, declarations);
  }

  /**
   * Verifies the database and opens the pools. Repeated calls do nothing.
   *
   * @throws io.leasehold.jobs.JobsException with {@link
   *     io.leasehold.jobs.ErrorCode#DATABASE_UNSAFE} and all findings, if any finding breaks
   *     isolation or durability
   */
  public synchronized void start() {
    if (running != null) {
      return;
    }
    var verified = verify();
    // A pooler accepts no session settings, and settings in the URL would override ours.
    var onSession = !verified.pooled() && !JdbcUrl.hasOptions(config.jdbcUrl());
    var limits = Limits.of(config, verified.serverVersion(), onSession);
    var tenants = RolePool.ofTenants(config, verified.pooled(), limits.ofSession());
    try {
      running = withEngine(tenants, verified, limits);
    } finally {
      if (running == null) {
        tenants.close();
      }
    }
  }

  private Running withEngine(RolePool tenants, Verification verified, Limits limits) {
    var engine = RolePool.ofEngine(config, verified.pooled(), limits.ofSession());
    var transactions =
        new PooledTransactions(
            tenants.dataSource(), engine.dataSource(), declared, limits, verified.pooled());
    return new Running(tenants, engine, transactions);
  }

  /** Returns everything that would prevent this database from starting, and what to do about it. */
  public static List<Finding> findings(DbConfig config) {
    return VerifyDatabase.verify(config).findings();
  }

  /**
   * Returns what does not break isolation but could be improved, such as functions of the server
   * that tenants' SQL should not be able to call. Only the server's administrator can change some
   * of it.
   */
  public static List<Finding> advice(DbConfig config) {
    return VerifyDatabase.verify(config).advice();
  }

  private Verification verify() {
    var verification = VerifyDatabase.verify(config);
    if (!verification.findings().isEmpty()) {
      throw new JobsException(ErrorCode.DATABASE_UNSAFE, inWords(verification.findings()));
    }
    if (!verification.advice().isEmpty()) {
      log.warn(
          "the database is safe to use; leasehold doctor has {} suggestions for it, the first is:"
              + " {}",
          verification.advice().size(),
          verification.advice().getFirst().inWords());
    }
    return verification;
  }

  private static String inWords(List<Finding> findings) {
    return findings.stream()
        .map(Finding::inWords)
        .collect(Collectors.joining("\n  ", "the database cannot be used:\n  ", ""));
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T asTenant(
      SecurityContext caller, TransactionOptions options, TenantWork<T, E> work) throws E {
    return transactions().asTenant(caller, options, work);
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T within(
      TenantTransaction tx, TenantWork<T, E> work) throws E {
    return transactions().within(tx, work);
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T asEngine(
      TransactionOptions options, EngineWork<T, E> work) throws E {
    return transactions().asEngine(options, work);
  }

  /**
   * Returns the notifications of other processes. The receiving code starts them, and they are
   * closed with the database.
   */
  public Notifications notifications() {
    return notifications;
  }

  /**
   * Closes the pools and ends running transactions. Repeated calls do nothing; {@link #start} opens
   * the database again.
   */
  @Override
  public synchronized void close() {
    notifications.close();
    var closed = running;
    if (closed != null) {
      running = null;
      closed.transactions().close();
      closed.tenants().close();
      closed.engine().close();
    }
  }

  private Transactions transactions() {
    var current = running;
    if (current == null) {
      throw new IllegalStateException("the database is not started, or closed again");
    }
    return current.transactions();
  }
}
