package io.leasehold.testkit;

import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files that a handler creates, kept in this process. Belongs to one thread. */
final class FakeOutputs {

  private final byte[] none = {};

  private final Map<String, byte[]> left = new LinkedHashMap<>();
  private final Map<String, byte[]> parts = new HashMap<>();

  List<String> names() {
    return List.copyOf(left.keySet());
  }

  byte[] bytes(String name) {
    var bytes = left.get(name);
    if (bytes == null) {
      throw new AssertionError("no file is named %s; there are %s".formatted(name, left.keySet()));
    }
    return bytes.clone();
  }

  JobOutput write(String name, String mediaType, OutputWriter writer) throws IOException {
    var out = new ByteArrayOutputStream();
    writer.write(out);
    return leave(name, mediaType, out.toByteArray());
  }

  OutputDraft draft(OutputDraft.Kept kept) {
    var areThere =
        kept.parts().stream()
            .allMatch(it -> parts.getOrDefault(it.file(), none).length >= it.length());
    return new Draft(areThere ? kept : OutputDraft.Kept.NOTHING);
  }

  private JobOutput leave(String name, String mediaType, byte[] bytes) {
    JobOutput.requireValid(name, mediaType);
    left.put(name, bytes);
    return new JobOutput(name, mediaType, bytes.length, sha256(bytes), Instant.EPOCH);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A draft that keeps its bytes in a new part. */
  private final class Draft implements OutputDraft {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Draft(Kept kept) {
      kept.parts()
          .forEach(it -> bytes.write(parts.getOrDefault(it.file(), none), 0, (int) it.length()));
    }

    @Override
    public long length() {
      return bytes.size();
    }

    @Override
    public void write(byte[] chunk, int offset, int count) {
      bytes.write(chunk, offset, count);
    }

    @Override
    public Kept keep() {
      if (bytes.size() == 0) {
        return Kept.NOTHING;
      }
      var part = new Part("draft-0-" + parts.size(), bytes.size());
      parts.put(part.file(), bytes.toByteArray());
      return new Kept(List.of(part));
    }

    @Override
    public void reset() {
      bytes.reset();
    }

    @Override
    public String sha256() {
      return FakeOutputs.sha256(bytes.toByteArray());
    }

    @Override
    public JobOutput finish(String name, String mediaType) {
      return leave(name, mediaType, bytes.toByteArray());
    }

    @Override
    public void close() {
      // Kept parts remain.
    }
  }
}
