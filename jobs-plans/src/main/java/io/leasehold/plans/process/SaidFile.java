package io.leasehold.plans.process;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Collects the output of a program in a file. A pipe does not work: an interrupt does not end the
 * wait for it, and child processes that inherited it keep it open.
 */
final class SaidFile implements Closeable {

  private final Path path;
  private final FileChannel channel;

  private SaidFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static SaidFile make() throws IOException {
    var path = Files.createTempFile("leasehold-", ".said");
    return new SaidFile(path, FileChannel.open(path, StandardOpenOption.READ));
  }

  Redirect redirect() {
    return Redirect.to(path.toFile());
  }

  /**
   * Deletes the file's name once the program has opened the file: no one else needs it, and it
   * might not be deleted later.
   */
  void forgetName() throws IOException {
    Files.deleteIfExists(path);
  }

  long length() throws IOException {
    return channel.size();
  }

  String last(int most) throws IOException {
    return LastBytes.of(channel, most);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    forgetName();
  }
}
