package io.leasehold.plans.server;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The control file of a server's data, as read by {@code pg_controldata}. */
public final class ControlFile {

  /** The offset after the system identifier, the file's version and the catalogue's version. */
  private static final int STATE_AT = 16;

  private static final int SHUT_DOWN = 1;

  private ControlFile() {}

  /**
   * Checks that the server was shut down cleanly, so that a copy of its data needs no recovery.
   *
   * @throws IOException if it was not, or the file does not exist
   */
  public static void requireShutDown(ServerFolder folder) throws IOException {
    var state = state(folder.data().resolve("global/pg_control"));
    if (state != SHUT_DOWN) {
      throw new IOException(
          "the server %s was not shut down cleanly: the state in pg_control must be %d, not %d"
              .formatted(folder.name(), SHUT_DOWN, state));
    }
  }

  private static int state(Path file) throws IOException {
    var bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.read(bytes, STATE_AT) < Integer.BYTES) {
        throw new EOFException(file + " has no state");
      }
    }
    return bytes.getInt(0);
  }
}
