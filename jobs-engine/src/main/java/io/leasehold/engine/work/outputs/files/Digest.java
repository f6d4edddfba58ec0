package io.leasehold.engine.work.outputs.files;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the SHA-256 of a sequence of bytes. Confined to one thread. */
public final class Digest {

  private static final int BUFFER = 64 << 10;

  private final MessageDigest digest;

  public Digest() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public void add(byte[] bytes, int offset, int count) {
    digest.update(bytes, offset, count);
  }

  public void addAll(InputStream in) throws IOException {
    var buffer = new byte[BUFFER];
    for (var count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      add(buffer, 0, count);
    }
  }

  /** Returns 64 hexadecimal digits. Nothing can be added afterwards. */
  public String hexadecimal() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
