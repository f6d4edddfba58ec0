package io.leasehold.embedded;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The superuser's password: random, made with the folder, readable by its owner alone. */
final class ClusterPassword {

  private static final int BYTES = 16;

  private ClusterPassword() {}

  static Path in(Path folder) throws IOException {
    var file = folder.resolve("password").toAbsolutePath();
    if (!Files.exists(file)) {
      var bytes = new byte[BYTES];
      new SecureRandom().nextBytes(bytes);
      Files.createFile(file, asFileAttribute(fromString("rw-------")));
      Files.writeString(file, HexFormat.of().formatHex(bytes));
    }
    return file;
  }
}
