package io.leasehold.rest.issuer;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.text.ParseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the development issuer's key in a file that only its owner can read, with the public key
 * in a file beside it.
 *
 * @param path the path of the folder
 */
record KeyFolder(Path path) {

  private static final Logger log = LoggerFactory.getLogger(KeyFolder.class);

  static KeyFolder below(Path data) {
    return new KeyFolder(data.toAbsolutePath().normalize().resolve("development-issuer"));
  }

  Path keyFile() {
    return path.resolve("key.json");
  }

  Path publicFile() {
    return path.resolve("jwks.json");
  }

  /** Returns the key; if there is none, one of the processes that start concurrently creates it. */
  ECKey ensured() {
    try {
      makeFolder();
      if (!Files.exists(keyFile())) {
        make();
      }
      var key = existing();
      var half = written(new JWKSet(key.toPublicJWK()).toString(), "rw-r--r--");
      Files.move(half, publicFile(), StandardCopyOption.ATOMIC_MOVE);
      return key;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the development issuer's key in " + path, e);
    }
  }

  // Independent of the umask: a user with write access could replace the key.
  private void makeFolder() throws IOException {
    var rights = fromString("rwx------");
    Files.createDirectories(path, asFileAttribute(rights));
    if (!Files.getPosixFilePermissions(path).equals(rights)) {
      Files.setPosixFilePermissions(path, rights);
    }
  }

  ECKey existing() {
    if (!Files.exists(keyFile())) {
      throw new IllegalStateException(
          "there is no development issuer in %s: start the program with --dev-issuer first"
              .formatted(path));
    }
    try {
      return ECKey.parse(Files.readString(keyFile()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the development issuer's key " + keyFile(), e);
    } catch (ParseException e) {
      throw new IllegalStateException(
          "%s is no key: delete the file to have a new one made".formatted(keyFile()), e);
    }
  }

  private void make() throws IOException {
    var half = written(newKey().toJSONString(), "rw-------");
    try {
      Files.createLink(keyFile(), half); // Atomic, and only if there is no key yet.
    } catch (FileAlreadyExistsException e) {
      log.debug("another process made the key in {}", path, e);
    } finally {
      Files.delete(half);
    }
  }

  private static ECKey newKey() {
    try {
      return new ECKeyGenerator(Curve.P_256)
          .keyUse(KeyUse.SIGNATURE)
          .algorithm(JWSAlgorithm.ES256)
          .keyIDFromThumbprint(true)
          .generate();
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot make a key for the development issuer", e);
    }
  }

  private Path written(String text, String rights) throws IOException {
    var half = Files.createTempFile(path, "half", "", asFileAttribute(fromString(rights)));
    return Files.writeString(half, text + "\n");
  }
}
