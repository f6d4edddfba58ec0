package io.leasehold.rest.program.database;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The passwords of the runtime roles of an embedded server, in a file that only its owner can read.
 */
final class RolePasswords {

  static final String TENANT = "leasehold_tenant";
  static final String ENGINE = "leasehold_engine";

  private static final String FILE = "roles.properties";
  private static final int BYTES = 16;

  private RolePasswords() {}

  /** Reads the passwords by role, and creates random ones if there are none yet. */
  static Map<String, String> in(Path folder) {
    var file = folder.resolve(FILE);
    try {
      if (!Files.exists(file)) {
        make(file);
      }
      var properties = new Properties();
      try (var reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      }
      return Map.of(TENANT, passwordOf(TENANT, properties), ENGINE, passwordOf(ENGINE, properties));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the roles' passwords in " + file, e);
    }
  }

  /** The file appears whole, or not at all if the process is killed. */
  private static void make(Path file) throws IOException {
    var half = file.resolveSibling(FILE + ".half");
    Files.deleteIfExists(half);
    Files.createFile(half, asFileAttribute(fromString("rw-------")));
    Files.write(
        half, List.of(TENANT + "=" + random(), ENGINE + "=" + random()), StandardCharsets.UTF_8);
    Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String random() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String passwordOf(String role, Properties properties) {
    var password = properties.getProperty(role);
    if (password == null) {
      throw new IllegalStateException(
          "no password for %s in %s: delete the file to have new ones made".formatted(role, FILE));
    }
    return password;
  }
}
