package io.leasehold.embedded;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The superuser's password: random, created with the data, readable only by its owner. */
final class ClusterPassword {

  private static final int BYTES = 16;
  private static final String FILE = "password";

  private ClusterPassword() {}

  /** Creates another password. If the process is killed, the file is either complete or missing. */
  static void makeIn(Path folder) throws IOException {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    var half = folder.resolve(FILE + ".half");
    Files.deleteIfExists(half);
    Files.createFile(half, asFileAttribute(fromString("rw-------")));
    Files.writeString(half, HexFormat.of().formatHex(bytes));
    Files.move(half, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  static Path in(Path folder) {
    var file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      throw new IllegalStateException(
          "the superuser's password is missing: no file %s beside the data".formatted(file));
    }
    return file;
  }
}
