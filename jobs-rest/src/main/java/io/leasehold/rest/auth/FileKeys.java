package io.leasehold.rest.auth;

import com.nimbusds.jose.jwk.JWK;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keys in a file, which is read again after it has changed. */
final class FileKeys implements IssuerKeys {

  private static final Logger log = LoggerFactory.getLogger(FileKeys.class);
  private static final Duration A_WHILE = Duration.ofSeconds(5);

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();

  /** The file's stamp when it was last read. Guarded by the lock, like the fields below. */
  private Optional<Stamp> read = Optional.empty();

  private Optional<KeySet> keys = Optional.empty();

  FileKeys(Path file) {
    this.file = file;
  }

  @Override
  public List<JWK> named(String kid) {
    return current()
        .orElseThrow(() -> RequestRefusal.until(Problem.UNAVAILABLE, A_WHILE))
        .named(kid);
  }

  /** If the file is deleted, or no longer contains a JWKS, the previous keys stay in use. */
  private Optional<KeySet> current() {
    lock.lock();
    try {
      var stamp = Optional.of(Stamp.of(file));
      if (!stamp.equals(read)) {
        read = stamp;
        var found = KeySet.parse(Files.readString(file));
        if (found.isEmpty()) {
          log.warn("no keys in {}: it is no JWKS", file);
        }
        keys = found.or(() -> keys);
      }
    } catch (IOException e) {
      if (read.isPresent() || keys.isEmpty()) {
        log.warn("no keys in {}: it cannot be read", file, e);
      }
      read = Optional.empty();
    } finally {
      lock.unlock();
    }
    return keys;
  }

  /** Detects changes of the file. */
  private record Stamp(FileTime changed, long size) {

    static Stamp of(Path file) throws IOException {
      return new Stamp(Files.getLastModifiedTime(file), Files.size(file));
    }
  }
}
