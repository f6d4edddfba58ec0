package io.leasehold.plans.process;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a program writes. Into a file: to wait for a pipe is nothing that an interrupt ends, and who
 * inherited it holds it open.
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

  /** Once the program has it: nobody else needs the name, and nobody is left to delete it later. */
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
