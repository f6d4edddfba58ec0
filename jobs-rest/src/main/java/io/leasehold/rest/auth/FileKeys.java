package io.leasehold.rest.auth;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.text.ParseException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keys in a file, which is read again after it has changed. Safe to share between threads. */
final class FileKeys implements JWKSetSource<SecurityContext> {

  private static final Logger log = LoggerFactory.getLogger(FileKeys.class);

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();

  /** The file's stamp when it was last read. Guarded by the lock, like the field below. */
  private Optional<Stamp> read = Optional.empty();

  private Optional<JWKSet> keys = Optional.empty();

  FileKeys(Path file) {
    this.file = file;
  }

  /** If the file is deleted, or no longer contains a JWKS, the previous keys stay in use. */
  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator refresh, long now, @Nullable SecurityContext context)
      throws JWKSetUnavailableException {
    lock.lock();
    try {
      readIfChanged();
      return keys.orElseThrow(() -> new JWKSetUnavailableException("no keys in " + file));
    } finally {
      lock.unlock();
    }
  }

  private void readIfChanged() {
    try {
      var stamp = Optional.of(Stamp.of(file));
      if (!stamp.equals(read)) {
        read = stamp;
        keys = Optional.of(JWKSet.parse(Files.readString(file)).toPublicJWKSet());
      }
    } catch (ParseException e) {
      log.warn("no keys in {}: it is no JWKS", file);
    } catch (IOException e) {
      if (read.isPresent() || keys.isEmpty()) {
        log.warn("no keys in {}: it cannot be read", file, e);
      }
      read = Optional.empty();
    }
  }

  @Override
  public void close() {
    // Nothing stays open between two reads.
  }

  /** Detects changes of the file. */
  private record Stamp(FileTime changed, long size) {

    static Stamp of(Path file) throws IOException {
      return new Stamp(Files.getLastModifiedTime(file), Files.size(file));
    }
  }
}
