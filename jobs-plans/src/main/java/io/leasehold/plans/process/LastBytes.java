package io.leasehold.plans.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads the end of a file that may be long. */
public final class LastBytes {

  private LastBytes() {}

  /** Returns the end of a file as text. */
  public static String of(Path file, int most) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return of(channel, most);
    }
  }

  static String of(FileChannel channel, int most) throws IOException {
    var length = channel.size();
    var bytes = ByteBuffer.allocate((int) Math.min(length, most));
    var from = length - bytes.capacity();
    int read;
    do {
      read = channel.read(bytes, from + bytes.position());
    } while (bytes.hasRemaining() && read >= 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
  }
}
