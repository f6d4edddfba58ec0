package io.leasehold.db.connection;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves to the database which tenants a transaction belongs to: an HMAC over the transaction's
 * tenants and the server process, with a key that the tenant role cannot read.
 *
 * <p>The key is read again every 30 seconds while transactions begin, so that running processes
 * follow its rotation. Safe to share between threads.
 */
public final class TenantProof {

  private static final Logger log = LoggerFactory.getLogger(TenantProof.class);

  private static final String ALGORITHM = "HmacSHA256";
  private static final Duration FRESH_FOR = Duration.ofSeconds(30);

  private final Supplier<byte[]> newestKey;
  private final boolean pooled;
  private final AtomicBoolean refreshing = new AtomicBoolean();

  private volatile @Nullable Key key;

  private record Key(Mac mac, long readAt) {

    boolean isFresh() {
      return System.nanoTime() - readAt < FRESH_FOR.toNanos();
    }
  }

  /**
   * Creates proofs with a key of the database.
   *
   * @param newestKey reads the key; called on the caller's thread once, and after {@link
   *     #forgetKey}
   * @param pooled whether a pooler chooses the server process for each transaction, so that a proof
   *     cannot name it
   */
  public TenantProof(Supplier<byte[]> newestKey, boolean pooled) {
    this.newestKey = newestKey;
    this.pooled = pooled;
  }

  /**
   * Returns the proof for these tenants over this connection, in the form that {@code
   * leasehold.enter_tenant} expects.
   */
  public String of(String tenants, Connection connection) throws SQLException {
    var mac = mac();
    if (pooled) {
      mac.update((byte) 'p');
    } else {
      mac.update((byte) 'b');
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, process(connection)));
    }
    var signature = mac.doFinal(tenants.getBytes(StandardCharsets.UTF_8));
    return (pooled ? "p" : "b") + HexFormat.of().formatHex(signature);
  }

  /** Makes the next proof read the key again, because the database refused one. */
  public void forgetKey() {
    key = null;
  }

  private static int process(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID();
  }

  private Mac mac() {
    var current = key;
    if (current == null) {
      current = read();
      key = current;
    } else if (!current.isFresh() && refreshing.compareAndSet(false, true)) {
      Thread.startVirtualThread(this::refresh);
    }
    try {
      return (Mac) current.mac().clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(ALGORITHM + " cannot be copied", e);
    }
  }

  private void refresh() {
    try {
      key = read();
    } catch (RuntimeException e) {
      log.debug("the key of the tenants' proof could not be read again, keeping the last one", e);
    } finally {
      refreshing.set(false);
    }
  }

  private Key read() {
    var readAt = System.nanoTime();
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(newestKey.get(), ALGORITHM));
      return new Key(mac, readAt);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the platform has no " + ALGORITHM, e);
    }
  }
}
